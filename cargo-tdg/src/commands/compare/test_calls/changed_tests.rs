//! The tests that pass on one side only.

use std::collections::BTreeSet;

use super::run::RecordedRun;

/// A test that fails on one side alone, without a changed call.
pub(super) struct ChangedTest {
    pub(super) name: String,
    /// The failure on each side.
    pub(super) failures: [Option<String>; 2],
}

/// Returns the tests that no changed call explains, and the number of the others.
pub(super) fn changed_tests(
    runs: [&RecordedRun; 2],
    again: [&RecordedRun; 2],
    explained: &BTreeSet<&str>,
) -> (Vec<ChangedTest>, usize) {
    let mut tests = Vec::new();
    let mut others = 0;
    for (name, then) in &runs[0].results {
        let Some(now) = runs[1].results.get(name) else {
            continue;
        };
        let is_failure = |run: &RecordedRun| run.results.get(name).map(Option::is_some);
        let is_stable = (0..2).all(|side| is_failure(runs[side]) == is_failure(again[side]));
        if then.is_some() == now.is_some() || !is_stable {
            continue;
        }
        if explained.contains(name.as_str()) {
            others += 1;
        } else {
            tests.push(ChangedTest {
                name: name.clone(),
                failures: [then.clone(), now.clone()],
            });
        }
    }
    (tests, others)
}
