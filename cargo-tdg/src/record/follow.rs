//! Updates the benchmark to outputs that were accepted elsewhere.

use tdg_engine::output::Outputs;
use tdg_engine::snapshot::{self, Snapshot};

use super::case_texts::CaseTexts;
use super::storage::{RecordedTest, Storage};
use crate::error::Result;

impl RecordedTest {
    /// Replaces the benchmark's outputs, as accepting a change does. The decision is already
    /// recorded.
    pub(crate) fn follow(&self, benchmark: &Snapshot, accepted: &Outputs) -> Result<()> {
        let accepted = Snapshot::parse(benchmark.with_replaced(accepted)?)?;
        match &self.storage {
            Storage::Files { benchmark, .. } => snapshot::replace(benchmark, accepted.text())?,
            Storage::Store => {
                let texts = CaseTexts::from_snapshot(&accepted)?;
                let expected = texts.expected(&accepted, true);
                self.open()?.follow(&self.test, &expected)?;
            }
        }
        self.drop_accepted()
    }

    /// Removes a pending change that the benchmark already includes.
    pub(crate) fn drop_accepted(&self) -> Result<()> {
        if !self.is_pending()? || !self.change()?.compare()?.is_empty() {
            return Ok(());
        }
        if let Storage::Files { pending, .. } = &self.storage {
            snapshot::remove(pending)?;
        }
        Ok(self.settle()?)
    }
}
