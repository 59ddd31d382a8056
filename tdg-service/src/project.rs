//! Projects.

use uuid::Uuid;

use super::object::{HttpDate, members, object_text};
use super::{Definition, Result, Timestamp, body};

/// A group of definitions.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// Its identifier.
    pub project_uuid: Uuid,
    /// Its name.
    pub project_name: String,
    /// When it was created.
    pub added: Timestamp,
    /// Its definitions.
    pub definitions: Vec<Definition>,
}

members! { Project: project_uuid, project_name, added as HttpDate, definitions }

/// A request to create a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewProject {
    /// The name; if missing or blank, `New project` is used.
    pub project_name: Option<String>,
}

impl NewProject {
    /// Reads a request. An empty text counts as an empty object.
    ///
    /// # Errors
    ///
    /// [`Malformed`](super::ServiceError::Malformed) and [`Invalid`](super::ServiceError::Invalid).
    pub fn parse(text: &str) -> Result<Self> {
        let text = if text.trim().is_empty() { "{}" } else { text };
        body::read(text, |fields| {
            let project_name = fields
                .optional_text("project_name")
                .ok()?
                .map(str::to_owned);
            Some(NewProject { project_name })
        })
    }

    /// Returns the request as JSON.
    pub fn to_json(&self) -> String {
        object_text(|members| members.add_optional("project_name", &self.project_name))
    }
}
