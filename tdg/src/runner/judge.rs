//! From outputs and a benchmark to a verdict.

use super::cases::{self, Executed, Function};
use super::error::{Result, RunError};
use super::plan::Plan;
use super::renamed::former_tests;
use super::rows::Rows;
use tdg_definition::json::{self, Value};
use tdg_engine::Verdict;
use tdg_engine::compare::{Comparison, compare};
use tdg_engine::config::Update;
use tdg_engine::output::Outputs;
use tdg_engine::report::{
    Changed, Failure, InputsChanged, Missing, Panicked, Pending, Unstable, findings_of_panics,
};
use tdg_engine::snapshot::{Differing, Snapshot};

/// The result of a run, and what has to be written for it.
pub(super) struct Judgement {
    result: std::result::Result<Pass, Box<Failure>>,
    /// What happens to the outputs.
    pub(super) write: Write,
    /// How many cases differ from the benchmark.
    pub(super) changed: usize,
    /// The largest share of the tolerance that was used.
    pub(super) tolerance_use: Option<f64>,
    pub(super) expected: ExpectedOutputs,
}

/// How a test passes.
#[derive(Clone, Copy)]
enum Pass {
    Recorded,
    Same,
}

impl Judgement {
    /// A test passes; the caller adds what a comparison found.
    fn pass(pass: Pass, write: Write) -> Self {
        Self {
            result: Ok(pass),
            write,
            changed: 0,
            tolerance_use: None,
            expected: ExpectedOutputs::Unknown,
        }
    }

    /// A test fails; the caller adds what a comparison found.
    fn fail(failure: Failure, write: Write) -> Self {
        Self {
            result: Err(Box::new(failure)),
            ..Self::pass(Pass::Same, write)
        }
    }

    pub(super) fn verdict(&self) -> Verdict {
        match &self.result {
            Ok(Pass::Recorded) => Verdict::Recorded,
            Ok(Pass::Same) => Verdict::Same,
            Err(failure) => failure.verdict(),
        }
    }

    /// Why the test fails, if it does.
    pub(super) fn failure(&self) -> Option<&Failure> {
        self.result.as_ref().err().map(|failure| &**failure)
    }

    pub(super) fn passes(&self) -> bool {
        self.result.is_ok()
    }
}

/// The outputs that the run was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExpectedOutputs {
    /// There are none, or they were not compared.
    Unknown,
    /// The actual ones, to the byte.
    Actual,
    /// The benchmark's, which are not the actual ones to the byte.
    Recorded,
}

/// What happens to the outputs of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Write {
    Nothing,
    /// They become the benchmark.
    Benchmark,
    /// They become pending.
    Pending,
}

/// A run whose cases have all been run once.
pub(super) struct RunContext<'a> {
    pub(super) plan: &'a Plan,
    pub(super) function: &'a Function<'a>,
    pub(super) rows: &'a Rows,
    pub(super) executed: &'a Executed,
    /// Where pending outputs are, as reports show it.
    pub(super) pending: Pending,
}

impl RunContext<'_> {
    pub(super) fn judge(&self, benchmark: Option<&Snapshot>) -> Result<Judgement> {
        if !self.executed.panics.is_empty() {
            return self.panicked(benchmark);
        }
        if !self.executed.records && benchmark.is_none() {
            // There is nothing to record.
            return Ok(Judgement::pass(Pass::Same, Write::Nothing));
        }
        match benchmark {
            None => self.without_benchmark(),
            Some(benchmark) if self.rows.changes.is_empty() => self.against(benchmark),
            Some(benchmark) => self.with_other_inputs(benchmark),
        }
    }

    fn panicked(&self, benchmark: Option<&Snapshot>) -> Result<Judgement> {
        let differing = match benchmark {
            Some(benchmark) if self.rows.changes.is_empty() => {
                self.differing(benchmark, self.rows.vectors.size())?.cases
            }
            _ => Vec::new(),
        };
        let panicked: Vec<usize> = self.executed.panics.iter().map(|(case, _)| *case).collect();
        let is_other = |(case, _): &&(usize, Comparison)| panicked.binary_search(case).is_err();
        let changed = differing.iter().filter(is_other).count();
        let failure = Failure::Panicked(Panicked {
            size: self.rows.vectors.size(),
            features: self.rows.table().names().map(str::to_owned).collect(),
            findings: match self.function {
                Function::Rows(_) => findings_of_panics(self.rows.table(), &panicked),
                // Which row of a batch made it panic is not known.
                Function::Vectors(_) => Vec::new(),
            },
            cases: self.executed.panicked_cases(self.rows.table()),
            changed,
        });
        Ok(Judgement {
            changed,
            expected: match benchmark {
                Some(_) => ExpectedOutputs::Recorded,
                None => ExpectedOutputs::Unknown,
            },
            ..Judgement::fail(failure, Write::Nothing)
        })
    }

    fn without_benchmark(&self) -> Result<Judgement> {
        let size = self.rows.vectors.size();
        if self.executed.errors == size {
            return Err(RunError::new(format!(
                "every one of the {size} cases returned an Err, the first: {}",
                self.executed.outputs.get(0)
            ))
            .hint(
                "recording them would turn a broken setup into the benchmark; make at least one row succeed",
            ));
        }
        if self.plan.settings.may_write()
            && let Some(unstable) = self.unstable(&all(size))?
        {
            return Ok(Judgement::fail(unstable, Write::Nothing));
        }
        let mode = self.plan.settings.update.mode;
        let former = match mode {
            Update::Always => Vec::new(),
            _ => former_tests(self.plan, &self.rows.ensemble, &self.executed.outputs),
        };
        if mode == Update::Always || mode == Update::Auto && former.is_empty() {
            return Ok(Judgement::pass(Pass::Recorded, Write::Benchmark));
        }
        let missing = Failure::Missing(Missing {
            snapshot_file: self
                .plan
                .file
                .as_ref()
                .map(|file| self.plan.display_path(file)),
            former,
            pending: self.pending.clone(),
        });
        Ok(Judgement::fail(missing, self.pending_write()))
    }

    fn against(&self, benchmark: &Snapshot) -> Result<Judgement> {
        let size = self.rows.vectors.size();
        let differing = self.differing(benchmark, size)?;
        let judgement = self.of_differing(&differing.cases, size)?;
        Ok(Judgement {
            changed: differing.cases.len(),
            tolerance_use: differing.tolerance_use,
            expected: if differing.is_identical {
                ExpectedOutputs::Actual
            } else {
                ExpectedOutputs::Recorded
            },
            ..judgement
        })
    }

    /// What the cases that differ come to, where the rows are the benchmark's.
    fn of_differing(&self, differing: &[(usize, Comparison)], size: usize) -> Result<Judgement> {
        if differing.is_empty() {
            return Ok(Judgement::pass(Pass::Same, Write::Nothing));
        }
        let cases: Vec<usize> = differing.iter().map(|(case, _)| *case).collect();
        if let Some(unstable) = self.unstable(&cases)? {
            return Ok(Judgement::fail(unstable, Write::Nothing));
        }
        // As with a tolerance, what is allowed never becomes the benchmark.
        if differing.len() <= self.plan.policy.allowed(size) {
            return Ok(Judgement::pass(Pass::Same, Write::Nothing));
        }
        Ok(self.accepted_or(|| Failure::Changed(self.changed(size, differing))))
    }

    fn with_other_inputs(&self, benchmark: &Snapshot) -> Result<Judgement> {
        let common = self.rows.common(benchmark);
        let differing = self.differing(benchmark, common)?.cases;
        let judgement = match self.unstable(&all(self.rows.vectors.size()))? {
            Some(unstable) => Judgement::fail(unstable, Write::Nothing),
            None => self.accepted_or(|| {
                Failure::InputsChanged(InputsChanged {
                    changes: self.rows.changes.clone(),
                    common_rows: common,
                    changed: (!differing.is_empty()).then(|| self.changed(common, &differing)),
                    pending: self.pending.clone(),
                })
            }),
        };
        Ok(Judgement {
            changed: differing.len(),
            expected: ExpectedOutputs::Recorded,
            ..judgement
        })
    }

    /// Changed outputs are accepted unseen with `update = "always"`.
    fn accepted_or(&self, failure: impl FnOnce() -> Failure) -> Judgement {
        match self.plan.settings.update.mode {
            Update::Always => Judgement::pass(Pass::Recorded, Write::Benchmark),
            _ => Judgement::fail(failure(), self.pending_write()),
        }
    }

    fn pending_write(&self) -> Write {
        if self.plan.settings.may_write() {
            Write::Pending
        } else {
            Write::Nothing
        }
    }

    /// The first `size` cases beside the benchmark's.
    fn differing(&self, benchmark: &Snapshot, size: usize) -> Result<Differing> {
        benchmark
            .differing(&self.executed.outputs, size, &self.plan.policy)
            .map_err(|error| self.plan.unreadable(error))
    }

    /// Runs these cases again; if an output differs from that of the first time, that is why the
    /// test fails.
    fn unstable(&self, cases: &[usize]) -> Result<Option<Failure>> {
        let again = cases::run(self.function, &self.rows.vectors, cases, self.plan.options)?;
        let differing = self.different_again(cases, &again.outputs)?;
        let is_unstable = !differing.is_empty();
        Ok(is_unstable.then(|| Failure::Unstable(Unstable::new(cases.len(), &differing))))
    }

    fn different_again(
        &self,
        cases: &[usize],
        again: &Outputs,
    ) -> Result<Vec<(usize, Comparison)>> {
        let mut differing = Vec::new();
        for (index, &case) in cases.iter().enumerate() {
            let (first, second) = (self.executed.outputs.get(case), again.get(index));
            if first == second {
                continue;
            }
            let comparison = compare(&self.plan.policy, &value(first)?, &value(second)?);
            if !comparison.is_same() {
                differing.push((case, comparison));
            }
        }
        Ok(differing)
    }

    fn changed(&self, size: usize, differing: &[(usize, Comparison)]) -> Changed {
        Changed::of(self.rows.table(), size, differing, self.pending.clone())
    }
}

fn all(size: usize) -> Vec<usize> {
    (0..size).collect()
}

/// An output of this run, from its canonical text.
fn value(output: &str) -> Result<Value> {
    Ok(json::parse(output)?)
}
