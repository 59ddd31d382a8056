//! Properties of every explanation.

use proptest::prelude::*;
use tdg_definition::Definition;
use tdg_engine::Vectors;
use tdg_explain::{Explanation, Side, Wording};

use super::rules;

const COLUMNS: &str = r#"{"features": [
    {"feature_name": "amount", "type": "FLOAT", "null_probability": 0.05,
     "distribution": {"type": "gaussian", "mu": 0, "sigma": 3}},
    {"feature_name": "quantity", "type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}},
    {"feature_name": "code", "type": "STRING", "null_probability": 0.1,
     "distribution": {"type": "pattern", "regex": "[AB]{0,3}(-X)?"}},
    {"feature_name": "due", "type": "DATE",
     "distribution": {"type": "uniform", "min": "2023-11-01", "max": "2024-03-01"}},
    {"feature_name": "member", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.3}}
]}"#;

fn definition() -> Definition {
    Definition::parse(COLUMNS).unwrap()
}

/// Generates rows that fail for one value in a column, or above one, and a few more.
fn failing_rows() -> impl Strategy<Value = (Vectors, Vec<bool>)> {
    let parts = (
        any::<u64>(),
        1..200_usize,
        0..5_usize,
        any::<prop::sample::Index>(),
        any::<bool>(),
    );
    (parts, prop::collection::vec(0..30_u8, 200)).prop_map(
        |((seed, size, column, pivot, is_above), noise)| {
            let vectors = Vectors::generate(&definition(), seed, size);
            let cell = |row: usize| {
                let mut text = String::new();
                vectors.write_cell(row, column, &mut text);
                text
            };
            let pivot = cell(pivot.index(size));
            let fails = |row: usize| {
                let holds = if is_above {
                    cell(row) > pivot
                } else {
                    cell(row) == pivot
                };
                holds != (noise[row] == 0)
            };
            let failing = (0..size).map(fails).collect();
            (vectors, failing)
        },
    )
}

/// Returns the quantity of a row of [`COLUMNS`].
fn quantity(vectors: &Vectors, row: usize) -> u32 {
    let mut text = String::new();
    vectors.write_cell(row, 1, &mut text);
    text.parse().unwrap()
}

fn texts(explanation: &Explanation) -> Vec<String> {
    explanation.rules.iter().map(ToString::to_string).collect()
}

proptest! {
    #[test]
    fn the_counts_of_a_rule_match_its_rows((vectors, failing) in failing_rows()) {
        let explanation = rules(&vectors, &failing);
        prop_assert_eq!(explanation.failing, failing.iter().filter(|failing| **failing).count());
        for rule in &explanation.rules {
            let covered = rule.covered();
            let of = |side: bool| -> Vec<usize> {
                covered.iter().copied().filter(|row| failing[*row] == side).collect()
            };
            let is_failing = explanation.side == Side::Failing;
            prop_assert_eq!(&rule.rows, &of(is_failing), "{}", rule);
            prop_assert_eq!(&rule.exceptions, &of(!is_failing), "{}", rule);
        }
    }

    #[test]
    fn the_order_of_rows_does_not_matter((vectors, failing) in failing_rows()) {
        let mut rows: Vec<(String, bool)> = failing
            .iter()
            .enumerate()
            .map(|(row, failing)| {
                let mut text = String::new();
                vectors.write_row(row, &mut text);
                (text, *failing)
            })
            .collect();
        rows.sort();
        let sorted = Vectors::from_rows(&definition(), rows.iter().map(|(text, _)| text.as_str())).unwrap();
        let failing_sorted: Vec<bool> = rows.iter().map(|(_, failing)| *failing).collect();
        prop_assert_eq!(texts(&rules(&vectors, &failing)), texts(&rules(&sorted, &failing_sorted)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_feature_without_influence_is_never_blamed(
        seed: u64, size in 60..200_usize, limit in 1..9_u32, noise in 0..3_usize
    ) {
        let vectors = Vectors::generate(&definition(), seed, size);
        let is_noise = |row: usize| noise > 0 && row * 7 % size < noise;
        let fails = |row| (quantity(&vectors, row) >= limit) != is_noise(row);
        let explanation = rules(&vectors, &(0..size).map(fails).collect::<Vec<_>>());
        for rule in explanation.rules.iter().filter(|it| it.wording <= Wording::Mostly) {
            let features: Vec<&str> = rule.features().collect();
            prop_assert_eq!(features, ["quantity"], "{}", rule);
        }
    }
}
