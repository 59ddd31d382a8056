//! Runs a program that calls functions of a foreign crate, without letting it do harm.
//!
//! cargo-tdg starts itself once more as a launcher: this process takes a budget, gives up the
//! rights that the program must not have, and then becomes the program.

mod budget;
mod exit_status;
mod launch;
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "aarch64", target_arch = "x86_64")
)))]
mod no_rights;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "aarch64", target_arch = "x86_64")
))]
mod rights;

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, error, io};

pub(crate) use self::budget::Budget;
pub(crate) use self::exit_status::ProcessEnd;
pub(crate) use self::launch::launch_if_asked;

#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "aarch64", target_arch = "x86_64")
)))]
use self::no_rights as rights;

/// The ability to confine programs on this machine. Each right to give up has been tried.
#[derive(Debug)]
pub(crate) struct Confinement {
    launcher: PathBuf,
}

impl Confinement {
    /// Checks confinement by having a confined process try everything forbidden.
    pub(crate) fn probe() -> Result<Self, Unenforceable> {
        let cause = |error: &dyn Display| Unenforceable {
            cause: error.to_string(),
        };
        let launcher = env::current_exe().map_err(|error| cause(&error))?;
        let confinement = Self { launcher };
        rights::probe(&confinement).map_err(|error| cause(&error))?;
        Ok(confinement)
    }

    /// Returns a command that runs `program` within `budget`. It can write only in `own`.
    ///
    /// Both paths are absolute. The program has no input and the environment of the command, and
    /// dies with the thread that spawns it.
    pub(crate) fn command(&self, program: &Path, own: &Path, budget: Budget) -> Command {
        launch::command(&self.launcher, program, Some(own), budget)
    }
}

impl Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "confined: writes in its own folder only (Landlock); no sockets, other processes, \
             signals to them, or changes of modes, owners and times (seccomp)",
        )
    }
}

/// Returns a command that runs `program` within `budget`, with all rights of this process.
///
/// The path is absolute. Windows has no budget.
pub(crate) fn unconfined(program: &Path, budget: Budget) -> io::Result<Command> {
    Ok(launch::command(&env::current_exe()?, program, None, budget))
}

/// The reason why programs can't be confined on this machine.
#[derive(Debug)]
pub(crate) struct Unenforceable {
    cause: String,
}

impl Display for Unenforceable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cause } = self;
        write!(
            f,
            "can't confine the functions, so none was called: {cause}\nConfinement needs Linux \
             5.13 or newer on x86-64 or ARM64, with Landlock in the boot option `lsm`, and in a \
             container a seccomp profile that allows Landlock (Docker's and Podman's do); or pass \
             --unconfined to call the functions with all your rights"
        )
    }
}

impl error::Error for Unenforceable {}
