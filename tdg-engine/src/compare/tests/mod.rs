//! Comparisons of single cases.

mod limits;
mod pointers;
mod properties;
mod unordered;

use tdg_definition::json::{Value, parse};
use tdg_definition::{Policy, Tolerance};

use crate::compare::{self, Comparison, DIFFERENCES_KEPT, FieldDifference, within_ulps};

fn json(text: &str) -> Value {
    parse(text).unwrap()
}

fn rel(rel: f64) -> Policy {
    Policy::exact().tolerance(Tolerance::rel(rel)).unwrap()
}

fn abs(abs: f64) -> Policy {
    Policy::exact().tolerance(Tolerance::abs(abs)).unwrap()
}

/// Returns a policy so generous that only differences that no tolerance allows fail.
fn generous() -> Policy {
    Policy::exact()
        .tolerance(Tolerance::rel(1e300).or_abs(1e300))
        .unwrap()
}

fn compare(policy: &Policy, expected: &str, actual: &str) -> Comparison {
    compare::compare(policy, &json(expected), &json(actual))
}

fn passes(policy: &Policy, expected: &str, actual: &str) -> bool {
    compare(policy, expected, actual).is_same()
}

fn places(comparison: &Comparison) -> Vec<String> {
    comparison
        .differences
        .iter()
        .map(|difference| difference.pointer.to_string())
        .collect()
}

// Differences that other tools let pass.

#[test]
fn a_field_that_disappears_never_passes() {
    let comparison = compare(&generous(), r#"{"a": 1.0, "b": 2.0}"#, r#"{"a": 1.0}"#);
    assert_eq!(places(&comparison), ["/b"]);
    assert_eq!(comparison.differences[0].expected, Some(Value::from(2.0)));
    assert_eq!(comparison.differences[0].actual, None);
}

#[test]
fn a_field_that_is_added_never_passes() {
    let comparison = compare(&generous(), r#"{"b": 1}"#, r#"{"a": null, "b": 1, "c": 3}"#);
    assert_eq!(places(&comparison), ["/a", "/c"]);
    assert_eq!(comparison.differences[0].expected, None);
    assert_eq!(comparison.differences[0].actual, Some(Value::Null));
}

#[test]
fn a_decrease_is_as_much_a_change_as_an_increase() {
    assert!(!passes(&rel(0.01), "100.0", "90.0"));
    assert!(!passes(&rel(0.01), "100.0", "110.0"));
    assert!(!passes(&rel(0.01), "-100.0", "100.0"));
    let decrease = compare(&rel(0.01), "100.0", "90.0");
    assert_eq!(decrease.differences[0].relative_error(), Some(-0.1));
    assert_eq!(decrease.differences[0].absolute_error(), Some(10.0));
}

#[test]
fn a_baseline_of_zero_does_not_pass_always() {
    assert!(!passes(&rel(0.5), "0.0", "1.0"));
    assert!(!passes(&rel(0.5), "0.0", "5e-324"));
    assert!(passes(&abs(0.5), "0.0", "0.5"));
    let comparison = compare(&rel(0.5), "0.0", "1.0");
    assert_eq!(comparison.differences[0].relative_error(), None);
}

#[test]
fn nan_equals_only_nan() {
    let nan = r#"{"$float":"NaN"}"#;
    assert!(passes(&Policy::exact(), nan, nan));
    for number in ["0.0", "1", "null", r#"{"$float":"Infinity"}"#, r#""NaN""#] {
        assert!(!passes(&generous(), nan, number), "{number}");
        assert!(!passes(&generous(), number, nan), "{number}");
    }
}

#[test]
fn an_infinity_equals_only_itself() {
    let (infinity, negative) = (r#"{"$float":"Infinity"}"#, r#"{"$float":"-Infinity"}"#);
    assert!(passes(&Policy::exact(), infinity, infinity));
    for number in [negative, "1.7976931348623157e308", "0", "null"] {
        assert!(!passes(&generous(), infinity, number), "{number}");
        assert!(!passes(&generous(), number, infinity), "{number}");
    }
}

#[test]
fn relative_tolerance_is_symmetric() {
    // 1 is 10 % of 10, and 9.1 % of 11.
    for tolerance in [0.0, 0.09, 0.095, 0.1, 0.2] {
        let policy = rel(tolerance);
        assert_eq!(
            passes(&policy, "10.0", "11.0"),
            passes(&policy, "11.0", "10.0")
        );
    }
    assert!(passes(&rel(0.095), "10.0", "11.0"));
}

#[test]
fn null_is_neither_zero_nor_missing_nor_empty() {
    for other in ["0", "0.0", "false", r#""""#, "[]", "{}"] {
        assert!(!passes(&generous(), "null", other), "{other}");
        assert!(!passes(&generous(), other, "null"), "{other}");
    }
    assert!(!passes(&generous(), r#"{"a": null}"#, "{}"));
    assert!(!passes(&generous(), "{}", r#"{"a": null}"#));
    assert!(passes(&Policy::exact(), "null", "null"));
}

#[test]
fn zeros_are_equal_regardless_of_their_sign() {
    assert!(passes(&Policy::exact(), "0.0", "-0.0"));
    assert!(passes(&Policy::exact(), "0", "-0.0"));
}

// The rules.

#[test]
fn numbers_are_equal_by_value() {
    assert!(passes(&Policy::exact(), "1", "1.0"));
    assert!(passes(&Policy::exact(), "100.0", "1e2"));
    assert!(!passes(
        &Policy::exact(),
        "9007199254740993",
        "9007199254740992.0"
    ));
}

#[test]
fn tolerance_is_for_floats_and_not_between_integers() {
    assert!(!passes(&generous(), "10", "11"));
    assert!(passes(&abs(1.0), "10.0", "11"));
    assert!(passes(&abs(1.0), "10", "11.0"));
    // As floats these two would be equal.
    assert!(!passes(&abs(0.5), "9007199254740993", "9007199254740992.0"));
}

#[test]
fn strings_and_booleans_are_exact() {
    assert!(!passes(&generous(), r#""1.0""#, r#""1.00""#));
    assert!(!passes(&generous(), "true", "false"));
    assert!(!passes(&generous(), "true", "1"));
    assert!(!passes(&generous(), r#""1""#, "1"));
}

#[test]
fn numbers_too_far_apart_for_a_float_are_compared() {
    assert!(!passes(&rel(1.9), "1.7e308", "-1.7e308"));
    assert!(passes(&rel(2.0), "1.7e308", "-1.7e308"));
}

#[test]
fn an_array_of_another_length_is_one_difference_at_its_place() {
    let comparison = compare(&generous(), r#"{"a": [1, 2, 3]}"#, r#"{"a": [0, 1, 2, 3]}"#);
    assert_eq!(places(&comparison), ["/a"]);
    assert_eq!(comparison.differences[0].expected, Some(json("[1, 2, 3]")));
}

#[test]
fn differences_are_in_key_order_with_their_pointers() {
    let expected = r#"{"b": [1, {"x/y": 2}], "a": {"~": 3}, "c": "same"}"#;
    let actual = r#"{"a": {"~": 4}, "c": "same", "b": [0, {"x/y": 0}]}"#;
    let comparison = compare(&Policy::exact(), expected, actual);
    assert_eq!(places(&comparison), ["/a/~0", "/b/0", "/b/1/x~1y"]);
    assert_eq!(comparison.count, 3);
}

#[test]
fn an_output_that_is_one_value_differs_at_the_root() {
    assert_eq!(places(&compare(&Policy::exact(), "1", "2")), [""]);
}

#[test]
fn of_many_differences_the_worst_are_kept_and_all_are_counted() {
    let expected = Value::from(vec![Value::from(100.0); 1000]);
    let mut actual = vec![Value::from(101.0); 1000];
    actual[500] = Value::from(150.0);
    actual[999] = Value::Null;
    let comparison = compare::compare(&Policy::exact(), &expected, &Value::from(actual));
    assert_eq!(comparison.count, 1000);
    assert_eq!(comparison.differences.len(), DIFFERENCES_KEPT);
    let places = places(&comparison);
    assert_eq!(&places[..2], ["/0", "/1"]);
    assert_eq!(&places[DIFFERENCES_KEPT - 2..], ["/500", "/999"]);
}

#[test]
fn a_deep_output_does_not_exhaust_the_stack() {
    let nested =
        |leaf: i64| (0..100_000).fold(Value::from(leaf), |value, _| Value::from(vec![value]));
    let (expected, actual) = (nested(1), nested(2));
    let comparison = compare::compare(&Policy::exact(), &expected, &actual);
    assert_eq!(comparison.differences[0].pointer.depth(), 100_000);
    // Dropping them would recurse.
    std::mem::forget((expected, actual));
}

// The policy.

#[test]
fn the_most_specific_pointer_wins() {
    let policy = abs(1.0)
        .tolerance_at("/lines", Tolerance::abs(0.1))
        .unwrap()
        .tolerance_at("/lines/1/price", Tolerance::abs(10.0))
        .unwrap();
    let expected = r#"{"total": 1.0, "lines": [{"price": 1.0}, {"price": 1.0, "tax": 1.0}]}"#;
    let actual = r#"{"total": 1.5, "lines": [{"price": 1.5}, {"price": 1.5, "tax": 1.5}]}"#;
    assert_eq!(
        places(&compare(&policy, expected, actual)),
        ["/lines/0/price", "/lines/1/tax"]
    );
}

#[test]
fn everything_below_an_ignored_pointer_is_ignored() {
    let policy = Policy::exact()
        .ignore("/meta")
        .unwrap()
        .ignore("/lines/0")
        .unwrap();
    let expected = r#"{"meta": {"id": 1}, "lines": [1, 2]}"#;
    assert!(passes(
        &policy,
        expected,
        r#"{"meta": {"id": 2, "at": 3}, "lines": [0, 2]}"#
    ));
    assert!(passes(&policy, expected, r#"{"lines": [1, 2]}"#));
    assert!(passes(&policy, r#"{"lines": [1, 2]}"#, expected));
    assert!(!passes(
        &policy,
        expected,
        r#"{"meta": 1, "lines": [1, 3]}"#
    ));
    assert!(!passes(
        &policy,
        expected,
        r#"{"meta": 1, "metadata": 1, "lines": [1, 2]}"#
    ));
}

#[test]
fn the_largest_use_of_the_tolerance_is_kept() {
    let comparison = compare(&abs(1.0), "[1.0, 2.0, 3.0]", "[1.25, 2.75, 3.5]");
    assert!(comparison.is_same());
    assert_eq!(comparison.tolerance_use, Some(0.75));
    assert_eq!(compare(&abs(1.0), "1.0", "1.0").tolerance_use, None);
    assert_eq!(compare(&abs(1.0), "1.0", "9.0").tolerance_use, None);
}

// Errors and closeness.

#[test]
fn the_relative_error_has_the_sign_of_the_change() {
    let relative = |expected: &str, actual: &str| {
        compare(&Policy::exact(), expected, actual).differences[0].relative_error()
    };
    assert_eq!(relative("-10.0", "-11.0"), Some(-0.1));
    assert_eq!(relative("-10.0", "-9.0"), Some(0.1));
    assert_eq!(relative("4", "5"), Some(0.25));
    assert_eq!(relative("0", "5"), None);
    assert_eq!(relative("null", "5"), None);
}

#[test]
fn severity_is_other_than_numbers_then_relative_then_absolute() {
    let difference = |expected: &str, actual: &str| FieldDifference {
        pointer: "".parse().unwrap(),
        expected: Some(json(expected)),
        actual: Some(json(actual)),
    };
    let ascending = [
        difference("1000.0", "1001.0"),
        difference("1.0", "1.5"),
        difference("10.0", "15.0"),
        difference("0.0", "1.0"),
        difference("0.0", "-2.0"),
        difference("0.0", "null"),
    ];
    assert!(ascending.is_sorted_by(|left, right| left.severity() < right.severity()));
}

#[test]
fn a_run_is_within_ulps_if_all_its_differences_are() {
    let close = compare(
        &Policy::exact(),
        "[1.0, 2.0]",
        "[1.0000000000000002, 2.0000000000000013]",
    );
    let same = compare(&Policy::exact(), "1.0", "1.0");
    let far = compare(&Policy::exact(), "[1.0, 2.0]", "[1.0000000000000002, 2.1]");
    let text = compare(
        &Policy::exact(),
        r#"[1.0, "a"]"#,
        r#"[1.0000000000000002, "b"]"#,
    );
    let integers = compare(&Policy::exact(), "[1.0, 1]", "[1.0000000000000002, 2]");

    let closeness = within_ulps([&close, &same], 4).unwrap();
    assert_eq!(closeness.ulps, 3);
    assert_eq!(closeness.tolerance().to_string(), "tolerance(rel = 1e-15)");
    assert_eq!(within_ulps([&close], 2), None);
    assert_eq!(within_ulps([&same], 4), None);
    for other in [&far, &text, &integers] {
        assert_eq!(within_ulps([&close, other], 4), None);
        assert_eq!(within_ulps([other, &close], 4), None);
    }
}

#[test]
fn a_tolerance_near_zero_is_absolute() {
    let comparison = compare(
        &Policy::exact(),
        "[1.0, 5e-324]",
        "[1.0000000000000002, 1.5e-323]",
    );
    let tolerance = within_ulps([&comparison], 4).unwrap().tolerance();
    assert_eq!(
        tolerance.to_string(),
        "tolerance(rel = 1e-15, abs = 1e-322)"
    );
}
