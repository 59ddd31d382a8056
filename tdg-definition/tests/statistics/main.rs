//! The samplers against rand_distr.
//!
//! Each test draws two samples with fixed seeds and checks with a two-sample test that they have
//! the same distribution. Definitions with slightly wrong parameters must fail the same test. A
//! slightly wrong sampler would thus have failed too.

#![allow(clippy::unwrap_used, clippy::panic)] // Also in helpers: failures there fail the test.
#![allow(clippy::disallowed_methods)] // The oracles need no exact bits.

mod catalogue;
#[path = "../support/rows.rs"]
#[allow(unreachable_pub)]
mod rows;
mod two_samples;

use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rand_distr::{Exp, LogNormal, Normal, Poisson};
use rows::column;
use tdg_definition::{Cells, Column, Definition};
use two_samples::{chi_square, kolmogorov_smirnov};

/// The rows of every sample.
const ROWS: usize = 100_000;
const SEED: u64 = 20;

type TwoSampleTest = fn(&[f64], &[f64]) -> bool;

#[test]
fn gaussian() {
    assert_follows(
        kolmogorov_smirnov,
        &oracle(Normal::new(10.0, 2.0).unwrap()),
        ("FLOAT", r#"{"type": "gaussian", "mu": 10, "sigma": 2}"#),
        &[
            r#"{"type": "gaussian", "mu": 10.1, "sigma": 2}"#,
            r#"{"type": "gaussian", "mu": 9.9, "sigma": 2}"#,
            r#"{"type": "gaussian", "mu": 10, "sigma": 2.12}"#,
            r#"{"type": "gaussian", "mu": 10, "sigma": 1.88}"#,
        ],
    );
}

#[test]
fn lognormal() {
    assert_follows(
        kolmogorov_smirnov,
        &oracle(LogNormal::new(1.0, 0.5).unwrap()),
        ("FLOAT", r#"{"type": "lognormal", "mu": 1, "sigma": 0.5}"#),
        &[
            r#"{"type": "lognormal", "mu": 1.03, "sigma": 0.5}"#,
            r#"{"type": "lognormal", "mu": 1, "sigma": 0.53}"#,
            r#"{"type": "lognormal", "mu": 1, "sigma": 0.47}"#,
        ],
    );
}

#[test]
fn exponential_by_rate_and_by_scale() {
    let oracle = oracle(Exp::new(0.25).unwrap());
    for (right, wrong) in [
        (
            r#"{"type": "exponential", "rate": 0.25}"#,
            r#"{"type": "exponential", "rate": 0.26}"#,
        ),
        (
            r#"{"type": "exponential", "scale": 4}"#,
            r#"{"type": "exponential", "scale": 3.84}"#,
        ),
    ] {
        assert_follows(kolmogorov_smirnov, &oracle, ("FLOAT", right), &[wrong]);
    }
}

#[test]
fn uniform_floats() {
    assert_follows(
        kolmogorov_smirnov,
        &oracle(rand::distr::Uniform::new(-1.0, 3.0).unwrap()),
        ("FLOAT", r#"{"type": "uniform", "min": -1, "max": 3}"#),
        &[
            r#"{"type": "uniform", "min": -1, "max": 3.08}"#,
            r#"{"type": "uniform", "min": -0.92, "max": 3}"#,
        ],
    );
}

#[test]
fn uniform_integers_of_a_few_values() {
    assert_follows(
        chi_square,
        &oracle(integers(1, 6)),
        ("INTEGER", r#"{"type": "uniform", "min": 1, "max": 6}"#),
        &[
            r#"{"type": "uniform", "min": 1, "max": 5}"#,
            r#"{"type": "uniform", "min": 0, "max": 6}"#,
        ],
    );
}

#[test]
fn uniform_integers_of_all_64_bits() {
    assert_follows(
        kolmogorov_smirnov,
        &oracle(integers(i64::MIN, i64::MAX)),
        (
            "INTEGER",
            r#"{"type": "uniform", "min": -9223372036854775808, "max": 9223372036854775807}"#,
        ),
        &[r#"{"type": "uniform", "min": -9000000000000000000, "max": 9223372036854775807}"#],
    );
    let all = rand::distr::Uniform::new_inclusive(0, u64::MAX).unwrap();
    assert_follows(
        kolmogorov_smirnov,
        &oracle(all.map(|value| value as f64)),
        (
            "INTEGER",
            r#"{"type": "uniform", "min": 0, "max": 18446744073709551615}"#,
        ),
        &[r#"{"type": "uniform", "min": 0, "max": 18000000000000000000}"#],
    );
}

#[test]
fn uniform_dates_and_times() {
    // 2020-01-01 is day 18262; the year has 366 days.
    assert_follows(
        chi_square,
        &oracle(integers(18_262, 18_262 + 365)),
        (
            "DATE",
            r#"{"type": "uniform", "min": "2020-01-01", "max": "2020-12-31"}"#,
        ),
        &[
            r#"{"type": "uniform", "min": "2020-01-01", "max": "2021-01-01"}"#,
            r#"{"type": "uniform", "min": "2020-01-02", "max": "2020-12-31"}"#,
        ],
    );
    let start = 18_262 * 86_400;
    assert_follows(
        kolmogorov_smirnov,
        &oracle(integers(start, start + 366 * 86_400 - 1)),
        (
            "DATETIME",
            r#"{"type": "uniform", "min": "2020-01-01T00:00:00Z", "max": "2020-12-31T23:59:59Z"}"#,
        ),
        &[
            r#"{"type": "uniform", "min": "2020-01-01T00:00:00Z", "max": "2020-12-24T23:59:59Z"}"#,
            r#"{"type": "uniform", "min": "2020-01-08T00:00:00Z", "max": "2020-12-31T23:59:59Z"}"#,
        ],
    );
}

#[test]
fn categorical_of_every_type() {
    for (feature_type, [a, b, c]) in [
        ("STRING", [r#""0""#, r#""1""#, r#""2""#]),
        ("INTEGER", ["0", "1", "2"]),
        ("FLOAT", ["0.0", "1.0", "2.0"]),
    ] {
        let with = |p: f64, q: f64, r: f64| {
            format!(
                r#"{{"type": "categorical", "categories": [{{"value": {a}, "probability": {p}}},
                     {{"value": {b}, "probability": {q}}}, {{"value": {c}, "probability": {r}}}]}}"#
            )
        };
        assert_follows(
            chi_square,
            &oracle(index([0.5, 0.3, 0.2])),
            (feature_type, &with(0.5, 0.3, 0.2)),
            &[&with(0.51, 0.3, 0.19), &with(0.5, 0.31, 0.19)],
        );
    }
    let booleans = |p: f64, q: f64| {
        format!(
            r#"{{"type": "categorical", "categories":
                [{{"value": false, "probability": {p}}}, {{"value": true, "probability": {q}}}]}}"#
        )
    };
    assert_follows(
        chi_square,
        &oracle(index([0.3, 0.7])),
        ("BOOLEAN", &booleans(0.3, 0.7)),
        &[&booleans(0.31, 0.69)],
    );
}

#[test]
fn categorical_of_many_values() {
    // A few likely values, many unlikely ones, and some that never occur.
    let mut weights = Vec::new();
    for value in 0..200 {
        weights.push(match value % 10 {
            0 => 20.0,
            1 | 2 => 0.0,
            _ => 1.0,
        });
    }
    let total: f64 = weights.iter().sum();
    let with = |weights: &[f64]| {
        let categories: Vec<String> = weights
            .iter()
            .enumerate()
            .map(|(value, weight)| {
                let probability = weight / total;
                format!(r#"{{"value": {value}, "probability": {probability}}}"#)
            })
            .collect();
        let categories = categories.join(",");
        format!(r#"{{"type": "categorical", "categories": [{categories}]}}"#)
    };
    let mut wrong = weights.clone();
    wrong[100] = 18.5;
    wrong[101] = 1.5;
    assert_follows(
        chi_square,
        &oracle(index(weights.clone())),
        ("INTEGER", &with(&weights)),
        &[&with(&wrong)],
    );
}

#[test]
fn bernoulli_of_both_types() {
    for feature_type in ["BOOLEAN", "INTEGER"] {
        assert_follows(
            chi_square,
            &oracle(index([0.7, 0.3])),
            (feature_type, r#"{"type": "bernoulli", "p": 0.3}"#),
            &[
                r#"{"type": "bernoulli", "p": 0.31}"#,
                r#"{"type": "bernoulli", "p": 0.29}"#,
            ],
        );
    }
}

#[test]
fn poisson_of_small_and_large_rates() {
    let cases: [(f64, f64, TwoSampleTest); 5] = [
        (0.05, 0.055, chi_square),
        (3.0, 3.06, chi_square),
        (40.5, 40.8, chi_square),
        (1_000.0, 1_002.0, kolmogorov_smirnov),
        (1_000_000.0, 1_000_050.0, kolmogorov_smirnov),
    ];
    for (rate, wrong, test) in cases {
        let with = |rate: f64| format!(r#"{{"type": "poisson", "rate": {rate}}}"#);
        assert_follows(
            test,
            &oracle(Poisson::new(rate).unwrap()),
            ("INTEGER", &with(rate)),
            &[&with(wrong)],
        );
    }
}

#[test]
fn mixture_of_floats() {
    let with = |weight: f64, mu: f64, rate: f64| {
        format!(
            r#"{{"type": "mixture", "components": [{{"weight": {weight}, "mu": {mu}, "sigma": 0.5}},
                 {{"weight": 3, "distribution": {{"type": "exponential", "rate": {rate}}}}}]}}"#
        )
    };
    let mut random = StdRng::seed_from_u64(SEED);
    let (normal, exponential) = (Normal::new(4.0, 0.5).unwrap(), Exp::new(2.0).unwrap());
    let oracle: Vec<f64> = (0..ROWS)
        .map(|_| match random.random_bool(0.25) {
            true => normal.sample(&mut random),
            false => exponential.sample(&mut random),
        })
        .collect();
    assert_follows(
        kolmogorov_smirnov,
        &sorted(oracle),
        ("FLOAT", &with(1.0, 4.0, 2.0)),
        &[
            &with(1.1, 4.0, 2.0),
            &with(1.0, 4.1, 2.0),
            &with(1.0, 4.0, 2.1),
        ],
    );
}

#[test]
fn mixture_of_integers() {
    let with = |weight: f64, max: i64, rate: f64| {
        format!(
            r#"{{"type": "mixture", "components": [
                {{"weight": {weight}, "distribution": {{"type": "uniform", "min": -3, "max": {max}}}}},
                {{"weight": 1, "distribution": {{"type": "poisson", "rate": {rate}}}}}]}}"#
        )
    };
    let mut random = StdRng::seed_from_u64(SEED);
    let poisson = Poisson::new(5.0).unwrap();
    let oracle: Vec<f64> = (0..ROWS)
        .map(|_| match random.random_bool(2.0 / 3.0) {
            true => random.random_range(-3..=3) as f64,
            false => poisson.sample(&mut random),
        })
        .collect();
    assert_follows(
        chi_square,
        &sorted(oracle),
        ("INTEGER", &with(2.0, 3, 5.0)),
        &[&with(2.2, 3, 5.0), &with(2.0, 4, 5.0), &with(2.0, 3, 5.15)],
    );
}

#[test]
fn null_probability() {
    let with = |p: f64| {
        format!(
            r#"{{"features": [{{"feature_name": "x", "type": "FLOAT", "null_probability": {p},
                 "distribution": {{"type": "gaussian", "mu": 0, "sigma": 1}}}}]}}"#
        )
    };
    let nulls = |definition: &str| -> Vec<f64> {
        let definition = Definition::parse(definition).unwrap();
        let column = column(&definition, SEED, 0, ROWS);
        let nulls = column.nulls().unwrap().iter();
        sorted(nulls.map(|&null| f64::from(u8::from(null))).collect())
    };
    let oracle = oracle(index([0.6, 0.4]));
    assert!(chi_square(&nulls(&with(0.4)), &oracle));
    assert!(!chi_square(&nulls(&with(0.415)), &oracle));
    assert!(!chi_square(&nulls(&with(0.385)), &oracle));
}

#[test]
fn features_seeds_and_neighbouring_rows_are_independent() {
    let gaussian = |name: &str, seed: u64, first_row: u64| {
        let definition = Definition::parse(&format!(
            r#"{{"features": [{{"feature_name": "{name}", "type": "FLOAT",
                 "distribution": {{"type": "gaussian", "mu": 5, "sigma": 2}}}}]}}"#
        ));
        numbers(&column(&definition.unwrap(), seed, first_row, ROWS))
    };
    let one = gaussian("feature_1", 0, 0);
    for other in [
        gaussian("feature_2", 0, 0),
        gaussian("feature_1", 1, 0),
        gaussian("feature_1", 0, 1),
        gaussian("feature_1", 0, 4),
    ] {
        // Five standard deviations of the correlation of independent columns.
        let limit = 5.0 / (ROWS as f64).sqrt();
        assert!(correlation(&one, &other).abs() < limit);
        // Nor do their distances from the mean.
        assert!(correlation(&squares(&one), &squares(&other)).abs() < limit);
    }
    let affine_copy: Vec<f64> = one.iter().map(|value| 3.0 - 2.0 * value).collect();
    assert!(correlation(&one, &affine_copy) < -0.999);
}

/// Asserts that the definition's values pass the test against the oracle's, and the wrong
/// definitions' values don't.
#[track_caller]
fn assert_follows(
    test: TwoSampleTest,
    oracle: &[f64],
    (feature_type, right): (&str, &str),
    wrong: &[&str],
) {
    assert!(
        test(&drawn(feature_type, right), oracle),
        "{feature_type} {right} differs from rand_distr"
    );
    for wrong in wrong {
        assert!(
            !test(&drawn(feature_type, wrong), oracle),
            "{feature_type} {wrong} should differ"
        );
    }
}

/// The values of a feature with this distribution, as sorted numbers.
fn drawn(feature_type: &str, distribution: &str) -> Vec<f64> {
    let definition = format!(
        r#"{{"features": [{{"type": "{feature_type}", "distribution": {distribution}}}]}}"#
    );
    let definition = Definition::parse(&definition).unwrap();
    sorted(numbers(&column(&definition, SEED, 0, ROWS)))
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values
}

/// A list's elements; two adjacent ones can be in one block of words or in two.
const ELEMENTS: usize = 10;

fn list_of(element: &str) -> (usize, Vec<f64>) {
    let distribution = format!(r#"{{"type": "list", "length": {ELEMENTS}, "element": {element}}}"#);
    let definition =
        format!(r#"{{"features": [{{"type": "LIST", "distribution": {distribution}}}]}}"#);
    let rows = ROWS / ELEMENTS;
    let definition = Definition::parse(&definition).unwrap();
    (rows, numbers(&column(&definition, SEED, 0, rows)))
}

#[test]
fn elements_of_lists_follow_their_distribution() {
    let element =
        r#"{"type": "FLOAT", "distribution": {"type": "gaussian", "mu": 10, "sigma": 2}}"#;
    let oracle = oracle(Normal::new(10.0, 2.0).unwrap());
    assert!(kolmogorov_smirnov(&oracle, &sorted(list_of(element).1)));
    let wrong = element.replace("10", "10.1");
    assert!(!kolmogorov_smirnov(&oracle, &sorted(list_of(&wrong).1)));
    // Elements of lists within lists, and each place separately.
    let inner = format!(
        r#"{{"type": "LIST", "distribution": {{"type": "list", "length": 3, "element": {element}}}}}"#
    );
    let values = list_of(&inner).1;
    for place in 0..3 {
        let alone = values.iter().skip(place).step_by(3).copied().collect();
        assert!(kolmogorov_smirnov(&oracle, &sorted(alone)), "{place}");
    }
}

#[test]
fn elements_of_lists_are_independent() {
    let element =
        r#"{"type": "FLOAT", "distribution": {"type": "gaussian", "mu": 10, "sigma": 2}}"#;
    let (rows, values) = list_of(element);
    let place = |place: usize| -> Vec<f64> {
        values
            .iter()
            .skip(place)
            .step_by(ELEMENTS)
            .copied()
            .collect()
    };
    // Five standard deviations of a correlation of this many pairs.
    let limit = 5.0 / (rows as f64).sqrt();
    for one in 0..ELEMENTS {
        for other in 0..one {
            assert!(
                correlation(&place(one), &place(other)).abs() < limit,
                "{one}, {other}"
            );
        }
        let (this, next) = (place(one), place(one));
        assert!(
            correlation(&this[1..], &next[..rows - 1]).abs() < limit,
            "{one}"
        );
    }
}

fn numbers(column: &Column) -> Vec<f64> {
    match column.cells() {
        Cells::Float(values) => values.clone(),
        Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
            values.iter().map(|&value| value as f64).collect()
        }
        Cells::Unsigned(values) => values.iter().map(|&value| value as f64).collect(),
        Cells::Boolean(values) => values.iter().map(|&v| f64::from(u8::from(v))).collect(),
        Cells::Text(values) => values.iter().map(|text| text.parse().unwrap()).collect(),
        Cells::List(lists) => numbers(lists.elements()),
        other => panic!("{other:?}"),
    }
}

fn oracle(distribution: impl Distribution<f64>) -> Vec<f64> {
    let random = StdRng::seed_from_u64(SEED);
    sorted(distribution.sample_iter(random).take(ROWS).collect())
}

/// The integers from `min` to `max`, equally likely.
fn integers(min: i64, max: i64) -> impl Distribution<f64> {
    let integers = rand::distr::Uniform::new_inclusive(min, max).unwrap();
    integers.map(|value| value as f64)
}

/// The positions in a list, by weight.
fn index(weights: impl IntoIterator<Item = f64>) -> impl Distribution<f64> {
    let index = WeightedIndex::new(weights).unwrap();
    index.map(|value| value as f64)
}

fn squares(values: &[f64]) -> Vec<f64> {
    let mean = mean(values);
    values.iter().map(|v| (v - mean) * (v - mean)).collect()
}

/// Pearson's correlation.
fn correlation(first: &[f64], second: &[f64]) -> f64 {
    let (mean_1, mean_2) = (mean(first), mean(second));
    let (mut products, mut squares_1, mut squares_2) = (0.0, 0.0, 0.0);
    for (a, b) in first.iter().zip(second) {
        let (a, b) = (a - mean_1, b - mean_2);
        products += a * b;
        squares_1 += a * a;
        squares_2 += b * b;
    }
    products / (squares_1 * squares_2).sqrt()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
