//! Behavior that can only be provoked from inside.

use std::time::Duration;

use rusqlite::{Connection, params_from_iter};

use super::{
    Decision, DecisionKind, Expected, PendingUpdate, RemovedOutputs, Run, RunFacts, Store,
    StoreError, StoreProblem,
};
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
        facts: RunFacts::new(Verdict::Recorded, 1),
        policy: None,
        benchmark: Some(Expected {
            ensemble: &ensemble,
            vectors: None,
            outputs,
        }),
        pending: PendingUpdate::Clear,
        decision: None,
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

/// Returns the reasons of all decisions, newest first.
fn reasons(store: &Store) -> Vec<Option<String>> {
    let decisions = store.decisions(&total()).unwrap();
    decisions.into_iter().map(|it| it.decision.reason).collect()
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
    assert!(matches!(error.problem, StoreProblem::Full), "{error:?}");
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
        matches!(error.problem, StoreProblem::NotWritable(_)),
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
    assert!(matches!(error.problem, StoreProblem::Locked), "{error:?}");
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
    assert!(matches!(error.problem, StoreProblem::Locked), "{error:?}");
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

/// Apart from `INSERT`s and `DELETE`s, the common run must not slow down as a store grows.
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
    // Newest first: going back to `[1]` is a separate decision.
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

/// A store that came with a checkout may contain anything.
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
        assert!(matches!(error.problem, StoreProblem::Corrupt(_)), "{what}: {said}");
        assert!(said.contains(&format!("it has the {what}, which tdg did not make")), "{said}");
        assert!(said.contains("was left as it is"), "{said}");
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
}

/// Returns long outputs that compress well.
fn long(digit: u8) -> String {
    format!("[{:?}]", digit.to_string().repeat(1_000_000))
}

/// Returns the outputs of all benchmarks in order of id, and their lengths in the store.
fn stored(store: &Store) -> Vec<(Option<String>, i64)> {
    let sql = "SELECT id, length(outputs) FROM benchmark ORDER BY id";
    let lengths: Vec<(i64, i64)> = {
        let connection = store.connection();
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.unwrap().map(Result::unwrap).collect()
    };
    let outputs = |id| {
        let found = store.read_tables::<_, StoreError>(|tables| tables.benchmark(id));
        found.unwrap().map(|(_, outputs)| outputs)
    };
    lengths
        .into_iter()
        .map(|(id, length)| (outputs(id), length))
        .collect()
}

fn sizes(store: &Store) -> Vec<bool> {
    stored(store)
        .iter()
        .map(|(_, length)| *length > 100_000)
        .collect()
}

#[test]
fn former_outputs_are_compressed_when_a_command_opens_the_store() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path()).unwrap();
    for digit in 1..=5 {
        record(&store, &long(digit)).unwrap();
    }
    assert_eq!(sizes(&store), [true; 5]);
    drop(store);

    let store = Store::open(root.path()).unwrap();
    assert_eq!(sizes(&store), [false, false, false, false, true]);
    let outputs: Vec<_> = stored(&store)
        .into_iter()
        .map(|(outputs, _)| outputs.unwrap())
        .collect();
    assert_eq!(outputs, [1, 2, 3, 4, 5].map(long));
    assert_eq!(current(&store), long(5));
    assert!(store.file().metadata().unwrap().len() < 2_000_000);
}

#[test]
fn a_benchmark_that_comes_back_has_its_outputs_and_history() {
    for removes in [false, true] {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path()).unwrap();
        for digit in [1, 1, 2] {
            record(&store, &long(digit)).unwrap();
        }
        store.archive().unwrap();
        if removes {
            store.remove_archived(false).unwrap();
            assert_eq!(stored(&store)[0], (None, 0));
        }
        record(&store, &long(1)).unwrap();
        assert_eq!(current(&store), long(1));
        store.archive().unwrap();
        assert_eq!(sizes(&store), [true, false]);
        assert_eq!(store.history(&total(), 10).unwrap().len(), 4);
    }
}

#[test]
fn former_outputs_are_removed_on_request_and_nothing_else() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path()).unwrap();
    adopt(&store, &long(1), Some("first")).unwrap();
    adopt(&store, &long(2), Some("second")).unwrap();
    let foreseen = store.remove_archived(true).unwrap();
    assert_eq!(stored(&store)[0].0, Some(long(1)));
    assert_eq!(store.remove_archived(false).unwrap(), foreseen);
    assert_eq!(foreseen.benchmarks, 1);
    assert!((1..100_000).contains(&foreseen.bytes));
    assert_eq!(stored(&store)[0], (None, 0));
    assert_eq!(current(&store), long(2));
    let reasons = reasons(&store);
    assert_eq!(reasons, ["second", "first"].map(|it| Some(it.to_owned())));
    assert_eq!(
        store.remove_archived(false).unwrap(),
        RemovedOutputs::default()
    );
}

#[test]
fn damaged_outputs_are_not_archived() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path()).unwrap();
    for outputs in ["[1]", "[1.50]", "no JSON", "[2]"] {
        record(&store, outputs).unwrap();
    }
    let noted = "UPDATE benchmark SET digest = 'of others' WHERE outputs = '[1]'";
    store.connection().execute(noted, []).unwrap();
    let before = stored(&store);
    store.archive().unwrap();
    assert_eq!(stored(&store), before);
}
