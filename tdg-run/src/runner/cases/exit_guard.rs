//! A guard against a process that exits within a test.
//!
//! `exit(0)` ends all tests of a process, and cargo counts that as a pass. Most C libraries (glibc,
//! macOS, Windows) drop the thread-locals of a thread that exits. If one is dropped while its
//! thread runs a test, it reports that and aborts. `cargo tdg test` notices every other early end.

use std::cell::RefCell;
use std::{mem, process};

use tdg_engine::process_id;

use crate::runner::stderr::{notice, print_line};

thread_local! {
    static DURING: During = const { During(RefCell::new(None)) };
}

/// The activity of this thread, until it ends.
struct During(RefCell<Option<Doing>>);

struct Doing {
    /// Compared with the current process, because a child that the function forks may exit.
    process: u32,
    /// Returns the line to print, unless another process prints it.
    line: Box<dyn Fn() -> Option<String>>,
}

/// Keeps this thread from exiting silently.
pub(crate) struct ExitGuard(Option<Doing>);

impl ExitGuard {
    /// Creates a guard. `line` describes the thread's activity.
    pub(crate) fn new(line: impl Fn() -> Option<String> + 'static) -> Self {
        Self(replace(Some(Doing {
            process: process_id(),
            line: Box::new(line),
        })))
    }
}

impl Drop for ExitGuard {
    fn drop(&mut self) {
        replace(self.0.take());
    }
}

fn replace(doing: Option<Doing>) -> Option<Doing> {
    let replaced = DURING.try_with(|during| mem::replace(&mut *during.0.borrow_mut(), doing));
    replaced.ok().flatten()
}

impl Drop for During {
    fn drop(&mut self) {
        let Some(doing) = self.0.take() else { return };
        if doing.process != process_id() {
            return;
        }
        if let Some(line) = (doing.line)() {
            print_line(&line);
        }
        notice(
            "aborted: the function called `exit`, which ends all tests; with code 0, as if they \
             passed",
        );
        process::abort();
    }
}
