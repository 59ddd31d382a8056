//! Properties of a single synchronisation, after any events.

use std::cell::RefCell;
use std::collections::BTreeSet;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use tdg_engine::output::Outputs;
use uuid::Uuid;

use super::place::{Connected, Place};
use super::world::{World, direction, event, run, run_of, test};
use crate::Timestamp;
use crate::record::{Record, RecordKind, RevivalRecord, RowSource, TombstoneRecord};
use crate::sync::{Direction, RecordOutcome, SyncPlan, SyncSummary, synchronise};

/// Synchronises two places. Returns the results, and the number of records sent to both.
fn synchronised(
    here: &RefCell<Place>,
    there: &RefCell<Place>,
    plan: &SyncPlan,
) -> (SyncSummary, usize) {
    let (here, there) = (Connected::to(here), Connected::to(there));
    let mut told = 0;
    let summary = synchronise(&here, &there, plan, &mut |progress| {
        assert!(progress.done <= progress.of);
        told += progress.answers.len();
    });
    let sent = here.added.get() + there.added.get();
    assert!(told <= sent);
    (summary.unwrap(), sent)
}

fn push() -> SyncPlan {
    SyncPlan::new(Direction::Push)
}

/// Returns the plan for a push of some tests.
fn push_of(tests: &BTreeSet<u8>) -> SyncPlan {
    let mut plan = push();
    plan.tests = Some(tests.iter().map(|it| test(*it).uuid()).collect());
    plan
}

/// Returns the store and the server, and true if the store knows all revivals.
fn places(events: &[super::world::Event]) -> (RefCell<Place>, RefCell<Place>, bool) {
    let mut world = World::after(2, events);
    let (here, there) = (world.stores.swap_remove(0), world.server);
    let revivals = |of: &RefCell<Place>| -> BTreeSet<Uuid> {
        let place = of.borrow();
        let stored = place.stored.values();
        let revivals = stored.filter(|it| it.kind() == RecordKind::Revival);
        revivals.map(Record::uuid).collect()
    };
    let knows_all = revivals(&there).is_subset(&revivals(&here));
    (here, there, knows_all)
}

fn live(place: &RefCell<Place>) -> BTreeSet<Uuid> {
    place.borrow().live().map(|(uuid, _)| uuid).collect()
}

/// Returns the number of records by kind that were sent, or would have been.
fn sent(summary: &SyncSummary, direction: Direction) -> Vec<(RecordKind, u64, u64)> {
    let ways = [
        (direction.pushes(), &summary.pushed),
        (direction.pulls(), &summary.pulled),
    ];
    let kinds = ways
        .into_iter()
        .filter(|(goes, _)| *goes)
        .flat_map(|(_, kinds)| kinds);
    kinds
        .map(|(kind, it)| (*kind, it.made + it.left, it.refused.len() as u64))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Holds even if the server has deleted objects or trimmed histories.
    #[test]
    fn a_push_is_complete_and_the_next_one_sends_nothing(events in vec(event(2), 0..40)) {
        let (here, there, _) = places(&events);
        let (summary, _) = synchronised(&here, &there, &push());
        for (kind, transferred) in &summary.pushed {
            prop_assert_eq!(&transferred.refused, &Vec::new(), "{}", kind);
            prop_assert_eq!(transferred.left, 0);
        }
        let (here_before, there_before) = (here.clone(), there.clone());
        let (again, sent) = synchronised(&here, &there, &push());
        prop_assert_eq!(sent, 0);
        prop_assert!(again.pushed.values().all(|it| it.made == 0 && it.refused.is_empty()));
        prop_assert_eq!((here, there), (here_before, there_before));
    }

    #[test]
    fn a_dry_run_says_what_will_be_done_and_does_nothing(
        events in vec(event(2), 0..40),
        direction in direction(),
        tests in proptest::option::of(btree_set(0..3_u8, 0..3)),
        history in proptest::option::of(0..4_usize),
        [revive, prune] in any::<[bool; 2]>(),
    ) {
        let (here, there, knows_all) = places(&events);
        let mut plan = tests.map_or_else(push, |tests| push_of(&tests));
        plan.direction = direction;
        plan.history = history;
        plan.dry_run = true;
        [plan.revive, plan.prune] = [revive, prune];
        let before = (here.clone(), there.clone());
        let (dry, added) = synchronised(&here, &there, &plan);
        prop_assert_eq!(added, 0);
        prop_assert_eq!((&here, &there), (&before.0, &before.1));
        plan.dry_run = false;
        let (wet, _) = synchronised(&here, &there, &plan);
        // A dry run can't know which other objects a revival restores.
        if knows_all && !revive {
            prop_assert_eq!(dry.pruned, wet.pruned);
            prop_assert_eq!(sent(&dry, direction), sent(&wet, direction));
        }
    }

    #[test]
    fn a_pull_into_an_empty_store_is_a_copy(events in vec(event(2), 0..40)) {
        let (_, there, _) = places(&events);
        let here = RefCell::new(Place::default());
        synchronised(&here, &there, &SyncPlan::new(Direction::Pull));
        prop_assert_eq!(live(&here), live(&there));
    }

    #[test]
    fn tests_are_pushed_in_any_order(
        events in vec(event(2), 0..40),
        tests in btree_set(0..3_u8, 0..3),
    ) {
        let (here, there, _) = places(&events);
        let after = |parts: &[&BTreeSet<u8>]| {
            let (here, there) = (here.clone(), there.clone());
            for part in parts {
                let (summary, _) = synchronised(&here, &there, &push_of(part));
                assert!(summary.pushed.values().all(|it| it.refused.is_empty()), "{summary:?}");
            }
            (here, there)
        };
        let others = (0..3).filter(|it| !tests.contains(it)).collect();
        let (one, other) = (after(&[&tests, &others]), after(&[&others, &tests]));
        prop_assert_eq!(&one, &other);
        prop_assert_eq!(&one, &after(&[&(0..3).collect()]));
        let all = (here.clone(), there.clone());
        synchronised(&all.0, &all.1, &push());
        synchronised(&one.0, &one.1, &push());
        prop_assert_eq!(one, all);
    }

    #[test]
    fn a_test_goes_both_ways_alone(events in vec(event(2), 0..40), direction in direction()) {
        let (here, there, knows_all) = places(&events);
        // Objects of other tests may be revived along with it.
        prop_assume!(knows_all);
        let before = [live(&here), live(&there)];
        let mut plan = push_of(&BTreeSet::from([0]));
        plan.direction = direction;
        synchronised(&here, &there, &plan);
        let of_others = [1, 2].map(|it| test(it).uuid());
        for (place, before) in [&here, &there].into_iter().zip(before) {
            for (uuid, record) in place.borrow().live().filter(|(uuid, _)| !before.contains(uuid)) {
                let named = match record {
                    Record::Test(_) => Some(uuid),
                    Record::Decision(decision) => Some(decision.test),
                    Record::Assertion(assertion) => assertion.run.as_ref().map(|run| run.test),
                    _ => None,
                };
                let is_new = named.is_some_and(|it| of_others.contains(&it));
                prop_assert!(!is_new, "{record:?}");
            }
        }
    }

    #[test]
    fn the_newest_assertions_of_both_places_go(
        events in vec(event(2), 0..60),
        pushes in any::<bool>(),
        newest in 0..4_usize,
        since in 0..30_i64,
    ) {
        let (from, to, _) = places(&events);
        let is_tombstone = |(_, it): (_, &Record)| it.kind() == RecordKind::Tombstone;
        prop_assume!(!from.borrow().live().chain(to.borrow().live()).any(is_tombstone));
        let mut plan = SyncPlan::new(if pushes { Direction::Push } else { Direction::Pull });
        plan.history = Some(newest);
        plan.since = Timestamp::from_micros(since);
        let before = to.borrow().clone();
        let (here, there) = if pushes { (&from, &to) } else { (&to, &from) };
        synchronised(here, there, &plan);
        let (from, to) = (from.borrow(), to.borrow());
        for (benchmark, _) in from.live().filter(|(_, it)| it.kind() == RecordKind::Benchmark) {
            let kept_since = to.kept_since(benchmark).max(from.kept_since(benchmark));
            let all: BTreeSet<_> = from.history(benchmark).into_iter()
                .chain(before.history(benchmark))
                .filter(|(time, _)| *time >= kept_since.max(plan.since))
                .collect();
            let newest: BTreeSet<_> = all.into_iter().rev().take(newest).collect();
            let expected: BTreeSet<_> = newest.into_iter().chain(before.history(benchmark)).collect();
            prop_assert_eq!(to.history(benchmark), expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn nothing_is_removed_here_unless_it_is_asked_for(
        events in vec(event(2), 0..40),
        direction in direction(),
    ) {
        let (here, there, _) = places(&events);
        let before: BTreeSet<Uuid> = here.borrow().stored.keys().copied().collect();
        let mut plan = SyncPlan::new(direction);
        synchronised(&here, &there, &plan);
        let recorded = World::after(2, &events).recorded;
        let is_assertion = |uuid: &Uuid| {
            let recorded = recorded.get(uuid);
            recorded.is_none_or(|it| it.kind() == RecordKind::Assertion)
        };
        // Only histories are trimmed.
        let removed = |place: &Place| before.iter().any(|it| !place.stored.contains_key(it) && !is_assertion(it));
        prop_assert!(!removed(&here.borrow()));

        plan.prune = true;
        let live_before = live(&here);
        let dead: BTreeSet<Uuid> = {
            let here = here.borrow();
            here.stored.keys().copied().filter(|it| !live_before.contains(it)).collect()
        };
        let (summary, _) = synchronised(&here, &there, &plan);
        let left: BTreeSet<Uuid> = here.borrow().stored.keys().copied().collect();
        prop_assert_eq!(live(&here), live_before);
        prop_assert_eq!(left.is_disjoint(&dead), direction != Direction::Push || dead.is_empty());
        prop_assert!(summary.pruned == 0 || direction != Direction::Push);
    }

    #[test]
    fn what_was_deleted_is_revived_if_it_is_asked_for(events in vec(event(2), 0..40)) {
        let (here, there, _) = places(&events);
        let mut plan = push();
        plan.revive = true;
        synchronised(&here, &there, &plan);
        let all: BTreeSet<Uuid> = here.borrow().stored.keys().copied().collect();
        prop_assert_eq!(live(&here), all);
        let (_, sent) = synchronised(&here, &there, &plan);
        prop_assert_eq!(sent, 0);
    }
}

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros)
}

fn with(records: impl IntoIterator<Item = Record>) -> RefCell<Place> {
    let mut place = Place::default();
    records.into_iter().for_each(|it| drop(place.add(&it)));
    RefCell::new(place)
}

#[test]
fn rows_that_no_definition_draws_are_sent_if_it_is_asked_for() {
    let rows = || RowSource::Given(Outputs::parse("[[1]]").unwrap());
    let here = with(run_of(0, rows(), 1, Uuid::from_u128(1), at(1)));
    let there = with([]);
    let mut plan = push();
    plan.dry_run = true;
    let (dry, _) = synchronised(&here, &there, &plan);
    plan.dry_run = false;
    let (summary, _) = synchronised(&here, &there, &plan);
    let direction = Direction::Push;
    assert_eq!(sent(&dry, direction), sent(&summary, direction));
    let reasons = summary.pushed.iter().flat_map(|(kind, transferred)| {
        let refused = transferred.refused.iter();
        refused.map(move |(_, answer)| match answer {
            RecordOutcome::Refused(reason) => format!("{kind}: {reason}"),
            other => format!("{kind}: {other:?}"),
        })
    });
    insta::assert_snapshot!(reasons.collect::<Vec<_>>().join("\n"), @r"
    ensemble: the rows of the ensemble calm-amber-river-otter come from a file, which is only sent with --with-rows
    benchmark: its ensemble 2e679559-e070-86bd-b0c0-ecef7e28f4fe is missing
    ");
    assert_eq!(live(&there).len(), 3);

    plan.with_rows = true;
    synchronised(&here, &there, &plan);
    assert_eq!(live(&there), live(&here));
    // A pull brings them back.
    let other = with([]);
    synchronised(&other, &there, &SyncPlan::new(Direction::Pull));
    assert_eq!(live(&other), live(&here));
}

#[test]
fn what_belongs_to_a_refused_record_is_not_sent() {
    let runs = run(0, 0, Uuid::from_u128(1), at(1));
    let benchmark = runs[4].uuid();
    let here = with(runs);
    let there = RefCell::new(Place::refusing(benchmark));
    let (summary, sent) = synchronised(&here, &there, &push());
    let refused = summary
        .pushed
        .iter()
        .filter(|(_, it)| !it.refused.is_empty());
    let refused: Vec<_> = refused.map(|(kind, it)| (*kind, &it.refused[..])).collect();
    let answer = RecordOutcome::Refused("no".to_owned());
    assert_eq!(
        refused,
        [(RecordKind::Benchmark, &[(benchmark, answer)][..])]
    );
    assert_eq!(sent, 5);
}

#[test]
fn what_only_the_store_knows_to_be_deleted_is_not_pulled() {
    let runs = || run(0, 0, Uuid::from_u128(1), at(1));
    let tombstone = Record::Tombstone(TombstoneRecord {
        uuid: Uuid::from_u128(2),
        of: RecordKind::Definition,
        object: runs()[1].uuid(),
        deleted: at(2),
    });
    let (here, there) = (with([tombstone]), with(runs()));
    let mut plan = SyncPlan::new(Direction::Pull);
    for dry_run in [true, false] {
        plan.dry_run = dry_run;
        let (summary, _) = synchronised(&here, &there, &plan);
        let sent = sent(&summary, Direction::Pull);
        let sent: Vec<_> = sent
            .into_iter()
            .filter(|(_, sent, refused)| sent + refused > 0)
            .collect();
        assert_eq!(
            sent,
            [(RecordKind::Project, 1, 0), (RecordKind::Test, 1, 0)]
        );
    }
}

#[test]
fn what_was_revived_stays_on_a_server_that_was_restored_from_before_it_was_deleted() {
    let runs = run(0, 0, Uuid::from_u128(1), at(1));
    let tombstone = Uuid::from_u128(2);
    // The store has no content.
    let here = with([
        Record::Tombstone(TombstoneRecord {
            uuid: tombstone,
            of: RecordKind::Definition,
            object: runs[1].uuid(),
            deleted: at(2),
        }),
        Record::Revival(RevivalRecord { tombstone }),
    ]);
    let there = RefCell::new(Place::server());
    runs.iter().for_each(|it| drop(there.borrow_mut().add(it)));
    synchronised(&here, &there, &push());
    assert_eq!(live(&there).len(), runs.len() + 2);
}

#[test]
fn what_a_pull_may_push_out_is_sent_before() {
    let runs = |times: std::ops::Range<u8>| {
        times.flat_map(|time| {
            run(
                0,
                0,
                Uuid::from_u128(1000 + u128::from(time)),
                at(time.into()),
            )
        })
    };
    let here = RefCell::new(Place::store());
    runs(0..6).for_each(|it| drop(here.borrow_mut().add(&it)));
    let there = with(runs(6..8));
    synchronised(&here, &there, &SyncPlan::new(Direction::Sync));
    assert_eq!(live(&there).len(), 5 + 8);
}

#[test]
fn places_that_have_the_same_ask_for_it_once() {
    let runs = (0..400_u32).flat_map(|number| {
        let (test, outputs) = ((number % 10) as u8, (number / 10 % 10) as u8);
        let uuid = Uuid::from_u128(1000 + u128::from(number));
        run(test, outputs, uuid, at(number.into()))
    });
    let here = with(runs);
    let there = RefCell::new(Place::server());
    synchronised(&here, &there, &push());
    for direction in [Direction::Push, Direction::Pull, Direction::Sync] {
        let (here, there) = (
            Connected::to(&here),
            Connected::with_most(&there, usize::MAX),
        );
        let summary = synchronise(&here, &there, &SyncPlan::new(direction), &mut |_| {}).unwrap();
        // One request for the digests of all kinds, and one for the histories.
        assert_eq!(there.calls.get(), 2);
        assert_eq!(summary.pushed[&RecordKind::Assertion].had, 400);
        assert_eq!(summary.pulled[&RecordKind::Test].had, 10);
    }
}
