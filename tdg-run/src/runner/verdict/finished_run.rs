//! A run whose cases have all been run and judged.

use tdg_definition::Policy;
use tdg_engine::config::Update;
#[cfg(feature = "remote")]
use tdg_engine::output::unbound_reason;
use tdg_engine::output::{Outputs, RecordedOutputs};
use tdg_engine::snapshot::{
    BenchmarkFile, Pin, named, of_package, render, render_outputs, render_pin, replacing,
    with_kept, with_policy,
};
use tdg_engine::text::counted;
use tdg_engine::{Ensemble, Vectors};

use super::judgement::{ExpectedOutputs, Judgement};
use super::kept_rows::KeptRows;
use crate::runner::error::Result;
use crate::runner::plan::Plan;

/// A run whose cases have all been run and judged.
#[derive(Clone, Copy)]
pub(crate) struct FinishedRun<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) ensemble: &'a Ensemble,
    /// The benchmark's ensemble, if it differs.
    pub(crate) recorded: Option<&'a Ensemble>,
    pub(crate) vectors: &'a Vectors,
    pub(crate) outputs: &'a Outputs,
    /// The outputs on the benchmark's own rows, if the inputs changed.
    pub(crate) recorded_outputs: Option<&'a Outputs>,
    pub(crate) judgement: &'a Judgement,
    /// The benchmark that the outputs were compared with.
    pub(crate) benchmark: Option<&'a BenchmarkFile>,
    pub(crate) kept: &'a KeptRows,
}

impl FinishedRun<'_> {
    /// Returns the benchmark's outputs, if they were compared and differ from the actual ones.
    ///
    /// # Errors
    /// Fails if the benchmark can't be read.
    pub(crate) fn expected_outputs(&self) -> Result<Option<Outputs>> {
        match (self.judgement.expected, self.benchmark) {
            (ExpectedOutputs::Recorded, Some(benchmark)) => benchmark
                .outputs()
                .map(Some)
                .map_err(|error| self.plan.unreadable(error)),
            _ => Ok(None),
        }
    }

    /// Returns the outputs on the benchmark's own rows, in the form of a pending change.
    pub(crate) fn recorded_text(&self) -> Option<String> {
        let recorded = RecordedOutputs {
            digest: self.benchmark?.ensemble().digest.clone(),
            outputs: self.recorded_outputs?.clone(),
        };
        Some(recorded.to_text())
    }

    /// Returns the outputs on the benchmark's rows, if every row has one.
    #[cfg(feature = "remote")]
    pub(crate) fn comparable_outputs(&self) -> Option<&Outputs> {
        let Some(recorded) = self.recorded_outputs else {
            return Some(self.outputs);
        };
        let mut cases = 0..recorded.len();
        let all = cases.all(|case| unbound_reason(recorded.get(case)).is_none());
        all.then_some(recorded)
    }

    /// Returns the run as a snapshot file. If it replaces a pin, or cases that replace one, the
    /// file names that pin, which then moves when the file is accepted.
    pub(crate) fn snapshot_text(&self) -> String {
        let pinned = self.benchmark.and_then(|benchmark| match benchmark.pin() {
            Some(pin) => Some(pin.benchmark.as_str()),
            None => benchmark.replaces(),
        });
        let text = with_kept(&self.marked(self.cases_text()), &self.kept.recorded);
        match pinned {
            Some(benchmark) => replacing(&text, benchmark),
            None => text,
        }
    }

    /// Adds the policy to the text of a new file, and marks a name that doesn't follow from the
    /// test's function.
    fn marked(&self, text: String) -> String {
        let text = match self.plan.is_named() {
            true => named(&text),
            false => text,
        };
        let text = match self.plan.place.is_outside() {
            true => of_package(&text, &self.plan.test.package),
            false => text,
        };
        with_policy(&text, &Policy::exact(), &self.plan.policy).unwrap_or(text)
    }

    fn cases_text(&self) -> String {
        let (name, description) = (&self.plan.test.name, self.description());
        let write_output = |case: usize, text: &mut String| text.push_str(self.outputs.get(case));
        if !self.plan.inputs {
            return render_outputs(name, &description, self.ensemble, write_output);
        }
        let write_row = |case: usize, text: &mut String| self.vectors.write_row(case, text);
        render(name, &description, self.ensemble, write_row, write_output)
    }

    /// Returns a snapshot file that pins the benchmark on a server.
    pub(crate) fn pin_text(&self, pin: &Pin) -> String {
        let name = &self.plan.test.name;
        let text = render_pin(name, &self.description(), self.ensemble, pin);
        with_kept(&self.marked(text), &self.kept.recorded)
    }

    /// Returns the file's policy, if the test passes by a different one and nothing awaits a
    /// decision.
    pub(crate) fn former_policy(&self) -> Option<&Policy> {
        let is_decided = self.kept.failure.is_none();
        let is_decided = is_decided && self.plan.settings.update.mode != Update::New;
        let former = self.benchmark.map(BenchmarkFile::policy);
        former.filter(|former| is_decided && **former != self.plan.policy)
    }

    /// Returns the line for reviewers above the cases.
    fn description(&self) -> String {
        let cases = counted(self.ensemble.size, "case");
        format!("{cases} of {}", self.plan.definition_name)
    }
}
