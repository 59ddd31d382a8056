//! Exit codes.

use std::process::ExitCode;

/// The exit code of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// 0: everything is fine.
    Fine,
    /// 1: the command found something that needs attention: faults, failing tests, pending changes.
    Found,
    /// 2: the command failed. clap uses this code too, for invalid arguments.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::Found => 1,
            Exit::Failed => 2,
        })
    }
}
