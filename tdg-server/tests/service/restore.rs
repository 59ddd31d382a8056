//! Backups of a working server, and servers on restored databases, step by step as in
//! docs/how-to/operating.md.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rusqlite::Connection;

use crate::support::{Client, Postgres, Server, command};

/// A client that asserts.
struct Work {
    client: Client,
    benchmark: String,
}

impl Work {
    fn on(server: &Server) -> Self {
        let client = server.client();
        let benchmark = client.benchmark();
        Work { client, benchmark }
    }

    fn assert(&self) -> String {
        let path = format!("{}/assert", self.benchmark);
        let answer = self.client.post(&path, r#"{"output_to_assert":[1]}"#);
        answer.string("assertion_uuid")
    }

    /// Asserts before and during a backup. Returns the assertions that were acknowledged before.
    fn during(&self, backup: impl FnOnce()) -> Vec<String> {
        let over = AtomicBool::new(false);
        let before = (0..50).map(|_| self.assert()).collect();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    // At most as many as a history shows at once.
                    (0..200)
                        .take_while(|_| !over.load(Ordering::Relaxed))
                        .for_each(|_| drop(self.assert()));
                });
            }
            backup();
            over.store(true, Ordering::Relaxed);
        });
        before
    }

    /// Continues at a server on the restored database, which must have these assertions.
    fn goes_on(self, restored: &Server, assertions: &[String]) -> Work {
        let client = Client::new(&restored.url, &self.client.key);
        let work = Work { client, ..self };
        let history = work.history();
        for assertion in assertions {
            assert!(history.contains(assertion), "{assertion} is lost");
        }
        let next = work.assert();
        assert!(work.history().contains(&next));
        work
    }

    fn history(&self) -> String {
        let path = format!("{}/history", self.benchmark);
        self.client.get(&path).text().to_owned()
    }
}

/// Starts a server on a restored database, after running `restored`.
fn restored_on(database: &str) -> Server {
    let folder = tempfile::tempdir().unwrap();
    let told = command(folder.path(), database).arg("restored").output();
    let told = told.unwrap();
    assert!(told.status.success(), "{told:?}");
    Server::on(database)
}

#[test]
fn an_sqlite_database_is_restored_from_a_copy_of_a_server_at_work() {
    let mut server = Server::start();
    let database = server.database().to_owned();
    let file = server.database_file();
    let copy = file.with_file_name("copy.db");
    let backup = || server.run(&["backup", copy.to_str().unwrap()]);
    let work = Work::on(&server);
    let before = work.during(|| assert!(backup().status.success()));
    let lost = work.assert();
    // A backup overwrites nothing.
    let refused = String::from_utf8(backup().stderr).unwrap();
    let exists = format!(
        "tdg-server: {} exists: name a file that does not\n",
        copy.display()
    );
    assert_eq!(refused, exists);

    // The file is lost while the server runs. The log next to it doesn't fit any other file.
    server.kill();
    fs::write(&file, "damaged").unwrap();
    let restored = restore(&database, &copy);
    assert!(restored.contains("has the new epoch"), "{restored}");
    let found = "it has 1 account and 1 project; the newest assertion is of 20";
    assert!(restored.contains(found), "{restored}");
    let moved = restored.lines().next().unwrap().rsplit(' ').next().unwrap();
    assert_eq!(fs::read_to_string(moved).unwrap(), "damaged");
    assert!(copy.exists());
    let restored = Server::on(&database);
    let work = work.goes_on(&restored, &before);
    assert!(!work.history().contains(&lost));
    let connection = Connection::open(&file).unwrap();
    let check: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(check, "ok");
}

/// Starts a server with some megabytes. Returns it, its file, and the path of a backup.
fn large() -> (Server, PathBuf, PathBuf) {
    let server = Server::start();
    server.client().benchmark();
    let file = server.database_file();
    let fill = "INSERT INTO packed_rows
         WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 64)
         SELECT 9, randomblob(16), randomblob(100000) FROM number";
    Connection::open(&file)
        .unwrap()
        .execute_batch(fill)
        .unwrap();
    let copy = file.with_file_name("copy.db");
    (server, file, copy)
}

#[test]
fn a_backup_that_is_killed_at_any_moment_leaves_nothing_under_its_name_or_all() {
    let (server, file, copy) = large();
    let part = file.with_file_name("copy.db.part");
    for size in [0, 1 << 20, 4 << 20] {
        let mut program = command(file.parent().unwrap(), server.database());
        let mut backup = program.args(["backup", "copy.db"]).spawn().unwrap();
        let is_large = |file: &Path| fs::metadata(file).is_ok_and(|it| it.len() >= size);
        while !is_large(&part) && !is_large(&copy) && backup.try_wait().unwrap().is_none() {
            thread::yield_now();
        }
        backup.kill().unwrap();
        backup.wait().unwrap();
        if copy.exists() {
            assert_eq!(verify(&copy), "ok");
            fs::remove_file(&copy).unwrap();
        }
    }
    // The journal of an earlier file would undo the copy.
    let journal = file.with_file_name("copy.db-journal");
    fs::write(&journal, "left").unwrap();
    let made = server.run(&["backup", copy.to_str().unwrap()]);
    assert!(made.status.success(), "{made:?}");
    assert!(!journal.exists() && !part.exists());
    assert_eq!(verify(&copy), "ok");
}

#[test]
fn of_backups_under_one_name_at_once_one_is_made() {
    let (server, _, copy) = large();
    let backup = || server.run(&["backup", copy.to_str().unwrap()]);
    let made = thread::scope(|scope| {
        let running = [(); 4].map(|()| scope.spawn(backup));
        running.map(|it| it.join().unwrap())
    });
    let (made, refused): (Vec<_>, Vec<_>) = made.into_iter().partition(|it| it.status.success());
    assert_eq!(made.len(), 1, "{refused:?}");
    for refused in refused {
        let refused = String::from_utf8(refused.stderr).unwrap();
        assert!(
            refused.contains("exists: name a file that does not"),
            "{refused}"
        );
    }
    assert_eq!(verify(&copy), "ok");
}

/// Returns SQLite's verdict on a server's file.
fn verify(file: &Path) -> String {
    let connection = Connection::open(file).unwrap();
    let check = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0));
    check("SELECT 'tables' FROM server").unwrap();
    check("PRAGMA integrity_check").unwrap()
}

/// Returns the output of `restore`.
fn restore(database: &str, backup: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut program = command(folder.path(), database);
    let output = program.arg("restore").arg(backup).output().unwrap();
    let said = if output.status.success() {
        output.stdout
    } else {
        output.stderr
    };
    String::from_utf8(said).unwrap()
}

#[test]
fn each_database_that_is_replaced_is_kept() {
    let mut server = Server::start();
    let database = server.database().to_owned();
    let file = server.database_file();
    let copy = file.with_file_name("copy.db");
    server.run(&["backup", copy.to_str().unwrap()]);
    server.kill();
    let replace = |content: &str| {
        fs::write(&file, content).unwrap();
        let said = restore(&database, &copy);
        said.lines()
            .next()
            .unwrap()
            .rsplit(' ')
            .next()
            .unwrap()
            .to_owned()
    };
    let kept = ["first", "second"].map(replace).map(fs::read_to_string);
    assert_eq!(kept.map(Result::unwrap), ["first", "second"]);
}

#[test]
fn nothing_is_replaced_by_what_is_no_backup_or_under_a_server() {
    let mut server = Server::start();
    let database = server.database().to_owned();
    let file = server.database_file();
    let work = Work::on(&server);
    let assertion = work.assert();
    let copy = file.with_file_name("copy.db");
    assert!(
        server
            .run(&["backup", copy.to_str().unwrap()])
            .status
            .success()
    );
    let running = restore(&database, &copy);
    assert!(running.contains("another tdg-server uses"), "{running}");
    server.kill();

    let text = file.with_file_name("text.db");
    fs::write(&text, "no database").unwrap();
    let other = file.with_file_name("other.db");
    Connection::open(&other)
        .unwrap()
        .execute_batch("CREATE TABLE t (x)")
        .unwrap();
    let empty = file.with_file_name("empty.db");
    fs::write(&empty, "").unwrap();
    let interrupted = file.with_file_name("interrupted.db");
    fs::copy(&copy, &interrupted).unwrap();
    fs::write(file.with_file_name("interrupted.db-journal"), "left").unwrap();
    let absent = file.with_file_name("absent.db");
    for backup in [text, other, empty, interrupted.clone(), absent] {
        let refused = restore(&database, &backup);
        assert!(refused.starts_with("tdg-server: "), "{refused}");
        let names = fs::read_dir(file.parent().unwrap()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let made: Vec<String> = names.filter(|name| name.starts_with("tdg.db.")).collect();
        assert_eq!(made, [""; 0], "{refused}");
    }
    // If a restore is killed before its last step, no server starts on an empty database.
    let aside = file.with_file_name("aside.db");
    fs::rename(&file, &aside).unwrap();
    fs::write(file.with_file_name("tdg.db.restoring"), "part").unwrap();
    let refused = Server::refused_on(&database);
    assert!(
        refused.contains("was interrupted: run `restore` again"),
        "{refused}"
    );
    fs::remove_file(file.with_file_name("tdg.db.restoring")).unwrap();
    fs::rename(&aside, &file).unwrap();
    // The copy isn't changed either: SQLite would roll it back by the journal.
    assert_eq!(fs::read(&interrupted).unwrap(), fs::read(&copy).unwrap());
    let verified = command(file.parent().unwrap(), "sqlite:interrupted.db")
        .arg("verify")
        .output();
    let refused = String::from_utf8(verified.unwrap().stderr).unwrap();
    insta::assert_snapshot!(refused, @"tdg-server: interrupted.db-journal is there, so what wrote interrupted.db was interrupted: name another backup, or start the server once if interrupted.db is its database");
    let server = Server::on(&database);
    work.goes_on(&server, &[assertion]);
    let refused = restore("postgres://tdg@127.0.0.1:1/tdg", &copy);
    assert!(
        refused.contains("for PostgreSQL, use its own programs"),
        "{refused}"
    );
}

#[test]
fn a_postgresql_database_is_restored_from_a_dump_of_a_server_at_work() {
    let postgres = Postgres::start();
    let server = Server::on(&postgres.schema());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tdg.dump");
    let work = Work::on(&server);
    let refused = String::from_utf8(server.run(&["backup", "copy.db"]).stderr).unwrap();
    assert!(
        refused.contains("use pg_dump or pg_basebackup"),
        "{refused}"
    );
    let before = work.during(|| postgres.dump("s0", &file));
    // PostgreSQL's programs run as another user than the folder's owner.
    let readable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(folder.path(), readable).unwrap();
    postgres.restore(&file, "restored");
    let restored = restored_on(&postgres.schema_of("restored", "s0"));
    work.goes_on(&restored, &before);
}

#[test]
fn a_postgresql_database_is_restored_as_it_was_before_a_mistake() {
    let postgres = Postgres::archiving();
    let server = Server::on(&postgres.schema());
    let work = Work::on(&server);
    let mut copy = None;
    let mut before = work.during(|| copy = Some(postgres.base_backup()));
    before.push(work.assert());
    let time = postgres.query("SELECT clock_timestamp()");
    // The mistake.
    let projects = work.client.get("/v1/projects").json();
    let project = projects[0]["project_uuid"].as_str().unwrap();
    let path = format!("/v1/project/{project}/delete");
    assert_eq!(work.client.delete(&path).status, 200);
    assert_eq!(work.client.get(&work.benchmark).status, 404);
    let log = postgres.query("SELECT pg_walfile_name(pg_switch_wal())");
    let archived = format!("SELECT last_archived_wal >= '{log}' FROM pg_stat_archiver");
    postgres.wait_for(&archived, "t");

    let recovered = postgres.recovered(copy.unwrap(), &time);
    let restored = restored_on(&recovered.schema_of("postgres", "s0"));
    work.goes_on(&restored, &before);
}
