//! The head of a snapshot file: what it says before the cases.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use tdg_definition::json;

use super::ensemble_line;
use crate::ensemble::Ensemble;

/// The head of a snapshot file, read without the cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the file says of its data: `500 cases of definitions/orders.json`.
    pub description: String,
    /// The ensemble of its cases.
    pub ensemble: Ensemble,
}

impl Header {
    /// The head of a snapshot file; `None` if it has none that is whole.
    pub fn read(path: &Path) -> Option<Self> {
        let mut description = String::new();
        for line in BufReader::new(File::open(path).ok()?).lines() {
            let line = line.ok()?;
            if let Some(text) = line.strip_prefix("description: ") {
                let text = text.trim_end();
                let quoted = json::parse(text).ok();
                let quoted = quoted.as_ref().and_then(json::Value::as_str);
                description = quoted.unwrap_or(text).to_owned();
            } else if line.starts_with("{\"tdg\":") {
                let line = ensemble_line::parse(line.trim_end()).ok()?;
                return Some(Self {
                    description,
                    ensemble: line.ensemble,
                });
            }
        }
        None
    }

    /// What the description calls the definition.
    pub fn definition_name(&self) -> &str {
        match self.description.split_once(" of ") {
            Some((_, name)) => name,
            None => "",
        }
    }
}
