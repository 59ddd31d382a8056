//! Tolerances in ULP and for integers.

use super::{Policy, Tolerance, compare, passes};

fn ulp(ulp: u64) -> Policy {
    Policy::exact().tolerance(Tolerance::ulp(ulp)).unwrap()
}

fn integers(tolerance: Tolerance) -> Policy {
    let tolerance = tolerance.with_integers();
    Policy::exact().tolerance(tolerance).unwrap()
}

#[test]
fn ulps_count_the_floats_between_two() {
    // Just above 1, floats are 2.2e-16 apart.
    assert!(passes(&ulp(4), "1.0", "1.0000000000000009"));
    assert!(!passes(&ulp(3), "1.0", "1.0000000000000009"));
    assert!(passes(&ulp(4), "1.0000000000000009", "1.0"));
    assert!(passes(&ulp(2), "-5e-324", "5e-324"));
    assert!(!passes(&ulp(1), "-5e-324", "5e-324"));
    assert!(passes(&ulp(1), "1", "1.0000000000000002"));
}

/// Returns a policy in ULP where these places hold `f32`s.
fn ulp_of_f32s(limit: u64, places: &[&str]) -> Policy {
    let add = |policy: Policy, place: &&str| policy.f32_at(place).unwrap();
    places.iter().fold(ulp(limit), add)
}

#[test]
fn the_ulps_of_f32s_are_counted_in_these() {
    // Just above 0.1, `f32`s are 7.5e-9 apart.
    let all = ulp_of_f32s(1, &[""]);
    for (expected, actual) in [
        ("0.1", "0.10000001"),
        ("16777216.0", "16777218.0"),
        ("1", "1.0000001"),
        (
            r#"{"x": {"y": [0.1, null]}}"#,
            r#"{"x": {"y": [0.10000001, null]}}"#,
        ),
    ] {
        assert!(passes(&all, expected, actual), "{expected}");
        assert!(passes(&all, actual, expected), "{expected}");
        assert!(!passes(&ulp(1), expected, actual), "{expected}");
    }
    assert!(!passes(&all, "0.1", "0.100000024"));
    // No `f32` has this text, so the benchmark has another type.
    assert!(!passes(&all, "0.1", "0.1000000001"));
    assert!(!passes(&all, "3", "4"));
    let mixed = ulp_of_f32s(1, &["/*/x"]);
    let of = |x: &str, y: &str| format!(r#"[{{"x": {x}, "y": {y}}}]"#);
    assert!(passes(&mixed, &of("0.1", "0.1"), &of("0.10000001", "0.1")));
    assert!(!passes(&mixed, &of("0.1", "0.1"), &of("0.1", "0.10000001")));
}

#[test]
fn f32s_without_an_order_are_within_their_ulps() {
    let unordered = ulp_of_f32s(1, &[""]).unordered("").unwrap();
    let (expected, actual) = ("[0.1, 0.5, 0.3]", "[0.5, 0.3, 0.10000001]");
    assert!(passes(&unordered, expected, actual));
    assert!(!passes(&unordered.stated(), expected, actual));
}

#[test]
fn however_many_ulps_pass_infinity_and_nan_do_not() {
    let all = ulp(u64::MAX);
    assert!(passes(&all, "-1e308", "1e308"));
    for other in [
        r#"{"$float":"Infinity"}"#,
        r#"{"$float":"NaN"}"#,
        "null",
        r#""1""#,
    ] {
        assert!(!passes(&all, "1.7976931348623157e308", other), "{other}");
        assert!(!passes(&all, other, "1.7976931348623157e308"), "{other}");
    }
}

#[test]
fn integers_have_no_ulps() {
    assert!(!passes(&ulp(1000), "1", "2"));
    let both = Tolerance::abs(1.0).or_ulp(1000);
    assert!(!passes(&integers(both), "1", "3"));
}

#[test]
fn integers_are_tolerated_on_request() {
    assert!(passes(&integers(Tolerance::abs(1.0)), "10", "11"));
    assert!(passes(&integers(Tolerance::abs(1.0)), "11", "10"));
    assert!(!passes(&integers(Tolerance::abs(1.0)), "10", "12"));
    assert!(passes(&integers(Tolerance::rel(0.1)), "-10", "-11"));
    assert!(!passes(&integers(Tolerance::rel(0.1)), "10", "-10"));
    assert!(!passes(&integers(Tolerance::rel(0.5)), "0", "1"));
    // As floats these two are equal.
    let (one, other) = ("9007199254740992", "9007199254740993");
    assert!(!passes(&integers(Tolerance::abs(0.5)), one, other));
    assert!(passes(&integers(Tolerance::abs(1.0)), one, other));
}

#[test]
fn the_use_of_a_tolerance_is_the_least_of_what_each_limit_says() {
    let use_of = |tolerance| {
        let policy = integers(tolerance);
        compare(&policy, "[1.0, 8]", "[1.0000000000000004, 9]").tolerance_use
    };
    assert_eq!(use_of(Tolerance::abs(2.0)), Some(0.5));
    assert_eq!(use_of(Tolerance::abs(4.0)), Some(0.25));
    let ulps = Tolerance::abs(4.0).or_ulp(8);
    assert_eq!(use_of(ulps), Some(0.25));
    let comparison = compare(&ulp(8), "1.0", "1.0000000000000004");
    assert_eq!(comparison.tolerance_use, Some(0.25));
}
