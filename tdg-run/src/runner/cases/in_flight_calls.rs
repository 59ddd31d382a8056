//! The function calls in progress, for code that names them before they return.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tdg_report::{Running, RunningRows};

use super::abort_notes::AbortNotes;
use super::exit_guard::ExitGuard;
use super::test_target::{self, TestedTarget};
use crate::row::Vectors;

/// A call of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FunctionCall {
    Row(usize),
    Batch,
}

/// The calls in progress, one for each thread of the run.
#[derive(Debug)]
pub(super) struct InFlightCalls {
    subject: TestedTarget,
    /// True if the rows are new and the benchmark's own rows run as well.
    are_new: bool,
    vectors: Arc<Vectors>,
    threads: Vec<Slot>,
}

/// The call of a thread: a row or one of the constants below. Each has its own cache line, since it
/// is written before every row.
#[derive(Debug)]
#[repr(align(128))]
struct Slot(AtomicUsize);

const NONE: usize = usize::MAX;
const BATCH: usize = usize::MAX - 1;

impl InFlightCalls {
    pub(crate) fn new(
        subject: TestedTarget,
        are_new: bool,
        vectors: &Arc<Vectors>,
        threads: usize,
    ) -> Self {
        let slot = || Slot(AtomicUsize::new(NONE));
        Self {
            subject,
            are_new,
            vectors: Arc::clone(vectors),
            threads: (0..threads).map(|_| slot()).collect(),
        }
    }

    /// Returns the call of each thread.
    pub(super) fn in_progress(&self) -> impl Iterator<Item = Option<FunctionCall>> {
        self.threads
            .iter()
            .map(|slot| match slot.0.load(Ordering::Relaxed) {
                NONE => None,
                BATCH => Some(FunctionCall::Batch),
                row => Some(FunctionCall::Row(row)),
            })
    }

    /// Describes these calls for a message.
    pub(super) fn describe(&self, calls: impl Iterator<Item = FunctionCall>) -> Running {
        let row = |call| match call {
            FunctionCall::Row(row) => Some(row),
            FunctionCall::Batch => None,
        };
        let rows: Option<Vec<usize>> = calls.map(row).collect();
        let inputs = match rows.as_deref() {
            Some(&[row]) => self.inputs(row),
            _ => Vec::new(),
        };
        let subject = &self.subject;
        Running {
            test: subject.name.clone(),
            rows: match rows {
                None => RunningRows::Batch(self.vectors.size()),
                Some(rows) if self.are_new => RunningRows::New(rows),
                Some(rows) => RunningRows::Cases(rows),
            },
            inputs,
            command: test_target::command(&subject.site, &subject.thread),
        }
    }

    fn inputs(&self, row: usize) -> Vec<(String, String)> {
        let table = self.vectors.table();
        let all = table.names().map(str::to_owned).zip(table.cells(row));
        all.filter(|(name, _)| self.subject.takes.has(name))
            .collect()
    }
}

/// A thread of a run, which reports its calls.
pub(super) struct Caller<'a> {
    calls: &'a Arc<InFlightCalls>,
    thread: usize,
    notes: Option<&'a Mutex<AbortNotes>>,
}

impl<'a> Caller<'a> {
    pub(crate) fn new(
        calls: &'a Arc<InFlightCalls>,
        thread: usize,
        notes: Option<&'a Mutex<AbortNotes>>,
    ) -> Self {
        Self {
            calls,
            thread,
            notes,
        }
    }

    /// Returns a guard that the calling thread holds, so that it can't exit silently.
    pub(super) fn guard(&self) -> ExitGuard {
        let (calls, thread) = (Arc::clone(self.calls), self.thread);
        let is_noted = self.notes.is_some();
        ExitGuard::new(move || {
            let own = calls.in_progress().nth(thread).flatten();
            (!is_noted).then(|| calls.describe(own.into_iter()).end_line())
        })
    }

    /// Notes that a call begins, which also means that the one before has returned.
    pub(crate) fn begin(&self, call: FunctionCall) {
        self.set(match call {
            FunctionCall::Row(row) => row,
            FunctionCall::Batch => BATCH,
        });
        if let Some(notes) = self.notes {
            let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
            let calls = self.calls.in_progress().flatten();
            notes.write(&self.calls.describe(calls));
        }
    }

    fn set(&self, call: usize) {
        self.calls.threads[self.thread]
            .0
            .store(call, Ordering::Relaxed);
    }
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        self.set(NONE);
    }
}
