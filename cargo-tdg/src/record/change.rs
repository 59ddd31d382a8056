//! A pending change: the pending outputs and the benchmark that they would replace.

use std::sync::Arc;

use tdg_definition::Definition;
use tdg_definition::Policy;
use tdg_definition::control;
use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;
use tdg_engine::compare::{DifferingCase, DistributionChange};
use tdg_engine::generate::{Migration, Pairing};
use tdg_engine::output::{self, Outputs};
use tdg_engine::snapshot::{Differing, KeptComparison, RecordedKept, Snapshot};
use tdg_engine::store::Expected;
use tdg_explain::{KnownFindings, OfferedPart};
use tdg_report::{
    CameOutOn, Changed, ComparedWith, DefinitionForm, Explored, Extent, Failure, FailureReport,
    InputChange, InputsChanged, Missing, PendingPlace, RecordedRows, WhichRows, distributions_of,
    kinds, quoted,
};

use super::case_texts::CaseTexts;
use super::run_details::RunDetails;
use super::storage::{PendingOutputs, RecordedTest};
use crate::error::{Context as _, Error, Result};
use crate::terminal::style::STRONG;
use crate::terminal::{counted, with_coloured_marks};
use tdg_html::ComparedRows;

/// Pending outputs with the benchmark that they would replace.
#[derive(Debug)]
pub(crate) struct PendingChange {
    /// `None` if the outputs would be the first benchmark.
    pub(crate) benchmark: Option<Snapshot>,
    pub(crate) pending: PendingOutputs,
    /// The policy and features of the run that left the outputs.
    run: RunDetails,
}

/// A pending change, compared with the benchmark case by case.
#[derive(Debug)]
pub(crate) struct ComparedChange {
    /// The rows, limited to the features that the function takes. Without a benchmark, they are the
    /// pending rows.
    pub(crate) rows: ComparedRows,
    /// The actual outputs for these rows.
    pub(crate) actual: Outputs,
    /// The test's policy, or a looser one if the outputs pass only by that.
    pub(super) policy: Policy,
    /// The fields with a changed distribution over all cases.
    pub(crate) distributions: Vec<DistributionChange>,
    /// The change of the inputs, if any.
    inputs: Option<ChangedInputs>,
    /// The results of the kept rows, if some differ from the recorded outputs.
    kept: Option<Explored>,
    has_benchmark: bool,
}

#[derive(Debug)]
struct ChangedInputs {
    changes: Vec<InputChange>,
    recorded: RecordedRows,
    /// The number of pending rows.
    size: usize,
}

impl RecordedTest {
    /// Returns where the benchmark's outputs are known to have been produced.
    fn came_out_on(&self) -> Result<CameOutOn> {
        let (Some(store), Some(benchmark)) = (self.store()?, self.benchmark()?) else {
            return Ok(CameOutOn::Unknown);
        };
        let outputs = benchmark.outputs()?;
        let expected = Expected {
            ensemble: benchmark.ensemble(),
            vectors: None,
            outputs: outputs.as_json(),
        };
        Ok(CameOutOn::among(&store.platforms(&self.test, &expected)?))
    }

    /// Reads the pending change.
    ///
    /// # Errors
    /// Also fails if no change is pending.
    pub(crate) fn change(&self) -> Result<PendingChange> {
        let Some(pending) = self.pending()? else {
            return Err(Error::new(format!(
                "{} has no pending change; `cargo tdg pending` lists the tests that have one",
                self.test
            )));
        };
        Ok(PendingChange {
            benchmark: self.benchmark()?,
            pending,
            run: self.run_details(),
        })
    }
}

impl PendingChange {
    /// Compares a run's actual outputs with a benchmark. They need not be pending.
    pub(crate) fn of_run(benchmark: Option<Snapshot>, actual: Snapshot, run: RunDetails) -> Self {
        Self {
            benchmark,
            pending: PendingOutputs {
                snapshot: actual,
                uuid: None,
            },
            run,
        }
    }

    /// Returns true if the function gets the rows of the benchmark.
    pub(crate) fn has_recorded_rows(&self) -> bool {
        let rows = |snapshot| vectors(snapshot).ok();
        let recorded = self.benchmark.as_ref().and_then(rows);
        match (recorded, rows(&self.pending.snapshot)) {
            (Some(recorded), Some(now)) => Pairing::new(&recorded, &now, &self.run.takes).is_same(),
            _ => false,
        }
    }

    /// Returns a line of JSON for each kept row with a changed output.
    pub(crate) fn kept_lines(&self) -> Result<Vec<String>> {
        let Some(benchmark) = &self.benchmark else {
            return Ok(Vec::new());
        };
        let KeptComparison { changes, lost, .. } = self.kept(benchmark)?;
        let changes = changes.iter().map(|it| {
            let number = Value::from(it.number as u64);
            let actual = Some(it.actual.as_str());
            kept_line(number, &it.row, it.expected.as_deref(), actual)
        });
        let lost = lost
            .iter()
            .map(|it| kept_line(Value::Null, &it.row, Some(&it.output), None));
        changes.chain(lost).collect()
    }

    /// Compares the kept rows with the benchmark's.
    fn kept(&self, benchmark: &Snapshot) -> Result<KeptComparison> {
        let pending = &self.pending.snapshot;
        let policies = [&self.run.policy, benchmark.policy()];
        let recorded =
            RecordedKept::new(benchmark.kept(), benchmark.ensemble(), pending.ensemble());
        Ok(recorded.compare(&policies, pending.kept())?)
    }

    /// Compares every case as the test does.
    pub(crate) fn compare(&self) -> Result<ComparedChange> {
        let RunDetails { policy, takes, .. } = &self.run;
        let pending = &self.pending.snapshot;
        let now = vectors(pending)?;
        let actual = CaseTexts::from_snapshot(pending)?.outputs;
        let Some(benchmark) = &self.benchmark else {
            let all = (0..now.size()).collect();
            return Ok(ComparedChange {
                rows: ComparedRows::new(now.taken(takes), all, None, Vec::new()),
                actual,
                policy: policy.clone(),
                distributions: Vec::new(),
                inputs: None,
                kept: None,
                has_benchmark: false,
            });
        };
        check_outputs(benchmark)?;
        let kept = self.kept(benchmark)?;
        let kept = (!kept.is_same()).then(|| {
            let policies = [benchmark.policy(), policy];
            Explored::of_kept(&kept, policies, pending.kept().len(), takes, None)
        });
        let recorded = vectors(benchmark)?;
        let change = match Pairing::new(&recorded, &now, takes).is_same() {
            true => {
                // The run has no outputs for rows that panicked.
                let actual = self.outputs_on(benchmark).unwrap_or(actual);
                ComparedChange::new(benchmark, now.taken(takes), actual, policy, |_| None)?
            }
            false => self.compare_recorded_rows(benchmark, &recorded, &now, &actual)?,
        };
        let constants = Arc::clone(&self.run.constants);
        Ok(ComparedChange {
            kept,
            rows: change.rows.with_constants(constants),
            ..change
        })
    }

    /// Returns the run's outputs for the benchmark's rows, unless the benchmark has changed since.
    fn outputs_on(&self, benchmark: &Snapshot) -> Option<Outputs> {
        let known = self.run.recorded_outputs.as_ref()?;
        let is_of_it = known.digest == benchmark.ensemble().digest;
        is_of_it.then(|| known.outputs.clone())
    }

    /// Compares the outputs of recorded rows that are still among the pending rows.
    fn compare_recorded_rows(
        &self,
        benchmark: &Snapshot,
        recorded: &Vectors,
        now: &Vectors,
        actual: &Outputs,
    ) -> Result<ComparedChange> {
        let takes = &self.run.takes;
        let (old, new) = (benchmark.ensemble(), self.pending.snapshot.ensemble());
        // The record doesn't say which renamed categories the function needed.
        let migration = Migration::new((old, recorded), (new, now), takes, Some(&[]));
        let recorded = &migration.vectors;
        let pairing = Pairing::of_ensembles((old, recorded), (new, now), takes);
        let known = self.outputs_on(benchmark);
        let outputs = known.unwrap_or_else(|| pairing.outputs(actual, &migration.lost));
        let inputs = |differing: &Differing| {
            Some(ChangedInputs {
                changes: InputChange::between(old, new, &pairing),
                recorded: RecordedRows::new(&pairing, &migration.renames, differing),
                size: now.size(),
            })
        };
        ComparedChange::new(
            benchmark,
            recorded.taken(takes),
            outputs,
            &self.run.policy,
            inputs,
        )
    }
}

impl ComparedChange {
    /// Compares the outputs with the benchmark's and describes how the inputs changed.
    fn new(
        benchmark: &Snapshot,
        vectors: Vectors,
        actual: Outputs,
        policy: &Policy,
        inputs: impl FnOnce(&Differing) -> Option<ChangedInputs>,
    ) -> Result<Self> {
        let (differing, policy) = benchmark.judge(&actual, policy)?;
        let inputs = inputs(&differing);
        let uncompared = differing.uncompared();
        let expected = expected(benchmark, &differing.cases);
        Ok(Self {
            inputs,
            rows: ComparedRows::new(vectors, uncompared, expected, differing.cases),
            policy: policy.clone(),
            distributions: differing.distributions,
            actual,
            kept: None,
            has_benchmark: true,
        })
    }

    /// Returns true if the outputs differ.
    fn differs(&self) -> bool {
        !self.rows.differing.is_empty() || !self.distributions.is_empty()
    }

    /// Returns true if the benchmark already includes the change.
    pub(crate) fn is_empty(&self) -> bool {
        self.inputs.is_none() && self.kept.is_none() && !self.differs()
    }

    /// Returns the results of the kept rows if nothing else changed; only then do they run.
    pub(crate) fn kept_alone(&self) -> Option<&Explored> {
        let is_alone = self.inputs.is_none() && !self.differs();
        self.kept.as_ref().filter(|_| is_alone)
    }

    /// Returns true if the function gets rows that the benchmark doesn't have.
    pub(crate) fn has_other_rows(&self) -> bool {
        self.inputs.is_some()
    }

    /// Returns the number of pending cases.
    pub(crate) fn size(&self) -> usize {
        self.inputs
            .as_ref()
            .map_or(self.rows.vectors.size(), |inputs| inputs.size)
    }

    /// Returns the failing test's report without hints, since cargo's command can't be derived from
    /// the test's name.
    pub(crate) fn report(&self, record: &RecordedTest, extent: Extent) -> String {
        let text = self.failed(record, extent).without_hints(extent);
        match text.split_once('\n') {
            Some((headline, rest)) => {
                let rest = with_coloured_marks(rest);
                format!("{STRONG}{headline}{STRONG:#}\n{rest}")
            }
            None => text,
        }
    }

    /// Returns the headline and the first rule of the report.
    pub(crate) fn head(&self, record: &RecordedTest, extent: Extent) -> Vec<String> {
        self.failed(record, extent).head(extent)
    }

    fn failed(&self, record: &RecordedTest, extent: Extent) -> FailureReport {
        self.report_of(&record.test.to_string(), Some(record), extent)
    }

    /// Returns the report for outputs that are already accepted.
    pub(crate) fn accepted_report(&self, test: &str, extent: Extent) -> FailureReport {
        self.report_of(test, None, extent)
    }

    /// Builds the report for a test. The record is given if the outputs are pending.
    fn report_of(
        &self,
        test: &str,
        record: Option<&RecordedTest>,
        extent: Extent,
    ) -> FailureReport {
        let pending = record.map_or_else(
            || PendingPlace::Nowhere {
                because: "they are accepted".to_owned(),
            },
            RecordedTest::pending_location,
        );
        let failure = match &self.inputs {
            _ if !self.has_benchmark => Failure::Missing(Missing {
                snapshot_file: record.and_then(|it| it.file().map(|_| it.location())),
                stored: None,
                former: record.map_or_else(Vec::new, |it| it.former_tests(&self.actual)),
                pending,
            }),
            None => match self.kept_alone() {
                Some(kept) => Failure::Explored(kept.clone()),
                None => self.changed(pending, record, extent),
            },
            Some(inputs) => Failure::InputsChanged(InputsChanged {
                changes: inputs.changes.clone(),
                form: DefinitionForm::Unknown,
                recorded: inputs.recorded.clone(),
                size: inputs.size,
                changed: None,
                failure: self.differs().then(|| {
                    let changed = self.changed(pending.clone(), record, extent);
                    (WhichRows::Recorded, Box::new(changed))
                }),
                pending: Some(pending),
            }),
        };
        FailureReport {
            made: None,
            dependencies: Vec::new(),
            test: test.to_owned(),
            command: String::new(),
            failure,
        }
    }

    fn changed(
        &self,
        pending: PendingPlace,
        record: Option<&RecordedTest>,
        extent: Extent,
    ) -> Failure {
        let rows = &self.rows;
        let changed = Changed {
            findings: Some(rows.findings().sentences),
            ..Changed::from_cases(
                &rows.vectors,
                &rows.uncompared,
                rows.expected.as_deref(),
                &rows.differing,
                ComparedWith::Benchmark(pending),
            )
        };
        let came_out_on = match (&changed.closeness, record) {
            (Some(_), Some(record)) => record.came_out_on().unwrap_or_default(),
            _ => CameOutOn::Unknown,
        };
        Failure::Changed(Changed {
            distributions: self.distributions.clone(),
            came_out_on,
            ..changed.to_extent(extent, &rows.vectors, &rows.differing)
        })
    }

    /// Returns the parts of a change with several parts, by their numbers from 1.
    pub(crate) fn parts(&self) -> Vec<OfferedPart> {
        match &self.inputs {
            Some(_) => Vec::new(),
            None => self.rows.parts(),
        }
    }

    /// Returns the cause of the change, if it explains everything that changed.
    pub(crate) fn cause(&self, known: &KnownFindings) -> Option<String> {
        let is_whole = self.inputs.is_none() && self.kept.is_none();
        if !is_whole || !self.has_benchmark || !self.distributions.is_empty() {
            return None;
        }
        let rows = &self.rows;
        let findings = known.of_changes(
            &self.policy,
            &rows.vectors,
            &rows.uncompared,
            rows.expected.as_deref(),
            &rows.differing,
            || rows.findings(),
        );
        findings.cause
    }

    /// Summarizes the change in a few words.
    pub(crate) fn headline(&self) -> String {
        let changed = |noun: &str| {
            let (count, compared) = (self.rows.differing.len(), self.rows.compared());
            let cases = format!("{count} of {}", counted(compared, noun));
            match (count, self.distributions.as_slice()) {
                (_, []) => format!("{cases} changed"),
                (0, fields) => format!("{} changed", distributions_of(fields)),
                (_, fields) => format!("{cases} and {} changed", distributions_of(fields)),
            }
        };
        match &self.inputs {
            _ if !self.has_benchmark => format!("new, {}", counted(self.size(), "case")),
            None => match self.kept_alone() {
                Some(kept) => kept.headline(),
                None => changed("case"),
            },
            Some(inputs) => {
                let inputs = format!("inputs changed: {}", kinds(&inputs.changes));
                match self.differs() {
                    false => inputs,
                    true => format!("{}; {inputs}", changed("recorded case")),
                }
            }
        }
    }
}

/// Formats the line of a kept row. The number is null if the row isn't kept anymore.
fn kept_line(
    number: Value,
    row: &str,
    expected: Option<&str>,
    actual: Option<&str>,
) -> Result<String> {
    let mut members = vec![("kept", number), ("row", json::parse(row)?)];
    for (name, output) in [("expected", expected), ("actual", actual)] {
        let output = output.map(output::read).transpose()?;
        members.extend(output.map(|output| (name, output)));
    }
    Ok(format!("{}\n", Value::object(members)))
}

/// Returns the expected outputs if any differ, for the explanation.
fn expected(benchmark: &Snapshot, differing: &[DifferingCase]) -> Option<Vec<Value>> {
    (!differing.is_empty()).then(|| benchmark.values())?
}

/// Returns the rows of a snapshot, drawn again if the file only pins a benchmark.
pub(crate) fn vectors(snapshot: &Snapshot) -> Result<Vectors> {
    let ensemble = snapshot.ensemble();
    let definition = Definition::parse_recorded(&ensemble.definition).context(&ensemble.name)?;
    if !snapshot.has_inputs() {
        return Vectors::of_ensemble(&definition, ensemble).context(&ensemble.name);
    }
    Vectors::from_rows(&definition, snapshot.rows()?).context(&ensemble.name)
}

/// Returns the outputs of a snapshot.
pub(crate) fn outputs(snapshot: &Snapshot) -> Result<Vec<Value>> {
    check_outputs(snapshot)?;
    let output = |case| Ok(snapshot.output(case)?);
    (0..snapshot.len()).map(output).collect()
}

/// Fails for a pinned benchmark whose outputs no run has fetched from the server yet.
fn check_outputs(snapshot: &Snapshot) -> Result<()> {
    if !snapshot.is_empty() {
        return Ok(());
    }
    let name = control::escape(&snapshot.ensemble().name);
    let quoted = quoted(&name);
    Err(Error::new(format!(
        "the expected outputs of {name} are on a server; run the test to fetch them, or decide \
         without them by `cargo tdg accept {quoted}` or `cargo tdg reject {quoted}`"
    )))
}

#[cfg(test)]
mod tests {
    use tdg_engine::Ensemble;
    use tdg_engine::snapshot::render_outputs;

    use super::*;

    #[test]
    fn rows_that_take_minutes_are_not_drawn() {
        let zipf = r#"{"type":"INTEGER","distribution":{"type":"zipf","n":1000000,"s":1.1}}"#;
        let pattern = r#"{"type":"STRING","distribution":{"type":"pattern","regex":"[a-z]{8}"}}"#;
        for (feature, count, size) in [(zipf, 100, 3), (pattern, 1000, 10_000)] {
            let ensemble = Ensemble {
                name: "sample".to_owned(),
                size,
                seed: 0,
                sampler_version: 1,
                digest: String::new(),
                definition: format!(r#"{{"features":[{}]}}"#, vec![feature; count].join(",")),
                rows: None,
            };
            let text = render_outputs("sample", "", &ensemble, |_, text| text.push('0'));
            let error = vectors(&Snapshot::parse(text).unwrap()).unwrap_err();
            let said = error.to_string();
            assert!(said.starts_with("sample: drawing "), "{said}");
            assert!(said.contains("which is more than 2 s"), "{said}");
        }
    }
}
