//! Whether a pending change was shown as it is now.
//!
//! The store keeps that with the change, so another change counts as not shown.

use tdg_engine::output::Outputs;
use tdg_engine::text::counted;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{self, PendingDetails, Store, Uuid};

use super::case_texts::CaseTexts;
use super::change::PendingChange;
use super::merge::has_same_rows;
use super::storage::RecordedTest;
use crate::error::{Error, Result};

/// Who showed a pending change as it is now.
#[derive(Debug)]
pub(crate) enum Shown {
    /// A command, with all that there is to decide.
    ByCommand,
    /// The report of the failing test, or a command from whose list a part was accepted since.
    ByTest(Newer),
    No(Newer),
}

/// How the change differs from the one that a command showed last, if it showed one.
pub(crate) type Newer = Option<String>;

impl RecordedTest {
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

    /// Who showed the change, beside the benchmark that there is now.
    ///
    /// # Errors
    /// The store can't tell.
    pub(crate) fn shown(&self, change: &PendingChange) -> Result<Shown> {
        let ask = || {
            let absent = || Error::new(format!("it does not have the change of {}", self.test));
            let store = self.store()?.ok_or_else(absent)?;
            let kept = self.kept(&store, change)?.ok_or_else(absent)?;
            let beside = beside(change)?;
            let details = store.pending_details(&self.test)?.ok_or_else(absent)?;
            let is_this = details.uuid == kept && details.shown_beside == beside;
            Ok(match (is_this, details.shown, beside) {
                (true, Some(_), _) => Shown::ByCommand,
                (true, None, Some(_)) => Shown::ByTest(others(change, &details)?),
                _ => Shown::No(others(change, &details)?),
            })
        };
        let context = "the local store can't tell what was shown, so name the test in full";
        ask().map_err(|error: Error| error.context(context))
    }

    /// The change in the store, if it is this one.
    pub(super) fn kept(&self, store: &Store, change: &PendingChange) -> Result<Option<Uuid>> {
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

/// `since it was shown, a run has left other outputs in 2 of 20 cases: 3, 17`.
fn others(change: &PendingChange, details: &PendingDetails) -> Result<Newer> {
    /// The most cases that are named.
    const NAMED: usize = 8;
    let Some(shown) = &details.shown_outputs else {
        return Ok(None);
    };
    let (shown, now) = (Outputs::parse(shown)?, change.pending.snapshot.outputs()?);
    let others: Vec<usize> = (0..now.len().min(shown.len()))
        .filter(|case| now.get(*case) != shown.get(*case))
        .collect();
    let named = others.iter().take(NAMED).map(usize::to_string);
    let more = (others.len() > NAMED).then(|| "…".to_owned());
    let named: Vec<String> = named.chain(more).collect();
    Ok(Some(format!(
        "since it was shown, a run has left other outputs in {} of {}: {}",
        others.len(),
        counted(now.len(), "case"),
        named.join(", ")
    )))
}

/// The identity of the benchmark that the change would replace.
fn beside(change: &PendingChange) -> Result<Option<String>> {
    let identity = |benchmark: &Snapshot| -> Result<String> {
        let outputs = match benchmark.pin() {
            Some(pin) => pin.digest.clone(),
            None => benchmark.outputs()?.digest(),
        };
        Ok(store::beside(benchmark.ensemble(), &outputs))
    };
    change.benchmark.as_ref().map(identity).transpose()
}
