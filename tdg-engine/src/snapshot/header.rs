//! The head of a snapshot file: everything before the cases.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use tdg_definition::json;

use super::conflict_marker::refuse_conflict_marker;
use super::ensemble_line::{self, EnsembleLine};
use super::parse::BYTE_ORDER_MARK;
use crate::ensemble::Ensemble;

/// The head of a snapshot file, read without the cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The description of the data: `500 cases of definitions/orders.json`.
    pub description: String,
    /// The ensemble of its cases.
    pub ensemble: Ensemble,
    /// True if the test has an explicit name, set by `name` or `EnsembleTest`, rather than its
    /// function's.
    pub is_named: bool,
    /// The package of the test, if its source is outside the package's directory.
    pub package: Option<String>,
}

impl Header {
    /// Reads the head of a snapshot file; `None` if it is missing or incomplete.
    pub fn read(path: &Path) -> Option<Self> {
        Self::parse(BufReader::new(File::open(path).ok()?))
    }

    /// Reads the head from the text of a snapshot file.
    pub fn parse(mut text: impl BufRead) -> Option<Self> {
        let mut description = String::new();
        let line = read(&mut text, "", |line| {
            if let Some(text) = line.strip_prefix("description: ") {
                let quoted = json::parse(text).ok();
                let quoted = quoted.as_ref().and_then(json::Value::as_str);
                description = quoted.unwrap_or(text).to_owned();
            }
        })?;
        Some(Self {
            description,
            ensemble: line.ensemble,
            is_named: line.is_named,
            package: line.package,
        })
    }

    /// Returns the name of the definition in the description.
    pub fn definition_name(&self) -> &str {
        match self.description.split_once(" of ") {
            Some((_, name)) => name,
            None => "",
        }
    }
}

/// Reads up to the line about the ensemble, passing each line of the header to `in_header`. Returns
/// `None` if the head is incomplete; [`Snapshot::read`](super::Snapshot::read) then reports why.
pub(super) fn read(
    file: &mut impl BufRead,
    definition: &str,
    mut in_header: impl FnMut(&str),
) -> Option<EnsembleLine> {
    while file
        .fill_buf()
        .ok()?
        .starts_with(BYTE_ORDER_MARK.as_bytes())
    {
        file.consume(BYTE_ORDER_MARK.len());
    }
    let mut text = String::new();
    let (mut is_first, mut is_header) = (true, false);
    loop {
        text.clear();
        if file.read_line(&mut text).ok()? == 0 {
            return None;
        }
        match text.trim_end_matches(|c: char| c.is_ascii_whitespace()) {
            "" => continue,
            "---" if is_first || is_header => is_header = !is_header,
            line if is_header => {
                refuse_conflict_marker(line).ok()?;
                in_header(line);
            }
            line => return ensemble_line::parse_of(line, definition).ok(),
        }
        is_first = false;
    }
}
