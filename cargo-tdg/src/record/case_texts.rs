//! The rows and outputs of a snapshot as JSON texts.

use tdg_engine::output::Outputs;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::Expected;

use crate::error::Result;

/// The rows and outputs of a snapshot in the store's format.
pub(super) struct CaseTexts {
    pub(super) rows: Outputs,
    pub(super) outputs: Outputs,
}

impl CaseTexts {
    /// Parses every case, so that a damaged one can't become a benchmark.
    pub(super) fn from_snapshot(snapshot: &Snapshot) -> Result<Self> {
        let mut texts = Self {
            rows: Outputs::with_capacity(snapshot.len()),
            outputs: Outputs::with_capacity(snapshot.len()),
        };
        for case in 0..snapshot.len() {
            snapshot.output(case)?;
            if snapshot.has_inputs() {
                texts.rows.push_text(&snapshot.row_text(case)?);
            }
            texts.outputs.push_text(&snapshot.output_text(case)?);
        }
        Ok(texts)
    }

    /// Returns the snapshot's benchmark in the store's format, with or without its rows.
    pub(super) fn expected<'t>(&'t self, of: &'t Snapshot, with_rows: bool) -> Expected<'t> {
        Expected {
            ensemble: of.ensemble(),
            vectors: (with_rows && of.has_inputs()).then(|| self.rows.as_json()),
            outputs: self.outputs.as_json(),
        }
    }
}
