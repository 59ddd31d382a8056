//! An SQLite database belongs to a single server.

use crate::support::{Client, Server};

#[test]
fn a_second_server_on_the_file_is_refused_and_commands_are_not() {
    let mut server = Server::start();
    let file = server.database_file().display().to_string();
    let refusal = format!(
        "tdg-server: another tdg-server uses {file}: only one may; with PostgreSQL, any number of \
         servers share a database\n"
    );
    assert_eq!(Server::refused_on(server.database()), refusal);
    for arguments in [&["keys", "list"][..], &["keys", "create"], &["migrate"]] {
        let output = server.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
    assert_eq!(server.client().get("/v1/projects").status, 200);

    // After a crash, there is nothing to clean up.
    let key = server.key("default");
    server.kill();
    let next = Server::on(server.database());
    assert_eq!(Client::new(&next.url, &key).get("/v1/projects").status, 200);
}

#[test]
fn no_other_user_can_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::after("umask 000");
    server.client().post("/v1/project/new", "");
    let copy = server.database_file().with_file_name("copy.db");
    let backup = server.run(&["backup", copy.to_str().unwrap()]);
    assert!(backup.status.success(), "{backup:?}");
    let log = server.database_file().with_extension("db-wal");
    for file in [server.database_file(), log, copy] {
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
}

#[test]
fn the_same_file_by_another_name_is_refused_too() {
    let server = Server::start();
    let file = server.database_file();
    let link = file.with_file_name("link.db");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let said = Server::refused_on(&format!("sqlite:{}", link.display()));
    assert!(said.contains("another tdg-server uses "), "{said}");
}
