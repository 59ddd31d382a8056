//! A run whose cases have all been run and judged.

use tdg_definition::Policy;
#[cfg(feature = "remote")]
use tdg_engine::output::unbound_reason;
use tdg_engine::output::{Outputs, RecordedOutputs};
use tdg_engine::report::counted;
use tdg_engine::snapshot::{
    Benchmark, Pin, Snapshot, named, render, render_outputs, render_pin, replacing, still_kept,
    with_kept, with_policy,
};
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
    /// The outputs on the benchmark's own rows, where the inputs changed.
    pub(super) recorded_outputs: Option<&'a Outputs>,
    pub(super) judgement: &'a Judgement,
    /// The benchmark that the outputs were compared with.
    pub(super) benchmark: Option<&'a Benchmark>,
}

impl FinishedRun<'_> {
    /// The benchmark's outputs, where they were compared and are not the actual ones.
    ///
    /// # Errors
    /// The benchmark can't be read.
    pub(super) fn expected_outputs(&self) -> Result<Option<Outputs>> {
        match (self.judgement.expected, self.benchmark) {
            (ExpectedOutputs::Recorded, Some(benchmark)) => benchmark
                .outputs()
                .map(Some)
                .map_err(|error| self.plan.unreadable(error)),
            _ => Ok(None),
        }
    }

    /// The outputs on the benchmark's own rows, as a pending change keeps them.
    pub(super) fn recorded_text(&self) -> Option<String> {
        let recorded = RecordedOutputs {
            digest: self.benchmark?.ensemble().digest.clone(),
            outputs: self.recorded_outputs?.clone(),
        };
        Some(recorded.to_text())
    }

    /// The outputs on the rows of the benchmark, if all of them have one.
    #[cfg(feature = "remote")]
    pub(super) fn comparable_outputs(&self) -> Option<&Outputs> {
        let Some(recorded) = self.recorded_outputs else {
            return Some(self.outputs);
        };
        let mut cases = 0..recorded.len();
        let all = cases.all(|case| unbound_reason(recorded.get(case)).is_none());
        all.then_some(recorded)
    }

    /// The run as a snapshot file. Beside a pin, or cases that replace one, it says so: when it is
    /// accepted, the pin moves.
    pub(super) fn snapshot_text(&self) -> String {
        let pinned = self.benchmark.and_then(|benchmark| match benchmark.pin() {
            Some(pin) => Some(pin.benchmark.as_str()),
            None => benchmark.replaces(),
        });
        let text = self.marked(self.cases_text());
        match pinned {
            Some(benchmark) => replacing(&text, benchmark),
            None => text,
        }
    }

    /// The text of a file that was just made: with the policy, and the mark of a name that says
    /// nothing of the test's function.
    fn marked(&self, text: String) -> String {
        let text = match self.plan.is_named {
            true => named(&text),
            false => text,
        };
        with_policy(&text, &Policy::exact(), &self.plan.policy).unwrap_or(text)
    }

    fn cases_text(&self) -> String {
        self.with_kept(&self.cases_alone())
    }

    /// What the file has of the rows that the test still keeps stays in it.
    fn with_kept(&self, text: &str) -> String {
        let plan = self.plan;
        let file = plan.file.as_ref().filter(|_| !plan.keep.is_empty());
        let recorded = file.and_then(|file| Snapshot::read(file).ok().flatten());
        match recorded {
            Some(recorded) => with_kept(text, &still_kept(recorded.kept(), &plan.kept_objects())),
            None => text.to_owned(),
        }
    }

    fn cases_alone(&self) -> String {
        let (name, description) = (&self.plan.test.name, self.description());
        let write_output = |case: usize, text: &mut String| text.push_str(self.outputs.get(case));
        if !self.plan.inputs {
            return render_outputs(name, &description, self.ensemble, write_output);
        }
        let write_row = |case: usize, text: &mut String| self.vectors.write_row(case, text);
        render(name, &description, self.ensemble, write_row, write_output)
    }

    /// The benchmark on a server as a snapshot file.
    pub(super) fn pin_text(&self, pin: &Pin) -> String {
        let name = &self.plan.test.name;
        let text = render_pin(name, &self.description(), self.ensemble, pin);
        self.with_kept(&self.marked(text))
    }

    /// The line that reviewers read above the cases.
    fn description(&self) -> String {
        let cases = counted(self.ensemble.size, "case");
        format!("{cases} of {}", self.plan.definition_name)
    }
}
