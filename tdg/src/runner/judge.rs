//! From outputs and a benchmark to a verdict.

use super::cases::{self, Function, Ran};
use super::invalid;
use super::keep::unreadable;
use super::plan::Plan;
use super::rows::Rows;
use tdg_definition::json::{self, Value};
use tdg_engine::Verdict;
use tdg_engine::compare::{Comparison, compare};
use tdg_engine::config::Update;
use tdg_engine::output::Outputs;
use tdg_engine::report::{
    Changed, Failure, InputsChanged, Invalid, Missing, Panicked, Pending, Unstable,
    findings_of_panics,
};
use tdg_engine::snapshot::{Differing, Snapshot};

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
    #[cfg_attr(
        not(any(feature = "sqlite-system", feature = "remote")),
        expect(dead_code, reason = "there is no history")
    )]
    pub(super) expected: ExpectedOutputs,
}

impl Judgement {
    /// A test passes; what a comparison found is to be added.
    fn pass(verdict: Verdict, write: Write) -> Self {
        Self {
            verdict,
            failure: None,
            write,
            changed: 0,
            tolerance_use: None,
            expected: ExpectedOutputs::Unknown,
        }
    }

    /// A test fails; the same is to be added.
    fn fail(failure: Failure, write: Write) -> Self {
        let verdict = failure.verdict();
        Self {
            failure: Some(failure),
            ..Self::pass(verdict, write)
        }
    }
}

/// The outputs that the run was compared with.
pub(super) enum ExpectedOutputs {
    /// There are none, or they were not looked at.
    Unknown,
    /// The actual ones, to the byte.
    Actual,
    /// As a JSON array.
    Other(
        #[cfg_attr(
            not(any(feature = "sqlite-system", feature = "remote")),
            expect(dead_code, reason = "there is no history")
        )]
        String,
    ),
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
        if !self.ran.records && benchmark.is_none() {
            // There is nothing to record.
            return Ok(Judgement::pass(Verdict::Same, Write::Nothing));
        }
        match benchmark {
            None => self.without_benchmark(),
            Some(benchmark) if self.rows.changes.is_empty() => self.against(benchmark),
            Some(benchmark) => self.with_other_inputs(benchmark),
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
        let failure = Failure::Panicked(Panicked {
            size: self.rows.vectors.size(),
            features: self.rows.table().names().map(str::to_owned).collect(),
            findings: match self.function {
                Function::Rows(_) => findings_of_panics(self.rows.table(), &panicked),
                // Which row of a batch made it panic is not known.
                Function::Vectors(_) => Vec::new(),
            },
            cases: self.ran.panicked_cases(self.rows.table()),
            changed,
        });
        Ok(Judgement {
            changed,
            expected: match benchmark {
                Some(benchmark) => expected_outputs(self.plan, benchmark)?,
                None => ExpectedOutputs::Unknown,
            },
            ..Judgement::fail(failure, Write::Nothing)
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
        if self.plan.settings.may_write()
            && let Some(unstable) = self.unstable(&all(size))?
        {
            return Ok(Judgement::fail(unstable, Write::Nothing));
        }
        if let Update::Auto | Update::Always = self.plan.settings.update.mode {
            return Ok(Judgement::pass(Verdict::Recorded, Write::Benchmark));
        }
        let missing = Failure::Missing(Missing {
            snapshot_file: self.plan.file.as_ref().map(|file| self.plan.shown(file)),
            pending: self.pending.clone(),
        });
        Ok(Judgement::fail(missing, self.pending_write()))
    }

    fn against(&self, benchmark: &Snapshot) -> Result<Judgement, Invalid> {
        let size = self.rows.vectors.size();
        let differing = self.differing(benchmark, size)?;
        let judgement = self.of_differing(&differing.cases, size)?;
        Ok(Judgement {
            changed: differing.cases.len(),
            tolerance_use: differing.tolerance_use,
            expected: match differing.is_identical {
                true => ExpectedOutputs::Actual,
                false => expected_outputs(self.plan, benchmark)?,
            },
            ..judgement
        })
    }

    /// What the cases that differ come to, where the rows are the benchmark's.
    fn of_differing(
        &self,
        differing: &[(usize, Comparison)],
        size: usize,
    ) -> Result<Judgement, Invalid> {
        if differing.is_empty() {
            return Ok(Judgement::pass(Verdict::Same, Write::Nothing));
        }
        let cases: Vec<usize> = differing.iter().map(|(case, _)| *case).collect();
        if let Some(unstable) = self.unstable(&cases)? {
            return Ok(Judgement::fail(unstable, Write::Nothing));
        }
        // As with a tolerance, what is allowed never becomes the benchmark.
        if differing.len() <= self.plan.policy.allowed(size) {
            return Ok(Judgement::pass(Verdict::Same, Write::Nothing));
        }
        Ok(self.accepted_or(|| Failure::Changed(self.changed(size, differing))))
    }

    fn with_other_inputs(&self, benchmark: &Snapshot) -> Result<Judgement, Invalid> {
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
            expected: expected_outputs(self.plan, benchmark)?,
            ..judgement
        })
    }

    /// Outputs that are others than the benchmark's are accepted unseen if somebody wants that.
    fn accepted_or(&self, failure: impl FnOnce() -> Failure) -> Judgement {
        match self.plan.settings.update.mode {
            Update::Always => Judgement::pass(Verdict::Recorded, Write::Benchmark),
            _ => Judgement::fail(failure(), self.pending_write()),
        }
    }

    fn pending_write(&self) -> Write {
        match self.plan.settings.may_write() {
            true => Write::Pending,
            false => Write::Nothing,
        }
    }

    /// The first `size` cases beside the benchmark's.
    fn differing(&self, benchmark: &Snapshot, size: usize) -> Result<Differing, Invalid> {
        benchmark
            .differing(&self.ran.outputs, size, &self.plan.policy)
            .map_err(|error| unreadable(self.plan, error))
    }

    /// Runs these cases again; if an output differs from that of the first time, that is why the test fails.
    fn unstable(&self, cases: &[usize]) -> Result<Option<Failure>, Invalid> {
        let again = cases::run(self.function, &self.rows.vectors, cases, self.plan.manner)?;
        let differing = self.different_again(cases, &again.outputs)?;
        let is_unstable = !differing.is_empty();
        Ok(is_unstable.then(|| Failure::Unstable(Unstable::new(cases.len(), &differing))))
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
