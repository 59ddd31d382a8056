//! Databases that a server can't use. Each is refused with a fix that loses no data, and isn't
//! changed.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use crate::support::{Postgres, command};

/// Returns the error of a command on the database.
fn refusal(database: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = command(folder.path(), database).arg("migrate").output();
    let output = output.unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap().trim().to_owned()
}

/// Returns the error for a file, which isn't changed.
fn of_file(file: &Path) -> String {
    let before = fs::read(file).unwrap();
    let message = refusal(&format!("sqlite:{}", file.display()));
    assert!(fs::read(file).unwrap() == before, "{message}");
    message.replace(&file.display().to_string(), "tdg.db")
}

#[test]
fn a_file_that_is_no_database_of_this_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = &folder.path().join("tdg.db");
    let sql = |sql: &str| Connection::open(file).unwrap().execute_batch(sql).unwrap();

    let program = &mut command(folder.path(), &format!("sqlite:{}", file.display()));
    assert!(program.arg("migrate").output().unwrap().status.success());
    sql("PRAGMA user_version = 6");
    insta::assert_snapshot!(of_file(file), @"tdg-server: the database tdg.db has format 6, and this tdg-server reads formats up to 5; nothing was changed: run the version that wrote it, or a later one");

    // Its header is valid, but its pages aren't.
    sql("PRAGMA user_version = 1; PRAGMA journal_mode = DELETE");
    let mut bytes = fs::read(file).unwrap();
    bytes[100..].fill(0xaa);
    fs::write(file, bytes).unwrap();
    insta::assert_snapshot!(of_file(file), @"tdg-server: the database tdg.db is damaged (database disk image is malformed): stop the server, keep the file, and restore a backup in its place");

    fs::write(file, [0xaa; 9000]).unwrap();
    insta::assert_snapshot!(of_file(file), @"tdg-server: tdg.db is not an SQLite database, or is damaged (file is not a database); nothing was changed: give the server the right file, or keep this one and restore a backup in its place");

    fs::remove_file(file).unwrap();
    sql("PRAGMA application_id = 0x74646773; CREATE TABLE account (name)");
    insta::assert_snapshot!(of_file(file), @"tdg-server: the database tdg.db was written by an unreleased tdg-server, whose format no version reads; nothing was changed: give the server a new file");

    fs::remove_file(file).unwrap();
    sql("CREATE TABLE recipe (name)");
    insta::assert_snapshot!(of_file(file), @"tdg-server: tdg.db is not a database of tdg-server: give the server a separate file");

    let store = include_bytes!("../../../tests/fixtures/written-by/0.1.0/store.db");
    fs::write(file, store).unwrap();
    insta::assert_snapshot!(of_file(file), @"tdg-server: tdg.db is the local store of test runs, not the database of a server: give the server a separate file");
}

#[test]
fn tables_that_are_not_of_this_version_are_refused() {
    let postgres = Postgres::start();
    let database = postgres.schema();
    let tables = "SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_tables
         WHERE schemaname = 's0'";
    postgres.execute("CREATE TABLE s0.project (name text)");
    insta::assert_snapshot!(refusal(&database), @"tdg-server: the schema has a table `project` that tdg-server did not create; nothing was changed: give the server a separate database, or a separate schema (`CREATE SCHEMA tdg`, and `?options=-csearch_path%3Dtdg` in the URL)");
    assert_eq!(postgres.query(tables), "project");

    postgres.execute("ALTER TABLE s0.project RENAME TO tdg_migration");
    insta::assert_snapshot!(refusal(&database), @"tdg-server: the tables were created by an unreleased tdg-server, whose version no other reads; nothing was changed: give the server a new database or schema");

    postgres.execute("DROP TABLE s0.tdg_migration");
    let folder = tempfile::tempdir().unwrap();
    let program = &mut command(folder.path(), &database);
    assert!(program.arg("migrate").output().unwrap().status.success());
    postgres.execute("INSERT INTO s0.tdg_version VALUES (99, 0)");
    insta::assert_snapshot!(refusal(&database), @"tdg-server: the tables have version 99, and this tdg-server reads versions up to 5; nothing was changed: run the version that created them, or a later one");
}

#[test]
fn no_advice_for_a_store_of_test_runs_is_in_the_program() {
    let program = fs::read(env!("CARGO_BIN_EXE_tdg-server")).unwrap();
    let text = String::from_utf8_lossy(&program);
    for advice in ["delete the directory", "history is lost", "TDG_DIR"] {
        assert!(!text.contains(advice), "{advice}");
    }
}
