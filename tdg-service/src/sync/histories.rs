//! The assertions that only one of two places has.
//!
//! Histories can be long, and most differences are among the newest assertions. So the newer ones
//! are compared by identity and the older ones by digest. If the digests differ, more are listed.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::differences::Differences;
use super::{BenchmarkHistory, HistoryQuestion, Replica, SyncPlan, Wanted};
use crate::record::SetDigest;
use crate::{Result, Timestamp};

/// The number of newest assertions to list per round. Zero at first: most histories are equal.
const LISTED: [Option<usize>; 4] = [Some(0), Some(16), Some(256), None];

/// The number of histories that are compared at once.
const BENCHMARKS: usize = 1000;

/// Finds the differing assertions of benchmarks that the plan includes.
pub(super) fn differences(
    benchmarks: &[Uuid],
    here: &dyn Replica,
    there: &dyn Replica,
    plan: &SyncPlan,
) -> Result<Differences> {
    let mut differences = Differences::default();
    for benchmarks in benchmarks.chunks(BENCHMARKS) {
        let mut left = ours(benchmarks, here, plan)?;
        for listed in LISTED {
            let questions: Vec<HistoryQuestion> =
                left.iter().map(|ours| ours.question(listed)).collect();
            let theirs = answers(there, &questions)?;
            let mut differing = Vec::new();
            for ((ours, question), theirs) in left.into_iter().zip(&questions).zip(theirs) {
                if !ours.compare(question, &theirs, plan.history, &mut differences) {
                    differing.push(ours);
                }
            }
            left = differing;
        }
    }
    Ok(differences)
}

/// Collects the answers to all questions.
fn answers(place: &dyn Replica, questions: &[HistoryQuestion]) -> Result<Vec<BenchmarkHistory>> {
    let mut answers = Vec::with_capacity(questions.len());
    while answers.len() < questions.len() {
        answers.extend(place.histories(&questions[answers.len()..])?);
    }
    Ok(answers)
}

/// The local assertions of a benchmark.
struct Ours {
    benchmark: Uuid,
    /// Earlier assertions are ignored.
    since: Timestamp,
    entries: Vec<(Timestamp, Uuid)>,
}

fn ours(benchmarks: &[Uuid], here: &dyn Replica, plan: &SyncPlan) -> Result<Vec<Ours>> {
    let everything = |&benchmark: &Uuid| HistoryQuestion {
        benchmark,
        since: plan.since,
        listed_from: Timestamp::MIN,
    };
    let questions: Vec<HistoryQuestion> = benchmarks.iter().map(everything).collect();
    let answers = answers(here, &questions)?.into_iter().zip(benchmarks);
    let ours = answers.map(|(history, &benchmark)| {
        let entries = history.listed;
        // A local assertion older than this can't be among the newest of both places.
        let oldest = plan.history.and_then(|most| match most {
            0 => Some(Timestamp::MAX),
            most => Some(entries[entries.len().checked_sub(most)?].0),
        });
        let since = plan.since.max(history.kept_since);
        Ours {
            benchmark,
            since: oldest.map_or(since, |oldest| since.max(oldest)),
            entries,
        }
    });
    Ok(ours.collect())
}

impl Ours {
    /// Returns the question for the other place, which lists our newest `listed` assertions.
    fn question(&self, listed: Option<usize>) -> HistoryQuestion {
        let older = listed.and_then(|newest| self.entries.len().checked_sub(newest));
        let listed_from = match (older, listed) {
            (_, Some(0)) => Timestamp::MAX,
            (Some(older), _) => self.entries[older].0,
            (None, _) => Timestamp::MIN,
        };
        HistoryQuestion {
            benchmark: self.benchmark,
            since: self.since,
            listed_from,
        }
    }

    /// Adds the assertions that only one place has. Returns false if the unlisted ones differ.
    fn compare(
        &self,
        question: &HistoryQuestion,
        theirs: &BenchmarkHistory,
        newest: Option<usize>,
        differences: &mut Differences,
    ) -> bool {
        let from = |time: Timestamp| self.entries.partition_point(|entry| entry.0 < time);
        let kept = from(self.since.max(theirs.kept_since));
        // If the other place has none of the older ones, all of ours are known to be missing there.
        let listed = match theirs.digest.count {
            0 => kept,
            _ => from(question.listed_from).max(kept),
        };
        let older = self.entries[kept..listed].iter();
        let digest: SetDigest = older.map(|(_, uuid)| *uuid).collect();
        if digest != theirs.digest {
            return false;
        }
        let ours: BTreeSet<_> = self.entries[listed..].iter().copied().collect();
        let theirs: BTreeSet<_> = theirs.listed.iter().copied().collect();
        let cut = newest.and_then(|newest| {
            let both: Vec<_> = ours.union(&theirs).collect();
            both.len()
                .checked_sub(newest)
                .and_then(|cut| both.get(cut).copied())
        });
        let wanted = |ones: &BTreeSet<_>, others: &BTreeSet<_>| -> Vec<Wanted> {
            let missing = ones.difference(others).copied();
            let missing = missing.filter(|entry| cut.is_none_or(|cut| entry >= cut));
            missing
                .map(|(time, uuid)| Wanted::Assertion(self.benchmark, time, uuid))
                .collect()
        };
        differences.only_here.extend(wanted(&ours, &theirs));
        differences.only_there.extend(wanted(&theirs, &ours));
        differences.both += digest.count + ours.intersection(&theirs).count() as u64;
        true
    }
}
