//! From outputs and a benchmark to a verdict.

use super::cases::{self, Function, Ran};
use super::invalid;
use super::keep::unreadable;
use super::plan::Plan;
use super::rows::Rows;
use crate::compare::Comparison;
use crate::config::Update;
use crate::json::{self, Value};
use crate::output::Outputs;
use crate::report::{
    Changed, Failure, InputsChanged, Invalid, Missing, Panicked, PanickedCase, Pending, Unstable,
    findings_of_panics,
};
use crate::snapshot::{Differing, Snapshot};
use crate::verdict::Verdict;

/// What a run comes to, and what has to be written for it.
pub(super) struct Judgement {
    pub(super) verdict: Verdict,
    /// Why the test fails, if it does.
    pub(super) failure: Option<Failure>,
    /// The outputs that become the benchmark, or wait to.
    pub(super) write: Write,
    /// How many cases differ from the benchmark.
    pub(super) changed: usize,
    /// The largest share of the tolerance that was used.
    pub(super) tolerance_use: Option<f64>,
    pub(super) expected: ExpectedOutputs,
}

/// The outputs that the run was compared with.
pub(super) enum ExpectedOutputs {
    /// There are none, or they were not looked at.
    Unknown,
    /// The actual ones, to the byte.
    Actual,
    /// As a JSON array.
    Other(String),
}

/// What becomes of a run's outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Write {
    Nothing,
    /// They are the benchmark from now on.
    Benchmark,
    /// They wait for a decision.
    Pending,
}

/// A run whose cases have all been run once.
pub(super) struct Trial<'a> {
    pub(super) plan: &'a Plan,
    pub(super) function: &'a Function<'a>,
    pub(super) rows: &'a Rows,
    pub(super) ran: &'a Ran,
    /// What reports say of where outputs wait for a decision.
    pub(super) pending: Pending,
}

impl Trial<'_> {
    pub(super) fn judge(&self, benchmark: Option<&Snapshot>) -> Result<Judgement, Invalid> {
        if !self.ran.panics.is_empty() {
            return self.panicked(benchmark);
        }
        match benchmark {
            _ if !self.ran.records && benchmark.is_none() => Ok(self.nothing_to_record()),
            None => self.without_benchmark(),
            Some(benchmark) if self.rows.changes.is_empty() => self.against(benchmark),
            Some(benchmark) => self.with_other_inputs(benchmark),
        }
    }

    fn nothing_to_record(&self) -> Judgement {
        Judgement {
            verdict: Verdict::Same,
            failure: None,
            write: Write::Nothing,
            changed: 0,
            tolerance_use: None,
            expected: ExpectedOutputs::Unknown,
        }
    }

    fn panicked(&self, benchmark: Option<&Snapshot>) -> Result<Judgement, Invalid> {
        let differing = match benchmark {
            Some(benchmark) if self.rows.changes.is_empty() => {
                self.differing(benchmark, self.rows.vectors.size())?.cases
            }
            _ => Vec::new(),
        };
        let panicked: Vec<usize> = self.ran.panics.iter().map(|(case, _)| *case).collect();
        let is_other = |(case, _): &&(usize, Comparison)| panicked.binary_search(case).is_err();
        let changed = differing.iter().filter(is_other).count();
        let cases = self.ran.panics.iter().map(|(case, panic)| PanickedCase {
            case: *case,
            inputs: self.rows.vectors.cells(*case),
            message: panic.message.clone(),
            location: panic.location.clone(),
        });
        let failure = Failure::Panicked(Panicked {
            size: self.rows.vectors.size(),
            features: self.features(),
            findings: match self.function {
                Function::Rows(_) => findings_of_panics(&self.rows.vectors, &panicked),
                // Which row of a batch made it panic is not known.
                Function::Vectors(_) => Vec::new(),
            },
            cases: cases.collect(),
            changed,
        });
        Ok(Judgement {
            verdict: Verdict::Panicked,
            failure: Some(failure),
            write: Write::Nothing,
            changed,
            tolerance_use: None,
            expected: match benchmark {
                Some(benchmark) => expected_outputs(self.plan, benchmark)?,
                None => ExpectedOutputs::Unknown,
            },
        })
    }

    fn without_benchmark(&self) -> Result<Judgement, Invalid> {
        let size = self.rows.vectors.size();
        if self.ran.errors == size {
            return Err(invalid(
                format!(
                    "every one of the {size} cases returned an Err, the first: {}",
                    self.ran.outputs.get(0)
                ),
                "recording them would make a broken set-up the benchmark; see to it that at least one \
                 row succeeds",
            ));
        }
        let update = self.plan.settings.update.update;
        if update != Update::No
            && let Some(unstable) = self.unstable(&all(size))?
        {
            return Ok(unstable);
        }
        let missing = || {
            Failure::Missing(Missing {
                snapshot_file: self.plan.file.as_ref().map(|file| self.plan.shown(file)),
                pending: self.pending.clone(),
            })
        };
        let (verdict, failure, write) = match update {
            Update::Auto | Update::Always => (Verdict::Recorded, None, Write::Benchmark),
            Update::New => (Verdict::Missing, Some(missing()), Write::Pending),
            Update::No => (Verdict::Missing, Some(missing()), Write::Nothing),
        };
        Ok(Judgement {
            verdict,
            failure,
            write,
            changed: 0,
            tolerance_use: None,
            expected: ExpectedOutputs::Unknown,
        })
    }

    fn against(&self, benchmark: &Snapshot) -> Result<Judgement, Invalid> {
        let size = self.rows.vectors.size();
        let differing = self.differing(benchmark, size)?;
        let judgement = |verdict, failure, write| {
            let expected = if differing.is_identical {
                ExpectedOutputs::Actual
            } else {
                expected_outputs(self.plan, benchmark)?
            };
            Ok(Judgement {
                verdict,
                failure,
                write,
                changed: differing.cases.len(),
                tolerance_use: differing.tolerance_use,
                expected,
            })
        };
        if differing.cases.is_empty() {
            return judgement(Verdict::Same, None, Write::Nothing);
        }
        let cases: Vec<usize> = differing.cases.iter().map(|(case, _)| *case).collect();
        if let Some(unstable) = self.unstable(&cases)? {
            return judgement(unstable.verdict, unstable.failure, unstable.write);
        }
        // As with a tolerance, what is allowed never becomes the benchmark.
        if differing.cases.len() <= self.plan.policy.allowed(size) {
            return judgement(Verdict::Same, None, Write::Nothing);
        }
        if self.plan.settings.update.update == Update::Always {
            return judgement(Verdict::Recorded, None, Write::Benchmark);
        }
        let failure = Failure::Changed(self.changed(size, &differing.cases));
        judgement(Verdict::Changed, Some(failure), self.pending_write())
    }

    fn with_other_inputs(&self, benchmark: &Snapshot) -> Result<Judgement, Invalid> {
        let size = self.rows.vectors.size();
        let common = self.rows.common(benchmark);
        let differing = self.differing(benchmark, common)?;
        let judgement = |verdict, failure, write| {
            Ok(Judgement {
                verdict,
                failure,
                write,
                changed: differing.cases.len(),
                tolerance_use: None,
                expected: expected_outputs(self.plan, benchmark)?,
            })
        };
        if let Some(unstable) = self.unstable(&all(size))? {
            return judgement(unstable.verdict, unstable.failure, unstable.write);
        }
        if self.plan.settings.update.update == Update::Always {
            return judgement(Verdict::Recorded, None, Write::Benchmark);
        }
        let failure = Failure::InputsChanged(InputsChanged {
            changes: self.rows.changes.clone(),
            common_rows: common,
            changed: (!differing.cases.is_empty()).then(|| self.changed(common, &differing.cases)),
            pending: self.pending.clone(),
        });
        judgement(Verdict::InputsChanged, Some(failure), self.pending_write())
    }

    fn pending_write(&self) -> Write {
        match self.plan.settings.update.update {
            Update::No => Write::Nothing,
            _ => Write::Pending,
        }
    }

    /// The first `size` cases beside the benchmark's.
    fn differing(&self, benchmark: &Snapshot, size: usize) -> Result<Differing, Invalid> {
        benchmark
            .differing(&self.ran.outputs, size, &self.plan.policy)
            .map_err(|error| unreadable(self.plan, error))
    }

    /// Runs these cases again; if an output differs from that of the first time, that is the verdict.
    fn unstable(&self, cases: &[usize]) -> Result<Option<Judgement>, Invalid> {
        let again = cases::run(self.function, &self.rows.vectors, cases, self.plan.manner)?;
        let differing = self.different_again(cases, &again.outputs)?;
        if differing.is_empty() {
            return Ok(None);
        }
        Ok(Some(Judgement {
            verdict: Verdict::Unstable,
            failure: Some(Failure::Unstable(Unstable::new(cases.len(), &differing))),
            write: Write::Nothing,
            changed: 0,
            tolerance_use: None,
            expected: ExpectedOutputs::Unknown,
        }))
    }

    fn different_again(
        &self,
        cases: &[usize],
        again: &Outputs,
    ) -> Result<Vec<(usize, Comparison)>, Invalid> {
        let mut differing = Vec::new();
        for (index, &case) in cases.iter().enumerate() {
            let (first, second) = (self.ran.outputs.get(case), again.get(index));
            if first == second {
                continue;
            }
            let comparison = self.plan.policy.compare(&value(first)?, &value(second)?);
            if !comparison.is_same() {
                differing.push((case, comparison));
            }
        }
        Ok(differing)
    }

    fn changed(&self, size: usize, differing: &[(usize, Comparison)]) -> Changed {
        Changed::of(&self.rows.vectors, size, differing, self.pending.clone())
    }

    fn features(&self) -> Vec<String> {
        self.rows.vectors.names().map(str::to_owned).collect()
    }
}

fn all(size: usize) -> Vec<usize> {
    (0..size).collect()
}

/// An output of this run, from its canonical text.
fn value(output: &str) -> Result<Value, Invalid> {
    json::parse(output).map_err(|error| invalid(error, ""))
}

fn expected_outputs(plan: &Plan, benchmark: &Snapshot) -> Result<ExpectedOutputs, Invalid> {
    let mut outputs = Outputs::with_capacity(benchmark.len());
    for case in 0..benchmark.len() {
        outputs.push_text(
            benchmark
                .output_text(case)
                .map_err(|error| unreadable(plan, error))?,
        );
    }
    Ok(ExpectedOutputs::Other(outputs.into_json()))
}
