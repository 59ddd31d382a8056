//! A pending change: the pending outputs and the benchmark that they would replace.

use std::collections::BTreeSet;

use tdg_definition::Definition;
use tdg_definition::Policy;
use tdg_definition::control;
use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_engine::compare::Comparison;
use tdg_engine::explain::{self, Rule, Side};
use tdg_engine::report::{Changed, Failure, InputChange, InputsChanged, Missing, Report};
use tdg_engine::snapshot::Snapshot;

use super::case_texts::CaseTexts;
use super::storage::{PendingOutputs, Record};
use crate::error::{Context as _, Error, Result};
use crate::terminal::counted;

/// The pending outputs and the benchmark that they would replace.
#[derive(Debug)]
pub(crate) struct PendingChange {
    /// `None` if the outputs would be the first benchmark.
    pub(crate) benchmark: Option<Snapshot>,
    pub(crate) pending: PendingOutputs,
    /// How the test compares outputs.
    policy: Policy,
}

/// A pending change, compared with the benchmark case by case.
#[derive(Debug)]
pub(crate) struct ComparedChange {
    /// The rows of the pending outputs.
    pub(crate) vectors: Vectors,
    /// The number of leading rows that the benchmark has as well.
    pub(crate) common: usize,
    /// The differences of the inputs.
    pub(crate) inputs: Vec<InputChange>,
    /// The cases among the common rows that differ.
    pub(crate) differing: Vec<(usize, Comparison)>,
    has_benchmark: bool,
}

impl Record {
    /// The pending change.
    ///
    /// # Errors
    /// Also if there is none.
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
            policy: self.policy(),
        })
    }
}

impl PendingChange {
    /// The actual outputs of a run, which may not be pending anywhere.
    pub(crate) fn of_run(benchmark: Option<Snapshot>, actual: Snapshot, policy: Policy) -> Self {
        Self {
            benchmark,
            pending: PendingOutputs {
                snapshot: actual,
                uuid: None,
            },
            policy,
        }
    }

    /// Compares every case, as the test does.
    pub(crate) fn compare(&self) -> Result<ComparedChange> {
        let pending = &self.pending.snapshot;
        let vectors = vectors(pending)?;
        let Some(benchmark) = &self.benchmark else {
            return Ok(ComparedChange {
                vectors,
                common: 0,
                inputs: Vec::new(),
                differing: Vec::new(),
                has_benchmark: false,
            });
        };
        check_outputs(benchmark)?;
        let (before, now) = (benchmark.ensemble(), pending.ensemble());
        let inputs = InputChange::between(before, now);
        let common = InputChange::common_rows(&inputs, before, now);
        let actual = CaseTexts::of(pending)?.outputs;
        let differing = benchmark.differing(&actual, common, &self.policy)?;
        Ok(ComparedChange {
            vectors,
            common,
            inputs,
            differing: differing.cases,
            has_benchmark: true,
        })
    }
}

impl ComparedChange {
    /// The failing test's report without hints: the cargo command can't be derived from the test's
    /// name.
    pub(crate) fn report(&self, record: &Record) -> String {
        let pending = record.pending_location();
        let changed = || Changed::of(&self.vectors, self.common, &self.differing, pending.clone());
        let failure = if !self.has_benchmark {
            Failure::Missing(Missing {
                snapshot_file: record.file().map(|_| record.location()),
                pending,
            })
        } else if self.inputs.is_empty() {
            Failure::Changed(changed())
        } else {
            Failure::InputsChanged(InputsChanged {
                changes: self.inputs.clone(),
                common_rows: self.common,
                changed: (!self.differing.is_empty()).then(changed),
                pending: pending.clone(),
            })
        };
        let report = Report {
            test: record.test.to_string(),
            command: String::new(),
            failure,
        };
        report.without_hints()
    }

    /// The rules that explain the changed cases, if the rows are the benchmark's.
    pub(crate) fn rules(&self) -> Vec<Rule> {
        if !self.inputs.is_empty() {
            return Vec::new();
        }
        let mut is_changed = vec![false; self.common];
        for (case, _) in &self.differing {
            is_changed[*case] = true;
        }
        let explanation = explain::rules(&self.vectors, &is_changed);
        match explanation.side {
            Side::Failing => explanation.rules,
            Side::Passing => Vec::new(),
        }
    }

    /// The change in a few words.
    pub(crate) fn headline(&self) -> String {
        let size = counted(self.vectors.size(), "case");
        if !self.has_benchmark {
            return format!("new, {size}");
        }
        let changed = format!(
            "{} of {} changed",
            self.differing.len(),
            counted(self.common, "case")
        );
        if self.inputs.is_empty() {
            return changed;
        }
        let kinds = self
            .inputs
            .iter()
            .map(|change| change.what.split(' ').next().unwrap_or_default());
        let kinds: BTreeSet<&str> = kinds.filter(|kind| *kind != "…").collect();
        let kinds: Vec<&str> = kinds.into_iter().collect();
        let inputs = format!("inputs changed: {}", kinds.join(", "));
        if self.differing.is_empty() {
            inputs
        } else {
            format!("{inputs}; {changed}")
        }
    }
}

/// The rows of a snapshot: those in the file, or drawn again if it pins a benchmark on a server.
pub(crate) fn vectors(snapshot: &Snapshot) -> Result<Vectors> {
    let ensemble = snapshot.ensemble();
    let definition = Definition::parse_recorded(&ensemble.definition).context(&ensemble.name)?;
    if snapshot.pin().is_some() {
        return Ok(Vectors::generate(&definition, ensemble.seed, ensemble.size));
    }
    Vectors::from_rows(&definition, snapshot.rows()?).context(&ensemble.name)
}

/// The outputs of a snapshot.
pub(crate) fn outputs(snapshot: &Snapshot) -> Result<Vec<Value>> {
    check_outputs(snapshot)?;
    let output = |case| Ok(snapshot.case(case)?.1);
    (0..snapshot.len()).map(output).collect()
}

/// A snapshot that pins a benchmark on a server has no outputs until a run has fetched them.
fn check_outputs(snapshot: &Snapshot) -> Result<()> {
    if !snapshot.is_empty() {
        return Ok(());
    }
    let name = control::escape(&snapshot.ensemble().name);
    Err(Error::new(format!(
        "the expected outputs of {name} are on a server; run the test to fetch them, or decide \
         without them by `cargo tdg accept {name}` or `cargo tdg reject {name}`"
    )))
}
