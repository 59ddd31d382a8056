//! A pending change beside the benchmark that it would replace.

use std::collections::BTreeSet;

use tdg_definition::Definition;
use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_engine::compare::Comparison;
use tdg_engine::explain::{self, Rule, Side};
use tdg_engine::report::{Changed, Failure, InputChange, InputsChanged, Missing, Report};
use tdg_engine::snapshot::Snapshot;

use super::texts::Texts;
use super::{Pending, Record};
use crate::error::{Context as _, Error, Result};
use crate::terminal::counted;

/// A pending change beside the benchmark that it would replace.
#[derive(Debug)]
pub(crate) struct Change {
    /// Without one, the outputs would be the first benchmark.
    pub(crate) benchmark: Option<Snapshot>,
    pub(crate) pending: Pending,
    /// How the test compares outputs.
    policy: Policy,
}

/// What a change is, case by case.
#[derive(Debug)]
pub(crate) struct Compared {
    /// The rows of the pending change.
    pub(crate) vectors: Vectors,
    /// How many of the first rows are the benchmark's too.
    pub(crate) common: usize,
    /// What is different about the inputs.
    pub(crate) inputs: Vec<InputChange>,
    /// The cases of the common rows that differ, each with how.
    pub(crate) differing: Vec<(usize, Comparison)>,
    has_benchmark: bool,
}

impl Change {
    pub(super) fn new(benchmark: Option<Snapshot>, pending: Pending, policy: Policy) -> Self {
        Self {
            benchmark,
            pending,
            policy,
        }
    }

    /// The outputs of a run beside the benchmark, wherever they wait.
    pub(crate) fn of_run(benchmark: Option<Snapshot>, actual: Snapshot, policy: Policy) -> Self {
        let pending = Pending {
            snapshot: actual,
            uuid: None,
        };
        Self::new(benchmark, pending, policy)
    }

    /// Compares every case, as the test does.
    pub(crate) fn compare(&self) -> Result<Compared> {
        let pending = &self.pending.snapshot;
        let vectors = vectors(pending)?;
        let Some(benchmark) = &self.benchmark else {
            return Ok(Compared {
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
        let actual = Texts::of(pending)?.outputs;
        let differing = benchmark.differing(&actual, common, &self.policy)?;
        Ok(Compared {
            vectors,
            common,
            inputs,
            differing: differing.cases,
            has_benchmark: true,
        })
    }
}

impl Compared {
    /// The report that the failing test gave, without how to go on: of a test's name it can't be told by what
    /// cargo runs it.
    pub(crate) fn report(&self, record: &Record) -> String {
        let pending = record.pending_place();
        let changed = || Changed::of(&self.vectors, self.common, &self.differing, pending.clone());
        let failure = if !self.has_benchmark {
            Failure::Missing(Missing {
                snapshot_file: record.file().map(|_| record.shown()),
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
            test: record.test.name.clone(),
            command: String::new(),
            failure,
        };
        report.without_hints()
    }

    /// What parts of the changed cases have in common, where the rows are the benchmark's.
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

    /// What the change is, in a few words.
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
        match self.differing.is_empty() {
            true => inputs,
            false => format!("{inputs}; {changed}"),
        }
    }
}

/// The rows of a snapshot, as they stand in it; of one that pins a server's benchmark, drawn again.
pub(crate) fn vectors(snapshot: &Snapshot) -> Result<Vectors> {
    let ensemble = snapshot.ensemble();
    let definition = Definition::parse(&ensemble.definition).context(&ensemble.name)?;
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

/// A snapshot that pins a server's benchmark has none until a run has fetched them.
fn check_outputs(snapshot: &Snapshot) -> Result<()> {
    if !snapshot.is_empty() {
        return Ok(());
    }
    let name = &snapshot.ensemble().name;
    Err(Error::new(format!(
        "the expected outputs of {name} are on a server: run the test, which fetches them; \
         `cargo tdg accept {name}` and `cargo tdg reject {name}` decide without"
    )))
}
