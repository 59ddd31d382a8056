//! The records that belong to chosen tests.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::wire::MissingResponse;
use super::{Replica, Wanted};
use crate::Result;
use crate::record::{Record, RecordKind};

/// The records of the chosen tests, without assertions.
#[derive(Debug, Default)]
pub(super) struct SelectedRecords {
    /// The records that the other place lacks.
    missing: BTreeMap<RecordKind, Vec<Wanted>>,
    /// The number of records that the other place has.
    both: BTreeMap<RecordKind, u64>,
    /// The benchmarks of the tests.
    pub(super) benchmarks: BTreeSet<Uuid>,
}

impl SelectedRecords {
    /// Collects the records of tests at one place, and finds those that the other place lacks.
    /// `known` may contain benchmarks that no decision refers to.
    pub(super) fn select(
        tests: &BTreeSet<Uuid>,
        known: Vec<Uuid>,
        from: &dyn Replica,
        to: &dyn Replica,
    ) -> Result<Self> {
        let mut choice = SelectedRecords::default();
        let everywhere: Vec<u8> = (0..=u8::MAX).collect();
        let all = |kind| from.identities(kind, &everywhere);
        let tests_there = all(RecordKind::Test)?.into_iter();
        let tests_there = tests_there.filter(|test| tests.contains(test)).collect();
        choice.compare(RecordKind::Test, tests_there, to)?;

        let mut decisions = BTreeSet::new();
        choice.benchmarks.extend(&known);
        if !known.is_empty() {
            let MissingResponse { missing, gone } = from.missing(RecordKind::Benchmark, &known)?;
            for absent in missing.iter().chain(&gone) {
                choice.benchmarks.remove(absent);
            }
        }
        each(
            from,
            RecordKind::Decision,
            all(RecordKind::Decision)?,
            |it| {
                if let Record::Decision(decision) = it
                    && tests.contains(&decision.test)
                {
                    decisions.insert(decision.uuid);
                    choice.benchmarks.extend(decision.benchmark);
                }
            },
        )?;
        choice.compare(RecordKind::Decision, decisions, to)?;

        // If the other place has a benchmark, it also has everything that the benchmark refers to.
        let mut identities = choice.benchmarks.clone();
        for kind in [
            RecordKind::Benchmark,
            RecordKind::Ensemble,
            RecordKind::Definition,
        ] {
            let missing = choice.compare(kind, identities, to)?;
            identities = BTreeSet::new();
            each(from, kind, missing, |it| {
                identities.extend(it.parents().into_iter().map(|(_, parent)| parent));
            })?;
        }
        let projects = all(RecordKind::Project)?.into_iter().collect();
        choice.compare(RecordKind::Project, projects, to)?;
        Ok(choice)
    }

    fn compare(
        &mut self,
        kind: RecordKind,
        identities: BTreeSet<Uuid>,
        to: &dyn Replica,
    ) -> Result<Vec<Uuid>> {
        let identities: Vec<Uuid> = identities.into_iter().collect();
        let mut lacking = match identities.is_empty() {
            true => MissingResponse::default(),
            false => to.missing(kind, &identities)?,
        };
        // Tombstones decide whether an object is gone.
        let mut missing = lacking.missing;
        missing.append(&mut lacking.gone);
        let both = identities.len().saturating_sub(missing.len());
        self.both.insert(kind, both as u64);
        let wanted = missing.iter().map(|&uuid| Wanted::Other(kind, uuid));
        self.missing.insert(kind, wanted.collect());
        Ok(missing)
    }

    /// Takes the missing records of a kind, with the number of records at both places.
    pub(super) fn take(&mut self, kind: RecordKind) -> (Vec<Wanted>, u64) {
        let missing = self.missing.remove(&kind).unwrap_or_default();
        (missing, self.both.remove(&kind).unwrap_or_default())
    }
}

/// Calls a function with each record that still exists.
fn each(
    place: &dyn Replica,
    kind: RecordKind,
    identities: Vec<Uuid>,
    mut with: impl FnMut(Record),
) -> Result<()> {
    let wanted = identities.into_iter().map(|uuid| Wanted::Other(kind, uuid));
    let wanted: Vec<Wanted> = wanted.collect();
    let mut rest = wanted.as_slice();
    while !rest.is_empty() {
        let found = place.records(rest)?;
        rest = &rest[found.len()..];
        found.into_iter().flatten().for_each(&mut with);
    }
    Ok(())
}
