//! The rest of the catalogue's samplers against rand_distr.
//!
//! Each definition's values pass a two-sample test against the oracle's, while slightly wrong
//! definitions fail the same test. A slightly wrong sampler would thus have failed too.

use crate::rows::column;
use crate::two_samples::{chi_square, kolmogorov_smirnov};
use rand::SeedableRng;
use rand::distr::{Distribution, Uniform};
use rand::rngs::StdRng;
use rand_distr::{
    Beta, Binomial, Cauchy, Exp1, Gamma, Geometric, Normal, Pareto, Poisson, StudentT, Triangular,
    Weibull, Zipf,
};
use tdg_definition::{Cells, Definition};

/// The rows of every sample.
const ROWS: usize = 60_000;
const SEED: u64 = 20;

#[test]
fn gamma_above_and_below_shape_1() {
    for (shape, scale, wrong_shape, wrong_scale) in [
        (0.3, 2.0, 0.31, 2.2),
        (1.0, 0.5, 1.08, 0.54),
        (7.5, 3.0, 7.65, 3.06),
        (1e6, 1.0, 1.00005e6, 1.00005),
    ] {
        let with = |shape: f64, scale: f64| {
            format!(r#"{{"type": "gamma", "shape": {shape}, "scale": {scale}}}"#)
        };
        let rate = format!(
            r#"{{"type": "gamma", "shape": {shape}, "rate": {}}}"#,
            1.0 / scale
        );
        let oracle = oracle(Gamma::new(shape, scale).unwrap());
        let wrong = [with(wrong_shape, scale), with(shape, wrong_scale)];
        assert_floats(&oracle, &with(shape, scale), &wrong);
        assert_floats(&oracle, &rate, &[]);
    }
}

/// If most values are below the smallest float, their number is right, and so are the others.
#[test]
fn gamma_of_a_tiny_shape() {
    let with = |shape: f64| format!(r#"{{"type": "gamma", "shape": {shape}, "scale": 1}}"#);
    let random = &mut StdRng::seed_from_u64(SEED);
    // ln x for shape a is ln x for shape a + 1, plus (ln u) / a.
    let oracle: Vec<f64> = (0..ROWS)
        .map(|_| {
            let exponential: f64 = Exp1.sample(random);
            let above: f64 = Gamma::new(1.001, 1.0).unwrap().sample(random);
            (above.ln() - exponential / 0.001).exp()
        })
        .collect();
    assert_floats(&oracle, &with(0.001), &[with(0.00106), with(0.00094)]);
}

#[test]
fn beta_of_large_small_and_mixed_shapes() {
    for (alpha, beta, wrong_alpha, wrong_beta) in [
        (2.0, 5.0, 2.06, 5.2),
        (0.5, 0.5, 0.53, 0.53),
        (0.1, 3.0, 0.104, 3.5),
        (1e6, 1e6, 1.0001e6, 1.0001e6),
    ] {
        let with = |alpha: f64, beta: f64| {
            format!(r#"{{"type": "beta", "alpha": {alpha}, "beta": {beta}}}"#)
        };
        assert_floats(
            &oracle(Beta::new(alpha, beta).unwrap()),
            &with(alpha, beta),
            &[with(wrong_alpha, beta), with(alpha, wrong_beta)],
        );
    }
}

#[test]
fn weibull() {
    let with = |shape: f64, scale: f64| {
        format!(r#"{{"type": "weibull", "shape": {shape}, "scale": {scale}}}"#)
    };
    for (shape, scale) in [(0.7, 3.0), (1.5, 10.0)] {
        assert_floats(
            &oracle(Weibull::new(scale, shape).unwrap()),
            &with(shape, scale),
            &[with(shape * 1.05, scale), with(shape, scale * 1.05)],
        );
    }
}

#[test]
fn pareto() {
    let with =
        |min: f64, shape: f64| format!(r#"{{"type": "pareto", "min": {min}, "shape": {shape}}}"#);
    assert_floats(
        &oracle(Pareto::new(2.0, 1.2).unwrap()),
        &with(2.0, 1.2),
        &[with(2.03, 1.2), with(2.0, 1.25)],
    );
}

#[test]
fn triangular() {
    let with = |min: f64, mode: f64, max: f64| {
        format!(r#"{{"type": "triangular", "min": {min}, "mode": {mode}, "max": {max}}}"#)
    };
    assert_floats(
        &oracle(Triangular::new(-1.0, 5.0, 0.0).unwrap()),
        &with(-1.0, 0.0, 5.0),
        &[
            with(-1.15, 0.0, 5.0),
            with(-1.0, 0.15, 5.0),
            with(-1.0, 0.0, 5.2),
        ],
    );
}

#[test]
fn student_t_of_few_and_many_degrees_of_freedom() {
    for (nu, wrong) in [(0.5, 0.55), (1.0, 1.15), (2.0, 3.5)] {
        let with = |nu: f64| format!(r#"{{"type": "student_t", "nu": {nu}}}"#);
        assert_floats(
            &oracle(StudentT::new(nu).unwrap()),
            &with(nu),
            &[with(wrong)],
        );
    }
    let with = |nu: f64, mu: f64, sigma: f64| {
        format!(r#"{{"type": "student_t", "nu": {nu}, "mu": {mu}, "sigma": {sigma}}}"#)
    };
    assert_floats(
        &oracle(Normal::new(3.0, 2.0).unwrap()),
        &with(1e8, 3.0, 2.0),
        &[
            with(1e8, 3.1, 2.0),
            with(1e8, 3.0, 2.1),
            with(8.0, 3.0, 2.0),
        ],
    );
}

#[test]
fn cauchy() {
    let with =
        |mu: f64, sigma: f64| format!(r#"{{"type": "cauchy", "mu": {mu}, "sigma": {sigma}}}"#);
    assert_floats(
        &oracle(Cauchy::new(1.0, 2.0).unwrap()),
        &with(1.0, 2.0),
        &[with(1.12, 2.0), with(1.0, 2.15)],
    );
}

#[test]
fn laplace() {
    let with =
        |mu: f64, sigma: f64| format!(r#"{{"type": "laplace", "mu": {mu}, "sigma": {sigma}}}"#);
    let random = &mut StdRng::seed_from_u64(SEED);
    // The difference of two exponential values
    let oracle: Vec<f64> = (0..ROWS)
        .map(|_| {
            let (a, b): (f64, f64) = (Exp1.sample(random), Exp1.sample(random));
            1.0 + 2.0 * (a - b)
        })
        .collect();
    assert_floats(
        &oracle,
        &with(1.0, 2.0),
        &[with(1.08, 2.0), with(1.0, 2.25)],
    );
}

#[test]
fn logistic() {
    let with =
        |mu: f64, sigma: f64| format!(r#"{{"type": "logistic", "mu": {mu}, "sigma": {sigma}}}"#);
    let random = &mut StdRng::seed_from_u64(SEED);
    // The logarithm of the ratio of two exponential values
    let oracle: Vec<f64> = (0..ROWS)
        .map(|_| {
            let (a, b): (f64, f64) = (Exp1.sample(random), Exp1.sample(random));
            1.0 + 2.0 * (a / b).ln()
        })
        .collect();
    assert_floats(&oracle, &with(1.0, 2.0), &[with(1.12, 2.0), with(1.0, 2.2)]);
}

#[test]
fn truncated_gaussian_is_what_rejection_leaves() {
    let with = |mu: f64, bounds: &str| {
        format!(r#"{{"type": "gaussian", "mu": {mu}, "sigma": 2, {bounds}}}"#)
    };
    for (bounds, min, max, wrong) in [
        (r#""min": 0"#, 0.0, f64::INFINITY, r#""min": 0.1"#),
        (r#""max": 0.5"#, f64::NEG_INFINITY, 0.5, r#""max": 0.6"#),
        (
            r#""min": -1, "max": 2"#,
            -1.0,
            2.0,
            r#""min": -1, "max": 2.1"#,
        ),
        (r#""min": 2, "max": 5"#, 2.0, 5.0, r#""min": 2, "max": 4.6"#),
    ] {
        let random = StdRng::seed_from_u64(SEED);
        let normal = Normal::new(1.0, 2.0).unwrap();
        let oracle: Vec<f64> = normal
            .sample_iter(random)
            .filter(|value| (min..=max).contains(value))
            .take(ROWS)
            .collect();
        assert_floats(
            &oracle,
            &with(1.0, bounds),
            &[with(1.0, wrong), with(1.4, bounds)],
        );
    }
}

#[test]
fn binomial_of_few_and_many_trials() {
    let with = |n: u64, p: f64| format!(r#"{{"type": "binomial", "n": {n}, "p": {p}}}"#);
    for (n, p, wrong) in [(5, 0.3, 0.31), (40, 0.9, 0.905), (1_000_000, 2e-6, 2.1e-6)] {
        assert_integers(
            &oracle(Binomial::new(n, p).unwrap().map(|count| count as f64)),
            &with(n, p),
            &[with(n, wrong), with(n + n / 5, p)],
        );
    }
    let oracle = oracle(
        Binomial::new(1_000_000, 0.4)
            .unwrap()
            .map(|count| count as f64),
    );
    assert_follows(
        kolmogorov_smirnov,
        &oracle,
        ("INTEGER", &with(1_000_000, 0.4)),
        &[with(1_000_100, 0.4), with(1_000_000, 0.40003)],
    );
}

#[test]
fn negative_binomial_as_a_poisson_of_a_gamma() {
    let with = |n: f64, p: f64| format!(r#"{{"type": "negative_binomial", "n": {n}, "p": {p}}}"#);
    for (n, p, wrong_n, wrong_p) in [(3.0, 0.5, 3.1, 0.51), (0.4, 0.2, 0.42, 0.215)] {
        let rates = Gamma::new(n, (1.0 - p) / p).unwrap();
        let random = &mut StdRng::seed_from_u64(SEED);
        let oracle: Vec<f64> = (0..ROWS)
            .map(|_| Poisson::new(rates.sample(random)).map_or(0.0, |rate| rate.sample(random)))
            .collect();
        assert_integers(&oracle, &with(n, p), &[with(wrong_n, p), with(n, wrong_p)]);
    }
}

#[test]
fn geometric_counts_failures_from_0() {
    let with = |p: f64| format!(r#"{{"type": "geometric", "p": {p}}}"#);
    let geometric = |p: f64| oracle(Geometric::new(p).unwrap().map(|count| count as f64));
    assert_integers(&geometric(0.3), &with(0.3), &[with(0.32), with(0.28)]);
    assert_follows(
        kolmogorov_smirnov,
        &geometric(1e-9),
        ("INTEGER", &with(1e-9)),
        &[with(1.05e-9)],
    );
}

#[test]
fn zipf_of_small_and_large_exponents() {
    let with = |n: u64, s: f64| format!(r#"{{"type": "zipf", "n": {n}, "s": {s}}}"#);
    for (n, s, wrong) in [(10, 0.0, 0.1), (20, 1.0, 1.05), (1000, 2.5, 2.6)] {
        assert_integers(
            &oracle(Zipf::new(n as f64, s).unwrap()),
            &with(n, s),
            &[with(n, wrong)],
        );
    }
}

/// Each choice of a pattern against the documented probabilities.
#[test]
fn choices_of_a_pattern_are_equally_likely() {
    let lengths = |regex: &str| -> Vec<f64> {
        let texts = text(&format!(r#"{{"type": "pattern", "regex": "{regex}"}}"#));
        sorted(
            &texts
                .iter()
                .map(|text| text.len() as f64)
                .collect::<Vec<_>>(),
        )
    };
    let oracle = |from: u32, to: u32| {
        let lengths = Uniform::new_inclusive(from, to).unwrap();
        sorted(&oracle(lengths.map(f64::from)))
    };
    // The number of repetitions
    assert!(chi_square(&lengths("x{2,5}"), &oracle(2, 5)));
    assert!(chi_square(&lengths("x*"), &oracle(0, 8)));
    assert!(chi_square(&lengths("[a-z]+"), &oracle(1, 8)));
    assert!(chi_square(&lengths("[a-z]?"), &oracle(0, 1)));
    assert!(!chi_square(&lengths("x{2,5}x?"), &oracle(2, 6)));
    // The alternative, regardless of its kind
    assert!(chi_square(&lengths("a|bb|[c-z]{3}|"), &oracle(0, 3)));
    // The character, with 1, 2, 3 or 4 bytes
    assert!(chi_square(&lengths("[aäह💾]"), &oracle(1, 4)));
    assert!(!chi_square(&lengths("[abäह💾]"), &oracle(1, 4)));
}

#[test]
fn uuids_have_random_digits_where_the_version_leaves_them() {
    let uuids = text(r#"{"type": "uuid"}"#);
    let digits = |position: usize| -> Vec<f64> {
        let digit = |uuid: &String| u8::from_str_radix(&uuid[position..=position], 16);
        uuids
            .iter()
            .map(|uuid| digit(uuid).unwrap().into())
            .collect()
    };
    let random = sorted(&oracle(Uniform::new(0, 16).unwrap().map(f64::from)));
    for position in [0, 7, 9, 12, 15, 17, 20, 22, 24, 35] {
        assert!(
            chi_square(&sorted(&digits(position)), &random),
            "{position}"
        );
    }
    assert_eq!(digits(14), vec![4.0; ROWS]);
    let variant: Vec<f64> = digits(19).iter().map(|digit| digit - 8.0).collect();
    let four = sorted(&oracle(Uniform::new(0, 4).unwrap().map(f64::from)));
    assert!(chi_square(&sorted(&variant), &four));
}

fn assert_floats(oracle: &[f64], right: &str, wrong: &[String]) {
    assert_follows(kolmogorov_smirnov, oracle, ("FLOAT", right), wrong);
}

fn assert_integers(oracle: &[f64], right: &str, wrong: &[String]) {
    assert_follows(chi_square, oracle, ("INTEGER", right), wrong);
}

/// Asserts that the definition's values pass the test against the oracle's, and the wrong
/// definitions' values don't.
#[track_caller]
fn assert_follows(
    test: fn(&[f64], &[f64]) -> bool,
    oracle: &[f64],
    (feature_type, right): (&str, &str),
    wrong: &[String],
) {
    let oracle = &sorted(oracle);
    assert!(
        test(&numbers(feature_type, right), oracle),
        "{feature_type} {right} differs from rand_distr"
    );
    for wrong in wrong {
        assert!(
            !test(&numbers(feature_type, wrong), oracle),
            "{feature_type} {wrong} should differ"
        );
    }
}

fn oracle(distribution: impl Distribution<f64>) -> Vec<f64> {
    let random = StdRng::seed_from_u64(SEED);
    distribution.sample_iter(random).take(ROWS).collect()
}

fn numbers(feature_type: &str, distribution: &str) -> Vec<f64> {
    match drawn(feature_type, distribution) {
        Cells::Float(values) => sorted(&values),
        Cells::Integer(values) => sorted(&values.iter().map(|&v| v as f64).collect::<Vec<_>>()),
        other => panic!("{other:?}"),
    }
}

fn sorted(sample: &[f64]) -> Vec<f64> {
    let mut sorted = sample.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

fn text(distribution: &str) -> Vec<String> {
    match drawn("STRING", distribution) {
        Cells::Text(values) => values.iter().map(str::to_owned).collect(),
        other => panic!("{other:?}"),
    }
}

fn drawn(feature_type: &str, distribution: &str) -> Cells {
    let definition = format!(
        r#"{{"features": [{{"type": "{feature_type}", "distribution": {distribution}}}]}}"#
    );
    let definition = Definition::parse(&definition).unwrap();
    column(&definition, SEED, 0, ROWS).cells().clone()
}
