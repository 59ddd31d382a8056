//! A process that exits within a test has not passed it.
//!
//! `exit(0)` ends all tests of a process, and cargo takes that for a pass. Most C libraries (glibc,
//! macOS, Windows) drop the thread-locals of a thread that exits. So one that is dropped while its
//! thread runs a test says so, and aborts. `cargo tdg test` notices every other end.

use std::cell::RefCell;
use std::mem;
use std::process;

use tdg_engine::process_id;

use super::notice::{notice, print_line};

thread_local! {
    static DURING: During = const { During(RefCell::new(None)) };
}

/// What this thread does, until it has done it.
struct During(RefCell<Option<Doing>>);

struct Doing {
    /// A child that the function forks may exit.
    process: u32,
    /// The line about it, unless another process prints that.
    line: Box<dyn Fn() -> Option<String>>,
}

/// While it lives, this thread doesn't exit in silence.
pub(super) struct ExitGuard(Option<Doing>);

impl ExitGuard {
    /// `line` says what the thread does.
    pub(super) fn new(line: impl Fn() -> Option<String> + 'static) -> Self {
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
