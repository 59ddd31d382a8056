//! Synchronises two places.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::differences::{self, Differences};
use super::selected_records::SelectedRecords;
use super::transfer::Transfer;
use super::wire::MissingResponse;
use super::{Direction, Progress, Replica, StoreReplica, SyncPlan, SyncSummary, Wanted, histories};
use crate::Result;
use crate::record::{Record, RecordKind, RevivalRecord, SetDigests, TombstoneRecord};

/// The kinds with content, parents first. Assertions come after them.
const CONTENT: [RecordKind; 6] = [
    RecordKind::Project,
    RecordKind::Definition,
    RecordKind::Ensemble,
    RecordKind::Test,
    RecordKind::Benchmark,
    RecordKind::Decision,
];

/// Synchronises two places.
///
/// Deletions are exchanged first in any direction, so that deleted objects are not sent again.
///
/// # Errors
///
/// If a place can't be read or written. Completed work is kept, and the next synchronisation
/// resumes from there.
pub fn synchronise(
    here: &dyn StoreReplica,
    there: &dyn Replica,
    plan: &SyncPlan,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<SyncSummary> {
    let mut run = Synchronisation {
        here,
        there,
        plan,
        progress,
        push: Transfer::new(Direction::Push, here, there, plan),
        pull: Transfer::new(Direction::Pull, there, here, plan),
        foreseen: Vec::new(),
    };
    let digests = run.deletions()?;
    let benchmarks = match &plan.tests {
        None => run.all(&digests)?,
        Some(tests) => run.chosen(tests)?,
    };
    run.assertions(benchmarks)?;
    let pruned = run.prune()?;
    Ok(SyncSummary {
        pushed: run.push.transferred,
        pulled: run.pull.transferred,
        pruned,
    })
}

type Digests = BTreeMap<RecordKind, SetDigests>;

struct Synchronisation<'r, 'p> {
    here: &'r dyn StoreReplica,
    there: &'r dyn Replica,
    plan: &'r SyncPlan,
    progress: &'p mut dyn FnMut(Progress<'_>),
    push: Transfer<'r>,
    pull: Transfer<'r>,
    /// The tombstones that a dry run would have added locally.
    foreseen: Vec<TombstoneRecord>,
}

impl Synchronisation<'_, '_> {
    /// Exchanges tombstones and revivals. Returns the digests afterwards.
    ///
    /// A place removes the object of a tombstone when it learns of it, although the tombstone may
    /// have been revived since. So revivals are sent first.
    fn deletions(&mut self) -> Result<[Digests; 2]> {
        let mut digests = self.digests()?;
        let mut tombstones = self.differences(RecordKind::Tombstone, &digests)?;
        let unknown_there = Differences {
            only_here: std::mem::take(&mut tombstones.only_here),
            ..Differences::default()
        };
        let unknown_here = tombstones.only_there.clone();
        self.transfer(RecordKind::Tombstone, tombstones, true)?;
        if self.plan.revive && self.plan.direction.pushes() {
            self.revive()?;
            digests[0] = self.here.digests()?;
        }
        let revivals = self.differences(RecordKind::Revival, &digests)?;
        // The deletions that the other place doesn't know yet.
        let [mut ours, mut theirs] = [BTreeMap::new(), BTreeMap::new()];
        for wanted in [&unknown_there.only_here, &revivals.only_here] {
            deleted(self.here, wanted, &mut ours)?;
        }
        if self.plan.dry_run && !self.plan.revive {
            for wanted in [&unknown_here, &revivals.only_there] {
                deleted(self.there, wanted, &mut theirs)?;
            }
        }
        self.transfer(RecordKind::Revival, revivals, true)?;
        self.transfer(RecordKind::Tombstone, unknown_there, true)?;
        self.pull.dead.extend(ours.values().map(|it| it.object));
        self.push.dead.extend(theirs.values().map(|it| it.object));
        self.foreseen = theirs.into_values().collect();
        let mut transferred = self
            .push
            .transferred
            .values()
            .chain(self.pull.transferred.values());
        match transferred.any(|it| it.made > 0) {
            true => self.digests(),
            false => Ok(digests),
        }
    }

    /// Adds a revival of each deleted object that is still stored locally.
    fn revive(&mut self) -> Result<()> {
        let revival = |it: TombstoneRecord| Record::Revival(RevivalRecord { tombstone: it.uuid });
        let deleted = self.here.deleted(self.plan.tests.as_ref())?;
        let revivals: Vec<Record> = deleted.into_iter().map(revival).collect();
        if self.plan.dry_run {
            self.push.transferred(RecordKind::Revival).left += revivals.len() as u64;
        } else if !revivals.is_empty() {
            self.here.add(&revivals)?;
        }
        Ok(())
    }

    /// Exchanges all records with content. Returns the benchmarks whose assertions are compared.
    fn all(&mut self, digests: &[Digests; 2]) -> Result<BTreeSet<Uuid>> {
        let mut others = Vec::new();
        for kind in CONTENT {
            let found = self.differences(kind, digests)?;
            if kind == RecordKind::Benchmark {
                others.extend(found.only_there.iter().map(|it| it.uuid()));
            }
            self.transfer(kind, found, false)?;
        }
        let everywhere: Vec<u8> = (0..=u8::MAX).collect();
        let ours = self.here.identities(RecordKind::Benchmark, &everywhere)?;
        let mut benchmarks: BTreeSet<Uuid> = ours.into_iter().collect();
        if self.plan.direction.pulls() {
            benchmarks.extend(others);
        }
        Ok(benchmarks)
    }

    /// Exchanges the records of chosen tests. Returns their benchmarks.
    fn chosen(&mut self, tests: &BTreeSet<Uuid>) -> Result<BTreeSet<Uuid>> {
        let (here, there) = (self.here, self.there);
        let known = here.benchmarks(tests)?;
        let direction = self.plan.direction;
        let none = SelectedRecords::default;
        let mut ours = match direction.pushes() {
            true => SelectedRecords::select(tests, known.clone(), here, there)?,
            false => none(),
        };
        let mut theirs = match direction.pulls() {
            true => SelectedRecords::select(tests, known, there, here)?,
            false => none(),
        };
        for kind in CONTENT {
            let (only_here, only_there) = (ours.take(kind), theirs.take(kind));
            let both = only_here.1.max(only_there.1);
            let found = Differences {
                only_here: only_here.0,
                only_there: only_there.0,
                both,
            };
            self.transfer(kind, found, false)?;
        }
        Ok(ours
            .benchmarks
            .into_iter()
            .chain(theirs.benchmarks)
            .collect())
    }

    fn assertions(&mut self, benchmarks: BTreeSet<Uuid>) -> Result<()> {
        let is_at_both = |it: &Uuid| self.push.can_be_there(it) && self.pull.can_be_there(it);
        let benchmarks: Vec<Uuid> = benchmarks.into_iter().filter(is_at_both).collect();
        let found = histories::differences(&benchmarks, self.here, self.there, self.plan)?;
        self.transfer(RecordKind::Assertion, found, false)
    }

    /// Removes local objects that were deleted.
    fn prune(&self) -> Result<u64> {
        if !self.plan.prune || !self.plan.direction.pulls() {
            return Ok(0);
        }
        let mut deleted = self.here.deleted(self.plan.tests.as_ref())?;
        for tombstone in &self.foreseen {
            if self.here.missing(tombstone.of, &[tombstone.object])? == MissingResponse::default() {
                deleted.push(tombstone.clone());
            }
        }
        let pruned = self.here.prunable(&deleted)?;
        if !self.plan.dry_run && pruned > 0 {
            self.here.prune(&deleted)?;
        }
        Ok(pruned)
    }

    fn transfer(&mut self, kind: RecordKind, found: Differences, is_told: bool) -> Result<()> {
        let (pulls, pushes) = (self.plan.direction.pulls(), self.plan.direction.pushes());
        // Push first: pulled assertions may displace older local ones.
        let ways = [
            (&mut self.push, found.only_here, pushes),
            (&mut self.pull, found.only_there, pulls || is_told),
        ];
        for (way, wanted, goes) in ways {
            way.transferred(kind).had += found.both;
            match goes {
                true => way.send(kind, &wanted, self.progress)?,
                false => way.transferred(kind).left += wanted.len() as u64,
            }
        }
        Ok(())
    }

    fn digests(&self) -> Result<[Digests; 2]> {
        Ok([self.here.digests()?, self.there.digests()?])
    }

    fn differences(&self, kind: RecordKind, digests: &[Digests; 2]) -> Result<Differences> {
        let [ours, theirs] = digests
            .each_ref()
            .map(|of| of.get(&kind).cloned().unwrap_or_default());
        differences::of_kind(kind, (self.here, &ours), (self.there, &theirs))
    }
}

/// Adds the wanted tombstones to `tombstones`, and removes the revived ones.
fn deleted(
    place: &dyn Replica,
    wanted: &[Wanted],
    tombstones: &mut BTreeMap<Uuid, TombstoneRecord>,
) -> Result<()> {
    let mut rest = wanted;
    while !rest.is_empty() {
        let found = place.records(rest)?;
        rest = &rest[found.len()..];
        for record in found.into_iter().flatten() {
            match record {
                Record::Tombstone(it) => drop(tombstones.insert(it.uuid, it)),
                Record::Revival(it) => drop(tombstones.remove(&it.tombstone)),
                _ => {}
            }
        }
    }
    Ok(())
}
