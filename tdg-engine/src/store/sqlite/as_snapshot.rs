//! A benchmark of the store as a snapshot file.

use super::Benchmark;
use crate::snapshot::{Snapshot, SnapshotError, render};
use tdg_definition::json::Reader;

impl Benchmark {
    /// The benchmark as a snapshot, if the store has its rows.
    ///
    /// # Errors
    ///
    /// If it is damaged, or its rows are in a snapshot file.
    pub fn to_snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let size = self.ensemble.size;
        let rows = part("rows", self.vectors.as_deref().unwrap_or("[]"), size)?;
        let outputs = part("outputs", &self.outputs, size)?;
        Snapshot::parse(render(
            &self.ensemble.name,
            "",
            &self.ensemble,
            |case, text| text.push_str(rows[case]),
            |case, text| text.push_str(outputs[case]),
        ))
    }
}

/// The elements of a JSON array, one for each case.
fn part<'a>(what: &str, array: &'a str, size: usize) -> Result<Vec<&'a str>, SnapshotError> {
    match elements(array) {
        Some(elements) if elements.len() == size => Ok(elements),
        _ => Err(SnapshotError::new(
            format!("the {what} of a benchmark are damaged"),
            "restore the store, or delete it to record again",
        )),
    }
}

/// The texts of the elements of a JSON array.
fn elements(text: &str) -> Option<Vec<&str>> {
    let mut reader = Reader::new(text);
    let mut elements = Vec::new();
    reader.begin_array().ok()?;
    while reader.next_element().ok()? {
        let start = reader.offset();
        reader.skip_value().ok()?;
        elements.push(text[start..reader.offset()].trim());
    }
    Some(elements)
}
