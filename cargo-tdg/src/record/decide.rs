//! Accepting and rejecting a pending change.
//!
//! As in a test run, the file is the benchmark and the store follows it. Without a usable store, a
//! change in a file can still be accepted, but not with a reason.

use std::fs;
use std::path::Path;

use tdg_engine::config::process_environment;
use tdg_engine::snapshot::{self, Snapshot};
use tdg_engine::store::{Decision, DecisionKind, Store, StoreError};
use tdg_report::quoted;

use super::case_texts::CaseTexts;
use super::reason::reason;
use super::storage::{PendingOutputs, RecordedTest, Storage};
use crate::error::{Error, Result};
use crate::store;

/// A message for the user about a completed decision.
pub(crate) type Notice = Option<String>;

impl RecordedTest {
    /// Accepts the pending outputs as the benchmark.
    pub(crate) fn accept(&self, pending: &PendingOutputs, reason: Option<&str>) -> Result<Notice> {
        let decision = self.decision(DecisionKind::Accepted, reason)?;
        self.replace(pending, &pending.snapshot, &decision)
    }

    /// Discards the pending outputs.
    pub(crate) fn reject(&self, pending: &PendingOutputs, reason: Option<&str>) -> Result<Notice> {
        let decision = self.decision(DecisionKind::Rejected, reason)?;
        match &self.storage {
            Storage::Files { pending: file, .. } => {
                check_unchanged(self, file, pending)?;
                let kept = self
                    .open()
                    .and_then(|store| store.reject(&self.test, None, &decision));
                let notice = recorded(kept, &decision)?;
                snapshot::remove(file)?;
                Ok(notice)
            }
            Storage::Store => {
                let store = self.open()?;
                store.reject(&self.test, pending.uuid, &decision)?;
                Ok(None)
            }
        }
    }

    pub(super) fn replace(
        &self,
        pending: &PendingOutputs,
        benchmark: &Snapshot,
        decision: &Decision,
    ) -> Result<Notice> {
        let settles = decision.kind == DecisionKind::Accepted;
        let texts = CaseTexts::from_snapshot(benchmark)?;
        let Storage::Files {
            benchmark: file,
            pending: pending_file,
        } = &self.storage
        else {
            let (store, uuid) = (self.open()?, pending.uuid.unwrap_or_default());
            if settles {
                store.accept(&self.test, uuid, decision)?;
            } else {
                self.adopt(&store, benchmark, &texts, decision, true)?;
            }
            return Ok(None);
        };
        check_unchanged(self, pending_file, pending)?;
        let kept = self
            .open()
            .and_then(|store| self.adopt(&store, benchmark, &texts, decision, false));
        let notice = recorded(kept, decision)?;
        // Copies the pending file byte for byte.
        snapshot::replace(file, benchmark.text())?;
        if settles {
            snapshot::remove(pending_file)?;
            // If this fails, the next run settles the change.
            let _ = self.settle();
        }
        Ok(notice.or_else(|| self.how_the_pin_moves(benchmark)))
    }

    /// Explains how to update the pin, if the accepted cases replace a pinned benchmark.
    pub(crate) fn how_the_pin_moves(&self, accepted: &Snapshot) -> Notice {
        let replaced = accepted.replaces()?;
        Some(format!(
            "{} has cases in place of the benchmark {replaced}; before you commit it, run the test with \
             the server, or `cargo tdg push --pin {}`, so that it pins them",
            self.location(),
            quoted(&self.test.to_string())
        ))
    }

    fn adopt(
        &self,
        store: &Store,
        benchmark: &Snapshot,
        texts: &CaseTexts,
        decision: &Decision,
        with_rows: bool,
    ) -> Result<(), StoreError> {
        let expected = texts.expected(benchmark, with_rows);
        store.adopt(&self.test, &expected, decision)
    }

    /// Returns a decision made now in this checkout.
    ///
    /// # Errors
    /// Fails if the reason has control characters.
    pub(super) fn decision(&self, kind: DecisionKind, given: Option<&str>) -> Result<Decision> {
        let (package, settings) = (&self.package.directory, &self.package.settings);
        let (reason, environment) = (reason(given)?, &process_environment);
        Ok(Decision::here(kind, reason, package, settings, environment))
    }

    pub(super) fn settle(&self) -> Result<(), StoreError> {
        match store::open_existing(&self.package.settings)? {
            Some(store) => store.settle(&self.test),
            None => Ok(()),
        }
    }

    pub(super) fn open(&self) -> Result<Store, StoreError> {
        store::open(&self.package.settings)
    }
}

/// Turns a failure of the store into a notice, or into an error if a reason would be lost.
pub(super) fn recorded(kept: Result<(), StoreError>, decision: &Decision) -> Result<Notice> {
    match kept {
        Ok(()) => Ok(None),
        Err(error) if decision.reason.is_some() => {
            Err(Error::from(error).context("can't store the reason, so nothing was decided"))
        }
        Err(error) => Ok(Some(format!(
            "this decision is not in the history: {error}"
        ))),
    }
}

/// Checks that no run has replaced or settled the outputs since they were shown.
fn check_unchanged(record: &RecordedTest, file: &Path, pending: &PendingOutputs) -> Result<()> {
    match fs::read_to_string(file) {
        Ok(text) if text == pending.snapshot.text() => Ok(()),
        _ => Err(Error::new(format!(
            "the pending change of {} was replaced after it was shown; look at it again, then decide",
            record.test
        ))),
    }
}
