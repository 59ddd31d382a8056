use std::fs;
use std::path::Path;

use tdg_engine::Verdict;
use tdg_engine::store::{Store, StoreError, StoreProblem};

use crate::sample::{Fixture, ensemble, made_directory, run, test};

/// Returns the message without the name of the directory, which changes.
fn message(error: &StoreError, root: &Path) -> String {
    error
        .to_string()
        .replace(&root.display().to_string(), "<root>")
}

#[test]
fn a_newer_format_is_named_and_left_alone() {
    let fixture = Fixture::new();
    fixture.run(&test("total"), Verdict::Recorded, "[1,2,3]");
    let connection = rusqlite::Connection::open(fixture.store.file()).unwrap();
    connection.pragma_update(None, "user_version", 5).unwrap();
    let error = Store::open(&fixture.directory()).unwrap_err();
    assert!(error.is_unavailable());
    insta::assert_snapshot!(message(&error, fixture.root.path()), @"the store <root>/.tdg/store.db has format 5, but this tdg reads formats up to 4: use the tdg that wrote it or a later one, or delete the directory <root>/.tdg (this loses the history, and benchmarks only if tdg.toml has `snapshots = false`)");
    let found: i64 = connection
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    assert_eq!(found, 5);
}

#[test]
fn the_database_of_a_server_is_refused_and_left_untouched() {
    let root = made_directory();
    let file = root.path().join("store.db");
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection
        .execute_batch("PRAGMA application_id = 0x74646773; CREATE TABLE account (name TEXT)")
        .unwrap();
    drop(connection);
    let before = fs::read(&file).unwrap();
    let error = Store::open(root.path()).unwrap_err();
    assert!(error.is_unavailable());
    insta::assert_snapshot!(message(&error, root.path()), @"<root>/store.db is the database of another program, such as tdg-server: set TDG_DIR to another directory");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_file_that_is_not_a_database_is_left_untouched() {
    let root = made_directory();
    let file = root.path().join("store.db");
    let text = "not a database at all\n".repeat(100);
    fs::write(&file, &text).unwrap();
    let error = Store::open(root.path()).unwrap_err();
    insta::assert_snapshot!(message(&error, root.path()), @"the store <root>/store.db is damaged (file is not a database) and was left as it is: restore it, or delete the directory <root> (this loses the history, and benchmarks only if tdg.toml has `snapshots = false`)");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn damaged_and_missing_pages_are_reported() {
    let damages: [fn(&mut Vec<u8>); 2] = [
        |bytes| bytes[4096..].fill(0xFF),
        |bytes| bytes.truncate(bytes.len() / 2),
    ];
    for damage in damages {
        let fixture = Fixture::new();
        fixture.run(&test("total"), Verdict::Recorded, "[1,2,3]");
        let file = fixture.store.file().to_owned();
        let directory = fixture.directory();
        drop(fixture.store);
        let mut bytes = fs::read(&file).unwrap();
        damage(&mut bytes);
        fs::write(&file, &bytes).unwrap();
        let orders = ensemble();
        let error = Store::open(&directory)
            .and_then(|store| store.commit(&run(&test("total"), &orders, Verdict::Same, "[1,2,3]")))
            .unwrap_err();
        insta::allow_duplicates!(
            insta::assert_snapshot!(message(&error, fixture.root.path()), @"the store <root>/.tdg/store.db is damaged (database disk image is malformed) and was left as it is: restore it, or delete the directory <root>/.tdg (this loses the history, and benchmarks only if tdg.toml has `snapshots = false`)")
        );
        assert_eq!(fs::read(&file).unwrap(), bytes);
    }
}

#[test]
fn a_directory_that_can_not_be_created_is_reported() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("file"), "").unwrap();
    let error = Store::open(&root.path().join("file/.tdg")).unwrap_err();
    assert!(
        matches!(error.problem, StoreProblem::NotWritable(_)),
        "{error:?}"
    );
    assert!(error.is_unavailable());
}

#[test]
#[cfg(unix)]
fn a_read_only_store_is_reported() {
    use std::os::unix::fs::PermissionsExt;

    let fixture = Fixture::new();
    let (directory, file) = (fixture.directory(), fixture.store.file().to_owned());
    drop(fixture.store);
    let permit = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    permit(&file, 0o444);
    permit(&directory, 0o555);
    // Root bypasses permissions; src/store/sqlite/tests.rs provokes the same errors differently.
    let binding = fs::OpenOptions::new().write(true).open(&file).is_err();
    if binding {
        let orders = ensemble();
        let error = Store::open(&directory)
            .and_then(|store| store.commit(&run(&test("total"), &orders, Verdict::Same, "[1]")))
            .unwrap_err();
        assert!(
            matches!(error.problem, StoreProblem::NotWritable(_)),
            "{error:?}"
        );
    }
    permit(&directory, 0o755);
}
