//! How a process ended, in words.

use std::fmt::{self, Display};
use std::process::ExitStatus;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(unix),
    expect(dead_code, reason = "elsewhere there are no signals")
)]
pub(crate) enum ProcessEnd {
    /// The program called `exit`, or `main` returned.
    Exited(i32),
    Aborted,
    StackOverflow,
    OutOfMemory,
    /// Over its CPU time; also used by callers that killed the program for its time.
    OutOfTime,
    TooLargeFile,
    InvalidMemoryAccess,
    /// A system call of another architecture; other forbidden calls fail with an error instead.
    ForbiddenCall,
    /// Killed, as the system does when it runs out of memory.
    Killed,
    Signal(i32),
}

impl ProcessEnd {
    /// Reads the exit status and standard error, where Rust reports why it aborted.
    pub(crate) fn from_status(status: ExitStatus, stderr: &str) -> Self {
        match Self::of_status(status) {
            Self::Aborted if stderr.contains("has overflowed its stack") => Self::StackOverflow,
            Self::Aborted if stderr.contains("memory allocation of ") => Self::OutOfMemory,
            ending => ending,
        }
    }

    #[cfg(unix)]
    fn of_status(status: ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt as _;

        use rustix::process::Signal;

        let Some(signal) = status.signal() else {
            return Self::Exited(status.code().unwrap_or_default());
        };
        match Signal::from_named_raw(signal) {
            Some(Signal::ABORT) => Self::Aborted,
            Some(Signal::XCPU) => Self::OutOfTime,
            Some(Signal::XFSZ) => Self::TooLargeFile,
            Some(Signal::SEGV | Signal::BUS) => Self::InvalidMemoryAccess,
            Some(Signal::SYS) => Self::ForbiddenCall,
            Some(Signal::KILL) => Self::Killed,
            _ => Self::Signal(signal),
        }
    }

    #[cfg(not(unix))]
    fn of_status(status: ExitStatus) -> Self {
        match status.code().unwrap_or_default() {
            // STATUS_STACK_BUFFER_OVERRUN on Windows, with which std aborts.
            -0x3fff_fbf7 => Self::Aborted,
            // STATUS_STACK_OVERFLOW.
            -0x3fff_ff03 => Self::StackOverflow,
            // STATUS_ACCESS_VIOLATION.
            -0x3fff_fffb => Self::InvalidMemoryAccess,
            code => Self::Exited(code),
        }
    }
}

impl Display for ProcessEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exited(code) => return write!(f, "exited with {code}"),
            Self::Aborted => "aborted",
            Self::StackOverflow => "stack overflow",
            Self::OutOfMemory => "out of memory",
            Self::OutOfTime => "out of time",
            Self::TooLargeFile => "wrote too large a file",
            Self::InvalidMemoryAccess => "invalid memory access",
            Self::ForbiddenCall => "forbidden system call",
            Self::Killed => "killed",
            Self::Signal(signal) => return write!(f, "ended by signal {signal}"),
        })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[test]
    fn an_ending_says_why() {
        let ending = |status, stderr| {
            ProcessEnd::from_status(ExitStatus::from_raw(status), stderr).to_string()
        };
        let overflow =
            "\nthread 'main' has overflowed its stack\nfatal runtime error: stack overflow";
        assert_eq!(ending(0, ""), "exited with 0");
        assert_eq!(ending(7 << 8, overflow), "exited with 7");
        assert_eq!(ending(6, ""), "aborted");
        assert_eq!(ending(6, overflow), "stack overflow");
        assert_eq!(
            ending(6, "memory allocation of 9 bytes failed"),
            "out of memory"
        );
        assert_eq!(ending(9, overflow), "killed");
        assert_eq!(ending(11, ""), "invalid memory access");
        assert_eq!(ending(15, ""), "ended by signal 15");
        assert_eq!(ending(24, ""), "out of time");
        assert_eq!(ending(25, ""), "wrote too large a file");
    }
}
