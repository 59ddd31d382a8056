//! What features can ask of each other.

#![allow(clippy::unwrap_used, clippy::panic)] // In helpers too: what fails there fails the test.

use tdg_definition::{Cells, Column, Definition};

/// Features of type FLOAT with these distributions, named `a`, `b`, …, and the definition's further members.
fn floats(distributions: &[&str], members: &str) -> String {
    let feature = |(name, distribution): (char, &&str)| {
        format!(r#"{{"feature_name": "{name}", "type": "FLOAT", "distribution": {distribution}}}"#)
    };
    let features: Vec<String> = ('a'..).zip(distributions).map(feature).collect();
    format!(r#"{{"features": [{}], {members}}}"#, features.join(", "))
}

fn parse(text: &str) -> Definition {
    Definition::parse(text).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

/// All that is wrong, one fault a line.
fn faults(text: &str) -> String {
    Definition::parse(text).unwrap_err().to_string()
}

fn columns(text: &str, seed: u64, size: u64) -> Vec<Column> {
    parse(text).columns(seed, size, 0..size)
}

fn numbers(column: &Column) -> Vec<f64> {
    match column.cells() {
        Cells::Float(values) => values.clone(),
        Cells::Integer(values) | Cells::Date(values) => values.iter().map(|&v| v as f64).collect(),
        other => panic!("{other:?}"),
    }
}

const NORMAL: &str = r#"{"type": "gaussian", "mu": 0, "sigma": 1}"#;

/// Pearson's.
fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let product = |x: &[f64], y: &[f64]| {
        let (p, q) = (mean(x), mean(y));
        x.iter().zip(y).map(|(x, y)| (x - p) * (y - q)).sum::<f64>()
    };
    product(x, y) / (product(x, x) * product(y, y)).sqrt()
}

#[test]
fn normal_values_have_the_correlations_asked_for() {
    let members = r#""correlations": [
        {"features": ["a", "b"], "correlation": 0.7},
        {"features": ["c", "b"], "correlation": -0.5},
        {"features": ["a", "d"], "correlation": 1},
        {"features": ["b", "d"], "correlation": 0.7},
        {"features": ["d", "c"], "correlation": 0}
    ]"#;
    let text = floats(&[NORMAL; 5], members);
    let drawn: Vec<Vec<f64>> = columns(&text, 1, 100_000).iter().map(numbers).collect();
    let expected = [
        [1.0, 0.7, 0.0, 1.0, 0.0],
        [0.7, 1.0, -0.5, 0.7, 0.0],
        [0.0, -0.5, 1.0, 0.0, 0.0],
        [1.0, 0.7, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 1.0],
    ];
    for (x, row) in drawn.iter().zip(expected) {
        for (y, expected) in drawn.iter().zip(row) {
            // Its standard deviation is (1 - r²) / √rows.
            assert!(
                (correlation(x, y) - expected).abs() < 0.012,
                "{} {expected}",
                correlation(x, y)
            );
        }
    }
}

#[test]
fn correlations_that_no_numbers_can_have_are_refused_with_what_the_pair_could_have() {
    let impossible = floats(
        &[NORMAL; 3],
        r#""correlations": [{"features": ["a", "b"], "correlation": 0.9}, {"features": ["b", "c"], "correlation": 0.9}]"#,
    );
    insta::assert_snapshot!(faults(&impossible), @"/correlations/1: is impossible beside the other correlations (0 where none is named), with which that of `b` and `c` is from -0.435 to 0.435");
}
