//! How a command ends.

use std::process::ExitCode;

/// How a command ends, as scripts see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: all is well.
    Fine,
    /// 1: the command did its work and found what needs somebody: faults, failures, pending changes.
    Found,
    /// 2: the command could not do its work. clap ends so as well when it can't read the arguments.
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
