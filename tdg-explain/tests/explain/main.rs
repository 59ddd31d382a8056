//! Explanations of tables with a known pattern.

#![allow(clippy::unwrap_used)] // In helpers too, whose failures fail the test.

mod mixed_table;
mod planted_rules;
mod properties;

use std::collections::BTreeSet;

use mixed_table::{RULES, expected, holds, mixed};
use planted_rules::{KINDS, at_random, failing, table};
use tdg_engine::Vectors;
use tdg_explain::{ExplainedRows, Explanation, Side, Vocabulary};

/// Returns the features of each rule.
fn features(explanation: &Explanation) -> Vec<BTreeSet<&str>> {
    explanation
        .rules
        .iter()
        .map(|rule| rule.features().collect())
        .collect()
}

fn rules(vectors: &Vectors, failing: &[bool]) -> Explanation {
    let failing: Vec<Option<bool>> = failing.iter().copied().map(Some).collect();
    tdg_explain::rules(&ExplainedRows {
        vectors,
        expected: None,
        failing: &failing,
        vocabulary: Vocabulary::Full,
        constants: &[],
    })
}

#[test]
fn every_planted_rule_is_found_and_nothing_else() {
    for seed in 2..=4 {
        let vectors = table(seed, 500, 8);
        for kind in &KINDS {
            for noise in [None, Some(seed)] {
                let failing = failing(kind, &vectors, noise);
                let explanation = rules(&vectors, &failing);
                assert_eq!(explanation.side, Side::Failing);
                let planted = BTreeSet::from_iter(kind.features.iter().copied());
                let found: Vec<String> =
                    explanation.rules.iter().map(ToString::to_string).collect();
                assert_eq!(
                    features(&explanation),
                    [planted],
                    "{}, seed {seed}, noise {noise:?}: {found:?}",
                    kind.name
                );
            }
        }
    }
}

#[test]
fn rules_over_all_families_are_found() {
    let vectors = mixed(1, 500);
    let expected = expected(&vectors);
    let is_missed = |planted: &&mixed_table::Planted| {
        let holds = holds(planted, &vectors);
        let failing: Vec<Option<bool>> = holds.iter().copied().map(Some).collect();
        let explanation = tdg_explain::rules(&ExplainedRows {
            vectors: &vectors,
            expected: Some(&expected),
            failing: &failing,
            vocabulary: Vocabulary::Full,
            constants: &[],
        });
        let covered: BTreeSet<usize> = explanation
            .rules
            .iter()
            .flat_map(|rule| rule.covered())
            .collect();
        let is_described = |row: &usize| holds[*row] == (explanation.side == Side::Failing);
        (0..500).filter(is_described).ne(covered)
    };
    // The benchmark tries all of them, on more tables.
    let tried = RULES.iter().step_by(2);
    let missed: Vec<&str> = tried.filter(is_missed).map(|planted| planted.0).collect();
    assert_eq!(missed, Vec::<&str>::new());
}

#[test]
fn rows_that_fail_at_random_have_nothing_in_common() {
    for seed in 1..=20 {
        let vectors = table(seed, 500, 8);
        let share = [0.01, 0.02, 0.05][seed as usize % 3];
        let failing = at_random(1000 + seed, 500, share);
        let explanation = rules(&vectors, &failing);
        assert_eq!(
            (explanation.rules, explanation.shared),
            (vec![], None),
            "seed {seed}"
        );
    }
}
