//! The project that a store and a server share records of: `project_uuid` in `tdg.toml`.

use std::fs;
use std::io;
use std::path::PathBuf;

use tdg_engine::{identifier, snapshot};
use tdg_service::Uuid;

use super::{KnownServer, time};
use crate::error::{Context as _, Error, Result};
use crate::workspace::Root;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerProject {
    pub(crate) uuid: Uuid,
    pub(crate) name: String,
    pub(crate) origin: ProjectOrigin,
}

/// The source of a project's identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProjectOrigin {
    /// From `tdg.toml`.
    File,
    /// From the server, which has one project with this name.
    Server,
    /// Newly generated.
    New,
}

impl ServerProject {
    /// Returns the project of a root: from its `tdg.toml`, else by name from the server, else a new
    /// one. Writes nothing.
    pub(crate) fn read(root: &Root, server: &KnownServer) -> Result<Self> {
        if let Some(uuid) = &root.settings().project_uuid {
            return Ok(Self {
                uuid: Uuid::try_parse(uuid)?,
                name: name(root).unwrap_or_else(|_| uuid.clone()),
                origin: ProjectOrigin::File,
            });
        }
        let name = name(root)?;
        let found = server.service.projects_named(&name)?;
        let (uuid, origin) = match found.as_slice() {
            [] => (Uuid::from_bytes(identifier::random()), ProjectOrigin::New),
            [project] => (project.project_uuid, ProjectOrigin::Server),
            several => {
                let lines = several.iter().map(|project| {
                    let (uuid, added) = (project.project_uuid, time(project.added));
                    format!("\n  {}  # added {added}", ServerProject::line(uuid))
                });
                let lines: String = lines.collect();
                return Err(Error::new(format!(
                    "{} has several projects {name}; add the line of one of them to {}:{lines}",
                    server.service.url(),
                    ServerProject::file(root).display()
                )));
            }
        };
        Ok(Self { uuid, name, origin })
    }

    /// Returns the path of a root's `tdg.toml`, even if it doesn't exist.
    pub(crate) fn file(root: &Root) -> PathBuf {
        root.directory.join("tdg.toml")
    }

    /// Returns the line of `tdg.toml` with an identity.
    pub(crate) fn line(uuid: Uuid) -> String {
        format!("project_uuid = \"{uuid}\"")
    }

    /// Adds the identity to the root's `tdg.toml`, leaving the rest unchanged.
    pub(crate) fn write(&self, root: &Root) -> Result<()> {
        let path = ServerProject::file(root);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.context(path.display())?,
        };
        Ok(snapshot::save(&path, &with_identity(&text, self.uuid))?)
    }
}

/// Returns the name that a root's project has on servers.
fn name(root: &Root) -> Result<String> {
    match (&root.settings().project, root.packages.as_slice()) {
        (Some(name), _) => Ok(name.clone()),
        (None, [package]) => Ok(package.name.clone()),
        (None, packages) => {
            let names: Vec<&str> = packages.iter().map(|it| it.name.as_str()).collect();
            Err(Error::new(format!(
                "the packages {} share a store, so their project needs a name; add project = \"NAME\" \
                 to {}",
                names.join(", "),
                ServerProject::file(root).display()
            )))
        }
    }
}

/// Inserts the identity's line into a `tdg.toml`, after `project` or at the end.
fn with_identity(text: &str, uuid: Uuid) -> String {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let is_name = |line: &&str| {
        let key = line.trim_start_matches('\u{feff}').split('=').next();
        key.is_some_and(|key| key.trim() == "project")
    };
    let mut lines: Vec<&str> = text.lines().collect();
    let name = lines.iter().position(is_name);
    let line = ServerProject::line(uuid);
    lines.insert(name.map_or(lines.len(), |name| name + 1), &line);
    lines.iter().map(|line| format!("{line}{end}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_added_behind_the_name_and_the_rest_stays() {
        let uuid = Uuid::try_parse("d2b59dc1-6a4d-46d5-b387-05c64c5ed92f").unwrap();
        let line = r#"project_uuid = "d2b59dc1-6a4d-46d5-b387-05c64c5ed92f""#;
        for (text, with) in [
            ("", "LINE\n"),
            (
                "# project = \"a\"\nurl = \"b\"",
                "# project = \"a\"\nurl = \"b\"\nLINE\n",
            ),
            (
                "\u{feff}project=\"a\"  # ours\n\nurl = \"b\"\n",
                "\u{feff}project=\"a\"  # ours\nLINE\n\nurl = \"b\"\n",
            ),
            (
                "url = \"b\"\r\n  project = \"a\"\r\ndir = \"c\"\r\n",
                "url = \"b\"\r\n  project = \"a\"\r\nLINE\r\ndir = \"c\"\r\n",
            ),
        ] {
            assert_eq!(
                with_identity(text, uuid),
                with.replace("LINE", line),
                "{text:?}"
            );
        }
    }
}
