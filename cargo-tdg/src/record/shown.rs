//! Whether a pending change was shown as it is now.
//!
//! The store keeps that with the change, so another change counts as not shown.

use tdg_engine::Ensemble;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{Store, Uuid};

use super::case_texts::CaseTexts;
use super::change::PendingChange;
use super::storage::Record;
use crate::error::{Error, Result};

impl Record {
    /// Notes that the change was shown, for a later decision about many. Where no store can be
    /// used, it counts as not shown.
    pub(crate) fn mark_shown(&self, change: &PendingChange) {
        let mark = || -> Result<()> {
            if let Some(store) = self.store()?
                && let Some(kept) = self.kept(&store, change)?
            {
                store.mark_shown(kept, beside(change)?.as_deref())?;
            }
            Ok(())
        };
        // Deciding about many changes reports what is wrong with the store.
        let _ = mark();
    }

    /// Whether the change was shown, beside the benchmark that there is now.
    ///
    /// # Errors
    /// The store can't tell.
    pub(crate) fn is_shown(&self, change: &PendingChange) -> Result<bool> {
        let ask = || {
            let absent = || Error::new(format!("it does not have the change of {}", self.test));
            let store = self.store()?.ok_or_else(absent)?;
            let kept = self.kept(&store, change)?.ok_or_else(absent)?;
            let beside = beside(change)?;
            Ok(store.pending_details(&self.test)?.is_some_and(|details| {
                details.uuid == kept && details.shown.is_some() && details.shown_beside == beside
            }))
        };
        let context = "the local store can't tell what was shown, so name the test in full";
        ask().map_err(|error: Error| error.context(context))
    }

    /// The change in the store, if it is this one.
    fn kept(&self, store: &Store, change: &PendingChange) -> Result<Option<Uuid>> {
        if let Some(uuid) = change.pending.uuid {
            return Ok(Some(uuid));
        }
        let snapshot = &change.pending.snapshot;
        let outputs = CaseTexts::of(snapshot)?.outputs;
        let kept = store.pending_change(&self.test)?.filter(|kept| {
            kept.outputs == outputs.as_json() && has_same_rows(&kept.ensemble, snapshot.ensemble())
        });
        Ok(kept.map(|kept| kept.uuid))
    }
}

/// Tests with the same rows share an ensemble in the store, under the name of the first and without
/// the file of the rows.
fn has_same_rows(one: &Ensemble, other: &Ensemble) -> bool {
    let unnamed = |ensemble: &Ensemble| Ensemble {
        name: String::new(),
        rows: None,
        ..ensemble.clone()
    };
    unnamed(one) == unnamed(other)
}

/// The digest of the benchmark that the change would replace.
fn beside(change: &PendingChange) -> Result<Option<String>> {
    let digest = |benchmark: &Snapshot| -> Result<String> {
        let outputs = match benchmark.pin() {
            Some(pin) => pin.digest.clone(),
            None => benchmark.outputs()?.digest(),
        };
        Ok(format!("{} {outputs}", benchmark.ensemble().digest))
    };
    change.benchmark.as_ref().map(digest).transpose()
}
