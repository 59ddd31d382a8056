//! Behaviour that can only be provoked from inside.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, params_from_iter};

use super::{Decision, DecisionKind, Expected, PendingUpdate, Problem, Run, Store, StoreError};
use crate::checkout::Checkout;
use crate::ensemble::Ensemble;
use crate::store::{Claim, directory};
use crate::test_id::TestId;
use crate::verdict::Verdict;

fn ensemble() -> Ensemble {
    Ensemble {
        name: "orders".to_owned(),
        size: 1,
        seed: 0,
        sampler_version: 1,
        digest: "0".repeat(32),
        definition: "{}".to_owned(),
        rows: None,
    }
}

fn adopt(store: &Store, outputs: &str, reason: Option<&str>) -> Result<(), StoreError> {
    let expected = Expected {
        ensemble: &ensemble(),
        vectors: None,
        outputs,
    };
    let decision = Decision {
        reason: reason.map(str::to_owned),
        ..Decision::new(DecisionKind::Accepted)
    };
    store.adopt(&total(), &expected, &decision)
}

fn record(store: &Store, outputs: &str) -> Result<(), StoreError> {
    let ensemble = ensemble();
    let run = Run {
        test: &total(),
        claim: Claim {
            function: "total",
            run: None,
        },
        verdict: Verdict::Recorded,
        cases: 1,
        changed: 0,
        tolerance_use: None,
        policy: None,
        benchmark: Some(Expected {
            ensemble: &ensemble,
            vectors: None,
            outputs,
        }),
        pending: PendingUpdate::Clear,
        decision: None,
        checkout: &Checkout::default(),
    };
    store.commit(&run).map(|_| ())
}

fn total() -> TestId {
    TestId {
        package: "shop".to_owned(),
        source: "src/lib.rs".to_owned(),
        name: "total".to_owned(),
    }
}

fn current(store: &Store) -> String {
    store.benchmark(&total()).unwrap().unwrap().outputs
}

/// The reasons of all decisions, newest first.
fn reasons(store: &Store) -> Vec<Option<String>> {
    let decisions = store.decisions(&total()).unwrap();
    decisions.into_iter().map(|it| it.decision.reason).collect()
}

/// A store of an earlier format, with three assertions and a pending change.
fn write_store_of_format(format: usize, directory: &Path) {
    directory::make(directory).unwrap();
    let store = Connection::open(directory.join("store.db")).unwrap();
    store.pragma_update(None, "foreign_keys", false).unwrap();
    let (first, later) = super::schema::MIGRATIONS[..format].split_first().unwrap();
    store.execute_batch(first).unwrap();
    store
        .execute_batch(
            "INSERT INTO project VALUES (1, x'00000000000000000000000000000001', 'shop', 5);
             INSERT INTO definition VALUES (1, x'00000000000000000000000000000002', 1, 5, '{}');
             INSERT INTO ensemble VALUES
                 (1, x'00000000000000000000000000000003', 1, 'orders', 1, 0, 1,
                  '00000000000000000000000000000000', 5, NULL);
             INSERT INTO test VALUES (1, 1, 'src/lib.rs', 'total', NULL, NULL, NULL);
             INSERT INTO benchmark VALUES
                 (1, x'00000000000000000000000000000004', 1, 1, 5, NULL, '[1]');
             INSERT INTO benchmark VALUES
                 (2, x'00000000000000000000000000000007', 1, 1, 9, 'because', '[3]');
             UPDATE test SET benchmark = 1;
             INSERT INTO assertion VALUES
                 (1, 1, x'00000000000000000000000000000015', 6, 1, 'recorded', 1, 0, NULL),
                 (1, 2, x'00000000000000000000000000000025', 7, 1, 'same', 2, 0, NULL),
                 (1, 3, x'00000000000000000000000000000005', 7, 1, 'same', 3, 0, NULL);
             INSERT INTO pending VALUES (1, x'00000000000000000000000000000006', 1, 7, '[2]');",
        )
        .unwrap();
    let of_format_5 = "
        UPDATE assertion SET commit_id = 'c0ffee', branch = 'main' WHERE n = 3;
        INSERT INTO decision (test, n, uuid, kind, time, author, from_package)
            VALUES (1, 3, x'00000000000000000000000000000008', 'rejected', 9, 'Ada', NULL);";
    for (migration, later_format) in later.iter().zip(2..) {
        store.execute_batch(migration).unwrap();
        if later_format == 5 {
            store.execute_batch(of_format_5).unwrap();
        }
    }
    store
        .pragma_update(None, "user_version", format as i64)
        .unwrap();
}

#[test]
fn a_store_of_any_earlier_format_is_migrated() {
    for format in 1..super::schema::MIGRATIONS.len() {
        let root = tempfile::tempdir().unwrap();
        write_store_of_format(format, root.path());
        let store = Store::open(root.path()).unwrap();
        let uuid = super::Uuid::from_u128;
        let benchmark = store.benchmark(&total()).unwrap().unwrap();
        assert_eq!((benchmark.uuid, benchmark.added), (uuid(4), 5000));
        assert_eq!(benchmark.outputs, "[1]");
        let pending = store.pending_change(&total()).unwrap().unwrap();
        assert_eq!((pending.outputs.as_str(), pending.added), ("[2]", 7000));

        // Those of one time keep their order.
        let history = store.history(&total(), 10).unwrap();
        let runs = history.iter().map(|it| (it.cases, it.timestamp, it.uuid));
        let expected = [
            (3, 7001, uuid(5)),
            (2, 7000, uuid(0x25)),
            (1, 6000, uuid(0x15)),
        ];
        assert_eq!(runs.collect::<Vec<_>>(), expected);
        let commit = history[0].checkout.commit.as_deref();
        assert_eq!(commit, (format >= 5).then_some("c0ffee"));
        assert!(
            history
                .iter()
                .all(|it| it.policy.is_none() && it.platform.is_none())
        );

        let mut decisions = store.decisions(&total()).unwrap();
        if format >= 5 {
            let rejected = decisions.remove(0);
            assert_eq!(
                (rejected.decision.kind, rejected.time),
                (DecisionKind::Rejected, 9001)
            );
            assert_eq!(rejected.decision.author.as_deref(), Some("Ada"));
        }
        let decided = decisions.iter().map(|it| {
            let reason = it.decision.reason.as_deref();
            (it.decision.kind, it.time, reason, it.benchmark)
        });
        let expected = [
            (DecisionKind::Accepted, 9000, Some("because"), Some(uuid(7))),
            (DecisionKind::Recorded, 5000, None, Some(uuid(4))),
        ];
        assert_eq!(decided.collect::<Vec<_>>(), expected);

        let violations = "SELECT count(*) FROM pragma_foreign_key_check";
        let count = |sql| -> i64 {
            let connection = store.connection();
            connection.query_row(sql, [], |row| row.get(0)).unwrap()
        };
        assert_eq!(count(violations), 0);
        record(&store, "[1]").unwrap();
        assert_eq!(count("SELECT max(n) FROM assertion"), 4);
    }
}

#[test]
fn a_full_disk_is_reported_and_leaves_the_old_benchmark() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path()).unwrap();
    record(&store, "[1]").unwrap();
    let pages: i64 = store
        .connection()
        .query_row("PRAGMA page_count", [], |row| row.get(0))
        .unwrap();
    let limit = |pages: i64| {
        store
            .connection()
            .pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))
            .unwrap();
    };
    limit(pages + 1);
    let error = record(&store, &"1".repeat(100_000)).unwrap_err();
    assert!(matches!(error.problem, Problem::Full), "{error:?}");
    assert_eq!(current(&store), "[1]");
    record(&store, "[1]").unwrap();
    assert_eq!(store.history(&total(), 10).unwrap().len(), 2);

    limit(pages + 1000);
    record(&store, &"1".repeat(100_000)).unwrap();
    assert_eq!(current(&store).len(), 100_000);
}

#[test]
fn a_connection_that_may_not_write_is_reported_and_still_reads() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path()).unwrap();
    record(&store, "[1]").unwrap();
    store
        .connection()
        .pragma_update(None, "query_only", true)
        .unwrap();
    let error = record(&store, "[2]").unwrap_err();
    assert!(
        matches!(error.problem, Problem::NotWritable(_)),
        "{error:?}"
    );
    assert_eq!(current(&store), "[1]");
}

#[test]
fn waiting_for_a_locked_store_times_out() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open_within(root.path(), Duration::ZERO).unwrap();
    let other = Connection::open(store.file()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = record(&store, "[1]").unwrap_err();
    assert!(matches!(error.problem, Problem::Locked), "{error:?}");
    other.execute_batch("COMMIT").unwrap();
    record(&store, "[1]").unwrap();
}

#[test]
fn waiting_for_an_unfinished_creation_times_out() {
    let root = tempfile::tempdir().unwrap();
    directory::make(root.path()).unwrap();
    let lock = Connection::open(root.path().join("store.lock")).unwrap();
    lock.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let error = Store::open_within(root.path(), Duration::ZERO).unwrap_err();
    assert!(matches!(error.problem, Problem::Locked), "{error:?}");
    drop(lock);
    Store::open_within(root.path(), Duration::ZERO).unwrap();
}

#[test]
fn a_panic_in_a_transaction_leaves_nothing_of_it() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path()).unwrap();
    record(&store, "[1]").unwrap();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        store.write::<()>(|transaction| {
            transaction.execute("DELETE FROM test", []).unwrap();
            panic!("in the middle");
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(current(&store), "[1]");
    record(&store, "[2]").unwrap();
}

/// `INSERT`s and `DELETE`s aside, the common run must not slow down as a store grows.
#[test]
fn every_query_of_a_run_uses_an_index() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path()).unwrap();
    let plan = |sql: &str| -> Vec<String> {
        let connection = store.connection();
        let mut statement = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .unwrap();
        let params = params_from_iter(vec![0; statement.parameter_count()]);
        let steps = statement.query_map(params, |row| row.get(3)).unwrap();
        steps.collect::<Result<_, _>>().unwrap()
    };
    for sql in [super::commit::PRESENT, super::add_run::LAST_ASSERTION] {
        for step in plan(sql) {
            assert!(step.starts_with("SEARCH"), "{step} in {sql}");
        }
    }
}

#[test]
fn an_accepted_file_is_the_benchmark_from_then_on_and_its_reason_is_kept() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path()).unwrap();
    record(&store, "[1]").unwrap();
    adopt(&store, "[2]", Some("prices rose")).unwrap();
    assert_eq!(current(&store), "[2]");
    adopt(&store, "[1]", Some("they fell again")).unwrap();
    adopt(&store, "[1]", None).unwrap();
    assert_eq!(current(&store), "[1]");
    let decisions = store.decisions(&total()).unwrap();
    // Newest first: going back to `[1]` is a decision of its own.
    let expected = [None, Some("they fell again"), Some("prices rose")];
    assert_eq!(reasons(&store), expected.map(|it| it.map(str::to_owned)));
    record(&store, "[1]").unwrap();
    assert_eq!(store.decisions(&total()).unwrap(), decisions);
    assert_eq!(store.tests().unwrap(), [total()]);
}

#[test]
fn a_test_new_to_the_store_can_be_decided_about() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path()).unwrap();
    store.settle(&total()).unwrap();
    assert_eq!(store.decisions(&total()).unwrap(), []);
    assert_eq!(store.tests().unwrap(), []);
    adopt(&store, "[2]", None).unwrap();
    assert_eq!(current(&store), "[2]");
}

#[test]
fn no_decision_replaces_another() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path()).unwrap();
    for reason in ["first", "second"] {
        adopt(&store, "[1]", Some(reason)).unwrap();
    }
    assert_eq!(
        reasons(&store),
        ["second", "first"].map(|it| Some(it.to_owned()))
    );
}

/// A store that came with a checkout may hold anything.
#[test]
fn a_store_with_what_tdg_did_not_make_is_refused_before_a_query() {
    const ENDLESS: &str = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS id, '' AS uuid, '' AS name, max(i) AS added FROM n";
    for (sql, what) in [
        (format!("DROP TABLE project; CREATE VIEW project AS {ENDLESS}"), "view project"),
        ("CREATE VIEW odd AS SELECT 1".to_owned(), "view odd"),
        (
            "CREATE TRIGGER odd AFTER INSERT ON test BEGIN SELECT 1; END".to_owned(),
            "trigger odd",
        ),
        ("CREATE TABLE odd (a)".to_owned(), "table odd"),
        ("CREATE TABLE \"od\u{9b}d\" (a)".to_owned(), "table od\\u009bd"),
        ("CREATE INDEX odd ON test (abs(name))".to_owned(), "index odd"),
        (
            format!("CREATE VIEW pragma_user_version AS {ENDLESS}"),
            "view pragma_user_version",
        ),
        (
            "PRAGMA writable_schema = ON;
             DELETE FROM sqlite_schema WHERE tbl_name = 'remote';
             INSERT INTO sqlite_schema VALUES ('table', 'remote', 'remote', 0, 'CREATE VIRTUAL TABLE remote USING dbstat')".to_owned(),
            "table remote",
        ),
    ] {
        let root = tempfile::tempdir().unwrap();
        let file = Store::open(root.path()).unwrap().file().to_owned();
        let other = Connection::open(&file).unwrap();
        other.execute_batch(&sql).unwrap();
        drop(other);
        let before = std::fs::read(&file).unwrap();
        let error = Store::open(root.path()).map(drop).unwrap_err();
        let said = error.to_string();
        assert!(matches!(error.problem, Problem::Corrupt(_)), "{what}: {said}");
        assert!(said.contains(&format!("it has the {what}, which tdg did not make")), "{said}");
        assert!(said.contains("was left as it is"), "{said}");
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
}
