//! The session of a root: its local store and a server.

use tdg_definition::control::escape;
use tdg_engine::store::Store;
use tdg_service::sync::Direction;

use crate::error::{Error, Result};
use crate::server::{KnownServer, ProjectOrigin, ServerProject};
use crate::store;
use crate::terminal::style::FAINT;
use crate::terminal::{PressedKey, ask, is_interactive, note};
use crate::workspace::{Root, Workspace};

/// A store and a server for one project.
pub(super) struct Session {
    pub(super) server: KnownServer,
    pub(super) project: ServerProject,
    pub(super) store: Store,
}

impl Session {
    /// Connects to the server of a root, and opens or creates the store.
    pub(super) fn open(workspace: &Workspace, root: &Root) -> Result<Self> {
        let settings = root.settings();
        let Some(url) = &settings.url else {
            return Err(Error::new(format!(
                "no server is configured; set TDG_URL, or add url = \"https://…\" to {}",
                workspace.display_path(&ServerProject::file(root))
            )));
        };
        let server = KnownServer::at(url)?;
        if !server.may("read") {
            return Err(server.lacks("read", "compare what the server has"));
        }
        Ok(Self {
            project: ServerProject::read(root, &server)?,
            store: store::open(settings)?,
            server,
        })
    }

    /// Fails if the key lacks a required scope, before anything is sent.
    pub(super) fn check_scopes(&self, direction: Direction) -> Result<()> {
        let server = &self.server;
        match direction {
            Direction::Pull => Ok(()),
            _ if server.may("write") => Ok(()),
            _ if server.may("assert") && self.project.origin != ProjectOrigin::New => Ok(()),
            _ => Err(server.lacks("write", "send records (pulling needs only `read`)")),
        }
    }

    /// Ensures that `tdg.toml` has the project's identity; returns a description of any change.
    pub(super) fn settle_project(
        &self,
        workspace: &Workspace,
        root: &Root,
        direction: Direction,
        (dry_run, yes): (bool, bool),
    ) -> Result<Option<String>> {
        let ServerProject { uuid, name, origin } = &self.project;
        let (url, account) = (self.server.service.url(), &self.server.facts.account);
        let (name, account) = (escape(name), escape(account));
        let file = workspace.display_path(&ServerProject::file(root));
        let line = ServerProject::line(*uuid);
        match origin {
            ProjectOrigin::File => return Ok(None),
            ProjectOrigin::New if direction == Direction::Pull => {
                return Err(Error::new(format!(
                    "{account} has no project {name} at {url}, so there is nothing to pull; `cargo tdg \
                     push` makes it, or add the project_uuid of another one to {file}"
                )));
            }
            ProjectOrigin::New | ProjectOrigin::Server => {}
        }
        let found = match origin {
            ProjectOrigin::Server => format!("{account} has a project {name} at {url}"),
            _ => format!("{account} has no project {name} at {url} yet"),
        };
        if dry_run {
            note(&format!(
                "{found}; without --dry-run, {line} is added to {file}"
            ));
            return Ok(None);
        }
        let question = format!("{found}. Add its project_uuid to {file}? [y/n] ");
        if !yes && is_interactive() && !matches!(ask(&question)?, PressedKey::Character('y' | 'Y'))
        {
            return Err(Error::new(format!(
                "nothing was done; {file} has no project_uuid"
            )));
        }
        if !yes && !is_interactive() {
            return Err(Error::new(format!(
                "{file} has no project_uuid, which identifies the project to clones and servers; \
                 {found}: add {line} to {file}, or run this with --yes"
            )));
        }
        self.project.write(root)?;
        Ok(Some(format!(
            "added {line} to {file}; commit it, so that every clone has the same"
        )))
    }

    /// Returns the project and the server: `shop, https://tdg.example.org, account team`.
    pub(super) fn heading(&self) -> String {
        let (name, account) = (&self.project.name, &self.server.facts.account);
        let url = self.server.service.url();
        let line = format!("{name}, {url}, account {account}");
        format!("{FAINT}{}{FAINT:#}\n", escape(&line))
    }
}
