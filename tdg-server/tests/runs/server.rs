//! A separate server for every test, on an embedded database.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use rusqlite::Connection;
use tdg_service::{ApiKey, RemoteService, Uuid};
use tempfile::TempDir;

pub(crate) struct Server {
    process: Child,
    directory: TempDir,
    pub(crate) url: String,
    pub(crate) key: String,
}

impl Server {
    pub(crate) fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let key = new_key(directory.path(), &["--account", "default"]);
        Self::on(directory, key)
    }

    /// Starts on a copy of a database that an earlier version wrote, with one of its keys.
    pub(crate) fn on_an_earlier_database() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let written = written_by_0_1_0().join("server.db");
        fs::copy(written, directory.path().join("tdg.db")).unwrap();
        let recorded = fs::read_to_string(written_by_0_1_0().join("server.db.json")).unwrap();
        let (_, key) = recorded.split_once(r#""team": ""#).unwrap();
        let (key, _) = key.split_once('"').unwrap();
        Self::on(directory, key.to_owned())
    }

    fn on(directory: TempDir, key: String) -> Self {
        let mut process = command(directory.path())
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let url = lines
            .find_map(|line| {
                Some(
                    line.unwrap()
                        .strip_prefix("tdg-server listens on ")?
                        .to_owned(),
                )
            })
            .unwrap();
        Self {
            process,
            directory,
            url,
            key,
        }
    }

    /// Returns the service as the account of the tests sees it.
    pub(crate) fn service(&self) -> RemoteService {
        RemoteService::new(&self.url, ApiKey::new(&self.key).unwrap()).unwrap()
    }

    /// Creates a key of another account.
    pub(crate) fn key_of(&self, account: &str) -> String {
        new_key(self.directory.path(), &["--account", account])
    }

    /// Creates a key that may compare but not create.
    pub(crate) fn key_of_ci(&self) -> String {
        let scopes = ["--account", "default", "--scopes", "read,assert"];
        new_key(self.directory.path(), &scopes)
    }

    /// Gives a definition another identifier.
    pub(crate) fn move_definition(&self, from: Uuid, to: Uuid) {
        let database = Connection::open(self.directory.path().join("tdg.db")).unwrap();
        let moved = database.execute(
            "UPDATE definition SET uuid = ?2 WHERE uuid = ?1",
            [from.as_bytes(), to.as_bytes()],
        );
        assert_eq!(moved, Ok(1));
    }

    /// Makes every benchmark expect other outputs under its old digest, as a faulty server would.
    pub(crate) fn expect(&self, outputs: &str) {
        let database = Connection::open(self.directory.path().join("tdg.db")).unwrap();
        let replaced = database.execute("UPDATE outputs SET text = ?1", [outputs]);
        assert_eq!(replaced, Ok(1));
    }

    /// Stops the server, but keeps its port and hangs up on clients: otherwise the system would
    /// assign the port to the next server of another test.
    pub(crate) fn stop(mut self) {
        self.end();
        let port = TcpListener::bind(self.url.strip_prefix("http://").unwrap()).unwrap();
        thread::spawn(move || port.incoming().for_each(drop));
    }

    fn end(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// Returns the folder of files that tdg 0.1.0 wrote.
pub(crate) fn written_by_0_1_0() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/written-by/0.1.0")
}

fn command(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tdg-server"));
    let database = directory.join("tdg.db");
    command
        .args(["--database", &format!("sqlite:{}", database.display())])
        .current_dir(directory);
    command
}

fn new_key(directory: &Path, options: &[&str]) -> String {
    let made = command(directory)
        .args(["keys", "create"])
        .args(options)
        .output()
        .unwrap();
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    String::from_utf8(made.stdout).unwrap().trim().to_owned()
}
