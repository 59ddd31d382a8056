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
    program: PathBuf,
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
        Self::on(program(), tempfile::tempdir().unwrap())
    }

    /// Starts a program on the SQLite file `tdg.db` in a directory, or on a new one.
    ///
    /// # Panics
    /// If it can't be started.
    #[must_use]
    pub fn on(program: &Path, directory: TempDir) -> Self {
        let (process, url) = serve(command(program, directory.path()), "127.0.0.1:0");
        Self {
            program: program.to_owned(),
            process,
            directory,
            url,
        }
    }

    /// Creates a key of an account with these scopes.
    #[must_use]
    pub fn key(&self, account: &str, scopes: &str) -> String {
        let arguments = ["keys", "create", "--account", account, "--name", account];
        let key = self.run(&[&arguments[..], &["--scopes", scopes]].concat());
        key.trim().to_owned()
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
        self.run(&["restored"]);
        let address = self.url.trim_start_matches("http://");
        (self.process, _) = serve(command(&self.program, self.directory.path()), address);
    }

    /// Creates a backup of the database. Returns its path.
    #[must_use]
    pub fn backup(&self) -> PathBuf {
        self.run(&["backup", "backup.db"]);
        self.directory.path().join("backup.db")
    }

    /// Runs a command on its database. Returns the output.
    fn run(&self, arguments: &[&str]) -> String {
        let mut command = command(&self.program, self.directory.path());
        let run = command.args(arguments).output().unwrap();
        let error = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{error}");
        String::from_utf8(run.stdout).unwrap()
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

fn serve(mut command: Command, address: &str) -> (Child, String) {
    let mut process = command
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

fn command(program: &Path, directory: &Path) -> Command {
    let mut command = Command::new(program);
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
