//! Counts of the records in two places.

use std::collections::BTreeMap;

use tdg_service::record::RecordKind;
use tdg_service::sync::{HistoryQuestion, Replica, SyncSummary};
use tdg_service::{Result, Timestamp, Uuid};

/// Counts of the records in two places.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RecordComparison {
    pub(super) kinds: BTreeMap<RecordKind, RecordCounts>,
}

/// Counts of the records of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RecordCounts {
    pub(super) only_here: u64,
    pub(super) only_there: u64,
    pub(super) both: u64,
}

impl RecordComparison {
    /// Collects the counts of a dry run.
    pub(super) fn from_summary(summary: &SyncSummary) -> Self {
        let mut kinds: BTreeMap<RecordKind, RecordCounts> = BTreeMap::new();
        for (kind, pushed) in &summary.pushed {
            let counts = kinds.entry(*kind).or_default();
            counts.only_here = pushed.left + pushed.refused.len() as u64;
            counts.both = pushed.had;
        }
        for (kind, pulled) in &summary.pulled {
            let counts = kinds.entry(*kind).or_default();
            counts.only_there = pulled.left + pulled.refused.len() as u64;
            counts.both = counts.both.max(pulled.had);
        }
        kinds.retain(|_, counts| *counts != RecordCounts::default());
        Self { kinds }
    }

    /// Returns the number of records that are only here, and only there.
    pub(super) fn differing(&self) -> (u64, u64) {
        let only = |of: fn(&RecordCounts) -> u64| self.kinds.values().map(of).sum();
        (only(|it| it.only_here), only(|it| it.only_there))
    }
}

/// Returns the time of a place's newest assertion. The search starts with those since `from`.
pub(super) fn newest(place: &dyn Replica, from: Option<Timestamp>) -> Result<Option<Timestamp>> {
    let parts: Vec<u8> = (0..=u8::MAX).collect();
    let benchmarks = place.identities(RecordKind::Benchmark, &parts)?;
    let found = newest_since(place, &benchmarks, from.unwrap_or(Timestamp::MIN))?;
    match (found, from) {
        (None, Some(_)) => newest_since(place, &benchmarks, Timestamp::MIN),
        _ => Ok(found),
    }
}

fn newest_since(
    place: &dyn Replica,
    benchmarks: &[Uuid],
    listed_from: Timestamp,
) -> Result<Option<Timestamp>> {
    let question = |&benchmark: &Uuid| HistoryQuestion {
        benchmark,
        since: Timestamp::MIN,
        listed_from,
    };
    let questions: Vec<HistoryQuestion> = benchmarks.iter().map(question).collect();
    let mut rest = questions.as_slice();
    let mut newest = None;
    while !rest.is_empty() {
        let histories = place.histories(rest)?;
        rest = &rest[histories.len()..];
        let last = histories.iter().filter_map(|history| history.listed.last());
        newest = newest.max(last.map(|(time, _)| *time).max());
    }
    Ok(newest)
}
