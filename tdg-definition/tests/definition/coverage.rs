//! `coverage`: all pairs or triples of levels in the first rows.

use std::collections::BTreeSet;

use crate::rows::columns;
use proptest::prelude::*;
use tdg_definition::{Cells, Column, Definition};

/// Seven features with different kinds of levels, whose numbers are in `LEVELS`.
const FEATURES: &str = r#""features": [
    {"feature_name": "coupon", "type": "STRING", "null_probability": 0.25, "distribution": {"type": "categorical", "categories": [
        {"value": "HALF", "probability": 0.01}, {"value": "never", "probability": 0}, {"value": "TENTH", "probability": 0.99}]}},
    {"feature_name": "member", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.001}},
    {"feature_name": "dice", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 3}},
    {"feature_name": "quantity", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 6}},
    {"feature_name": "calls", "type": "INTEGER", "distribution": {"type": "poisson", "rate": 0.7}},
    {"feature_name": "amount", "type": "FLOAT", "decimals": 9, "distribution": {"type": "gaussian", "mu": 0, "sigma": 1}},
    {"feature_name": "day", "type": "DATE", "distribution": {"type": "uniform", "min": "2020-01-01", "max": "2020-01-08"}}
]"#;

const LEVELS: [usize; 7] = [3, 2, 3, 4, 2, 4, 4];

fn with_coverage(coverage: &str) -> String {
    format!(r#"{{{FEATURES}, "coverage": {coverage}}}"#)
}

fn parse(text: &str) -> Definition {
    Definition::parse(text).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

/// All faults of the definition, one per line.
fn faults(text: &str) -> String {
    Definition::parse(text).unwrap_err().to_string()
}

/// The faults of these features with this coverage.
fn refused(features: &[&str], coverage: &str) -> String {
    let features = features.join(", ");
    faults(&format!(
        r#"{{"features": [{features}], "coverage": {coverage}}}"#
    ))
}

/// The least number of rows that the definition accepts.
fn least_size(definition: &Definition) -> usize {
    (1..)
        .find(|&size| definition.check_size(size).is_ok())
        .unwrap()
}

/// The level of a cell, derived from its value alone.
fn level(columns: &[Column], feature: usize, row: usize) -> u64 {
    let column = &columns[feature];
    match (feature, column.cells()) {
        _ if column.is_null(row) => 9,
        (0, Cells::Text(values)) => (values.get(row) == "TENTH").into(),
        (1, Cells::Boolean(values)) => values[row].into(),
        (2, Cells::Integer(values)) => values[row] as u64,
        // Each value in the bin in which it begins: 1, 2 or 3, 4, 5 or 6.
        (3, Cells::Integer(values)) => [0, 1, 1, 2, 3, 3][values[row] as usize - 1],
        // Half of the values are 0, and 35 % are 1, so that none begins in the last bin.
        (4, Cells::Integer(values)) => values[row].min(1) as u64,
        // Quartiles
        (5, Cells::Float(values)) => [-0.674_489_75, 0.0, 0.674_489_75]
            .iter()
            .filter(|&&quartile| values[row] > quartile)
            .count() as u64,
        (6, Cells::Date(days)) => (days[row] - 18_262) as u64 / 2,
        (_, other) => panic!("{other:?}"),
    }
}

/// Returns true if the rows contain each combination of levels of these features.
fn are_covered(columns: &[Column], rows: usize, features: &[usize]) -> bool {
    let levels = |row| {
        let level = |&feature: &usize| level(columns, feature, row);
        features.iter().map(level).collect::<Vec<u64>>()
    };
    let found: BTreeSet<_> = (0..rows).map(levels).collect();
    let all: usize = features.iter().map(|&feature| LEVELS[feature]).product();
    found.len() == all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn every_pair_of_levels_is_in_the_first_rows(seed: u64) {
        let definition = parse(&with_coverage(r#"{"strength": 2}"#));
        let rows = least_size(&definition);
        prop_assert_eq!(rows, 19);
        let columns = columns(&definition, seed, 0, rows);
        for a in 0..7 {
            for b in 0..a {
                prop_assert!(are_covered(&columns, rows, &[a, b]), "{} {}", a, b);
            }
        }
    }

    #[test]
    fn every_triple_of_levels_is_in_the_first_rows(seed: u64) {
        let definition = parse(&with_coverage(r#"{"strength": 3}"#));
        let rows = least_size(&definition);
        prop_assert_eq!(rows, 69);
        let columns = columns(&definition, seed, 0, rows);
        for a in 0..7 {
            for b in 0..a {
                for c in 0..b {
                    prop_assert!(are_covered(&columns, rows, &[a, b, c]), "{} {} {}", a, b, c);
                }
            }
        }
    }
}

#[test]
fn with_fewer_features_than_the_strength_all_their_combinations_are_there() {
    let definition = parse(&with_coverage(
        r#"{"strength": 3, "features": ["dice", "quantity"]}"#,
    ));
    assert_eq!(least_size(&definition), 3 * 4);
    assert!(are_covered(&columns(&definition, 1, 0, 12), 12, &[2, 3]));
}

#[test]
fn the_seed_decides_values_and_no_levels() {
    let definition = parse(&with_coverage(
        r#"{"strength": 2, "features": ["coupon", "quantity", "amount"]}"#,
    ));
    let rows = least_size(&definition);
    let (one, other) = (
        columns(&definition, 1, 0, rows),
        columns(&definition, 2, 0, rows),
    );
    for feature in [0, 3, 5] {
        let levels = |columns: &[Column]| -> Vec<u64> {
            (0..rows).map(|row| level(columns, feature, row)).collect()
        };
        assert_eq!(levels(&one), levels(&other), "{feature}");
    }
    assert_ne!(one[5].cells(), other[5].cells());
}

#[test]
fn rows_after_the_array_and_other_features_are_as_without_coverage() {
    let plain = columns(&parse(&format!("{{{FEATURES}}}")), 5, 0, 200);
    let definition = parse(&with_coverage(
        r#"{"strength": 2, "features": ["coupon", "quantity", "amount"]}"#,
    ));
    let covered = columns(&definition, 5, 0, 200);
    let array = least_size(&definition);
    for (feature, (plain, covered)) in plain.iter().zip(&covered).enumerate() {
        let first = if [0, 3, 5].contains(&feature) {
            array
        } else {
            0
        };
        for row in first..200 {
            assert_eq!(cell(plain, row), cell(covered, row), "{feature} {row}");
        }
    }
}

/// The cell as text, for comparisons.
fn cell(column: &Column, row: usize) -> String {
    match column.cells() {
        _ if column.is_null(row) => "null".to_owned(),
        Cells::Text(values) => values.get(row).to_owned(),
        Cells::Boolean(values) => values[row].to_string(),
        Cells::Float(values) => values[row].to_string(),
        Cells::Integer(values) | Cells::Date(values) => values[row].to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn any_range_of_rows_is_a_piece_of_the_whole() {
    let definition = parse(&with_coverage(r#"{"strength": 3}"#));
    let whole = columns(&definition, 5, 0, 90);
    for (first, rows) in [(0, 10), (3, 40), (69, 2), (70, 20), (89, 1)] {
        let piece = columns(&definition, 5, first, rows);
        for (whole, piece) in whole.iter().zip(&piece) {
            for row in 0..rows {
                assert_eq!(cell(piece, row), cell(whole, first as usize + row));
            }
        }
    }
}

#[test]
fn fewer_rows_than_the_array_has_are_refused_with_their_number() {
    let definition = parse(&with_coverage(r#"{"strength": 2}"#));
    insta::assert_snapshot!(definition.check_size(5).unwrap_err(), @"/coverage: needs 19 rows, but the size is 5; increase the size, cover fewer features or use fewer `bins`");
}

#[test]
fn the_canonical_form_leaves_out_what_is_so_by_default() {
    let coverage = |text: &str| {
        let canonical = parse(&with_coverage(text)).canonical();
        let (_, rest) = canonical.split_once(r#""coverage":"#).unwrap();
        rest.split_once(r#","features":[{"#).unwrap().0.to_owned()
    };
    let all = r#"["day", "amount", "calls", "quantity", "dice", "member", "coupon"]"#;
    assert_eq!(
        coverage(&format!(
            r#"{{"strength": 2, "bins": 4, "features": {all}}}"#
        )),
        r#"{"strength":2}"#
    );
    assert_eq!(
        coverage(r#"{"strength": 3, "bins": 5, "features": ["dice", "coupon"]}"#),
        r#"{"bins":5,"features":["coupon","dice"],"strength":3}"#
    );
}

#[test]
fn features_without_levels_are_left_out_unless_they_are_named() {
    let definition = parse(&format!(
        r#"{{"features": [
            {{"feature_name": "id", "type": "STRING", "distribution": {{"type": "uuid"}}}},
            {{"feature_name": "one", "type": "INTEGER", "distribution": {{"type": "constant", "value": 1}}}},
            {DICE}
        ], "coverage": {{"strength": 2}}}}"#
    ));
    assert_eq!(least_size(&definition), 3);
}

const DICE: &str = r#"{"feature_name": "dice", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 3}}"#;

#[test]
fn a_feature_without_levels_is_refused_with_the_reason() {
    let named = |feature: &str| {
        let coverage = r#"{"strength": 2, "features": ["dice", "x"]}"#;
        refused(
            &[DICE, &format!(r#"{{"feature_name": "x", {feature}}}"#)],
            coverage,
        )
    };
    insta::assert_snapshot!(named(r#""type": "STRING", "distribution": {"type": "uuid"}"#), @"/coverage/features/1: `x` is uuid, which takes several random numbers for each value; use a distribution that takes one, such as gaussian or uniform");
    insta::assert_snapshot!(named(r#""type": "FLOAT", "distribution": {"type": "mixture", "components": [{"weight": 1, "mu": 0, "sigma": 1}]}"#), @"/coverage/features/1: `x` is mixture, which takes several random numbers for each value; use a distribution that takes one, such as gaussian or uniform");
    insta::assert_snapshot!(named(r#""type": "INTEGER", "distribution": {"type": "constant", "value": 1}"#), @"/coverage/features/1: `x` is constant, which is not random; remove it here");
    insta::assert_snapshot!(named(r#""type": "INTEGER", "distribution": {"type": "poisson", "rate": 0.1}"#), @"/coverage/features/1: `x` has only one level, so there is nothing to combine; remove it, or use more `bins` if it has several values");
    insta::assert_snapshot!(named(r#""type": "FLOAT", "distribution": {"type": "uniform", "min": 1, "max": 1}"#), @"/coverage/features/1: `x` has only one level, so there is nothing to combine; remove it, or use more `bins` if it has several values");
    insta::assert_snapshot!(named(r#""type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0}"#), @"/coverage/features/1: `x` has only one level, so there is nothing to combine; remove it, or use more `bins` if it has several values");
    insta::assert_snapshot!(named(r#""type": "BOOLEAN", "null_probability": 1, "distribution": {"type": "bernoulli", "p": 0.5}"#), @"/coverage/features/1: `x` is null in every row, so there is nothing to combine; remove it");
    insta::assert_snapshot!(named(r#""type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 1, "max": 3000}"#), @"/coverage/features/1: `x` is unique, so only the seed decides the order of its values; remove `unique`");
    insta::assert_snapshot!(named(r#""type": "INTEGER", "edge_cases": {"probability": 0.1}, "distribution": {"type": "uniform", "min": 1, "max": 3}"#), @"/coverage/features/1: `x` has `edge_cases`, which replace the values of its levels; remove one of the two");
}

#[test]
fn coverage_that_cannot_be_is_refused() {
    let refused_here = |coverage: &str| faults(&with_coverage(coverage));
    insta::assert_snapshot!(refused_here(r#"{}"#), @"/coverage: `strength` is missing");
    insta::assert_snapshot!(refused_here(r#"2"#), @"/coverage: coverage must be an object, but this is 2");
    insta::assert_snapshot!(refused_here(r#"{"strength": 1}"#), @"/coverage/strength: must be 2 for all pairs or 3 for all triples, but is 1");
    insta::assert_snapshot!(refused_here(r#"{"strength": 4, "bins": 0}"#), @"
    /coverage/strength: must be 2 for all pairs or 3 for all triples, but is 4
    /coverage/bins: must be between 2 and 100, but is 0
    ");
    insta::assert_snapshot!(refused_here(r#"{"strength": "two", "bins": 1, "feature": []}"#), @r#"
    /coverage/strength: must be a 64-bit integer, but is the string "two"
    /coverage/bins: must be between 2 and 100, but is 1
    /coverage/feature: unknown; did you mean `features`?
    "#);
    insta::assert_snapshot!(refused_here(r#"{"strength": 2, "bins": 1000000000}"#), @"/coverage/bins: must be between 2 and 100, but is 1000000000");
    insta::assert_snapshot!(refused_here(r#"{"strength": 2, "features": []}"#), @"/coverage/features: must not be empty; remove it to cover all features");
    insta::assert_snapshot!(refused_here(r#"{"strength": 2, "features": "dice"}"#), @r#"/coverage/features: must be a list of features, but is the string "dice""#);
    insta::assert_snapshot!(refused_here(r#"{"strength": 2, "features": ["dices", "dice", "dice", 7]}"#), @"
    /coverage/features/0: unknown feature `dices`; did you mean `dice`?
    /coverage/features/2: `dice` is listed twice
    /coverage/features/3: must be the name of a feature, but is 7
    ");
    let uuid = r#"{"feature_name": "id", "type": "STRING", "distribution": {"type": "uuid"}}"#;
    insta::assert_snapshot!(refused(&[uuid], r#"{"strength": 2}"#), @"/coverage: no feature has two levels; name one in `features` to see why");
}

#[test]
fn more_work_than_a_test_can_wait_for_is_refused() {
    let gaussian = |n: usize| {
        format!(
            r#"{{"feature_name": "g{n}", "type": "FLOAT", "distribution": {{"type": "gaussian", "mu": 0, "sigma": 1}}}}"#
        )
    };
    let gaussians: Vec<String> = (0..250).map(gaussian).collect();
    let gaussians: Vec<&str> = gaussians.iter().map(String::as_str).collect();
    insta::assert_snapshot!(refused(&gaussians, r#"{"strength": 2}"#), @"/coverage: there are 498000 pairs of levels, but at most 400000 can be covered; cover fewer features or use fewer `bins`");
    insta::assert_snapshot!(refused(&gaussians[..50], r#"{"strength": 3}"#), @"/coverage: there are 1254400 triples of levels, but at most 400000 can be covered; cover fewer features or use fewer `bins`, or use strength 2");
    insta::assert_snapshot!(refused(&gaussians[..3], r#"{"strength": 3, "bins": 22}"#), @"/coverage: needs at least 10648 rows, but an ensemble has at most 10000; cover fewer features or use fewer `bins`");
}

#[test]
fn a_feature_is_covered_or_correlated_but_not_both() {
    let correlations = r#""correlations": [{"features": ["amount", "day"], "correlation": 0.5}]"#;
    let text =
        |coverage: &str| format!(r#"{{{FEATURES}, {correlations}, "coverage": {coverage}}}"#);
    insta::assert_snapshot!(faults(&text(r#"{"strength": 2, "features": ["day", "dice"]}"#)), @"/coverage/features/0: `day` is in `correlations`, which moves values out of their levels; remove it from one of the two");
    let others = parse(&text(r#"{"strength": 2, "features": ["coupon", "dice"]}"#));
    assert_eq!(least_size(&others), 9);
    let all = parse(&text(r#"{"strength": 2}"#));
    assert_eq!(least_size(&all), 12);
}

#[test]
fn a_feature_is_covered_or_in_order_but_not_both() {
    let text = format!(
        r#"{{{FEATURES}, "order": [["dice", "quantity"]], "coverage": {{"strength": 2, "features": ["day", "dice"]}}}}"#
    );
    insta::assert_snapshot!(faults(&text), @"/coverage/features/1: `dice` is in `order`, which moves values out of their levels; remove it from one of the two");
}

#[test]
fn coverage_is_not_stratified() {
    let text =
        format!(r#"{{{FEATURES}, "sampling": "stratified", "coverage": {{"strength": 2}}}}"#);
    insta::assert_snapshot!(faults(&text), @"/sampling: can't be combined with `coverage`, which moves values out of their strata; remove one of the two");
}
