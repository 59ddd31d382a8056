//! A tdg-server with its own database.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::{Run, workspace};

/// A server on a free port of this machine, which is stopped on drop.
pub struct Server {
    process: Child,
    directory: TempDir,
    /// The address that it listens on.
    pub url: String,
}

impl Server {
    /// Starts a server without accounts, on a new SQLite file.
    ///
    /// # Panics
    /// If it can't be built or started.
    #[must_use]
    pub fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (process, url) = serve(directory.path(), "127.0.0.1:0");
        Self {
            process,
            directory,
            url,
        }
    }

    /// Creates a key of an account with these scopes.
    #[must_use]
    pub fn key(&self, account: &str, scopes: &str) -> String {
        let made = command(self.directory.path())
            .args(["keys", "create", "--account", account])
            .args(["--name", account, "--scopes", scopes])
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "{error}");
        String::from_utf8(made.stdout).unwrap().trim().to_owned()
    }

    /// Returns the value of `TDG_API_KEY` that binds a key to this server, as `tdg.toml` can't.
    #[must_use]
    pub fn bound(&self, key: &str) -> String {
        format!("{}={key}", self.url)
    }

    /// Returns the path of its SQLite file.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.directory.path().join("tdg.db")
    }

    /// Loses all records but keeps the keys, as if an early backup was restored.
    pub fn lose_records(&mut self, backup: &Path) {
        self.end();
        let database = self.database();
        for suffix in ["-wal", "-shm"] {
            let _ = fs::remove_file(database.with_file_name(format!("tdg.db{suffix}")));
        }
        fs::copy(backup, &database).unwrap();
        let restored = command(self.directory.path())
            .arg("restored")
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&restored.stderr);
        assert!(restored.status.success(), "{error}");
        let address = self.url.trim_start_matches("http://").to_owned();
        (self.process, _) = serve(self.directory.path(), &address);
    }

    /// Creates a backup of the database. Returns its path.
    #[must_use]
    pub fn backup(&self) -> PathBuf {
        let backup = self.directory.path().join("backup.db");
        let made = command(self.directory.path())
            .arg("backup")
            .arg(&backup)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "{error}");
        backup
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

fn serve(directory: &Path, address: &str) -> (Child, String) {
    let mut process = command(directory)
        .args(["--listen", address])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let url = lines.find_map(|line| {
        let line = line.unwrap();
        Some(line.strip_prefix("tdg-server listens on ")?.to_owned())
    });
    (process, url.unwrap())
}

fn command(directory: &Path) -> Command {
    let mut command = Command::new(program());
    let database = directory.join("tdg.db");
    command
        .args(["--database", &format!("sqlite:{}", database.display())])
        .current_dir(directory);
    command
}

/// Returns the program, either built by `./test` with the workspace, or built now.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        if let Some(built) = std::env::var_os("BUILT_PROGRAMS") {
            return Path::new(&built).join("tdg-server");
        }
        let build = [
            "build",
            "--package=tdg-server",
            "--message-format=json-render-diagnostics",
        ];
        let built = Run::cargo(&build, &workspace())
            .env("CARGO_TARGET_DIR", workspace().join("target"))
            .finish();
        assert!(built.success, "{}", built.stderr);
        let executable = |message: &str| {
            let message: Value = serde_json::from_str(message).ok()?;
            Some(message.get("executable")?.as_str()?.into())
        };
        let found = built.stdout.lines().filter_map(executable).next_back();
        found.unwrap()
    })
}
