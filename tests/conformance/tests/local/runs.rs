//! The effects of a synchronisation on the tests of a store.

use std::collections::{BTreeMap, BTreeSet};

use tdg_conformance::replica::timed;
use tdg_conformance::store::{TestStore, ensemble, histories, project, run, sync, test};
use tdg_definition::Definition;
use tdg_engine::output::Outputs;
use tdg_engine::snapshot::{Pin, Snapshot, render_pin};
use tdg_engine::store::records::RemoteProject;
use tdg_engine::store::{DecisionKind, HISTORY};
use tdg_engine::{Ensemble, TestId, Vectors, Verdict};
use tdg_service::record::{
    AssertionRecord, Record, RecordKind, RevivalRecord, SetDigests, TestRecord, TombstoneRecord,
};
use tdg_service::sync::wire::MissingResponse;
use tdg_service::sync::{
    BenchmarkHistory, Direction, HistoryQuestion, RecordOutcome, Replica, StoreReplica as _,
    SyncPlan, Wanted, synchronise,
};
use tdg_service::{LocalReplica, Repair, Timestamp, Uuid};

#[test]
fn a_pull_into_an_empty_store_is_a_copy_and_moves_no_benchmark() {
    let (there, here) = (TestStore::create(), TestStore::create());
    there.run("total", 1, "[1,2]");
    there.run("total", 1, "[1,2]");
    there.run("total", 1, "[1,3]");
    there.run("tax", 1, "[1,2]");
    there.reject("tax");
    let replica = here.replica().pulling_from("https://tdg.example");
    sync(&replica, &there.replica(), Direction::Pull);
    assert_eq!(
        replica.digests().unwrap(),
        there.replica().digests().unwrap()
    );
    assert_eq!(histories(&replica), histories(&there.replica()));

    let total = test("total");
    let runs = here.store.history(&total, 10).unwrap();
    assert_eq!(runs.len(), 3);
    for (run, theirs) in runs.iter().zip(there.store.history(&total, 10).unwrap()) {
        assert_eq!((run.uuid, run.timestamp), (theirs.uuid, theirs.timestamp));
        assert_eq!(run.facts, theirs.facts);
        assert!(run.facts.as_ref().unwrap().platform.is_some());
        assert_eq!(run.origin.as_deref(), Some("https://tdg.example"));
        assert_eq!(theirs.origin, None);
    }
    let decisions = here.store.decisions(&test("tax")).unwrap();
    let kinds: Vec<DecisionKind> = decisions.iter().map(|it| it.decision.kind).collect();
    assert_eq!(kinds, [DecisionKind::Rejected, DecisionKind::Recorded]);
    assert_eq!(decisions[0].origin.as_deref(), Some("https://tdg.example"));
    // A test's file determines its benchmark.
    assert_eq!(here.store.benchmark(&total).unwrap(), None);
    assert_eq!(here.store.tests().unwrap(), []);
}

#[test]
fn a_run_takes_up_what_was_pulled() {
    let (there, here) = (TestStore::create(), TestStore::create());
    there.run("total", 1, "[1,2]");
    sync(&here.replica(), &there.replica(), Direction::Pull);
    let benchmarks = here.count("benchmark");
    here.run("total", 1, "[1,2]");
    assert_eq!(here.count("benchmark"), benchmarks);
    assert_eq!(here.store.history(&test("total"), 10).unwrap().len(), 2);
    assert_eq!(
        sync(&here.replica(), &there.replica(), Direction::Push),
        2,
        "a run and a decision"
    );
    assert_eq!(there.store.history(&test("total"), 10).unwrap().len(), 2);
}

#[test]
fn a_clock_that_is_ahead_elsewhere_moves_no_run_made_here() {
    let (there, here) = (TestStore::create(), TestStore::create());
    there.run("total", 1, "[1,2]");
    let half_a_day = 43_200_000_000_i64;
    let ahead = later(&only_assertion(&there), half_a_day);
    let ahead = there.replica().add(&[Record::Assertion(ahead)]);
    assert_eq!(ahead.unwrap(), [RecordOutcome::Made]);
    sync(
        &here.replica().pulling_from("https://tdg.example"),
        &there.replica(),
        Direction::Pull,
    );
    for _ in 0..3 {
        here.run("total", 1, "[1,2]");
    }
    let runs = here.store.history(&test("total"), 10).unwrap();
    assert!(runs[0].origin.is_some());
    assert!(runs[1..4].iter().all(|run| run.origin.is_none()));
    assert!(runs[0].timestamp - runs[1].timestamp > half_a_day / 2);
    assert!(runs[1..].is_sorted_by(|newer, older| newer.timestamp > older.timestamp));
    // Runs have the same order in every history.
    sync(&here.replica(), &there.replica(), Direction::Push);
    assert_eq!(histories(&here.replica()), histories(&there.replica()));
}

fn remote() -> RemoteProject {
    RemoteProject {
        url: "https://tdg.example".to_owned(),
        project: project().uuid,
        account: "shop".to_owned(),
        epoch: Uuid::from_u128(9),
        synced: 77,
    }
}

/// Returns the only assertion of a store.
fn only_assertion(store: &TestStore) -> AssertionRecord {
    let (benchmark, history) = histories(&store.replica()).remove(0);
    let [(time, uuid)] = history[..] else {
        panic!("{history:?}")
    };
    let wanted = Wanted::Assertion(benchmark, time, uuid);
    match store.replica().records(&[wanted]).unwrap().remove(0) {
        Some(Record::Assertion(found)) => found,
        other => panic!("{other:?}"),
    }
}

#[test]
fn outputs_that_a_server_compared_are_in_the_histories_of_the_tests_with_that_benchmark() {
    let (here, there) = (TestStore::create(), TestStore::create());
    there.run("total", 1, "[1,2]");
    let run_there = only_assertion(&there);
    let seen_by_server = AssertionRecord {
        uuid: timed(run_there.time, 7),
        asserted: false,
        run: None,
        ..run_there
    };
    there
        .replica()
        .add(&[Record::Assertion(seen_by_server.clone())])
        .unwrap();
    here.run("sum", 1, "[1,2]");
    here.run("tax", 1, "[1,3]");
    let replica = here.replica().pulling_from("https://tdg.example");
    sync(&replica, &there.replica(), Direction::Pull);
    replica.note_synchronised(&remote()).unwrap();

    let of_server = |runs: Vec<tdg_engine::store::HistoryEntry>| {
        let of_server = runs
            .into_iter()
            .filter(|run| run.uuid == seen_by_server.uuid);
        let shown = of_server.map(|run| (run.verdict(), run.facts, run.origin));
        shown.collect::<Vec<_>>()
    };
    let shown = (
        Verdict::Changed,
        None,
        Some("https://tdg.example".to_owned()),
    );
    let history = |name: &str| here.store.history(&test(name), 10).unwrap();
    assert_eq!(of_server(history("total")), std::slice::from_ref(&shown));
    assert_eq!(of_server(history("sum")), std::slice::from_ref(&shown));
    assert_eq!(history("tax").len(), 1);
    assert_eq!(history("unknown").len(), 0);

    // A test whose file pins the benchmark has no other one in this store.
    let pin = Pin {
        ensemble: Uuid::from_u128(1).to_string(),
        benchmark: Uuid::from_u128(2).to_string(),
        digest: Outputs::parse("[1,2]").unwrap().digest(),
    };
    let file = Snapshot::parse(render_pin("pinned", "", &ensemble(1), &pin)).unwrap();
    let pinned = here.store.history_with(&test("pinned"), Some(&file), 10);
    assert_eq!(of_server(pinned.unwrap()), [shown]);
}

#[test]
fn what_was_removed_of_a_long_history_is_not_wanted_back() {
    let here = TestStore::create();
    here.run("total", 1, "[1,2]");
    let first = only_assertion(&here);
    let later = |number| Record::Assertion(later(&first, number));
    let replica = here.replica();
    let more: Vec<Record> = (1..=HISTORY + 9).map(later).collect();
    assert!(
        replica
            .add(&more)
            .unwrap()
            .iter()
            .all(|it| *it == RecordOutcome::Made)
    );
    let kept = histories(&replica).remove(0).1;
    assert_eq!(kept.len() as i64, HISTORY);
    assert_eq!(kept[0].0.as_micros(), first.time.as_micros() + 10);
    // None of the removed assertions is added again.
    assert_eq!(
        replica.add(&[Record::Assertion(first.clone())]).unwrap(),
        [RecordOutcome::Had]
    );
    assert_eq!(
        replica.add(&more).unwrap(),
        vec![RecordOutcome::Had; more.len()]
    );
    assert_eq!(histories(&replica).remove(0).1, kept);
    // Another store with the full history has nothing to send.
    let there = TestStore::create();
    sync(&replica, &there.replica(), Direction::Push);
    assert_eq!(sync(&replica, &there.replica(), Direction::Sync), 0);
    here.run("total", 1, "[1,2]");
    assert_eq!(sync(&replica, &there.replica(), Direction::Sync), 1);
}

/// Returns another run, `number` microseconds later.
fn later(run: &AssertionRecord, number: i64) -> AssertionRecord {
    let time = Timestamp::from_micros(run.time.as_micros() + number);
    AssertionRecord {
        uuid: timed(time, number as u128),
        time,
        ..run.clone()
    }
}

#[test]
fn what_is_pulled_removes_nothing_that_was_run_here() {
    let here = TestStore::create();
    for _ in 0..20 {
        here.run("total", 1, "[1,2]");
    }
    let own = histories(&here.replica()).remove(0);
    let (time, uuid) = own.1[0];
    let first = here
        .replica()
        .records(&[Wanted::Assertion(own.0, time, uuid)]);
    let Some(Record::Assertion(first)) = first.unwrap().remove(0) else {
        panic!("no assertion")
    };
    // They are all later than the local runs.
    let theirs = (1..=HISTORY + 100).map(|number| later(&first, 1_000_000 + number));
    let theirs: Vec<Record> = theirs.map(Record::Assertion).collect();
    let replica = here.replica().pulling_from("https://tdg.example");
    for some in theirs.chunks(500) {
        assert_eq!(
            replica.add(some).unwrap(),
            vec![RecordOutcome::Made; some.len()]
        );
    }
    let count = |of: &str| here.count(&format!("assertion WHERE origin IS {of}"));
    assert_eq!((count("NULL"), count("NOT NULL")), (20, HISTORY));
    // The oldest of the others are not added again, and local runs are kept, too.
    assert_eq!(replica.add(&theirs[..1]).unwrap(), [RecordOutcome::Had]);
    here.run("total", 1, "[1,2]");
    here.store.history(&test("total"), 1).unwrap();
    assert_eq!((count("NULL"), count("NOT NULL")), (21, HISTORY));
}

fn tombstone(number: u128, object: Uuid) -> TombstoneRecord {
    TombstoneRecord {
        uuid: timed(Timestamp::from_micros(5), number),
        of: RecordKind::Benchmark,
        object,
        deleted: Timestamp::from_micros(5),
    }
}

#[test]
fn what_was_deleted_elsewhere_stays_here_until_it_is_pruned() {
    let (here, there) = (TestStore::create(), TestStore::create());
    here.run("total", 1, "[1,2]");
    here.run("total", 2, "[1,3]");
    here.run("tax", 1, "[1,4]");
    let replica = here.replica();
    sync(&replica, &there.replica(), Direction::Push);
    let total = test("total");
    let identity = |test: TestId| {
        Record::Test(TestRecord {
            project: project().uuid,
            test,
        })
        .uuid()
    };
    let of_total = BTreeSet::from([identity(total.clone())]);
    let of_tax = BTreeSet::from([identity(test("tax"))]);
    let benchmarks = replica.benchmarks(&of_total).unwrap();
    assert_eq!(benchmarks.len(), 2);
    for (number, benchmark) in benchmarks.iter().enumerate() {
        let dead = Record::Tombstone(tombstone(number as u128, *benchmark));
        assert_eq!(there.replica().add(&[dead]).unwrap(), [RecordOutcome::Made]);
    }
    sync(&replica, &there.replica(), Direction::Sync);
    assert_eq!(histories(&replica).len(), 1);
    assert!(replica.benchmarks(&of_total).unwrap().is_empty());
    assert_eq!(here.store.history(&total, 10).unwrap().len(), 2);
    assert_eq!(replica.deleted(None).unwrap().len(), 2);
    assert_eq!(replica.deleted(Some(&of_total)).unwrap().len(), 2);
    assert_eq!(replica.deleted(Some(&of_tax)).unwrap(), []);

    let mut plan = SyncPlan::new(Direction::Pull);
    plan.prune = true;
    // One of the two is the test's current benchmark.
    plan.dry_run = true;
    assert_eq!(run(&replica, &there.replica(), &plan).pruned, 1);
    plan.dry_run = false;
    assert_eq!(run(&replica, &there.replica(), &plan).pruned, 1);
    assert_eq!(run(&replica, &there.replica(), &plan).pruned, 0);
    assert_eq!(here.store.history(&total, 10).unwrap().len(), 1);
    assert_eq!(here.store.decisions(&total).unwrap().len(), 0);
    assert_eq!(
        here.store.benchmark(&total).unwrap().unwrap().outputs,
        "[1,3]"
    );
    assert_eq!(here.store.history(&test("tax"), 10).unwrap().len(), 1);
    here.run("total", 2, "[1,3]");
    assert_eq!(histories(&replica).len(), 1);
}

#[test]
fn what_is_here_is_revived_and_nothing_else() {
    let (here, there) = (TestStore::create(), TestStore::create());
    here.run("total", 1, "[1,2]");
    let replica = here.replica();
    let all = histories(&replica);
    let mine = Record::Tombstone(tombstone(1, all[0].0));
    let other = Record::Tombstone(tombstone(2, Uuid::from_u128(3)));
    there.replica().add(&[mine.clone(), other]).unwrap();
    let mut plan = SyncPlan::new(Direction::Push);
    run(&replica, &there.replica(), &plan);
    assert_eq!(histories(&replica), []);
    plan.revive = true;
    run(&replica, &there.replica(), &plan);
    assert_eq!(histories(&replica), all);
    assert_eq!(histories(&there.replica()), all);
    let tombstone = mine.uuid();
    let revival = Record::Revival(RevivalRecord { tombstone });
    assert_eq!(
        there.replica().add(&[revival]).unwrap(),
        [RecordOutcome::Had]
    );
    assert_eq!(replica.deleted(None).unwrap(), []);
}

#[test]
fn reading_waits_for_no_run_and_writes_nothing() {
    let here = TestStore::create();
    here.run("total", 1, "[1,2]");
    let replica = here.replica();
    let other = rusqlite::Connection::open(here.store.file()).unwrap();
    let version = || -> i64 {
        let sql = "PRAGMA data_version";
        other.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let before = version();
    // Another connection is committing a run.
    other
        .execute_batch("BEGIN IMMEDIATE; UPDATE test SET policy = 'x'")
        .unwrap();
    assert_eq!(histories(&replica)[0].1.len(), 1);
    only_assertion(&here);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(version(), before);
    // Computed values are stored once a synchronisation is done.
    let remote = remote();
    assert_eq!(replica.remote(&remote.url).unwrap(), None);
    replica.note_synchronised(&remote).unwrap();
    assert_eq!(replica.remote(&remote.url).unwrap(), Some(remote));
    assert_eq!(here.count("benchmark WHERE digest IS NULL"), 0);
}

#[test]
fn what_another_process_does_is_seen() {
    let here = TestStore::create();
    let replica = here.replica();
    assert_eq!(histories(&replica), []);
    let elsewhere = tdg_engine::store::Store::open(&here.directory()).unwrap();
    let same = TestStore {
        store: elsewhere,
        root: tempfile::tempdir().unwrap(),
    };
    same.run("total", 1, "[1,2]");
    assert_eq!(histories(&replica)[0].1.len(), 1);
    here.run("total", 1, "[1,2]");
    assert_eq!(histories(&replica)[0].1.len(), 2);
    assert_eq!(
        replica.tests_of(histories(&replica)[0].0).unwrap(),
        [test("total")]
    );
}

#[test]
fn packages_with_the_same_content_have_one_record_of_it() {
    let here = TestStore::create();
    here.run("total", 1, "[1,2]");
    let connection = rusqlite::Connection::open(here.store.file()).unwrap();
    let rename = "UPDATE project SET name = 'shop-cli'";
    connection.execute(rename, []).unwrap();
    here.run("total", 1, "[1,2]");
    assert_eq!(here.count("definition"), 2);
    let digests = here.replica().digests().unwrap();
    let there = TestStore::create();
    there.run("total", 1, "[1,2]");
    let theirs = there.replica().digests().unwrap();
    for kind in [
        RecordKind::Definition,
        RecordKind::Ensemble,
        RecordKind::Benchmark,
    ] {
        assert_eq!(digests[&kind], theirs[&kind], "{kind}");
    }
    assert_eq!(histories(&here.replica())[0].1.len(), 2);
    sync(&there.replica(), &here.replica(), Direction::Sync);
    assert_eq!(histories(&there.replica()), histories(&here.replica()));
}

/// Returns two rows that no seed draws.
fn ensemble_of_file() -> Ensemble {
    let drawn = ensemble(1);
    let definition = Definition::parse_recorded(&drawn.definition).unwrap();
    let vectors = Vectors::from_rows(&definition, ["[0.5]", "[0.25]"]).unwrap();
    Ensemble {
        digest: vectors.digest(),
        rows: Some("orders.csv".to_owned()),
        ..drawn
    }
}

#[test]
fn rows_of_a_file_are_sent_where_the_store_has_them() {
    let (here, there) = (TestStore::create(), TestStore::create());
    let rows = "[[0.5],[0.25]]";
    let of_file = ensemble_of_file();
    here.run_with("without", &of_file, None, "[1,2]");
    let replica = here.replica();
    assert_eq!(histories(&replica), []);
    assert_eq!(
        replica
            .incomplete()
            .unwrap()
            .into_iter()
            .collect::<Vec<_>>(),
        [test("without")]
    );
    // A migrated store doesn't know whether rows were drawn.
    let connection = rusqlite::Connection::open(here.store.file()).unwrap();
    connection
        .execute("UPDATE ensemble SET drawn = NULL", [])
        .unwrap();
    assert_eq!(histories(&replica), []);

    // If a snapshot file has the rows, they are read from it.
    let other = TestStore::create();
    other.run_with("without", &of_file, None, "[1,2]");
    let from_file = other.replica();
    from_file.keep_rows(&of_file, &["[0.5]", "[0.5]"]).unwrap();
    assert_eq!(from_file.incomplete().unwrap().len(), 1);
    from_file.keep_rows(&of_file, &["[0.5]", "[0.25]"]).unwrap();
    assert!(from_file.incomplete().unwrap().is_empty());
    assert_eq!(other.count("ensemble WHERE vectors IS NOT NULL"), 1);

    here.run_with("with", &of_file, Some(rows), "[1,2]");
    assert!(replica.incomplete().unwrap().is_empty());
    sync(&replica, &there.replica(), Direction::Push);
    assert_eq!(histories(&there.replica()), histories(&replica));
    assert_eq!(there.store.history(&test("without"), 10).unwrap().len(), 1);
    assert_eq!(
        sync(&from_file, &there.replica(), Direction::Push),
        2,
        "a run, a decision"
    );

    // Pulled rows complete a local benchmark.
    let third = TestStore::create();
    third.run_with("without", &of_file, None, "[1,2]");
    sync(&third.replica(), &there.replica(), Direction::Sync);
    sync(&third.replica(), &there.replica(), Direction::Sync);
    assert!(third.replica().incomplete().unwrap().is_empty());
    assert_eq!(histories(&third.replica()), histories(&there.replica()));
}

#[test]
fn packages_with_the_same_file_lack_its_rows_together() {
    let (here, there) = (TestStore::create(), TestStore::create());
    let of_file = ensemble_of_file();
    here.run_with("total", &of_file, None, "[1,2]");
    let connection = rusqlite::Connection::open(here.store.file()).unwrap();
    let rename = "UPDATE project SET name = 'shop-cli'";
    connection.execute(rename, []).unwrap();
    here.run_with("total", &of_file, None, "[1,2]");
    assert_eq!(here.count("ensemble"), 2);

    let replica = here.replica();
    assert_eq!(replica.incomplete().unwrap().len(), 2);
    assert!(replica.damaged().unwrap().is_empty());
    let repaired = replica.repair_damaged(None, &there.replica()).unwrap();
    assert!(repaired.is_empty());
    replica.keep_rows(&of_file, &["[0.5]", "[0.25]"]).unwrap();
    assert!(replica.incomplete().unwrap().is_empty());
    assert_eq!(histories(&replica)[0].1.len(), 2);
}

#[test]
fn a_damaged_benchmark_stops_its_test_alone() {
    let (here, there) = (TestStore::create(), TestStore::create());
    here.run("total", 1, "[1,2");
    here.run("tax", 1, "[1,2]");
    let replica = here.replica();
    sync(&replica, &there.replica(), Direction::Push);
    let damaged = || replica.damaged().unwrap().into_iter().collect::<Vec<_>>();
    assert_eq!(damaged(), [test("total")]);
    assert_eq!(there.store.history(&test("tax"), 10).unwrap().len(), 1);
    assert!(there.store.history(&test("total"), 10).unwrap().is_empty());

    // A test's current benchmark is kept, so that the damage stays visible.
    let repair = |of| replica.repair_damaged(of, &there.replica()).unwrap();
    assert_eq!(repair(None), []);
    assert_eq!(damaged(), [test("total")]);
    here.run("total", 1, "[1,3]");
    let others = BTreeSet::from([test("tax")]);
    assert_eq!(repair(Some(&others)), []);
    assert_eq!(repair(None), [(test("total"), Repair::Removed)]);
    assert_eq!(damaged(), []);
    assert_eq!(here.store.history(&test("total"), 10).unwrap().len(), 1);
}

#[test]
fn what_another_place_has_of_a_damaged_benchmark_is_taken_from_it() {
    for (outputs, digest) in [("'[1'", "NULL"), ("'[1'", "digest"), ("'[1,4]'", "digest")] {
        let (here, there) = (TestStore::create(), TestStore::create());
        here.run("total", 1, "[1,2]");
        let replica = here.replica();
        sync(&replica, &there.replica(), Direction::Push);
        here.run("total", 1, "[1,3]");
        note_synchronised(&replica);
        here.run("total", 1, "[1,3]");
        let connection = rusqlite::Connection::open(here.store.file()).unwrap();
        let damage = format!(
            "UPDATE benchmark SET outputs = {outputs}, digest = {digest} WHERE outputs = '[1,2]'"
        );
        assert_eq!(connection.execute(&damage, []).unwrap(), 1);
        let replica = here.replica().reading_all();
        assert_eq!(histories(&replica).len(), 1);
        let repaired = replica.repair_damaged(None, &there.replica()).unwrap();
        // The record can only be identified by the digest that was noted at synchronisation.
        let expected = match digest {
            "NULL" => Repair::Removed,
            _ => Repair::Restored,
        };
        assert_eq!(repaired, [(test("total"), expected)]);
        sync(&replica, &there.replica(), Direction::Sync);
        assert_eq!(histories(&replica).len(), 2);
        assert_eq!(histories(&replica), histories(&there.replica()));
    }
}

#[test]
fn damaged_outputs_of_a_test_are_never_sent() {
    let (here, there, other) = (
        TestStore::create(),
        TestStore::create(),
        TestStore::create(),
    );
    here.run("total", 1, "[1,2]");
    let replica = here.replica();
    sync(&replica, &there.replica(), Direction::Push);
    note_synchronised(&replica);
    let connection = rusqlite::Connection::open(here.store.file()).unwrap();
    for outputs in ["[1,4]", "[1"] {
        let damage = "UPDATE benchmark SET outputs = ?1";
        assert_eq!(connection.execute(damage, [outputs]).unwrap(), 1);
        let replica = here.replica();
        let plan = SyncPlan::new(Direction::Push);
        let summary = synchronise(&replica, &other.replica(), &plan, &mut |_| {}).unwrap();
        let refused = &summary.pushed[&RecordKind::Benchmark].refused;
        assert_eq!(refused.len(), 1, "{summary:?}");
        assert!(histories(&other.replica()).is_empty());
        // The current benchmark of a test is restored, too.
        let replica = here.replica().reading_all();
        assert_eq!(replica.damaged().unwrap(), [test("total")].into());
        let repaired = replica.repair_damaged(None, &there.replica()).unwrap();
        assert_eq!(repaired, [(test("total"), Repair::Restored)]);
        assert!(replica.damaged().unwrap().is_empty());
        assert_eq!(histories(&replica), histories(&there.replica()));
    }
}

/// Does the same as a command after it has synchronised.
fn note_synchronised(replica: &LocalReplica<'_>) {
    let remote = RemoteProject {
        url: "http://tdg.example.org".to_owned(),
        project: project().uuid,
        account: "team".to_owned(),
        epoch: Uuid::nil(),
        synced: 0,
    };
    replica.note_synchronised(&remote).unwrap();
}

#[test]
fn a_benchmark_of_one_place_counts_there_alone() {
    let (here, there) = (TestStore::create(), TestStore::create());
    here.run("total", 1, "[1,2]");
    sync(&here.replica(), &there.replica(), Direction::Push);
    here.run("total", 1, "[1,3]");
    let mut plan = SyncPlan::new(Direction::Sync);
    plan.dry_run = true;
    let everywhere: Vec<u8> = (0..=u8::MAX).collect();
    let tests = here
        .replica()
        .identities(RecordKind::Test, &everywhere)
        .unwrap();
    plan.tests = Some(tests.into_iter().collect());
    let summary = run(&here.replica(), &there.replica(), &plan);
    let benchmarks = &summary.pushed[&RecordKind::Benchmark];
    assert_eq!((benchmarks.left, benchmarks.had), (1, 1));
    let benchmarks = &summary.pulled[&RecordKind::Benchmark];
    assert_eq!((benchmarks.left, benchmarks.had), (0, 1));
}

/// A place that lists a record but can't return it.
struct Damaged<'r>(&'r dyn Replica, Uuid);

impl Replica for Damaged<'_> {
    fn digests(&self) -> tdg_service::Result<BTreeMap<RecordKind, SetDigests>> {
        self.0.digests()
    }

    fn identities(&self, kind: RecordKind, parts: &[u8]) -> tdg_service::Result<Vec<Uuid>> {
        self.0.identities(kind, parts)
    }

    fn missing(
        &self,
        kind: RecordKind,
        identities: &[Uuid],
    ) -> tdg_service::Result<MissingResponse> {
        self.0.missing(kind, identities)
    }

    fn histories(
        &self,
        questions: &[HistoryQuestion],
    ) -> tdg_service::Result<Vec<BenchmarkHistory>> {
        self.0.histories(questions)
    }

    fn records(&self, wanted: &[Wanted]) -> tdg_service::Result<Vec<Option<Record>>> {
        let mut found = self.0.records(wanted)?;
        for (wanted, record) in wanted.iter().zip(&mut found) {
            record.take_if(|_| wanted.uuid() == self.1);
        }
        Ok(found)
    }

    fn add(&self, records: &[Record]) -> tdg_service::Result<Vec<RecordOutcome>> {
        self.0.add(records)
    }
}

#[test]
fn an_assertion_that_is_listed_and_not_given_is_refused() {
    let (here, there) = (TestStore::create(), TestStore::create());
    there.run("total", 1, "[1,2]");
    there.run("total", 1, "[1,2]");
    let theirs = there.replica();
    let (_, damaged) = histories(&theirs)[0].1[0];
    let plan = SyncPlan::new(Direction::Pull);
    let summary = run(&here.replica(), &Damaged(&theirs, damaged), &plan);
    let assertions = &summary.pulled[&RecordKind::Assertion];
    assert_eq!(assertions.made, 1);
    let refused: Vec<Uuid> = assertions.refused.iter().map(|(uuid, _)| *uuid).collect();
    assert_eq!(refused, [damaged]);
}
