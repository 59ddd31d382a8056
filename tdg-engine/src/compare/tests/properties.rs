//! Properties of all outputs and all policies.

use proptest::prelude::*;
use tdg_definition::json::Value;
use tdg_definition::{Policy, Tolerance};

use crate::compare::{compare, within_ulps};

fn float() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => any::<f64>(),
        4 => -10.0..10.0,
        2 => prop::sample::select(vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324]),
    ]
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        float().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-3_i64..3).prop_map(Value::from)
    ]
}

fn output() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number(),
        "[ab]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-c]", inner, 0..4).prop_map(Value::from),
        ]
    })
}

/// Generates an output and a copy with some numbers changed.
fn similar_outputs() -> impl Strategy<Value = (Value, Value)> {
    let numbers = prop::collection::vec((number(), number(), any::<bool>()), 1..40);
    numbers.prop_map(|numbers| {
        let expected = numbers
            .iter()
            .map(|(expected, _, _)| expected.clone())
            .collect();
        let actual = numbers
            .into_iter()
            .map(
                |(expected, other, differs)| match (differs, expected.as_f64()) {
                    (true, _) => other,
                    (false, Some(float)) => Value::from(float * 1.000_001),
                    (false, None) => expected,
                },
            )
            .collect();
        (Value::Array(expected), Value::Array(actual))
    })
}

fn tolerance() -> impl Strategy<Value = Tolerance> {
    let limit = || prop_oneof![Just(0.0), 0.0..1e-5, 0.0..2.0, Just(f64::MAX)];
    (limit(), limit()).prop_map(|(rel, abs)| Tolerance::rel(rel).or_abs(abs))
}

fn any_tolerance() -> impl Strategy<Value = Tolerance> {
    let ulp = prop_oneof![Just(0), 0..10_u64, Just(u64::MAX)];
    (tolerance(), ulp, any::<bool>()).prop_map(|(tolerance, ulp, integers)| {
        let has_distance = tolerance.relative() > 0.0 || tolerance.absolute() > 0.0;
        let tolerance = tolerance.or_ulp(ulp);
        if integers && has_distance {
            tolerance.with_integers()
        } else {
            tolerance
        }
    })
}

/// Returns a tolerance that includes both.
fn wider(one: Tolerance, other: Tolerance) -> Tolerance {
    let wider = Tolerance::rel(one.relative().max(other.relative()))
        .or_abs(one.absolute().max(other.absolute()))
        .or_ulp(one.ulps().max(other.ulps()));
    if one.includes_integers() || other.includes_integers() {
        wider.with_integers()
    } else {
        wider
    }
}

/// Generates pointers into [`output`]; some lead nowhere, some to the same place.
fn pointer() -> impl Strategy<Value = String> {
    "(/([abc]|[*])){1,3}"
}

fn any_policy() -> impl Strategy<Value = Policy> {
    let tolerances = prop::collection::btree_map(pointer(), any_tolerance(), 0..3);
    let pointers = || prop::collection::vec(pointer(), 0..2);
    let unordered = prop_oneof![Just(String::new()), pointer()];
    let unordered = prop::collection::btree_set(unordered, 0..3);
    (any_tolerance(), tolerances, pointers(), unordered).prop_map(
        |(tolerance, tolerances, ignored, unordered)| {
            let mut policy = policy(tolerance);
            for (pointer, tolerance) in tolerances {
                policy = policy.tolerance_at(&pointer, tolerance).unwrap();
            }
            for pointer in ignored {
                policy = policy.ignore(&pointer).unwrap();
            }
            for pointer in unordered {
                policy = policy.unordered(&pointer).unwrap();
            }
            policy
        },
    )
}

/// Generates two outputs, similar or not.
fn outputs() -> impl Strategy<Value = (Value, Value)> {
    prop_oneof![(output(), output()), similar_outputs()]
}

/// Generates small arrays of number pairs, many of them within 1 of each other.
fn points() -> impl Strategy<Value = Vec<Value>> {
    let half = (0..4_i32).prop_map(|half| Value::from(f64::from(half) / 2.0));
    let number = || prop_oneof![3 => half.clone(), 1 => (0..3_i32).prop_map(Value::from)];
    let point = (number(), number()).prop_map(|(x, y)| Value::from(vec![x, y]));
    prop::collection::vec(point, 0..6)
}

/// Returns true if some order of the actual elements makes each equal to the expected one.
fn some_order_passes(policy: &Policy, expected: &[Value], actual: &[Value]) -> bool {
    let Some((first, rest)) = expected.split_first() else {
        return actual.is_empty();
    };
    (0..actual.len()).any(|index| {
        let mut others = actual.to_vec();
        let candidate = others.swap_remove(index);
        compare(policy, first, &candidate).is_same() && some_order_passes(policy, rest, &others)
    })
}

fn shuffled(elements: Vec<Value>) -> impl Strategy<Value = (Vec<Value>, Vec<Value>)> {
    (Just(elements.clone()), Just(elements).prop_shuffle())
}

fn policy(tolerance: Tolerance) -> Policy {
    Policy::exact().tolerance(tolerance).unwrap()
}

proptest! {
    #[test]
    fn an_output_is_the_same_as_itself(output in output(), policy in any_policy()) {
        let comparison = compare(&policy, &output, &output);
        prop_assert!(comparison.is_same());
        prop_assert_eq!(comparison.tolerance_use, None);
    }

    #[test]
    fn expected_and_actual_can_be_exchanged_under_any_policy(
        (left, right) in outputs(),
        policy in any_policy(),
    ) {
        // Without an order, several sets of pairs can exist, which use the tolerance differently.
        let (there, back) = (compare(&policy, &left, &right), compare(&policy, &right, &left));
        prop_assert_eq!(there.count, back.count);
    }

    #[test]
    fn what_a_policy_passes_it_passes_with_more_ignored(
        (left, right) in outputs(),
        policy in any_policy(),
        pointer in pointer(),
    ) {
        let more = policy.clone().ignore(&pointer).unwrap_or(policy.clone());
        let strict = compare(&policy, &left, &right);
        prop_assert!(!strict.is_same() || compare(&more, &left, &right).is_same());
    }

    #[test]
    fn whether_an_order_is_found_is_whether_there_is_one(
        expected in points(),
        actual in points(),
        tolerance in prop_oneof![Just(Tolerance::abs(0.5)), Just(Tolerance::abs(1.0)), any_tolerance()],
    ) {
        let policy = policy(tolerance);
        let same = some_order_passes(&policy, &expected, &actual);
        let unordered = policy.unordered("").unwrap();
        let found = compare(&unordered, &Value::from(expected), &Value::from(actual));
        prop_assert_eq!(found.is_same(), same);
    }

    #[test]
    fn without_an_order_no_permutation_makes_a_difference(
        ((expected, permuted), actual) in (points().prop_flat_map(shuffled), points()),
        tolerance in any_tolerance(),
    ) {
        let policy = policy(tolerance).unordered("").unwrap();
        let (expected, permuted) = (Value::from(expected), Value::from(permuted));
        prop_assert!(compare(&policy, &expected, &permuted).is_same());
        prop_assert_eq!(compare(&policy, &expected, &permuted).tolerance_use, None);
        let actual = Value::from(actual);
        let (one, other) = (compare(&policy, &expected, &actual), compare(&policy, &permuted, &actual));
        prop_assert_eq!(one.count, other.count);
        prop_assert_eq!(one.tolerance_use, other.tolerance_use);
    }

    #[test]
    fn what_passes_in_order_passes_without_one(
        (left, right) in outputs(),
        policy in any_policy(),
    ) {
        let unordered = policy.clone().unordered("").unwrap_or(policy.clone());
        let strict = compare(&policy, &left, &right);
        prop_assert!(!strict.is_same() || compare(&unordered, &left, &right).is_same());
    }

    #[test]
    fn a_policy_in_json_comes_back(policy in any_policy()) {
        prop_assert_eq!(Policy::from_json(&policy.to_json()), Ok(policy));
    }

    #[test]
    fn exactly_the_equal_outputs_pass_without_tolerance(left in output(), right in output()) {
        prop_assert_eq!(compare(&Policy::exact(), &left, &right).is_same(), left == right);
    }

    #[test]
    fn expected_and_actual_can_be_exchanged(
        (left, right) in prop_oneof![(output(), output()), similar_outputs()],
        tolerance in tolerance(),
    ) {
        let policy = policy(tolerance);
        let (there, back) = (compare(&policy, &left, &right), compare(&policy, &right, &left));
        prop_assert_eq!(there.count, back.count);
        prop_assert_eq!(there.tolerance_use, back.tolerance_use);
        prop_assert_eq!(there.closeness, back.closeness);
    }

    #[test]
    fn what_a_tolerance_passes_a_larger_one_passes(
        (left, right) in similar_outputs(),
        tolerance in any_tolerance(),
        more in any_tolerance(),
    ) {
        let larger = wider(tolerance, more);
        let strict = compare(&policy(tolerance), &left, &right);
        prop_assert!(compare(&policy(larger), &left, &right).count <= strict.count);
        let unordered = |tolerance| policy(tolerance).unordered("").unwrap();
        let strict = compare(&unordered(tolerance), &left, &right);
        prop_assert!(!strict.is_same() || compare(&unordered(larger), &left, &right).is_same());
    }

    #[test]
    fn what_is_tolerated_never_exceeds_the_tolerance(
        expected in float(),
        actual in float(),
        tolerance in tolerance(),
    ) {
        let comparison = compare(&policy(tolerance), &Value::from(expected), &Value::from(actual));
        // Halves keep the difference of two floats finite.
        let (half_expected, half_actual) = (expected / 2.0, actual / 2.0);
        let allowed = (tolerance.absolute() / 2.0).max(tolerance.relative() * half_expected.abs().max(half_actual.abs()));
        // Where halves are subnormal, a quarter of an ULP is lost.
        let exceeds = (half_actual - half_expected).abs() > allowed + 5e-324;
        if comparison.is_same() && expected != actual && !(expected.is_nan() && actual.is_nan()) {
            prop_assert!(!exceeds);
            prop_assert!(expected.is_finite() && actual.is_finite());
            let used = comparison.tolerance_use.unwrap();
            prop_assert!((0.0..=1.0).contains(&used), "{}", used);
        }
    }

    #[test]
    fn all_differences_are_counted_and_all_kept_ones_are_real(
        (left, right) in similar_outputs(),
        tolerance in tolerance(),
    ) {
        let comparison = compare(&policy(tolerance), &left, &right);
        prop_assert!(comparison.differences.len() <= comparison.count);
        prop_assert_eq!(comparison.differences.is_empty(), comparison.is_same());
        for difference in &comparison.differences {
            prop_assert_eq!(difference.pointer.find_in(&left), difference.expected.as_ref());
            prop_assert_eq!(difference.pointer.find_in(&right), difference.actual.as_ref());
            prop_assert_ne!(&difference.expected, &difference.actual);
        }
    }

    #[test]
    fn the_tolerance_of_a_close_run_lets_it_pass(
        floats in prop::collection::vec((prop_oneof![any::<f64>(), -1e-321..1e-321], 0..5_u32), 1..20),
    ) {
        prop_assume!(floats.iter().all(|(float, _)| float.is_finite() && float.abs() < 1e308));
        let above = |(float, steps): &(f64, u32)| (0..*steps).fold(*float, |float, _| float.next_up());
        let expected = Value::from(floats.iter().map(|(float, _)| Value::from(*float)).collect::<Vec<_>>());
        let actual = Value::from(floats.iter().map(|pair| Value::from(above(pair))).collect::<Vec<_>>());

        let comparison = compare(&Policy::exact(), &expected, &actual);
        if !comparison.is_same() {
            let closeness = within_ulps([&comparison], 4).unwrap();
            prop_assert!(compare(&policy(closeness.tolerance()), &expected, &actual).is_same());
        }
    }
}
