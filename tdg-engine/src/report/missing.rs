//! A test without a benchmark.

use super::hints::Hints;
use super::{Pending, Section};

/// A test without a benchmark, in a run that must not record one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The missing snapshot file; `None` if benchmarks are in the store alone.
    pub snapshot_file: Option<String>,
    /// The pending outputs.
    pub pending: Pending,
}

impl Missing {
    pub(super) fn text(&self, command: &str) -> (String, Vec<Section>) {
        let absent = match &self.snapshot_file {
            Some(file) => format!("{file} does not exist."),
            None => "The store has none for this test.".to_owned(),
        };
        let mut hints = Hints::default();
        let (reason, what_next) = match &self.pending {
            Pending::Nowhere { because } => {
                let whose = if self.snapshot_file.is_some() {
                    "Record it where files may be written, and commit the file."
                } else {
                    "Record it where the store may be written."
                };
                hints.add("record:", format!("TDG_UPDATE=auto {command}"));
                (
                    format!("this run must not record one ({because})"),
                    whose.to_owned(),
                )
            }
            pending => {
                hints.accept(command, pending);
                let place = match pending {
                    Pending::InFile(file) => file,
                    _ => "the store",
                };
                (
                    "a new one has to be accepted".to_owned(),
                    format!("The outputs are pending in {place}."),
                )
            }
        };
        let headline = format!("missing: there is no benchmark, and {reason}");
        (headline, vec![vec![absent, what_next], hints.lines()])
    }
}
