//! From outputs and a benchmark to a verdict.

use std::sync::Arc;

use super::error::{Result, RunError};
use super::executed::Executed;
use super::former::Former;
use super::function::{Function, Other};
use super::judgement::{ExpectedOutputs, Judgement, Passing, Write};
use super::plan::Plan;
use super::recorded;
use super::rows::{ChangedRows, Rows};
use super::run_options::{RunOptions, UnboundRows};
use crate::row::Vectors;
use tdg_definition::Policy;
use tdg_definition::json;
use tdg_engine::compare::{DifferingCase, ignores_all};
use tdg_engine::config::Update;
use tdg_engine::output::{Outputs, unbound_reason};
use tdg_engine::report::{
    Changed, ComparedWith, Failure, InputsChanged, Loosened, Missing, Panicked, Pending,
    RecordedRows, Unstable, WhichRows, counted, findings_of_panics,
};
use tdg_engine::snapshot::{Benchmark, Differing};

/// The start of the output of a case that panicked, where panics are recorded.
const PANIC: &str = r#"{"$panic":"#;

/// A run whose cases have all been run once.
pub(super) struct RunContext<'a> {
    pub(super) plan: &'a Plan,
    pub(super) function: &'a Function<'a>,
    pub(super) rows: &'a Rows,
    pub(super) executed: &'a Executed,
    /// The run on the benchmark's own rows, where the inputs changed.
    pub(super) recorded: Option<(&'a ChangedRows, &'a Executed)>,
    /// Where pending outputs are, as reports show it.
    pub(super) pending: Pending,
    /// The function that gave the expected outputs, and its run, where it isn't a benchmark's.
    pub(super) other: Option<(&'a Other<'a>, &'a Executed)>,
}

impl RunContext<'_> {
    /// Compares the outputs with those of a benchmark.
    pub(super) fn judge(&self, benchmark: &Benchmark) -> Result<Judgement> {
        if let Some((change, recorded)) = self.recorded {
            return self.after_a_change(benchmark, change, recorded);
        }
        if !self.executed.panics.is_empty() {
            return self.panicked(Some(benchmark));
        }
        self.check_compared(self.executed)?;
        self.against(benchmark)
    }

    /// Decides about outputs without a benchmark. `former` finds those that may have been theirs.
    pub(super) fn judge_unrecorded(&self, former: impl FnOnce() -> Former) -> Result<Judgement> {
        if !self.executed.panics.is_empty() {
            return self.panicked(None);
        }
        if !self.executed.records {
            // There is nothing to record.
            return Ok(Judgement::pass(Passing::Same, Write::Nothing));
        }
        self.check_compared(self.executed)?;
        self.without_benchmark(former)
    }

    fn panicked(&self, benchmark: Option<&Benchmark>) -> Result<Judgement> {
        let differing = match benchmark {
            Some(benchmark) => self.differing(benchmark, self.executed)?.0.cases,
            None => Vec::new(),
        };
        let panicked = self.panics(
            &self.rows.vectors,
            self.executed,
            &[],
            benchmark,
            &differing,
        );
        Ok(Judgement {
            changed: panicked.changed,
            expected: match benchmark {
                Some(_) => ExpectedOutputs::Recorded,
                None => ExpectedOutputs::Unknown,
            },
            ..Judgement::fail(Failure::Panicked(panicked), Write::Nothing)
        })
    }

    /// The cases that panicked, and how many others changed.
    fn panics(
        &self,
        vectors: &Vectors,
        executed: &Executed,
        unbound: &[usize],
        benchmark: Option<&Benchmark>,
        differing: &[DifferingCase],
    ) -> Panicked {
        let table = self.rows.taken(vectors);
        let panicked: Vec<usize> = executed.panics.iter().map(|(case, _)| *case).collect();
        let is_other = |it: &&DifferingCase| panicked.binary_search(&it.case).is_err();
        Panicked {
            size: vectors.size() - unbound.len(),
            features: table.names().map(str::to_owned).collect(),
            findings: match self.function {
                Function::Rows(_) => {
                    let expected = benchmark.and_then(Benchmark::values);
                    findings_of_panics(&table, unbound, expected.as_deref(), &panicked)
                }
                // Which row of a batch made it panic is not known.
                Function::Vectors(_) => Vec::new(),
            },
            cases: executed.panicked_cases(&table),
            changed: differing.iter().filter(is_other).count(),
        }
    }

    fn without_benchmark(&self, former: impl FnOnce() -> Former) -> Result<Judgement> {
        let size = self.rows.vectors.size();
        let outputs = &self.executed.outputs;
        let is_panic = |case| outputs.get(case).starts_with(PANIC);
        let failing = match self.executed.errors == size {
            true => Some("returned an Err"),
            false => (0..size).all(is_panic).then_some("panicked"),
        };
        if let Some(failing) = failing {
            return Err(RunError::new(format!(
                "every one of the {size} cases {failing}, the first: {}",
                outputs.get(0)
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
        let former = former();
        let is_former = !former.is_none();
        let missing = Missing {
            snapshot_file: self
                .plan
                .file
                .as_ref()
                .map(|file| self.plan.display_path(file)),
            stored: former.stored,
            former: former.tests,
            pending: self.pending.clone(),
        };
        let recorded = Judgement::pass(Passing::Recorded, Write::Benchmark);
        Ok(match self.plan.settings.update.mode {
            Update::Always => Judgement {
                past: is_former.then(|| Box::new(missing)),
                ..recorded
            },
            Update::Auto if !is_former => recorded,
            _ => Judgement::fail(Failure::Missing(missing), self.pending_write()),
        })
    }

    fn against(&self, benchmark: &Benchmark) -> Result<Judgement> {
        let (differing, policy) = self.differing(benchmark, self.executed)?;
        let judgement = self.of_differing(benchmark, &differing, policy)?;
        Ok(Judgement {
            policy: self.other_than_own(policy),
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
    fn of_differing(
        &self,
        benchmark: &Benchmark,
        differing: &Differing,
        policy: &Policy,
    ) -> Result<Judgement> {
        let cases: Vec<usize> = differing.cases.iter().map(|it| it.case).collect();
        if !cases.is_empty()
            && let Some(unstable) = self.unstable(&cases)?
        {
            return Ok(Judgement::fail(unstable, Write::Nothing));
        }
        // As with a tolerance, what is allowed never becomes the benchmark.
        if differing.passes(policy, self.rows.vectors.size()) {
            return Ok(Judgement::pass(Passing::Same, Write::Nothing));
        }
        Ok(self.accepted_or(|| Failure::Changed(self.changed(benchmark, differing, policy))))
    }

    /// The outputs on the benchmark's own rows count, whatever the new rows give.
    fn after_a_change(
        &self,
        benchmark: &Benchmark,
        change: &ChangedRows,
        recorded: &Executed,
    ) -> Result<Judgement> {
        let (differing, policy) = self.differing(benchmark, recorded)?;
        let pairing = recorded::pairing(self.rows, change);
        let rows = RecordedRows::of(&pairing, &change.renames, &differing);
        let failure =
            self.failure_after_a_change(benchmark, change, recorded, (&differing, policy), &rows)?;
        let changed = match &failure {
            Some((WhichRows::Recorded, Failure::Panicked(panicked))) => panicked.changed,
            _ => differing.cases.len(),
        };
        // Whether the new rows' outputs are worth a decision. Where only recorded rows panicked,
        // the function may refuse what it took before; nothing but a decision can say so.
        let is_pending = match &failure {
            None | Some((_, Failure::Changed(_))) => true,
            Some((WhichRows::Recorded, Failure::Panicked(_))) => {
                self.executed.panics.is_empty()
                    && self.unstable(&all(self.rows.vectors.size()))?.is_none()
            }
            Some(_) => false,
        };
        let has_panicked = matches!(&failure, Some((_, Failure::Panicked(_))));
        let failure = || {
            Failure::InputsChanged(InputsChanged {
                changes: change.changes.clone(),
                form: self.plan.definition_form,
                recorded: rows,
                size: self.rows.vectors.size(),
                failure: failure.map(|(rows, failure)| (rows, Box::new(failure))),
                pending: is_pending.then(|| self.pending.clone()),
            })
        };
        let judgement = match (is_pending, has_panicked) {
            (true, false) => self.accepted_or(failure),
            (true, true) => Judgement::fail(failure(), self.pending_write()),
            (false, _) => Judgement::fail(failure(), Write::Nothing),
        };
        Ok(Judgement {
            changed,
            tolerance_use: differing.tolerance_use,
            expected: ExpectedOutputs::Recorded,
            policy: self.other_than_own(policy),
            ..judgement
        })
    }

    /// What is wrong apart from the inputs.
    fn failure_after_a_change(
        &self,
        benchmark: &Benchmark,
        change: &ChangedRows,
        recorded: &Executed,
        (differing, policy): (&Differing, &Policy),
        rows: &RecordedRows,
    ) -> Result<Option<(WhichRows, Failure)>> {
        if !recorded.panics.is_empty() {
            let failure = self.panics(
                &change.vectors,
                recorded,
                &differing.uncompared(),
                Some(benchmark),
                &differing.cases,
            );
            return Ok(Some((WhichRows::Recorded, Failure::Panicked(failure))));
        }
        if !self.executed.panics.is_empty() {
            let failure = self.panics(&self.rows.vectors, self.executed, &[], None, &[]);
            return Ok(Some((WhichRows::New, Failure::Panicked(failure))));
        }
        if let Some(unstable) = self.unstable(&all(self.rows.vectors.size()))? {
            return Ok(Some((WhichRows::New, unstable)));
        }
        // With new features, recorded rows were compared with new ones, and those ran twice.
        if rows.new_features.is_empty() {
            let cases: Vec<usize> = differing.cases.iter().map(|it| it.case).collect();
            if let Some(unstable) = self.unstable_on(&change.vectors, recorded, &cases)? {
                return Ok(Some((WhichRows::Recorded, Failure::Unstable(unstable))));
            }
        }
        if differing.passes(policy, rows.compared()) {
            return Ok(None);
        }
        let vectors = self.rows.taken(&change.vectors);
        let changed = Changed {
            distributions: differing.distributions.clone(),
            loosened: self.loosened(policy),
            ..Changed::of(
                &vectors,
                &differing.uncompared(),
                benchmark.values().as_deref(),
                &differing.cases,
                self.compared_with(),
            )
        };
        Ok(Some((WhichRows::Recorded, Failure::Changed(changed))))
    }

    fn compared_with(&self) -> ComparedWith {
        match self.other {
            Some((other, _)) => ComparedWith::Function(other.name.to_owned()),
            None => ComparedWith::Benchmark(self.pending.clone()),
        }
    }

    /// Changed outputs are accepted unseen with `update = "always"`.
    fn accepted_or(&self, failure: impl FnOnce() -> Failure) -> Judgement {
        match self.plan.settings.update.mode {
            _ if self.other.is_some() => Judgement::fail(failure(), Write::Nothing),
            Update::Always => Judgement::pass(Passing::Accepted, Write::Benchmark),
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

    /// The cases that differ from the benchmark's, and by which policy: the recorded one, where
    /// they pass by the test's alone. So a looser one is accepted like a change.
    fn differing<'p>(
        &'p self,
        benchmark: &'p Benchmark,
        executed: &Executed,
    ) -> Result<(Differing, &'p Policy)> {
        let by = |policy| {
            let differing = benchmark.differing(&executed.outputs, policy);
            differing.map_err(|error| self.plan.unreadable(error))
        };
        let (own, recorded) = (&self.plan.policy, benchmark.policy());
        let differing = by(own)?;
        let passes = |differing: &Differing, policy: &Policy| {
            let compared = executed.outputs.len() - differing.unbound.len();
            differing.passes(policy, compared)
        };
        // Only a file has the policy.
        let is_recorded = self.other.is_none() && self.plan.file.is_some();
        if !is_recorded || own == recorded || differing.is_identical || !passes(&differing, own) {
            return Ok((differing, own));
        }
        let by_recorded = by(recorded)?;
        Ok(match passes(&by_recorded, recorded) {
            true => (differing, own),
            false => (by_recorded, recorded),
        })
    }

    fn other_than_own(&self, policy: &Policy) -> Option<Box<Policy>> {
        (*policy != self.plan.policy).then(|| Box::new(policy.clone()))
    }

    fn loosened(&self, policy: &Policy) -> Option<Loosened> {
        let own = &self.plan.policy;
        (policy != own).then(|| Loosened::between(policy, own))
    }

    /// Refuses outputs of which nothing is compared.
    fn check_compared(&self, executed: &Executed) -> Result<()> {
        let outputs = &executed.outputs;
        let values = (0..outputs.len()).map_while(|case| json::parse(outputs.get(case)).ok());
        if outputs.is_empty() || !ignores_all(&self.plan.policy, values) {
            return Ok(());
        }
        Err(RunError::new(format!(
            "the test ignores every field of its outputs, so nothing of its {} is compared",
            counted(outputs.len(), "case")
        ))
        .hint("ignore less, or return () to record nothing"))
    }

    /// Runs these cases again; if an output differs from that of the first time, that is why the
    /// test fails.
    fn unstable(&self, cases: &[usize]) -> Result<Option<Failure>> {
        let vectors = &self.rows.vectors;
        let unstable = self.unstable_on(vectors, self.executed, cases)?;
        let (Some((other, executed)), None) = (self.other, &unstable) else {
            return Ok(unstable.map(|unstable| {
                let function = self.other.map(|_| self.plan.function_name().to_owned());
                Failure::Unstable(Unstable {
                    function,
                    ..unstable
                })
            }));
        };
        let again = other.pass(vectors, cases, &self.plan.options)?;
        let unstable = self.different_again(executed, cases, &again.outputs)?;
        Ok(unstable.map(|unstable| {
            let function = Some(other.name.to_owned());
            Failure::Unstable(Unstable {
                function,
                ..unstable
            })
        }))
    }

    fn unstable_on(
        &self,
        vectors: &Arc<Vectors>,
        executed: &Executed,
        cases: &[usize],
    ) -> Result<Option<Unstable>> {
        let options = RunOptions {
            unbound: UnboundRows::Skip,
            are_new: self.rows.are_new(vectors),
            ..self.plan.options.clone()
        };
        let again = self.function.pass(vectors, cases, &options)?;
        self.different_again(executed, cases, &again.outputs)
    }

    fn different_again(
        &self,
        executed: &Executed,
        cases: &[usize],
        again: &Outputs,
    ) -> Result<Option<Unstable>> {
        let outputs = cases.iter().enumerate().map(|(index, &case)| {
            let (first, second) = (executed.outputs.get(case), again.get(index));
            (case, first, second)
        });
        // A row that could not be run was compared with a new one.
        let outputs = outputs.filter(|(_, _, second)| unbound_reason(second).is_none());
        Ok(Unstable::between(&self.plan.policy, cases.len(), outputs)?)
    }

    fn changed(&self, benchmark: &Benchmark, differing: &Differing, policy: &Policy) -> Changed {
        let vectors = self.rows.taken(&self.rows.vectors);
        let expected = benchmark.values();
        Changed {
            distributions: differing.distributions.clone(),
            loosened: self.loosened(policy),
            ..Changed::of(
                &vectors,
                &[],
                expected.as_deref(),
                &differing.cases,
                self.compared_with(),
            )
        }
    }
}

fn all(size: usize) -> Vec<usize> {
    (0..size).collect()
}
