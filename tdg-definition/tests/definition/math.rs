//! Elementary functions against high-precision tables, and their behavior at the edges.

use proptest::prelude::*;
use tdg_definition::math::{cos_pi, exp, exp_m1, ln, ln_1p, normal, pow, tan_pi};
use tdg_definition::random::uniform::unit_open;

#[test]
fn ln_is_within_1_ulp_of_the_table() {
    for (x, truth) in table(include_str!("../data/ln.txt")) {
        assert!(
            truth.ulps(ln(x)) <= 1.0,
            "ln({x:e}) = {:e} is {} ULP off",
            ln(x),
            truth.ulps(ln(x))
        );
    }
}

#[test]
fn exp_is_within_1_ulp_of_the_table() {
    for (x, truth) in table(include_str!("../data/exp.txt")) {
        assert!(
            truth.ulps(exp(x)) <= 1.0,
            "exp({x:e}) = {:e} is {} ULP off",
            exp(x),
            truth.ulps(exp(x))
        );
    }
}

#[test]
fn the_normal_quantile_is_within_1e_15_of_the_table() {
    for (u, truth) in table(include_str!("../data/normal_quantile.txt")) {
        let z = normal::quantile(u);
        let error = (truth.distance(z) / truth.nearest).abs();
        assert!(
            error <= 1e-15,
            "quantile({u:e}) = {z:e} is off by {error:e} of it"
        );
    }
}

#[test]
fn exp_m1_is_within_2_ulp_of_the_table() {
    assert_within(2.0, exp_m1, include_str!("../data/exp_m1.txt"));
}

#[test]
fn ln_1p_is_within_2_ulp_of_the_table() {
    assert_within(2.0, ln_1p, include_str!("../data/ln_1p.txt"));
}

#[test]
fn cos_pi_is_within_2_ulp_of_the_table() {
    assert_within(2.0, cos_pi, include_str!("../data/cos_pi.txt"));
}

#[test]
fn tan_pi_is_within_3_ulp_of_the_table() {
    assert_within(3.0, tan_pi, include_str!("../data/tan_pi.txt"));
}

#[test]
fn pow_is_within_its_bound_of_the_table() {
    for line in include_str!("../data/pow.txt").lines().skip(1) {
        let [x, y, nearest, rest] = floats(line)[..] else {
            panic!("{line}");
        };
        let off = Truth { nearest, rest }.ulps(pow(x, y));
        assert!(
            off <= 2.0 + 3.0 * (y * ln(x)).abs(),
            "pow({x:e}, {y:e}) is {off} ULP off"
        );
    }
}

#[test]
fn the_normal_distribution_function_is_within_1e_15_of_the_table() {
    for (z, truth) in table(include_str!("../data/normal_cdf.txt")) {
        let p = normal::cdf(z);
        let error = (truth.distance(p) / truth.nearest).abs();
        assert!(
            error <= 1e-15,
            "cdf({z:e}) = {p:e} is off by {error:e} of it"
        );
    }
}

#[test]
fn exp_m1_and_ln_1p_at_the_edges() {
    for zero in [0.0, -0.0] {
        assert_eq!([exp_m1(zero), ln_1p(zero)], [0.0; 2]);
    }
    assert_eq!(exp_m1(f64::INFINITY), f64::INFINITY);
    assert_eq!(exp_m1(f64::NEG_INFINITY), -1.0);
    assert!(exp_m1(f64::NAN).is_nan());
    assert_eq!(ln_1p(f64::INFINITY), f64::INFINITY);
    assert_eq!(ln_1p(-1.0), f64::NEG_INFINITY);
    for x in [f64::NAN, -1.1, f64::NEG_INFINITY] {
        assert!(ln_1p(x).is_nan(), "ln_1p({x})");
    }
}

#[test]
fn cos_pi_and_tan_pi_at_the_edges() {
    let eighths = [0.0, 0.5, 1.0, 1.5, 2.0].map(cos_pi);
    assert_eq!(eighths, [1.0, 0.0, -1.0, 0.0, 1.0]);
    assert_eq!([-0.5, -0.0].map(tan_pi), [f64::NEG_INFINITY, 0.0]);
    for x in [f64::NAN, f64::INFINITY, 2.1, -2.1] {
        assert!(cos_pi(x).is_nan() && tan_pi(x).is_nan(), "{x}");
    }
}

#[test]
fn pow_at_the_edges() {
    assert_eq!(pow(0.0, 0.5), 0.0);
    assert_eq!(pow(0.0, -0.5), f64::INFINITY);
    assert_eq!(pow(10.0, 400.0), f64::INFINITY);
    assert_eq!(pow(10.0, -400.0), 0.0);
    assert_eq!(pow(7.5, 0.0), 1.0);
}

#[test]
fn the_normal_distribution_function_at_the_edges() {
    assert_eq!(normal::cdf(0.0), 0.5);
    assert_eq!(normal::cdf(f64::NEG_INFINITY), 0.0);
    assert_eq!(normal::cdf(f64::INFINITY), 1.0);
    assert_eq!(normal::cdf(-39.0), 0.0);
    assert!(normal::cdf(-37.6) > 0.0);
    assert!(normal::cdf(f64::NAN).is_nan());
}

#[test]
fn ln_at_the_edges() {
    assert_eq!(ln(1.0).to_bits(), 0.0f64.to_bits());
    assert_eq!(ln(0.0), f64::NEG_INFINITY);
    assert_eq!(ln(-0.0), f64::NEG_INFINITY);
    assert_eq!(ln(f64::INFINITY), f64::INFINITY);
    for x in [f64::NAN, -1.0, -f64::MIN_POSITIVE, f64::NEG_INFINITY] {
        assert!(ln(x).is_nan(), "ln({x})");
    }
}

#[test]
fn exp_at_the_edges() {
    assert_eq!(exp(0.0), 1.0);
    assert_eq!(exp(-0.0), 1.0);
    assert_eq!(exp(f64::INFINITY), f64::INFINITY);
    assert_eq!(exp(f64::NEG_INFINITY), 0.0);
    assert!(exp(f64::NAN).is_nan());

    let last_finite = f64::from_bits(0x4086_2E42_FEFA_39EF);
    assert!(exp(last_finite).is_finite());
    assert_eq!(exp(last_finite.next_up()), f64::INFINITY);
    assert_eq!(exp(f64::MAX), f64::INFINITY);

    let last_positive = f64::from_bits(0xC087_4910_D52D_3051);
    assert_eq!(exp(last_positive), f64::from_bits(1));
    assert_eq!(exp(last_positive.next_down()), 0.0);
    assert_eq!(exp(f64::MIN), 0.0);
}

#[test]
fn the_normal_quantile_at_the_edges() {
    assert_eq!(normal::quantile(0.5), 0.0);
    assert_eq!(normal::quantile(0.0), f64::NEG_INFINITY);
    assert_eq!(normal::quantile(1.0), f64::INFINITY);
    for u in [f64::NAN, -0.1, 1.1, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(normal::quantile(u).is_nan(), "quantile({u})");
    }
    let smallest = normal::quantile(f64::from_bits(1));
    assert!((-38.5..-38.4).contains(&smallest), "{smallest}");
}

/// The quotients of the algorithm meet at ±0.425 from the median and where `√(−ln p)` is 5.
#[test]
fn the_normal_quantile_has_no_step_back_where_its_parts_meet() {
    for meeting in [0.075, 0.925, 1.388794386496402e-11] {
        let mut u: f64 = meeting * (1.0 - 1e-10);
        let mut last = f64::NEG_INFINITY;
        while u < meeting * (1.0 + 1e-10) {
            let z = normal::quantile(u);
            assert!(z >= last, "at {u:e}");
            last = z;
            u += meeting * 1e-12;
        }
    }
}

#[test]
fn normal_values_fill_the_shorter_of_two_slices() {
    let mut values = [0.0; 2];
    normal::fill(&[0; 3], &mut values);
    assert_eq!(values, [normal::quantile(unit_open(0)); 2]);
    let mut values = [0.0; 3];
    normal::fill(&[0; 2], &mut values);
    assert_eq!(values, [values[0], values[0], 0.0]);
}

/// Words of every kind with similar frequency: the center, both tails, and the rims, which only one
/// word in 10¹¹ hits.
fn word() -> impl Strategy<Value = u64> {
    let near_a_part = (prop_oneof![Just(0.075), Just(0.925)], 0..64u64);
    prop_oneof![
        any::<u64>(),
        (0..64u32, any::<u64>()).prop_map(|(shift, word)| word >> shift),
        (0..64u32, any::<u64>()).prop_map(|(shift, word)| !(word >> shift)),
        near_a_part.prop_map(
            |(u, offset): (f64, u64)| ((u * (1u64 << 52) as f64) as u64 - 32 + offset) << 12
        ),
    ]
}

proptest! {
    #[test]
    fn normal_values_in_bulk_have_the_bits_of_one_by_one(words in proptest::collection::vec(word(), 0..600)) {
        let mut values = vec![f64::NAN; words.len()];
        normal::fill(&words, &mut values);
        for (word, value) in words.into_iter().zip(values) {
            prop_assert_eq!(value.to_bits(), normal::quantile(unit_open(word)).to_bits(), "word {:#x}", word);
        }
    }

    #[test]
    fn the_word_of_a_normal_value_is_where_it_came_from(word in word()) {
        let z = normal::quantile(unit_open(word));
        let found = normal::word(z);
        // A value represents 2¹² words; rounding moves it by a share of the smaller tail.
        let tail = word.min(!word);
        prop_assert!(found.abs_diff(word) <= (1 << 12) + (tail >> 48), "{:#x} {:#x}", word, found);
        prop_assert_eq!(normal::word(-z), !found);
    }

    #[test]
    fn words_rise_with_normal_values(
        x in -40.0..40.0f64, gap in prop_oneof![1e-11..1e-9f64, 1e-9..1e-5f64, 1e-5..0.1f64, 0.1..80.0f64],
    ) {
        let y = x + gap;
        prop_assert!(normal::word(x) <= normal::word(y));
    }

    #[test]
    fn normal_values_are_symmetric(word in word()) {
        let (z, mirrored) = (normal::quantile(unit_open(word)), normal::quantile(unit_open(!word)));
        prop_assert_eq!(z.to_bits(), (-mirrored).to_bits());
    }

    /// Adjacent values on the finest grid may be as close as rounding errors; after a few steps
    /// they aren't.
    #[test]
    fn normal_values_grow_with_the_word(word in 0..u64::MAX - (1 << 18), step in 1u64 << 17..1 << 18) {
        prop_assert!(normal::quantile(unit_open(word)) < normal::quantile(unit_open(word + step)));
    }

    #[test]
    fn the_normal_distribution_function_undoes_the_quantile(word in word()) {
        let u = unit_open(word);
        let again = normal::cdf(normal::quantile(u));
        prop_assert!((again - u).abs() <= 4e-14 * u.min(1.0 - u) + 1.2e-16, "{} for {}", again, u);
    }

    #[test]
    fn ln_undoes_exp(x in -700.0..700.0f64) {
        prop_assert!((ln(exp(x)) - x).abs() <= 4e-16 * x.abs().max(1.0));
    }
}

/// A true value as the sum of two doubles: the nearest one and the rest.
struct Truth {
    nearest: f64,
    rest: f64,
}

impl Truth {
    fn distance(&self, value: f64) -> f64 {
        (value - self.nearest) - self.rest
    }

    fn ulps(&self, value: f64) -> f64 {
        let size = self.nearest.abs();
        (self.distance(value) / (size - size.next_down())).abs()
    }
}

fn assert_within(ulps: f64, function: impl Fn(f64) -> f64, text: &str) {
    for (x, truth) in table(text) {
        let off = truth.ulps(function(x));
        assert!(off <= ulps, "at {x:e}: {:e} is {off} ULP off", function(x));
    }
}

fn table(text: &str) -> Vec<(f64, Truth)> {
    let rows = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let row = floats(line);
            let (nearest, rest) = (row[1], row[2]);
            (row[0], Truth { nearest, rest })
        });
    rows.collect()
}

#[allow(clippy::unwrap_used, reason = "a helper of tests")]
fn floats(line: &str) -> Vec<f64> {
    let bits = line.split(' ').map(|hex| u64::from_str_radix(hex, 16));
    bits.map(|bits| f64::from_bits(bits.unwrap())).collect()
}
