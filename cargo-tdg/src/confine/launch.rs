//! The launcher: the process of cargo-tdg that becomes the program.

use std::convert::Infallible;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use super::{Budget, Confinement, rights};
use crate::error::{Error, Result};

/// First arguments that users never type.
const LAUNCH: &str = "--launch";
const PROBE: &str = "--probe";

/// Handles the internal commands; returns `None` for an ordinary command line.
///
/// As the launcher, it returns only if the program could not be started.
pub(crate) fn launch_if_asked() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    let result = match arguments.next()?.to_str()? {
        LAUNCH => launch(arguments).map(|never| match never {}),
        rights::TRY_EVERYTHING => rights::try_everything(arguments),
        PROBE => Confinement::probe()
            .map(|confinement| println!("{confinement}"))
            .map_err(Error::from),
        _ => return None,
    };
    Some(match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    })
}

/// Returns a command that runs the program within the budget, confined if it has its own folder.
#[cfg(unix)]
pub(super) fn command(
    launcher: &Path,
    program: &Path,
    own: Option<&Path>,
    budget: Budget,
) -> Command {
    let mut command = Command::new(launcher);
    command
        .arg(LAUNCH)
        .args([budget.memory, budget.processor_seconds, budget.file].map(|limit| limit.to_string()))
        .arg(own.unwrap_or(Path::new("")))
        .arg(program)
        .stdin(Stdio::null());
    command
}

#[cfg(unix)]
fn launch(mut arguments: impl Iterator<Item = OsString>) -> Result<Infallible> {
    use std::os::unix::process::CommandExt as _;

    use crate::error::Context as _;

    let mut next = || {
        let argument = arguments.next();
        argument.ok_or_else(|| Error::new(format!("{LAUNCH} is for cargo tdg itself")))
    };
    let mut limit = || Ok::<u64, Error>(next()?.to_string_lossy().parse()?);
    let budget = Budget {
        memory: limit()?,
        processor_seconds: limit()?,
        file: limit()?,
    };
    let (own, program) = (next()?, next()?);
    budget
        .limit_this_process()
        .context("can't limit memory and time")?;
    if !own.is_empty() {
        rights::give_up(program.as_ref(), own.as_ref())?;
    }
    let error = Command::new(&program).args(arguments).exec();
    Err(error).context(format_args!("can't run {}", program.display()))
}

/// Returns a command without limits: this system has no launcher.
#[cfg(not(unix))]
pub(super) fn command(
    _launcher: &Path,
    program: &Path,
    _own: Option<&Path>,
    _budget: Budget,
) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null());
    command
}

#[cfg(not(unix))]
fn launch(_arguments: impl Iterator<Item = OsString>) -> Result<Infallible> {
    Err(Error::new(format!("{LAUNCH} is for cargo tdg itself")))
}
