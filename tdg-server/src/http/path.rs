//! The identifiers in a path, available only with a key that opens the projects of their objects.

use axum::extract::RawPathParams;
use tdg_service::{ObjectKind, Result, ServiceError, Uuid};

use crate::database::Database;
use crate::keys::KeyRecord;

/// Identifiers by name. Reading them takes a key.
pub(super) struct PathIds<'p>(Vec<(&'p str, Uuid)>);

/// The kind of object that an identifier in a path names.
enum PathObject {
    Object(ObjectKind),
    /// A test or a run, which is looked up in the preceding project; or a login, which has none.
    Other,
}

impl PathObject {
    /// Returns the kind by name. Endpoints use `project_uuid`, pages `project`.
    fn named(name: &str) -> Option<Self> {
        Some(PathObject::Object(
            match name.strip_suffix("_uuid").unwrap_or(name) {
                "project" => ObjectKind::Project,
                "definition" => ObjectKind::Definition,
                "ensemble" => ObjectKind::Ensemble,
                "benchmark" | "other" => ObjectKind::Benchmark,
                "test" | "run" | "login" => return Some(PathObject::Other),
                _ => return None,
            },
        ))
    }
}

impl<'p> PathIds<'p> {
    /// Parses the identifiers. Fails with the name of one that isn't a UUID or lacks its hyphens.
    pub(super) fn parse(
        params: &'p RawPathParams,
    ) -> std::result::Result<Self, (&'p str, Option<Uuid>)> {
        let id = |(name, text): (&'p str, &'p str)| match Uuid::try_parse(text) {
            Ok(uuid) if text.len() == 36 => Ok((name, uuid)),
            other => Err((name, other.ok())),
        };
        params
            .iter()
            .map(id)
            .collect::<std::result::Result<_, _>>()
            .map(PathIds)
    }

    /// Returns the last identifier, to be named in the log.
    pub(super) fn last(&self) -> Option<Uuid> {
        self.0.last().map(|(_, uuid)| *uuid)
    }

    /// Returns the identifiers if the key opens the projects of all objects. Other objects count as
    /// missing. A key without a limit needs no look-up.
    pub(super) async fn opened_by(self, key: &KeyRecord, database: &Database) -> Result<Vec<Uuid>> {
        if key.projects.projects().is_some() {
            for (name, uuid) in &self.0 {
                if !is_open(key, database, name, *uuid).await? {
                    return Err(self.not_found());
                }
            }
        }
        Ok(self.0.into_iter().map(|(_, uuid)| uuid).collect())
    }

    /// The last object is the subject of the address.
    fn not_found(&self) -> ServiceError {
        let object = |(name, uuid): &(&str, Uuid)| match PathObject::named(name)? {
            PathObject::Object(kind) => Some((kind, *uuid)),
            PathObject::Other => None,
        };
        let last = self.0.iter().rev().find_map(object);
        let (kind, uuid) = last.unwrap_or((ObjectKind::Project, Uuid::nil()));
        ServiceError::NotFound(kind, uuid)
    }
}

async fn is_open(key: &KeyRecord, database: &Database, name: &str, uuid: Uuid) -> Result<bool> {
    let project = match PathObject::named(name) {
        Some(PathObject::Other) => return Ok(true),
        Some(PathObject::Object(ObjectKind::Project)) => Some(uuid),
        Some(PathObject::Object(kind)) => database.project_of(key.account, kind, uuid).await?,
        None => None,
    };
    Ok(project.is_some_and(|project| key.projects.includes(project)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::endpoints;
    use crate::pages;

    #[test]
    fn whatever_is_named_in_a_path_is_known() {
        let endpoints = endpoints();
        let paths = endpoints.iter().map(|it| it.spec.path);
        let paths: Vec<&str> = paths
            .chain(pages::routes().iter().map(|it| it.path))
            .collect();
        let names = paths.iter().flat_map(|path| path.split('{').skip(1));
        let names: Vec<&str> = names.filter_map(|rest| rest.split('}').next()).collect();
        assert!(names.len() > 30, "{names:?}");
        for name in names {
            assert!(PathObject::named(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_test_or_a_run_has_its_project_before_it() {
        for route in pages::routes() {
            let is_within = route.path.contains("{test}") || route.path.contains("{run}");
            assert!(
                !is_within || route.path.starts_with("/project/{project}/"),
                "{}",
                route.path
            );
        }
    }
}
