//! Deciding about a pending change.
//!
//! As in a test run, the file is the benchmark and the store follows it: without a store that can be
//! used, a change in a file can still be decided about, but no reason can be kept.

use std::fs;
use std::path::Path;

use tdg_engine::snapshot::{self, Snapshot};
use tdg_engine::store::{Expected, Store, StoreError};

use super::texts::Texts;
use super::{Change, Pending, Place, Record};
use crate::error::{Error, Result};

/// What has to be said of a decision that was carried out.
pub(crate) type Notice = Option<String>;

impl Record {
    /// Makes the pending outputs the benchmark.
    pub(crate) fn accept(&self, pending: &Pending, reason: Option<&str>) -> Result<Notice> {
        self.replace(pending, &pending.snapshot, reason, true)
    }

    /// Makes the pending outputs of some cases the benchmark's; the rest waits on.
    pub(crate) fn accept_cases(
        &self,
        change: &Change,
        cases: &[usize],
        reason: Option<&str>,
    ) -> Result<Notice> {
        let pending = &change.pending.snapshot;
        let benchmark = change.benchmark.as_ref();
        if benchmark.is_some_and(|benchmark| benchmark.pin().is_some()) {
            return Err(Error::new(format!(
                "the benchmark of {} is on a server, so all its cases have to be accepted or none",
                self.test
            )));
        }
        let Some(benchmark) = benchmark.filter(|it| it.ensemble() == pending.ensemble()) else {
            return Err(Error::new(format!(
                "the rows of {} are not the benchmark's, so all its cases have to be accepted or none",
                self.test
            )));
        };
        let mixed = Snapshot::parse(benchmark.with_cases_of(pending, cases))?;
        let is_all =
            (0..pending.len()).all(|case| mixed.output_text(case) == pending.output_text(case));
        match is_all {
            true => self.accept(&change.pending, reason),
            false => self.replace(&change.pending, &mixed, reason, false),
        }
    }

    /// Forgets the pending outputs.
    pub(crate) fn reject(&self, pending: &Pending) -> Result<Notice> {
        match &self.place {
            Place::Files { pending: file, .. } => {
                check_unchanged(self, file, pending)?;
                snapshot::remove(file)?;
                Ok(self.settle().err().map(|error| notice(&error)))
            }
            Place::Store => {
                let store = self.open()?;
                store.reject(&self.test, pending.uuid.unwrap_or_default())?;
                Ok(None)
            }
        }
    }

    fn replace(
        &self,
        pending: &Pending,
        benchmark: &Snapshot,
        reason: Option<&str>,
        settles: bool,
    ) -> Result<Notice> {
        let texts = Texts::of(benchmark)?;
        let Place::Files {
            benchmark: file,
            pending: pending_file,
        } = &self.place
        else {
            let (store, uuid) = (self.open()?, pending.uuid.unwrap_or_default());
            match settles {
                true => drop(store.accept(&self.test, uuid, reason)?),
                false => self.adopt(&store, benchmark, &texts, reason, true)?,
            }
            return Ok(None);
        };
        check_unchanged(self, pending_file, pending)?;
        let kept = self
            .open()
            .and_then(|store| self.adopt(&store, benchmark, &texts, reason, false));
        let notice = match kept {
            Ok(()) => None,
            Err(error) if reason.is_some() => {
                return Err(Error::new(format!(
                    "the reason can't be kept, so nothing was accepted: {error}"
                )));
            }
            Err(error) => Some(notice(&error)),
        };
        // What was pending moves as it is, byte for byte.
        snapshot::save(file, benchmark.text())?;
        if settles {
            snapshot::remove(pending_file)?;
            // The next run settles it in any case.
            let _ = self.settle();
        }
        Ok(notice)
    }

    fn adopt(
        &self,
        store: &Store,
        benchmark: &Snapshot,
        texts: &Texts,
        reason: Option<&str>,
        with_rows: bool,
    ) -> Result<(), StoreError> {
        let expected = Expected {
            ensemble: benchmark.ensemble(),
            vectors: with_rows.then(|| texts.rows.as_json()),
            outputs: texts.outputs.as_json(),
        };
        store.adopt(&self.test, &expected, reason)
    }

    fn settle(&self) -> Result<(), StoreError> {
        match self.package.settings.directory.join("store.db").is_file() {
            true => self.open()?.settle(&self.test),
            false => Ok(()),
        }
    }

    fn open(&self) -> Result<Store, StoreError> {
        Store::open(&self.package.settings.directory)
    }
}

fn notice(error: &StoreError) -> String {
    format!("the history does not show this decision: {error}")
}

/// A run may have replaced or settled what was looked at.
fn check_unchanged(record: &Record, file: &Path, pending: &Pending) -> Result<()> {
    match fs::read_to_string(file) {
        Ok(text) if text == pending.snapshot.text() => Ok(()),
        _ => Err(Error::new(format!(
            "the pending change of {} is no longer the one that was looked at: look at the present one, then decide",
            record.test
        ))),
    }
}
