//! A PostgreSQL of a test's own: a cluster in a temporary folder that listens on a socket there.

use std::{
    fs,
    os::unix::{
        fs::{MetadataExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use tempfile::TempDir;

/// `nobody`: PostgreSQL refuses to run as root.
const NOBODY: u32 = 65534;

/// A running cluster; stopped when it is dropped.
pub(crate) struct Postgres {
    folder: TempDir,
    programs: PathBuf,
    schemas: AtomicU32,
}

impl Postgres {
    /// Makes and starts a cluster.
    pub(crate) fn start() -> Postgres {
        let programs = programs();
        let folder = tempfile::tempdir().unwrap();
        if is_root(folder.path()) {
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let cluster = Postgres {
            folder,
            programs,
            schemas: AtomicU32::new(0),
        };
        let data = cluster.data();
        let data = data.to_str().unwrap();
        cluster.run(
            "initdb",
            &[
                "-D",
                data,
                "-U",
                "tdg",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C",
                "--no-sync",
            ],
        );
        let settings = format!(
            "listen_addresses = ''\nunix_socket_directories = '{}'\nmax_connections = 400\n",
            cluster.folder.path().display()
        );
        let file = cluster.data().join("postgresql.auto.conf");
        fs::write(&file, settings).unwrap();
        cluster.control("start");
        cluster
    }

    /// The address of a schema that nobody else has.
    pub(crate) fn schema(&self) -> String {
        let name = format!("s{}", self.schemas.fetch_add(1, Ordering::Relaxed));
        let socket = self.folder.path().to_str().unwrap();
        self.run(
            "psql",
            &[
                "-h",
                socket,
                "-U",
                "tdg",
                "-d",
                "postgres",
                "-qc",
                &format!("CREATE SCHEMA {name}"),
            ],
        );
        let host = socket.replace('/', "%2F");
        format!("postgres://tdg@{host}/postgres?options=-csearch_path%3D{name}")
    }

    /// Ends every connection at once and begins anew, as after a crash.
    pub(crate) fn restart(&self) {
        self.control("restart");
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn control(&self, what: &str) {
        let (data, log) = (self.data(), self.folder.path().join("log"));
        let (data, log) = (data.to_str().unwrap(), log.to_str().unwrap());
        self.run(
            "pg_ctl",
            &["-D", data, "-l", log, "-w", "-m", "immediate", what],
        );
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let mut command = Command::new(self.programs.join(program));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdout(Stdio::null());
        if is_root(Path::new("/proc/self")) {
            command.uid(NOBODY).gid(NOBODY);
        }
        let status = command.status().unwrap();
        assert!(status.success(), "{program} {arguments:?}");
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if !std::thread::panicking() || self.data().join("postmaster.pid").exists() {
            self.control("stop");
        }
    }
}

/// Whether what this process makes belongs to root.
fn is_root(made: &Path) -> bool {
    fs::metadata(made).unwrap().uid() == 0
}

/// Where PostgreSQL's programs are: on the path, or where Debian puts those of each version.
fn programs() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let versions = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    let mut folders = versions.chain(std::env::split_paths(&path));
    let found =
        folders.find(|folder| folder.join("initdb").exists() && folder.join("psql").exists());
    found.expect("these tests need PostgreSQL (Debian: apt-get install postgresql)")
}
