//! A test's PgBouncer, in front of its PostgreSQL. Both listen on a socket in a temporary folder.

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;

use tempfile::TempDir;

use super::Postgres;
use super::postgres::{as_nobody, folder};

/// A running pooler. Stopped when it is dropped.
pub(crate) struct PgBouncer {
    process: Child,
    folder: TempDir,
}

impl PgBouncer {
    /// Starts in a mode, with at most this many connections to PostgreSQL.
    pub(crate) fn start(postgres: &Postgres, mode: &str, connections: usize) -> PgBouncer {
        let folder = folder();
        let (own, database) = (folder.path().display(), postgres.socket().display());
        let settings = format!(
            "[databases]
             postgres = host={database} user=tdg
             [pgbouncer]
             listen_addr =
             unix_socket_dir = {own}
             auth_type = any
             pool_mode = {mode}
             default_pool_size = {connections}"
        );
        let file = folder.path().join("pgbouncer.ini");
        let settings: Vec<_> = settings.lines().map(str::trim).collect();
        fs::write(&file, settings.join("\n")).unwrap();
        let mut command = Command::new(program());
        as_nobody(&mut command);
        let command = command.arg("-q").arg(&file).current_dir(folder.path());
        let log = fs::File::create(folder.path().join("log")).unwrap();
        let process = command.stderr(log).spawn();
        let mut process =
            process.expect("not run: needs PgBouncer (Debian: apt-get install pgbouncer)");
        // The socket exists before the process listens.
        while UnixStream::connect(folder.path().join(".s.PGSQL.6432")).is_err() {
            let ended = process.try_wait().unwrap();
            let log = || fs::read_to_string(folder.path().join("log")).unwrap();
            assert!(ended.is_none(), "{}", log());
            thread::yield_now();
        }
        PgBouncer { process, folder }
    }

    /// Returns the address of the database behind it.
    pub(crate) fn url(&self, options: &str) -> String {
        let folder = self.folder.path().to_str().unwrap().replace('/', "%2F");
        format!("postgres://tdg@{folder}:6432/postgres?{options}")
    }

    /// Runs statements as another client would, in a session that the pooler reuses.
    pub(crate) fn execute(&self, postgres: &Postgres, sql: &str) {
        let mut psql = postgres.command("psql");
        let run = psql.args([
            "-qX",
            "-v",
            "ON_ERROR_STOP=1",
            "-d",
            &self.url(""),
            "-c",
            sql,
        ]);
        assert!(run.status().unwrap().success());
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the program. Debian installs it where only root looks for programs.
fn program() -> &'static Path {
    let debian = Path::new("/usr/sbin/pgbouncer");
    if debian.exists() {
        debian
    } else {
        Path::new("pgbouncer")
    }
}
