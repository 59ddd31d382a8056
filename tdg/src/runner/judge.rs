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
    findings_of_changes, findings_of_panics,
};
use crate::snapshot::Snapshot;
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

/// Cases that differ, each with how.
type Differing = Vec<(usize, Comparison)>;

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
                self.differing(benchmark, self.rows.vectors.size())?.0
            }
            _ => Vec::new(),
        };
        let panicked: Vec<usize> = self.ran.panics.iter().map(|(case, _)| *case).collect();
        let is_other = |(case, _): &&(usize, Comparison)| panicked.binary_search(case).is_err();
        let changed = differing.iter().filter(is_other).count();
        let cases = self.ran.panics.iter().map(|(case, panic)| PanickedCase {
            case: *case,
            inputs: self.rows.cells(*case),
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
        let (differing, all_equal, tolerance_use) = self.differing(benchmark, size)?;
        let judgement = |verdict, failure, write| {
            let expected = if all_equal {
                ExpectedOutputs::Actual
            } else {
                expected_outputs(self.plan, benchmark)?
            };
            Ok(Judgement {
                verdict,
                failure,
                write,
                changed: differing.len(),
                tolerance_use,
                expected,
            })
        };
        if differing.is_empty() {
            return judgement(Verdict::Same, None, Write::Nothing);
        }
        let cases: Vec<usize> = differing.iter().map(|(case, _)| *case).collect();
        if let Some(unstable) = self.unstable(&cases)? {
            return judgement(unstable.verdict, unstable.failure, unstable.write);
        }
        // As with a tolerance, what is allowed never becomes the benchmark.
        if differing.len() <= self.plan.policy.allowed(size) {
            return judgement(Verdict::Same, None, Write::Nothing);
        }
        if self.plan.settings.update.update == Update::Always {
            return judgement(Verdict::Recorded, None, Write::Benchmark);
        }
        let failure = Failure::Changed(self.changed(size, &differing));
        judgement(Verdict::Changed, Some(failure), self.pending_write())
    }

    fn with_other_inputs(&self, benchmark: &Snapshot) -> Result<Judgement, Invalid> {
        let size = self.rows.vectors.size();
        let common = self.rows.common(benchmark);
        let (differing, _, _) = self.differing(benchmark, common)?;
        let judgement = |verdict, failure, write| {
            Ok(Judgement {
                verdict,
                failure,
                write,
                changed: differing.len(),
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
            changed: (!differing.is_empty()).then(|| self.changed(common, &differing)),
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

    /// The first `size` cases that differ from the benchmark; whether all outputs are the expected
    /// ones to the byte; the largest share of a tolerance that was used.
    ///
    /// Bytes first: values are read only where bytes differ.
    fn differing(
        &self,
        benchmark: &Snapshot,
        size: usize,
    ) -> Result<(Differing, bool, Option<f64>), Invalid> {
        let mut differing = Vec::new();
        let mut all_equal = true;
        let mut tolerance_use: Option<f64> = None;
        for case in 0..size {
            let actual = self.ran.outputs.get(case);
            if benchmark.output_is(case, actual) {
                continue;
            }
            all_equal = false;
            let (_, expected) = benchmark
                .case(case)
                .map_err(|error| unreadable(self.plan, error))?;
            let comparison = self.plan.policy.compare(&expected, &value(actual)?);
            if let Some(share) = comparison.tolerance_use {
                tolerance_use = Some(tolerance_use.map_or(share, |largest| largest.max(share)));
            }
            if !comparison.is_same() {
                differing.push((case, comparison));
            }
        }
        Ok((differing, all_equal, tolerance_use))
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

    fn different_again(&self, cases: &[usize], again: &Outputs) -> Result<Differing, Invalid> {
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
        let inputs = |case| self.rows.cells(case);
        let pending = self.pending.clone();
        Changed {
            findings: findings_of_changes(&self.rows.vectors, size, differing),
            ..Changed::new(size, differing, self.features(), inputs, pending)
        }
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
