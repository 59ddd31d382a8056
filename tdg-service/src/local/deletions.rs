//! Objects that were deleted elsewhere but are still stored locally.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use tdg_engine::store::records::{BenchmarkRow, EnsembleRow, Id, Tables};
use uuid::Uuid;

use super::index::{Index, IndexEntry};
use crate::Result;
use crate::record::RecordKind;

/// Returns the unrevived tombstones whose objects are still stored. If tests are given, only those
/// related to the tests.
pub(super) fn tombstones(index: &Index, tests: Option<&BTreeSet<Uuid>>) -> Vec<Uuid> {
    let objects = tests.map(|tests| objects_of(index, tests));
    let holds = index.tombstones.values().filter(|it| !it.is_revived);
    let is_chosen = |object: &Uuid| objects.as_ref().is_none_or(|it| it.contains(object));
    let is_stored = |object: Uuid| RecordKind::ALL.iter().any(|it| index.has(*it, object));
    holds
        .filter(|it| is_stored(it.object) && is_chosen(&it.object))
        .map(|it| it.uuid)
        .collect()
}

/// Returns the tests, their decisions and benchmarks, and the objects that these belong to.
fn objects_of(index: &Index, tests: &BTreeSet<Uuid>) -> BTreeSet<Uuid> {
    let mut objects = tests.clone();
    objects.insert(index.project);
    for (uuid, decision) in &index.decisions {
        if tests.contains(&decision.parent) {
            objects.insert(*uuid);
        }
    }
    for (uuid, benchmark) in &index.benchmarks {
        if is_of(index, benchmark, tests) {
            objects.extend([*uuid, benchmark.parent]);
            let ensemble = index.ensembles.get(&benchmark.parent);
            objects.extend(ensemble.map(|it| it.parent));
        }
    }
    objects
}

/// Returns true if a benchmark belongs, or belonged, to one of these tests.
pub(super) fn is_of(
    index: &Index,
    entry: &IndexEntry<BenchmarkRow>,
    tests: &BTreeSet<Uuid>,
) -> bool {
    let mut rows = entry.rows.iter();
    rows.any(|row| {
        let test = row.test.and_then(|test| index.test(test));
        test.is_some_and(|(test, _)| tests.contains(test))
    })
}

/// Removes objects and everything that belongs to them, except the tests' current benchmarks.
pub(super) fn prune(
    tables: &Tables<'_>,
    index: &mut Index,
    mut objects: BTreeSet<Uuid>,
) -> Result<()> {
    let definitions = beneath(&index.definitions, &mut objects);
    let ensembles = beneath(&index.ensembles, &mut objects);
    beneath(&index.tests, &mut objects);
    for row in beneath(&index.benchmarks, &mut objects) {
        tables.remove_benchmark(row.id)?;
    }
    for decision in beneath(&index.decisions, &mut objects) {
        let place = decision.place;
        tables.remove_decision(place.test, place.time, place.uuid)?;
    }
    for row in ensembles {
        tables.remove_ensemble(row.id)?;
    }
    for row in definitions {
        tables.remove_definition(row)?;
    }
    index.is_stale = true;
    Ok(())
}

/// Returns true unless everything that pruning an object would remove is in use by tests.
pub(super) fn is_prunable(index: &Index, current: &HashSet<Id>, object: Uuid) -> bool {
    let mut objects = BTreeSet::from([object]);
    let definitions = beneath(&index.definitions, &mut objects);
    let ensembles = beneath(&index.ensembles, &mut objects);
    beneath(&index.tests, &mut objects);
    let benchmarks = beneath(&index.benchmarks, &mut objects);
    let decisions = beneath(&index.decisions, &mut objects);
    let in_use = |row: &BenchmarkRow| current.contains(&row.id);
    let used = benchmarks.iter().filter(|row| in_use(row));
    let used: HashSet<Id> = used.map(|row| row.ensemble).collect();
    let used_ensemble = |row: &EnsembleRow| used.contains(&row.id);
    let drawn_from = ensembles.iter().filter(|row| used_ensemble(row));
    let drawn_from: HashSet<Id> = drawn_from.map(|row| row.definition).collect();
    let all_in_use = benchmarks.iter().all(in_use)
        && ensembles.iter().all(used_ensemble)
        && definitions.iter().all(|row| drawn_from.contains(row));
    !all_in_use || !decisions.is_empty()
}

/// Collects the rows of the objects and of their children, and adds the children to `objects`.
fn beneath<R: Clone>(
    entries: &BTreeMap<Uuid, IndexEntry<R>>,
    objects: &mut BTreeSet<Uuid>,
) -> Vec<R> {
    let mut rows = Vec::new();
    for (uuid, entry) in entries {
        if objects.contains(uuid) || objects.contains(&entry.parent) {
            objects.insert(*uuid);
            rows.extend(entry.rows.iter().cloned());
        }
    }
    rows
}
