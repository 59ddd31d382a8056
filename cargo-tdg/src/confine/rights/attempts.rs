//! Tests that confinement works, by trying everything that it has to prevent.

use std::ffi::OsString;
use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, thread};

use crate::confine::{Budget, Confinement};
use crate::error::{Context as _, Error, Result};

/// The first argument of the process that makes the attempts.
pub(in crate::confine) const TRY_EVERYTHING: &str = "--try-everything";

/// The budget of the process that makes the attempts.
const BUDGET: Budget = Budget {
    memory: 64 << 20,
    processor_seconds: 10,
    file: 1 << 20,
};

type Attempt = (&'static str, fn(outside: &Path) -> io::Result<()>);

/// Actions that must fail in a confined program. All are harmless if they succeed.
const FORBIDDEN: &[Attempt] = &[
    ("write a file outside its folder", |outside| {
        OpenOptions::new().append(true).open(outside).map(drop)
    }),
    ("truncate a file outside its folder", |outside| {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(libc::O_TRUNC);
        options.open(outside).map(drop)
    }),
    ("move a file from outside its folder", |outside| {
        fs::rename(outside, "moved")
    }),
    ("link a file from outside its folder", |outside| {
        fs::hard_link(outside, "linked")
    }),
    ("remove a file outside its folder", |outside| {
        fs::remove_file(outside)
    }),
    ("change a file's mode", |outside| {
        fs::set_permissions(outside, Permissions::from_mode(0o600))
    }),
    ("use a network socket", |_| {
        UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).map(drop)
    }),
    ("use a local socket", |_| UnixDatagram::unbound().map(drop)),
    ("start a process", |_| {
        Command::new(env::current_exe()?)
            .arg("--version")
            .output()
            .map(drop)
    }),
    ("send a signal to another process", |_| {
        let parent = rustix::process::getppid().ok_or(io::Error::other("no parent"))?;
        Ok(rustix::process::test_kill_process(parent)?)
    }),
    ("allocate more than its budget", |_| {
        let more = usize::try_from(BUDGET.memory).map_err(io::Error::other)? * 2;
        Vec::<u8>::new().try_reserve(more).map_err(io::Error::other)
    }),
];

/// Actions that must still work in a confined program.
const ALLOWED: &[Attempt] = &[
    ("write in its folder", |_| fs::write("own", "own")),
    ("read outside its folder", |outside| {
        fs::read(outside).map(drop)
    }),
    ("start a thread", |_| {
        thread::Builder::new().spawn(|| ()).map(drop)
    }),
];

/// Runs all attempts in a confined process.
pub(in crate::confine) fn probe(confinement: &Confinement) -> Result<()> {
    let folder = tempfile::tempdir().context("can't create a folder")?;
    let (own, outside) = (folder.path().join("own"), folder.path().join("outside"));
    fs::create_dir(&own)?;
    fs::write(&outside, "outside")?;
    let tried = confinement
        .command(&confinement.launcher, &own, BUDGET)
        .arg(TRY_EVERYTHING)
        .arg(&outside)
        .current_dir(&own)
        .output()
        .context("can't start the launcher")?;
    if tried.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&tried.stderr);
    Err(Error::new(stderr.trim()))
}

/// Makes all attempts in the confined process. The error lists the wrong outcomes.
pub(in crate::confine) fn try_everything(arguments: impl Iterator<Item = OsString>) -> Result<()> {
    let outside: PathBuf = arguments.collect();
    let mut wrong = Vec::new();
    for (what, attempt) in FORBIDDEN {
        if attempt(&outside).is_ok() {
            wrong.push(format!("the confined process could {what}"));
        }
    }
    for (what, attempt) in ALLOWED {
        if let Err(error) = attempt(&outside) {
            wrong.push(format!("the confined process couldn't {what}: {error}"));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Error::new(wrong.join("\n")))
}
