//! Converting stored benchmarks to snapshots.

use super::StoredBenchmark;
use crate::snapshot::{Snapshot, SnapshotError, render, render_outputs, with_policy};
use tdg_definition::Policy;
use tdg_definition::json::Reader;

impl StoredBenchmark {
    /// Returns the benchmark as a snapshot, with the rows if the store has them.
    pub fn to_snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let size = self.ensemble.size;
        let outputs = part("outputs", &self.outputs, size)?;
        let write_output = |case: usize, text: &mut String| text.push_str(outputs[case]);
        let (name, ensemble) = (&self.ensemble.name, &self.ensemble);
        let text = match &self.vectors {
            Some(rows) => {
                let rows = part("rows", rows, size)?;
                let write_row = |case: usize, text: &mut String| text.push_str(rows[case]);
                render(name, "", ensemble, write_row, write_output)
            }
            // The rows come from a file or a server, or they can be drawn.
            None => render_outputs(name, "", ensemble, write_output),
        };
        let policy = self.policy.as_ref().and_then(|it| Policy::parse(it).ok());
        let stated = policy.and_then(|policy| with_policy(&text, &Policy::exact(), &policy));
        Snapshot::parse(stated.unwrap_or(text))
    }
}

/// Splits a JSON array with one element for each case.
fn part<'a>(what: &str, array: &'a str, size: usize) -> Result<Vec<&'a str>, SnapshotError> {
    match elements(array) {
        Some(elements) if elements.len() == size => Ok(elements),
        _ => Err(SnapshotError::new(
            format!("the {what} of a benchmark are damaged"),
            "restore the store, or delete it to record again",
        )),
    }
}

/// Returns the texts of the elements of a JSON array.
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
