//! Tracks whether a pending change has been shown in its current state.
//!
//! The store keeps this with the change, so a new change counts as not shown.

use tdg_engine::output::Outputs;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{self, PendingDetails, Store, Uuid};
use tdg_engine::text::counted;

use super::case_texts::CaseTexts;
use super::change::PendingChange;
use super::merge::has_same_rows;
use super::storage::RecordedTest;
use crate::error::{Error, Result};

/// The source that showed a pending change in its current state.
#[derive(Debug)]
pub(crate) enum Shown {
    /// A command that showed everything to decide.
    ByCommand,
    /// The failing test's report, or a command from whose list a part has since been accepted.
    ByTest(Newer),
    No(Newer),
}

/// The difference from the change that a command showed last, if any.
pub(crate) type Newer = Option<String>;

impl RecordedTest {
    /// Marks the change as shown, for a later decision about many changes. Without a usable store,
    /// it counts as not shown.
    pub(crate) fn mark_shown(&self, change: &PendingChange) {
        let mark = || -> Result<()> {
            if let Some(store) = self.store()?
                && let Some(kept) = self.kept(&store, change)?
            {
                store.mark_shown(kept, beside(change)?.as_deref())?;
            }
            Ok(())
        };
        // Problems with the store are reported when many changes are decided.
        let _ = mark();
    }

    /// Returns what has shown the change along with the current benchmark.
    ///
    /// # Errors
    /// Fails if the store can't be read or lacks the change.
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
        let context = "the local store doesn't know what was shown, so name the test in full";
        ask().map_err(|error: Error| error.context(context))
    }

    /// Returns the identifier of the change if the store has it.
    pub(super) fn kept(&self, store: &Store, change: &PendingChange) -> Result<Option<Uuid>> {
        if let Some(uuid) = change.pending.uuid {
            return Ok(Some(uuid));
        }
        let snapshot = &change.pending.snapshot;
        let outputs = CaseTexts::from_snapshot(snapshot)?.outputs;
        let kept = store.pending_change(&self.test)?.filter(|kept| {
            kept.outputs == outputs.as_json() && has_same_rows(&kept.ensemble, snapshot.ensemble())
        });
        Ok(kept.map(|kept| kept.uuid))
    }
}

/// Returns `since it was shown, a run has left different outputs in 2 of 20 cases: 3, 17`.
fn others(change: &PendingChange, details: &PendingDetails) -> Result<Newer> {
    /// The maximum number of listed cases.
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
        "since it was shown, a run has left different outputs in {} of {}: {}",
        others.len(),
        counted(now.len(), "case"),
        named.join(", ")
    )))
}

/// Returns an identifier of the benchmark that the change would replace.
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
