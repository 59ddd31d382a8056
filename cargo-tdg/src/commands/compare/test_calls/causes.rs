//! The order of changed calls: the innermost first, then the callers that they explain.

use std::collections::{BTreeMap, BTreeSet};

use super::pairs::{CallPairs, PairedCall};
use super::recording::Recording;

/// The calls of both sides, linked by who called whom.
pub(super) struct Causes<'r> {
    sides: [&'r Recording; 2],
    /// The keys of changed calls, of unchanged ones, and of callers of changed ones, by side.
    changed: [BTreeSet<u64>; 2],
    same: [BTreeSet<u64>; 2],
    above: [BTreeSet<u64>; 2],
}

impl<'r> Causes<'r> {
    pub(super) fn new(sides: [&'r Recording; 2], pairs: &CallPairs<'_>) -> Self {
        let keys = |side: usize, is_changed: bool| {
            let calls = pairs.values().flatten();
            let is_known = |it: &&PairedCall<'_>| is_changed || it.is_whole;
            let calls = calls
                .filter(|it| it.is_changed == is_changed)
                .filter(is_known);
            calls
                .flat_map(|it| it.keys[side].iter().copied())
                .collect::<BTreeSet<u64>>()
        };
        let changed = [0, 1].map(|side| keys(side, true));
        let same = [0, 1].map(|side| keys(side, false));
        Self {
            above: [0, 1].map(|side| above(&changed[side], &same[side], &sides[side].parents)),
            same,
            changed,
            sides,
        }
    }

    fn any(&self, call: &PairedCall<'_>, is_it: impl Fn(usize, u64) -> bool) -> bool {
        (0..2).any(|side| call.keys[side].iter().any(|key| is_it(side, *key)))
    }

    /// Returns true if no call that it made has changed.
    pub(super) fn is_innermost(&self, call: &PairedCall<'_>) -> bool {
        !self.any(call, |side, key| self.above[side].contains(&key))
    }

    /// Returns true if no test made the call, and all calls that made it gave the same.
    pub(super) fn is_internal(&self, call: &PairedCall<'_>) -> bool {
        !self.any(call, |side, key| {
            let recording = self.sides[side];
            let parents = recording.parents.get(&key);
            recording.tests.contains_key(&key)
                || parents.is_none_or(|it| it.iter().any(|it| !self.same[side].contains(it)))
        })
    }

    /// Returns the functions that compared calls run today, themselves or through others.
    pub(super) fn run(&self) -> BTreeSet<&'r str> {
        let now = self.sides[1];
        let mut made: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for (key, parents) in &now.parents {
            for parent in parents {
                made.entry(*parent).or_default().insert(*key);
            }
        }
        let compared = &self.changed[1] | &self.same[1];
        let below = above(&compared, &BTreeSet::new(), &made);
        let calls = now.calls.iter();
        let calls = calls.filter(|it| compared.contains(&it.key) || below.contains(&it.key));
        calls.map(|it| it.function.as_str()).collect()
    }

    /// Returns the tests of either side that reach a changed call.
    pub(super) fn tests(&self) -> BTreeSet<&'r str> {
        let mut tests = BTreeSet::new();
        for (side, recording) in self.sides.iter().enumerate() {
            for (key, names) in &recording.tests {
                if self.changed[side].contains(key) || self.above[side].contains(key) {
                    tests.extend(names.iter().map(String::as_str));
                }
            }
        }
        tests
    }
}

/// Returns the callers of calls, and theirs. A caller that gave the same hides the change.
fn above(
    calls: &BTreeSet<u64>,
    same: &BTreeSet<u64>,
    parents: &BTreeMap<u64, BTreeSet<u64>>,
) -> BTreeSet<u64> {
    let mut above = BTreeSet::new();
    let mut open: Vec<u64> = calls.iter().copied().collect();
    while let Some(key) = open.pop() {
        let callers = parents.get(&key).into_iter().flatten();
        // A recursive call with the same arguments is the same call.
        let others = callers.filter(|it| **it != key && !same.contains(it));
        open.extend(others.filter(|it| above.insert(**it)));
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_are_above_their_calls_and_recursion_ends() {
        let parents = [(1, vec![2, 1, 6]), (2, vec![3]), (3, vec![2]), (4, vec![5])];
        let parents = parents
            .into_iter()
            .map(|(key, it)| (key, it.into_iter().collect()));
        let found = above(
            &BTreeSet::from([1]),
            &BTreeSet::from([6]),
            &parents.collect(),
        );
        assert_eq!(found, BTreeSet::from([2, 3]));
    }
}
