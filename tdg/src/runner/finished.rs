//! A run whose cases have all been run and judged.

use tdg_engine::output::Outputs;
use tdg_engine::report::counted;
use tdg_engine::snapshot::{Pin, Snapshot, render, render_pin};
use tdg_engine::{Ensemble, Vectors};

use super::error::Result;
use super::judge::{ExpectedOutputs, Judgement};
use super::plan::Plan;

/// A run whose cases have all been run and judged.
#[derive(Clone, Copy)]
pub(super) struct FinishedRun<'a> {
    pub(super) plan: &'a Plan,
    pub(super) ensemble: &'a Ensemble,
    /// The benchmark's ensemble, where it is another one.
    pub(super) recorded: Option<&'a Ensemble>,
    pub(super) vectors: &'a Vectors,
    pub(super) outputs: &'a Outputs,
    pub(super) judgement: &'a Judgement,
    /// The benchmark that the outputs were compared with.
    pub(super) benchmark: Option<&'a Snapshot>,
}

impl FinishedRun<'_> {
    /// The benchmark's outputs, where they were compared and are not the actual ones.
    ///
    /// # Errors
    /// The benchmark can't be read.
    pub(super) fn recorded_outputs(&self) -> Result<Option<Outputs>> {
        match (self.judgement.expected, self.benchmark) {
            (ExpectedOutputs::Recorded, Some(benchmark)) => benchmark
                .outputs()
                .map(Some)
                .map_err(|error| self.plan.unreadable(error)),
            _ => Ok(None),
        }
    }

    /// The run as a snapshot file.
    pub(super) fn snapshot_text(&self) -> String {
        render(
            &self.plan.test.name,
            &self.description(),
            self.ensemble,
            |case, text| self.vectors.write_row(case, text),
            |case, text| text.push_str(self.outputs.get(case)),
        )
    }

    /// The benchmark on a server as a snapshot file.
    pub(super) fn pin_text(&self, pin: &Pin) -> String {
        let name = &self.plan.test.name;
        render_pin(name, &self.description(), self.ensemble, pin)
    }

    /// The line that reviewers read above the cases.
    fn description(&self) -> String {
        let cases = counted(self.ensemble.size, "case");
        format!("{cases} of {}", self.plan.definition_name)
    }
}
