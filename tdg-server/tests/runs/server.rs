//! A separate server for every test, on an embedded database.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::thread;

use rusqlite::Connection;
use tdg_service::{ApiKey, RemoteService, Uuid};
use tempfile::TempDir;

pub(crate) struct Server {
    server: tdg_tests::Server,
    pub(crate) url: String,
    pub(crate) key: String,
}

impl Server {
    pub(crate) fn start() -> Self {
        let mut server = Self::on(tempfile::tempdir().unwrap(), String::new());
        server.key = server.server.key("default", "read,assert,write,delete");
        server
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
        let program = Path::new(env!("CARGO_BIN_EXE_tdg-server"));
        let server = tdg_tests::Server::on(program, directory);
        let url = server.url.clone();
        Self { server, url, key }
    }

    /// Returns the service as the account of the tests sees it.
    pub(crate) fn service(&self) -> RemoteService {
        RemoteService::new(&self.url, ApiKey::new(&self.key).unwrap()).unwrap()
    }

    /// Creates a key of another account.
    pub(crate) fn key_of(&self, account: &str) -> String {
        self.server.key(account, "read,assert,write,delete")
    }

    /// Creates a key that may compare but not create.
    pub(crate) fn key_of_ci(&self) -> String {
        self.server.key("default", "read,assert")
    }

    /// Gives a definition another identifier.
    pub(crate) fn move_definition(&self, from: Uuid, to: Uuid) {
        let database = Connection::open(self.server.database()).unwrap();
        let moved = database.execute(
            "UPDATE definition SET uuid = ?2 WHERE uuid = ?1",
            [from.as_bytes(), to.as_bytes()],
        );
        assert_eq!(moved, Ok(1));
    }

    /// Makes every benchmark expect other outputs under its old digest, as a faulty server would.
    pub(crate) fn expect(&self, outputs: &str) {
        let database = Connection::open(self.server.database()).unwrap();
        let replaced = database.execute("UPDATE outputs SET text = ?1", [outputs]);
        assert_eq!(replaced, Ok(1));
    }

    /// Stops the server, but keeps its port and hangs up on clients: otherwise the system would
    /// assign the port to the next server of another test.
    pub(crate) fn stop(self) {
        drop(self.server);
        let port = TcpListener::bind(self.url.strip_prefix("http://").unwrap()).unwrap();
        thread::spawn(move || port.incoming().for_each(drop));
    }
}

/// Returns the folder of files that tdg 0.1.0 wrote.
pub(crate) fn written_by_0_1_0() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/written-by/0.1.0")
}
