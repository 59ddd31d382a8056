//! Notes about a run's calls, which another process prints if this one ends during a call.
//!
//! A process that aborts can't say where. So each call is written to `tail` before it begins, and
//! `tail` prints the last one when its input closes. Without `tail`, each call is printed at once.

use std::io::{self, Write as _};
use std::process::{Child, Command, Stdio};

use tdg_report::Running;

use crate::runner::stderr::print_line;

/// The notes of a run's calls. Nothing is printed if this is dropped.
#[derive(Debug)]
pub(super) struct AbortNotes(Option<Child>);

impl AbortNotes {
    pub(super) fn open() -> Self {
        let mut tail = Command::new("tail");
        tail.args(["-n", "1"])
            .stdin(Stdio::piped())
            .stdout(io::stderr())
            .stderr(Stdio::null());
        // A separate process group, so that `tail` survives a signal to the test's processes.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut tail, 0);
        Self(tail.spawn().ok())
    }

    /// Notes the calls in progress from now on.
    pub(crate) fn write(&mut self, running: &Running) {
        let Some(tail) = &mut self.0 else {
            return print_line(&running.start_line());
        };
        if let Some(input) = &mut tail.stdin {
            let line = format!("{}\n", running.end_line());
            // Without a reader, the notes are lost, but the run itself is fine.
            let _ = input.write_all(line.as_bytes());
        }
    }
}

impl Drop for AbortNotes {
    fn drop(&mut self) {
        if let Some(tail) = &mut self.0 {
            let _ = tail.kill();
            let _ = tail.wait();
        }
    }
}
