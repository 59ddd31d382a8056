//! A server process.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use tdg_service::{ApiKey, Patience, RemoteService};
use tempfile::TempDir;

use super::Client;

/// A running server. Killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    /// The address: `http://127.0.0.1:…`.
    pub(crate) url: String,
    /// The output until it listened.
    pub(crate) printed: String,
    database: String,
    folder: TempDir,
}

impl Server {
    /// Starts on a new SQLite file.
    pub(crate) fn start() -> Server {
        Self::with(&[])
    }

    /// Starts with other settings.
    pub(crate) fn with(arguments: &[&str]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let database = format!("sqlite:{}", folder.path().join("tdg.db").display());
        let command = command(folder.path(), &database);
        Self::launch(command, folder, &database, arguments)
    }

    /// Starts from a shell that first runs this.
    pub(crate) fn after(first: &str) -> Server {
        Self::after_with(first, &[])
    }

    /// Starts from a shell that first runs this, with other settings.
    pub(crate) fn after_with(first: &str, arguments: &[&str]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let database = format!("sqlite:{}", folder.path().join("tdg.db").display());
        let program = command(folder.path(), &database);
        let mut shell = Command::new("sh");
        shell
            .current_dir(folder.path())
            .args(["-c", &format!("{first} && exec \"$0\" \"$@\"")])
            .arg(program.get_program())
            .args(program.get_args());
        for (name, _) in program.get_envs() {
            shell.env_remove(name);
        }
        Self::launch(shell, folder, &database, arguments)
    }

    /// Starts on a database.
    pub(crate) fn on(database: &str) -> Server {
        Self::on_with(database, &[])
    }

    /// Starts on a database with other settings.
    pub(crate) fn on_with(database: &str, arguments: &[&str]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let command = command(folder.path(), database);
        Self::launch(command, folder, database, arguments)
    }

    /// Returns the error with which a server on the database ends.
    pub(crate) fn refused_on(database: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let command = command(folder.path(), database);
        match Self::try_launch(command, folder, database, &[]) {
            Ok(server) => panic!("it listens on {}", server.url),
            Err(said) => said,
        }
    }

    fn launch(command: Command, folder: TempDir, database: &str, arguments: &[&str]) -> Server {
        Self::try_launch(command, folder, database, arguments)
            .unwrap_or_else(|said| panic!("the server ended: {said}"))
    }

    fn try_launch(
        mut command: Command,
        folder: TempDir,
        database: &str,
        arguments: &[&str],
    ) -> Result<Server, String> {
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let mut child = command
            .args(["--listen", "127.0.0.1:0", "--log-format", "json"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut printed = String::new();
        let url = loop {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            if line.is_empty() {
                let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
                child.wait().unwrap();
                return Err(format!("{printed}{log}"));
            }
            printed.push_str(&line);
            if let Some((_, url)) = line.trim().split_once("tdg-server listens on ") {
                break url.to_owned();
            }
        };
        Ok(Server {
            child,
            stdout,
            url,
            printed,
            database: database.to_owned(),
            folder,
        })
    }

    /// Runs a command of the program on this server's database.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        command(self.folder.path(), &self.database)
            .args(arguments)
            .output()
            .unwrap()
    }

    /// Returns the output of a command, or its error.
    pub(crate) fn said(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self.run(arguments);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().trim().to_owned();
        match output.status.success() {
            true => Ok(text(output.stdout)),
            false => Err(text(output.stderr)),
        }
    }

    /// Creates a key with all scopes for an account.
    pub(crate) fn key(&self, account: &str) -> String {
        self.key_with(&["--account", account])
    }

    /// Creates a key with these options.
    pub(crate) fn key_with(&self, options: &[&str]) -> String {
        let arguments = [&["keys", "create"], options].concat();
        self.said(&arguments).unwrap()
    }

    /// Returns the service as the account of a key sees it.
    pub(crate) fn service(&self, key: &str) -> RemoteService {
        // A loaded machine may take long for an answer.
        let silence = Duration::from_secs(300);
        let patience = Patience {
            silence,
            first_silence: silence,
            ..Patience::default()
        };
        RemoteService::with_patience(&self.url, ApiKey::new(key).unwrap(), patience).unwrap()
    }

    /// Returns a client of this server with a key for everything.
    pub(crate) fn client(&self) -> Client {
        Client::new(&self.url, &self.key("default"))
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Returns its current memory in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.memory_in("VmRSS:")
    }

    /// Returns its peak memory in bytes.
    pub(crate) fn most_memory(&self) -> usize {
        self.memory_in("VmHWM:")
    }

    fn memory_in(&self, field: &str) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with(field)).unwrap();
        let kilobytes: usize = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        kilobytes << 10
    }

    /// Returns the database: `sqlite:…`, or the one that it was started on.
    pub(crate) fn database(&self) -> &str {
        &self.database
    }

    /// From now on, no file of its database may grow past this size, as on a full disk.
    #[cfg(target_os = "linux")]
    pub(crate) fn limit_files(&self, bytes: u64) {
        let process = i32::try_from(self.child.id()).unwrap();
        let limits = (bytes, rlimit::INFINITY);
        rlimit::prlimit(process, rlimit::Resource::FSIZE, Some(limits), None).unwrap();
    }

    /// Returns the limits that the operating system sets for it.
    #[cfg(target_os = "linux")]
    pub(crate) fn limits(&self) -> String {
        std::fs::read_to_string(format!("/proc/{}/limits", self.child.id())).unwrap()
    }

    pub(crate) fn database_file(&self) -> PathBuf {
        self.folder.path().join("tdg.db")
    }

    /// Returns the next line that it prints.
    pub(crate) fn next_line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    /// Sends SIGTERM.
    pub(crate) fn terminate(&self) {
        let status = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        assert!(status.unwrap().success());
    }

    /// Waits for its end. Returns true if it ended successfully.
    pub(crate) fn wait(&mut self) -> bool {
        self.child.wait().unwrap().success()
    }

    /// Kills it like `kill -9`, but keeps its port and hangs up on clients: otherwise the system
    /// would assign the port to the next server of another test.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let port = TcpListener::bind(self.url.strip_prefix("http://").unwrap()).unwrap();
        thread::spawn(move || port.incoming().for_each(drop));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the program's command, without settings from the environment.
pub(crate) fn command(folder: &Path, database: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tdg-server"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TDG_") {
            command.env_remove(name);
        }
    }
    command.current_dir(folder).args(["--database", database]);
    command
}
