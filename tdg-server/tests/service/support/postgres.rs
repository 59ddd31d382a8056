//! A test's PostgreSQL: a cluster in a temporary folder that listens on a socket there, and on a
//! port if requested.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpListener},
    os::unix::{
        fs::{MetadataExt, PermissionsExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::authority::Certificate;

/// The password of the user `tdg` on a port. The socket needs none.
pub(crate) const PASSWORD: &str = "p4ssw0rd";

/// `nobody`: PostgreSQL refuses to run as root.
const NOBODY: u32 = 65534;

/// A running cluster. Stopped when it is dropped.
pub(crate) struct Postgres {
    folder: TempDir,
    programs: PathBuf,
    schemas: AtomicU32,
    port: u16,
}

impl Postgres {
    /// Creates and starts a cluster.
    pub(crate) fn start() -> Postgres {
        let cluster = Self::make();
        cluster.set("listen_addresses = ''");
        cluster.control("start");
        cluster
    }

    /// Starts a cluster that logs every statement.
    pub(crate) fn logging() -> Postgres {
        let cluster = Self::make();
        cluster.set("listen_addresses = ''");
        cluster.set("log_statement = all");
        cluster.set("log_parameter_max_length = 0");
        cluster.set("log_line_prefix = '%a: '");
        cluster.control("start");
        cluster
    }

    /// Returns the logged statements of servers.
    pub(crate) fn statements(&self) -> Vec<String> {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap();
        let statements = log.split("\ntdg-server: LOG:  ").skip(1);
        let statements = statements.filter_map(|entry| {
            let (kind, rest) = entry.split_once(": ")?;
            let is_sent = kind == "statement" || kind.starts_with("execute ");
            // The lines after the first are indented.
            let end = rest
                .match_indices('\n')
                .find(|(at, _)| !rest[at + 1..].starts_with('\t'));
            is_sent.then(|| rest[..end.map_or(rest.len(), |(at, _)| at)].to_owned())
        });
        statements.collect()
    }

    /// Starts a cluster on a port of 127.0.0.1, with the password; with a certificate, only
    /// encrypted.
    pub(crate) fn on_a_port(certificate: Option<&Certificate>) -> Postgres {
        let mut cluster = Self::make();
        cluster.set("listen_addresses = '127.0.0.1'");
        let kind = if let Some(certificate) = certificate {
            cluster.set("ssl = on");
            cluster.give("server.crt", &certificate.shown);
            cluster.give("server.key", &certificate.key);
            "hostssl"
        } else {
            "host"
        };
        let rules = format!("local all all trust\n{kind} all all 127.0.0.1/32 scram-sha-256\n");
        fs::write(cluster.data().join("pg_hba.conf"), rules).unwrap();
        // If another process takes the free port, the cluster doesn't start, and gets another one.
        let started = (0..20).any(|_| {
            let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            cluster.port = free.local_addr().unwrap().port();
            drop(free);
            cluster.set(&format!("port = {}", cluster.port));
            cluster.try_control("start")
        });
        assert!(started, "no port can be had");
        cluster.execute(&format!("ALTER ROLE tdg PASSWORD '{PASSWORD}'"));
        cluster
    }

    /// Starts a cluster that keeps all of its log, for recovery to any point in time.
    pub(crate) fn archiving() -> Postgres {
        let cluster = Self::make();
        cluster.set("listen_addresses = ''");
        let archive = cluster.archive();
        fs::create_dir(&archive).unwrap();
        if is_root(&archive) {
            chown(&archive, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let archive = archive.display();
        cluster.set("archive_mode = on");
        cluster.set(&format!(
            "archive_command = 'test ! -f {archive}/%f && cp %p {archive}/%f'"
        ));
        cluster.control("start");
        cluster
    }

    fn archive(&self) -> PathBuf {
        self.folder.path().join("archive")
    }

    /// Copies all files while the cluster runs.
    pub(crate) fn base_backup(&self) -> TempDir {
        let (folder, socket) = (folder(), self.folder.path().to_str().unwrap());
        let copy = folder.path().join("data");
        let copy = copy.to_str().unwrap();
        let arguments = [
            "-h",
            socket,
            "-U",
            "tdg",
            "-c",
            "fast",
            "--no-sync",
            "-D",
            copy,
        ];
        self.run("pg_basebackup", &arguments);
        folder
    }

    /// Starts a cluster from a copy, and replays this one's archive up to a time.
    pub(crate) fn recovered(&self, copy: TempDir, until: &str) -> Postgres {
        let cluster = Postgres {
            folder: copy,
            programs: self.programs.clone(),
            schemas: AtomicU32::new(self.schemas.load(Ordering::Relaxed)),
            port: self.port,
        };
        let socket = cluster.folder.path().display();
        let archive = self.archive();
        let archive = archive.display();
        cluster.set(&format!("unix_socket_directories = '{socket}'"));
        cluster.set("archive_mode = off");
        cluster.set(&format!("restore_command = 'cp {archive}/%f %p'"));
        cluster.set(&format!("recovery_target_time = '{until}'"));
        cluster.set("recovery_target_action = promote");
        cluster.give("recovery.signal", "");
        cluster.control("start");
        cluster.wait_for("SELECT pg_is_in_recovery()", "f");
        cluster
    }

    /// Starts a standby of this cluster.
    pub(crate) fn standby(&self) -> Postgres {
        let standby = Postgres {
            folder: self.base_backup(),
            programs: self.programs.clone(),
            schemas: AtomicU32::new(0),
            port: self.port,
        };
        let [own, primary] = [&standby, self].map(|cluster| cluster.socket().display());
        standby.set(&format!("unix_socket_directories = '{own}'"));
        let primary = format!("host={primary} port={} user=tdg", self.port);
        standby.set(&format!("primary_conninfo = '{primary}'"));
        standby.give("standby.signal", "");
        standby.control("start");
        standby
    }

    /// From now on, acknowledges only writes that its standby has too.
    pub(crate) fn wait_for_standby(&self) {
        self.set("synchronous_standby_names = '*'");
        self.execute("SELECT pg_reload_conf()");
        let in_step = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
        self.wait_for(in_step, "1");
    }

    /// Makes a standby a primary.
    pub(crate) fn promote(&self) {
        self.control("promote");
    }

    /// Stops it at once, as in a crash.
    pub(crate) fn stop(&self) {
        self.control("stop");
    }

    /// Sends a signal to all of its processes.
    pub(crate) fn signal(&self, signal: &str) {
        let file = fs::read_to_string(self.data().join("postmaster.pid")).unwrap();
        let postmaster = file.lines().next().unwrap();
        for arguments in [[signal, postmaster].as_slice(), &[signal, "-P", postmaster]] {
            let program = if arguments.len() == 2 {
                "kill"
            } else {
                "pkill"
            };
            let sent = Command::new(program).args(arguments).status().unwrap();
            assert!(sent.success(), "{program} {arguments:?}");
        }
    }

    /// Writes a schema to a file.
    pub(crate) fn dump(&self, schema: &str, file: &Path) {
        let dump = self.with_socket("pg_dump", &["-Fc", "-n", schema, "-d", "postgres"]);
        fs::write(file, dump).unwrap();
    }

    /// Creates a database from such a file.
    pub(crate) fn restore(&self, file: &Path, database: &str) {
        self.execute(&format!("CREATE DATABASE {database}"));
        let file = file.to_str().unwrap();
        self.with_socket("pg_restore", &["--exit-on-error", "-d", database, file]);
    }

    /// Returns the output of one of its programs, which connects to it.
    fn with_socket(&self, program: &str, arguments: &[&str]) -> Vec<u8> {
        let mut command = self.command(program);
        command
            .arg("-h")
            .arg(self.folder.path())
            .args(["-U", "tdg"]);
        let output = command.args(arguments).output().unwrap();
        assert!(output.status.success(), "{program}: {output:?}");
        output.stdout
    }

    fn make() -> Postgres {
        let cluster = Self::without_data();
        copy(template(&cluster), &cluster.data());
        let socket = cluster.folder.path().display().to_string();
        cluster.set(&format!("unix_socket_directories = '{socket}'"));
        cluster.set("max_connections = 400");
        cluster
    }

    fn without_data() -> Postgres {
        Postgres {
            folder: folder(),
            programs: programs(),
            schemas: AtomicU32::new(0),
            port: 5432,
        }
    }

    /// Returns the folder of its socket.
    pub(crate) fn socket(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the address of a new schema.
    pub(crate) fn schema(&self) -> String {
        let name = format!("s{}", self.schemas.fetch_add(1, Ordering::Relaxed));
        self.execute(&format!("CREATE SCHEMA {name}"));
        self.schema_of("postgres", &name)
    }

    /// Returns the address of a schema of a database.
    pub(crate) fn schema_of(&self, database: &str, schema: &str) -> String {
        let socket = self.folder.path().to_str().unwrap();
        let host = socket.replace('/', "%2F");
        format!("postgres://tdg@{host}/{database}?options=-csearch_path%3D{schema}")
    }

    /// Returns the address on the port, by this name of the machine and with these options.
    pub(crate) fn url(&self, host: &str, options: &str) -> String {
        let port = self.port;
        format!("postgres://tdg:{PASSWORD}@{host}:{port}/postgres?{options}")
    }

    /// Runs a statement.
    pub(crate) fn execute(&self, sql: &str) {
        self.query(sql);
    }

    /// Returns the result of a statement, a row per line.
    pub(crate) fn query(&self, sql: &str) -> String {
        self.query_in("postgres", sql)
    }

    /// Returns the result in a database, or in the schema of an address.
    pub(super) fn query_in(&self, database: &str, sql: &str) -> String {
        let output = self.psql(database).args(["-Atc", sql]).output().unwrap();
        assert!(output.status.success(), "{sql}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Runs statements in a database, or in the schema of an address. All must succeed.
    pub(crate) fn run_script(&self, database: &str, sql: &str) {
        let mut session = self.psql(database);
        let mut session = session
            .args(["-q", "-v", "ON_ERROR_STOP=1"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut statements = session.stdin.take().unwrap();
        statements.write_all(sql.as_bytes()).unwrap();
        drop(statements);
        assert!(session.wait().unwrap().success());
    }

    /// Returns a connection that has locked a table, exclusively or in a given mode.
    pub(crate) fn lock(&self, table: &str) -> Unit {
        self.begin(&format!("LOCK TABLE {table}"))
    }

    /// Returns a connection that has begun a unit with a statement.
    pub(crate) fn begin(&self, statement: &str) -> Unit {
        let mut session = self.psql("postgres");
        let mut session = session
            .args(["-At"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let unit = format!("BEGIN; {statement}; SELECT 'begun';\n");
        let mut statements = session.stdin.take().unwrap();
        statements.write_all(unit.as_bytes()).unwrap();
        let mut answers = BufReader::new(session.stdout.take().unwrap()).lines();
        assert!(answers.any(|line| line.unwrap() == "begun"), "{statement}");
        Unit {
            session,
            statements: Some(statements),
        }
    }

    /// Waits until this many statements wait for a lock.
    pub(crate) fn wait_for_waiting(&self, count: usize) {
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
        self.wait_for(waiting, &count.to_string());
    }

    /// Ends the connection that waits for a lock, once there is one.
    pub(crate) fn end_waiting(&self) {
        let end =
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
        self.wait_for(end, "t");
    }

    /// Waits until a statement returns these rows.
    pub(crate) fn wait_for(&self, sql: &str, rows: &str) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while self.query(sql) != rows {
            assert!(Instant::now() < deadline, "{sql}: {}", self.query(sql));
        }
    }

    fn psql(&self, database: &str) -> Command {
        let mut command = self.command("psql");
        let port = self.port.to_string();
        command
            .arg("-h")
            .arg(self.folder.path())
            .args(["-p", &port, "-U", "tdg", "-d", database]);
        command
    }

    /// Ends every connection at once and restarts, as after a crash.
    pub(crate) fn restart(&self) {
        self.control("restart");
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Appends a line to the settings. The last line for a setting applies.
    fn set(&self, line: &str) {
        let file = self.data().join("postgresql.auto.conf");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{text}{line}\n")).unwrap();
    }

    /// Writes a file that only PostgreSQL can read.
    fn give(&self, name: &str, text: &str) {
        let file = self.data().join(name);
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        if is_root(&file) {
            chown(&file, Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }

    fn control(&self, what: &str) {
        assert!(self.try_control(what), "pg_ctl {what}");
    }

    fn try_control(&self, what: &str) -> bool {
        let (data, log) = (self.data(), self.folder.path().join("log"));
        let (data, log) = (data.to_str().unwrap(), log.to_str().unwrap());
        self.succeeds(
            "pg_ctl",
            &["-D", data, "-l", log, "-w", "-m", "immediate", what],
        )
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        assert!(self.succeeds(program, arguments), "{program} {arguments:?}");
    }

    fn succeeds(&self, program: &str, arguments: &[&str]) -> bool {
        let mut command = self.command(program);
        command.args(arguments).stdout(Stdio::null());
        command.status().unwrap().success()
    }

    pub(super) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.current_dir(self.folder.path());
        as_nobody(&mut command);
        command
    }
}

/// A unit that another client has begun. It is rolled back when this is dropped.
pub(crate) struct Unit {
    session: Child,
    statements: Option<ChildStdin>,
}

impl Unit {
    pub(crate) fn commit(mut self) {
        let mut statements = self.statements.take().unwrap();
        statements.write_all(b"COMMIT;\n").unwrap();
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        drop(self.statements.take());
        let _ = self.session.wait();
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if self.data().join("postmaster.pid").exists() {
            let stopped = self.try_control("stop");
            assert!(stopped || std::thread::panicking(), "pg_ctl stop");
        }
    }
}

/// Returns the files of a new cluster to copy, because `initdb` takes longer than most tests. Every
/// version of PostgreSQL has separate ones.
fn template(cluster: &Postgres) -> &'static Path {
    static TEMPLATE: OnceLock<PathBuf> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let version = cluster.command("initdb").arg("--version").output();
        let version = String::from_utf8(version.unwrap().stdout).unwrap();
        let version = version
            .trim()
            .replace(|it: char| !it.is_ascii_alphanumeric(), "-");
        let template = Path::new(env!("CARGO_TARGET_TMPDIR")).join(version);
        if !template.exists() {
            let made = Postgres::without_data();
            let data = made.data();
            let how = [
                "-U",
                "tdg",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C",
                "--no-sync",
            ];
            made.run(
                "initdb",
                &[&["-D", data.to_str().unwrap()], &how[..]].concat(),
            );
            let copied = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
            copy(&data, &copied.path().join("data"));
            // Another process may have been first.
            let renamed = fs::rename(copied.path().join("data"), &template);
            assert!(renamed.is_ok() || template.exists(), "{renamed:?}");
        }
        template
    })
}

/// Copies a folder with the owners and the modes of its files.
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-pR").args([from, to]).status();
    assert!(copied.unwrap().success(), "cp {from:?} {to:?}");
}

/// Runs a command as another user than root, which these programs refuse.
pub(super) fn as_nobody(command: &mut Command) {
    if is_root(Path::new("/proc/self")) {
        command.uid(NOBODY).gid(NOBODY);
    }
}

/// Creates a folder in which PostgreSQL may write.
pub(super) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    if is_root(folder.path()) {
        chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    folder
}

/// Returns true if the files of this process belong to root.
fn is_root(made: &Path) -> bool {
    fs::metadata(made).unwrap().uid() == 0
}

/// Returns the folder of PostgreSQL's programs: on the path, or Debian's for each version.
fn programs() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let versions = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    let mut folders = versions.chain(std::env::split_paths(&path));
    let found =
        folders.find(|folder| folder.join("initdb").exists() && folder.join("psql").exists());
    found.expect("not run: needs PostgreSQL (Debian: apt-get install postgresql)")
}
