use std::fs;
use std::sync::Arc;

use tdg_engine::Verdict;
use tdg_engine::store::{Store, StoreProblem};

use crate::sample::{Fixture, made_directory, test};

#[test]
fn opening_makes_a_directory_that_git_ignores_with_a_write_ahead_log() {
    let fixture = Fixture::new();
    assert_eq!(
        fs::read_to_string(fixture.directory().join(".gitignore")).unwrap(),
        "# The local store of tdg.\n*\n"
    );
    let connection = rusqlite::Connection::open(fixture.store.file()).unwrap();
    let mode: String = connection
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .unwrap();
    assert_eq!(mode, "wal");
}

#[test]
fn a_store_stays_when_it_is_opened_again() {
    let fixture = Fixture::new();
    fixture.run(&test("total"), Verdict::Recorded, "[1,2,3]");
    let directory = fixture.directory();
    drop(fixture.store);
    let again = Store::open(&directory).unwrap();
    assert_eq!(
        again.benchmark(&test("total")).unwrap().unwrap().outputs,
        "[1,2,3]"
    );
}

#[test]
fn a_half_built_store_of_a_killed_process_is_rebuilt() {
    let root = made_directory();
    let half_a_database = "SQLite format 3\0half";
    fs::write(root.path().join("store.db.new"), half_a_database).unwrap();
    fs::write(root.path().join("store.db.new-journal"), "").unwrap();
    Store::open(root.path()).unwrap();
    assert!(!root.path().join("store.db.new").exists());
}

#[test]
fn a_log_whose_database_was_deleted_is_not_replayed_into_the_next() {
    let fixture = Fixture::new();
    fixture.run(&test("total"), Verdict::Recorded, "[1,2,3]");
    // The store is still open, so its log exists.
    assert!(
        fixture
            .directory()
            .join("store.db-wal")
            .metadata()
            .unwrap()
            .len()
            > 0
    );
    let copy = made_directory();
    fs::copy(
        fixture.directory().join("store.db-wal"),
        copy.path().join("store.db-wal"),
    )
    .unwrap();
    let store = Store::open(copy.path()).unwrap();
    assert_eq!(store.benchmark(&test("total")).unwrap(), None);
}

#[test]
fn an_empty_file_becomes_a_store() {
    let root = made_directory();
    fs::write(root.path().join("store.db"), "").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| Store::open(root.path()).unwrap().pending_changes().unwrap());
        }
    });
}

#[test]
fn a_directory_has_one_shared_store_in_a_process() {
    let root = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let store = Store::shared(root.path()).unwrap();
    assert!(Arc::ptr_eq(&store, &Store::shared(root.path()).unwrap()));
    assert!(!Arc::ptr_eq(&store, &Store::shared(other.path()).unwrap()));
}

#[test]
fn a_store_that_could_not_be_opened_is_not_tried_again_in_a_process() {
    let root = made_directory();
    let file = root.path().join("store.db");
    fs::write(
        &file,
        "this is no database, but it is long enough to be looked at",
    )
    .unwrap();
    let error = Store::shared(root.path()).unwrap_err();
    assert!(
        matches!(error.problem, StoreProblem::Corrupt(_)),
        "{error:?}"
    );
    fs::remove_file(&file).unwrap();
    assert!(Arc::ptr_eq(
        &error,
        &Store::shared(root.path()).unwrap_err()
    ));
}

#[test]
fn a_panic_in_one_thread_does_not_spoil_the_store_for_the_others() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::shared(root.path()).unwrap();
    let panicked = std::thread::spawn(move || {
        let _store = store;
        panic!("a test failed");
    });
    assert!(panicked.join().is_err());
    assert_eq!(
        Store::shared(root.path())
            .unwrap()
            .pending_changes()
            .unwrap(),
        []
    );
}
