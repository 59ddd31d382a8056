//! The assertions that only one of two places has.
//!
//! There can be many, and most differences are among the newest. So the digest of the older ones is
//! compared first, and the identities of the newer; if the older ones differ too, of more of them.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::differences::Differences;
use super::{BenchmarkHistory, HistoryQuestion, Replica, SyncPlan, Wanted};
use crate::record::SetDigest;
use crate::{Result, Timestamp};

/// How many of the newest assertions are listed, the first time and after that. None are at first:
/// most histories are equal.
const LISTED: [Option<usize>; 4] = [Some(0), Some(16), Some(256), None];

/// How many histories are compared at once.
const BENCHMARKS: usize = 1000;

/// The assertions of benchmarks, as far as the plan is about them.
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

/// The answers to all questions.
fn answers(place: &dyn Replica, questions: &[HistoryQuestion]) -> Result<Vec<BenchmarkHistory>> {
    let mut answers = Vec::with_capacity(questions.len());
    while answers.len() < questions.len() {
        answers.extend(place.histories(&questions[answers.len()..])?);
    }
    Ok(answers)
}

/// The assertions of a benchmark here.
struct Ours {
    benchmark: Uuid,
    /// Those before don't matter.
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
        // What is older here is not among the newest of both places either.
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
    /// The question to the other place, with so many of our newest listed.
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

    /// Adds what only one of the places has, unless those that are not listed differ.
    fn compare(
        &self,
        question: &HistoryQuestion,
        theirs: &BenchmarkHistory,
        newest: Option<usize>,
        differences: &mut Differences,
    ) -> bool {
        let from = |time: Timestamp| self.entries.partition_point(|entry| entry.0 < time);
        let kept = from(self.since.max(theirs.kept_since));
        // If the other place has none of the older ones, all of ours are known to differ.
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
