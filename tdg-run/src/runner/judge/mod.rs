//! The verdict from outputs and a benchmark.

mod addresses;
pub(super) mod comparison;
pub(super) mod executed_run;
pub(super) mod findings;
pub(super) mod former_benchmarks;
pub(super) mod repeat;
pub(super) mod requirements;

use tdg_definition::Policy;
use tdg_engine::compare::ignores_all;
use tdg_engine::config::Update;
use tdg_engine::output::{self, Outputs, refusal};
use tdg_engine::snapshot::BenchmarkFile;
use tdg_engine::text::counted;
use tdg_report::{
    Changed, ComparedWith, Failure, InputsChanged, Loosened, Missing, Panicked, PendingPlace,
    RecordedRows, Unstable, WhichRows, inputs_of,
};

use super::cases::execution::Executed;
use super::cases::function::Function;
use super::error::{Result, RunError};
use super::rows::ChangedRows;
use super::verdict::judgement::{ExpectedOutputs, Judgement, Passing, Write};
use crate::row::Vectors;
use comparison::Compared;
use executed_run::ExecutedRun;
use findings::{JudgedRows, findings_of_changes, findings_of_panics};
use former_benchmarks::FormerBenchmarks;

/// The start of the output of a case that panicked, where panics are recorded.
const PANIC: &str = r#"{"$panic":"#;

/// Refuses outputs that leave nothing to compare, now or later.
pub(super) fn check(ran: &ExecutedRun<'_>, benchmark: Option<&BenchmarkFile>) -> Result<()> {
    let ExecutedRun { plan, executed, .. } = ran;
    let is_judged = benchmark.is_some() || executed.records;
    if ran.recorded.is_some() || !executed.panics.is_empty() || !is_judged {
        return Ok(());
    }
    let (outputs, size) = (&executed.outputs, executed.outputs.len());
    let values = (0..size).map_while(|case| output::read(outputs.get(case)).ok());
    if size > 0 && ignores_all(&plan.policy, values) {
        return Err(RunError::new(format!(
            "the test ignores every field of its outputs, so nothing in its {} is compared",
            counted(size, "case")
        ))
        .hint("ignore less, or return () to record nothing"));
    }
    let refused = executed.refusals;
    if 2 * refused > size && (benchmark.is_none() || ran.other.is_some()) {
        return Err(too_few_inputs(outputs, size - refused));
    }
    let is_panic = |case| outputs.get(case).starts_with(PANIC);
    let failing = match executed.errors + refused == size {
        _ if benchmark.is_some() => None,
        true => Some("returned an Err"),
        false => (0..size).all(is_panic).then_some("panicked"),
    };
    let Some(failing) = failing else {
        return Ok(());
    };
    Err(RunError::new(format!(
        "all {size} cases {failing}, the first: {}",
        outputs.get(0)
    ))
    .hint(
        "recording them would turn a broken setup into the benchmark; make at least one row succeed",
    ))
}

/// Creates the error for too few inputs, which would test too little.
fn too_few_inputs(outputs: &Outputs, inputs: usize) -> RunError {
    let size = outputs.len();
    let reason = |case| {
        let output = output::read(outputs.get(case)).ok()?;
        Some(format!("; row {case} is not: {}", refusal(&output)?))
    };
    let first = (0..size).find_map(reason);
    RunError::new(format!(
        "only {}{}",
        inputs_of(inputs, size),
        first.unwrap_or_default()
    ))
    .hint(
        "draw values that `via` or `parse` accepts, so that at least half of the rows are inputs; \
         the ones that it refuses by chance are recorded as such",
    )
}

/// Everything that a run is judged by.
pub(super) struct Judge<'a> {
    pub(super) ran: ExecutedRun<'a>,
    /// The place of pending outputs, for reports.
    pub(super) pending: PendingPlace,
    /// The rows where some outputs differed in a second run.
    pub(super) unstable: Option<(WhichRows, Unstable)>,
}

impl Judge<'_> {
    /// Judges outputs that were compared with a benchmark's.
    pub(super) fn beside(
        &self,
        benchmark: &BenchmarkFile,
        mut compared: Compared<'_>,
    ) -> Judgement {
        if let Some((recorded, rows)) = self.ran.recorded.zip(compared.rows.take()) {
            return self.after_a_change(benchmark, &compared, recorded, rows);
        }
        let judgement = match self.ran.executed.panics.is_empty() {
            true => self.of_differing(benchmark, &compared),
            false => self.panicked(Some((benchmark, &compared))),
        };
        let Compared {
            differing, policy, ..
        } = compared;
        Judgement {
            policy: self.other_than_own(policy),
            changed: differing.cases.len(),
            tolerance_use: differing.tolerance_use,
            expected: if differing.is_identical {
                ExpectedOutputs::Actual
            } else {
                ExpectedOutputs::Recorded
            },
            ..judgement
        }
    }

    /// Returns true if the outputs can be recorded as a first benchmark.
    pub(super) fn would_record(&self) -> bool {
        let Executed {
            panics, records, ..
        } = self.ran.executed;
        panics.is_empty() && *records && self.unstable.is_none()
    }

    /// Judges outputs without a benchmark, given the benchmarks that may have been theirs.
    pub(super) fn alone(&self, former: FormerBenchmarks) -> Judgement {
        if !self.ran.executed.panics.is_empty() {
            return self.panicked(None);
        }
        if !self.ran.executed.records {
            // There is nothing to record.
            return Judgement::pass(Passing::Same, Write::Nothing);
        }
        if let Some((_, unstable)) = &self.unstable {
            let failure = Failure::Unstable(unstable.clone());
            return Judgement::fail(failure, Write::Nothing);
        }
        let is_former = !former.is_none();
        let file = self.ran.plan.file.as_ref();
        let missing = Missing {
            snapshot_file: file.map(|file| self.ran.plan.display_path(file)),
            stored: former.stored,
            former: former.tests,
            pending: self.pending.clone(),
        };
        let recorded = Judgement::pass(Passing::Recorded, Write::Benchmark);
        match self.ran.plan.settings.update.mode {
            Update::Always => Judgement {
                past: is_former.then(|| Box::new(missing)),
                ..recorded
            },
            Update::Auto if !is_former => recorded,
            _ => Judgement::fail(Failure::Missing(missing), self.pending_write()),
        }
    }

    fn panicked(&self, compared: Option<(&BenchmarkFile, &Compared<'_>)>) -> Judgement {
        let ExecutedRun { rows, executed, .. } = self.ran;
        let failure = Failure::Panicked(self.panics(&rows.vectors, executed, compared));
        let write = match failure.pending() {
            Some(_) => self.pending_write(),
            None => Write::Nothing,
        };
        Judgement::fail(failure, write)
    }

    /// Returns the cases that panicked, and the changes of the others.
    fn panics(
        &self,
        vectors: &Vectors,
        executed: &Executed,
        compared: Option<(&BenchmarkFile, &Compared<'_>)>,
    ) -> Panicked {
        let table = self.ran.rows.taken(vectors);
        let panicked: Vec<usize> = executed.panics.iter().map(|(case, _)| *case).collect();
        let unbound = compared.map_or_else(Vec::new, |(_, it)| it.differing.uncompared());
        Panicked {
            size: vectors.size() - unbound.len(),
            features: table.names().map(str::to_owned).collect(),
            findings: match self.ran.function {
                Function::Rows(_) => {
                    let expected = compared.and_then(|(benchmark, _)| benchmark.values());
                    let rows = JudgedRows {
                        vectors: &table,
                        uncompared: &unbound,
                        expected: expected.as_deref(),
                        package: &self.ran.plan.place.package,
                    };
                    findings_of_panics(&rows, &panicked)
                }
                // A panic of a batch doesn't show which row caused it.
                Function::Vectors(_) => Vec::new(),
            },
            cases: executed.panicked_cases(&table),
            changed: compared.and_then(|it| self.changed_beside_panics(it, vectors)),
        }
    }

    /// Returns the changes of the benchmark's rows that did not panic.
    fn changed_beside_panics(
        &self,
        (benchmark, compared): (&BenchmarkFile, &Compared<'_>),
        vectors: &Vectors,
    ) -> Option<Box<Changed>> {
        let is_change = self.unstable.is_none() && !compared.passes(vectors.size());
        is_change.then(|| Box::new(self.changed(benchmark, compared, vectors)))
    }

    /// Judges differing cases on the benchmark's rows.
    fn of_differing(&self, benchmark: &BenchmarkFile, compared: &Compared<'_>) -> Judgement {
        if let Some((_, unstable)) = &self.unstable {
            let failure = Failure::Unstable(unstable.clone());
            return Judgement::fail(failure, Write::Nothing);
        }
        let vectors = &self.ran.rows.vectors;
        // Tolerated differences never become the benchmark.
        if compared.passes(vectors.size()) {
            return Judgement::pass(Passing::Same, Write::Nothing);
        }
        self.accepted_or(|| Failure::Changed(self.changed(benchmark, compared, vectors)))
    }

    /// Judges changed inputs by the outputs on the benchmark's own rows.
    fn after_a_change(
        &self,
        benchmark: &BenchmarkFile,
        compared: &Compared<'_>,
        (change, recorded): (&ChangedRows, &Executed),
        rows: RecordedRows,
    ) -> Judgement {
        let failure = self.failure_after_a_change(benchmark, compared, (change, recorded));
        let Compared {
            differing, policy, ..
        } = compared;
        // Set if the new rows' outputs deserve a decision. If only recorded rows panicked, the
        // function may now refuse rows that it used to take, which only a decision can confirm.
        let is_pending = match &failure {
            None | Some((_, Failure::Changed(_))) => true,
            Some((WhichRows::Recorded, Failure::Panicked(_))) => {
                self.ran.executed.panics.is_empty() && self.unstable.is_none()
            }
            Some(_) => false,
        };
        let has_panicked = matches!(&failure, Some((_, Failure::Panicked(_))));
        let failure = || {
            Failure::InputsChanged(InputsChanged {
                changes: change.changes.clone(),
                form: self.ran.plan.definition_form,
                recorded: rows,
                size: self.ran.rows.vectors.size(),
                changed: match &failure {
                    Some((WhichRows::New, Failure::Panicked(_))) => {
                        self.changed_beside_panics((benchmark, compared), &change.vectors)
                    }
                    _ => None,
                },
                failure: failure.map(|(rows, failure)| (rows, Box::new(failure))),
                pending: is_pending.then(|| self.pending.clone()),
            })
        };
        let judgement = match (is_pending, has_panicked) {
            (true, false) => self.accepted_or(failure),
            (true, true) => Judgement::fail(failure(), self.pending_write()),
            (false, _) => Judgement::fail(failure(), Write::Nothing),
        };
        Judgement {
            changed: differing.cases.len(),
            tolerance_use: differing.tolerance_use,
            expected: ExpectedOutputs::Recorded,
            policy: self.other_than_own(policy),
            ..judgement
        }
    }

    /// Returns the failure other than the changed inputs.
    fn failure_after_a_change(
        &self,
        benchmark: &BenchmarkFile,
        compared: &Compared<'_>,
        (change, recorded): (&ChangedRows, &Executed),
    ) -> Option<(WhichRows, Failure)> {
        let ExecutedRun { rows, executed, .. } = self.ran;
        if !recorded.panics.is_empty() {
            let compared = Some((benchmark, compared));
            let failure = self.panics(&change.vectors, recorded, compared);
            return Some((WhichRows::Recorded, Failure::Panicked(failure)));
        }
        if !executed.panics.is_empty() {
            let failure = self.panics(&rows.vectors, executed, None);
            return Some((WhichRows::New, Failure::Panicked(failure)));
        }
        if let Some((rows, unstable)) = &self.unstable {
            return Some((*rows, Failure::Unstable(unstable.clone())));
        }
        if compared.passes(change.vectors.size()) {
            return None;
        }
        let changed = self.changed(benchmark, compared, &change.vectors);
        Some((WhichRows::Recorded, Failure::Changed(changed)))
    }

    fn compared_with(&self) -> ComparedWith {
        match self.ran.other {
            Some((other, _)) => ComparedWith::Function(other.name.to_owned()),
            None => ComparedWith::Benchmark(self.pending.clone()),
        }
    }

    /// Accepts changed outputs without review if `update = "always"`.
    fn accepted_or(&self, failure: impl FnOnce() -> Failure) -> Judgement {
        match self.ran.plan.settings.update.mode {
            _ if self.ran.other.is_some() => Judgement::fail(failure(), Write::Nothing),
            Update::Always => Judgement::pass(Passing::Accepted, Write::Benchmark),
            _ => Judgement::fail(failure(), self.pending_write()),
        }
    }

    fn pending_write(&self) -> Write {
        if self.ran.plan.settings.may_write() {
            Write::Pending
        } else {
            Write::Nothing
        }
    }

    fn other_than_own(&self, policy: &Policy) -> Option<Box<Policy>> {
        (*policy != self.ran.plan.policy).then(|| Box::new(policy.clone()))
    }

    fn loosened(&self, policy: &Policy) -> Option<Loosened> {
        let own = &self.ran.plan.policy;
        (policy != own).then(|| Loosened::between(policy, own))
    }

    /// Returns the changes of the outputs on these rows, which are the benchmark's.
    fn changed(
        &self,
        benchmark: &BenchmarkFile,
        compared: &Compared<'_>,
        vectors: &Vectors,
    ) -> Changed {
        let Compared {
            differing,
            uncompared,
            ..
        } = compared;
        let (table, expected) = (self.ran.rows.taken(vectors), benchmark.values());
        let (expected, with) = (expected.as_deref(), self.compared_with());
        let cases = &differing.cases;
        let rows = JudgedRows {
            vectors: &table,
            uncompared,
            expected,
            package: &self.ran.plan.place.package,
        };
        let found = findings_of_changes(compared.policy, &rows, cases);
        Changed {
            distributions: differing.distributions.clone(),
            loosened: self.loosened(compared.policy),
            findings: found.sentences,
            cause: found.cause,
            parts: found.parts,
            ..Changed::from_cases(&table, uncompared, expected, cases, with)
        }
    }
}
