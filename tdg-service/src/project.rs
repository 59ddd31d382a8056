//! Projects.

use tdg_definition::json::Value;
use uuid::Uuid;

use super::object::{self, Malformed, Members, ServiceObject};
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

impl object::sealed::Sealed for Project {}

impl ServiceObject for Project {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.uuid("project_uuid", self.project_uuid);
        members.string("project_name", &self.project_name);
        members.time("added", self.added);
        members.object("definitions", &self.definitions);
        members.end();
    }

    fn from_json(value: &Value) -> std::result::Result<Self, Malformed> {
        Ok(Project {
            project_uuid: object::uuid(value, "project_uuid")?,
            project_name: object::string(value, "project_name")?,
            added: object::time(value, "added")?,
            definitions: object::objects(value, "definitions")?,
        })
    }
}

/// The request to create a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewProject {
    /// Its name; `New project` if it is missing or blank.
    pub project_name: Option<String>,
}

impl NewProject {
    /// Reads a request; an empty text is a request without members.
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

    /// The request as JSON.
    pub fn to_json(&self) -> String {
        let mut text = String::new();
        let mut members = Members::begin(&mut text);
        if let Some(name) = &self.project_name {
            members.string("project_name", name);
        }
        members.end();
        text
    }
}
