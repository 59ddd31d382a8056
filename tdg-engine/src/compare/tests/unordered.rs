//! Arrays whose order doesn't matter.

use tdg_definition::policy::PolicyNode;

use super::{Policy, Tolerance, Value, compare, json, passes, places};
use crate::compare::unordered_values;

fn unordered() -> Policy {
    Policy::exact().unordered("").unwrap()
}

fn with(tolerance: Tolerance) -> Policy {
    unordered().tolerance(tolerance).unwrap()
}

/// Returns each difference with its expected and actual value.
fn found(policy: &Policy, expected: &str, actual: &str) -> Vec<String> {
    let differences = compare(policy, expected, actual).differences;
    let text = |value: &Option<Value>| {
        value
            .as_ref()
            .map_or("nothing".to_owned(), ToString::to_string)
    };
    let line = |difference: &crate::compare::FieldDifference| {
        let (expected, actual) = (text(&difference.expected), text(&difference.actual));
        format!("{}: {expected} -> {actual}", difference.pointer)
    };
    differences.iter().map(line).collect()
}

#[test]
fn what_is_compared_without_an_order_is_counted_once_for_every_such_array() {
    let lines = |policy: Policy| policy.unordered("/lines").unwrap();
    let both = |policy| lines(policy).unordered("/lines/*/tags").unwrap();
    let output = json(r#"{"lines": [{"sku": 1, "tags": [1, 2]}, 3], "other": [1, 2, 3]}"#);
    let counted = |policy: Policy| unordered_values(&policy, &output);
    assert_eq!(counted(Policy::exact()), 0);
    // Two elements, two members of the first, its two tags.
    assert_eq!(counted(lines(Policy::exact())), 6);
    assert_eq!(counted(both(Policy::exact())), 8);
    assert_eq!(
        counted(lines(Policy::exact().ignore("/lines/*/tags").unwrap())),
        4
    );
    let has_unordered = |policy: &Policy| PolicyNode::root(policy).has_unordered();
    assert!(has_unordered(&both(Policy::exact())));
    assert!(!has_unordered(&Policy::exact().ignore("/lines").unwrap()));
}

/// If each level took twice as long as the one inside, this would never finish.
#[test]
fn arrays_without_an_order_within_each_other_are_gone_through_once_each() {
    const LEVELS: usize = 58;
    let mut policy = Policy::exact();
    for level in 0..LEVELS {
        policy = policy.unordered(&"/*".repeat(level)).unwrap();
    }
    let nested = |number: &str| format!("{}{number}{}", "[".repeat(LEVELS), "]".repeat(LEVELS));
    assert!(passes(&policy, &nested("1"), &nested("1.0")));
    let pointer = "/0".repeat(LEVELS);
    let difference = format!("{pointer}: 1 -> 2");
    assert_eq!(found(&policy, &nested("1"), &nested("2")), [difference]);
}

#[test]
fn order_does_not_matter_and_number_does() {
    let expected = r#"["a", "b", "b", 1, null]"#;
    assert!(passes(
        &unordered(),
        expected,
        r#"[null, "b", 1.0, "a", "b"]"#
    ));
    assert!(!passes(
        &unordered(),
        expected,
        r#"[null, "a", 1.0, "a", "b"]"#
    ));
    assert!(!passes(&unordered(), expected, r#"[null, 1.0, "a", "b"]"#));
    assert!(!passes(&Policy::exact(), "[1, 2]", "[2, 1]"));
}

#[test]
fn arrays_elsewhere_keep_their_order() {
    let policy = Policy::exact().unordered("/tags").unwrap();
    let expected = r#"{"tags": [[1, 2], [3]], "path": [1, 2]}"#;
    assert!(passes(
        &policy,
        expected,
        r#"{"tags": [[3], [1, 2]], "path": [1, 2]}"#
    ));
    let actual = r#"{"tags": [[3], [2, 1]], "path": [2, 1]}"#;
    assert_eq!(
        places(&compare(&policy, expected, actual)),
        ["/path/0", "/path/1", "/tags/0/0", "/tags/0/1"]
    );
}

#[test]
fn an_element_without_a_partner_is_missing_or_added() {
    assert_eq!(
        found(&unordered(), "[1, 2, 3]", "[3, 1]"),
        ["/1: 2 -> nothing"]
    );
    assert_eq!(
        found(&unordered(), "[1, 2]", "[2, 7, 1, 8]"),
        ["/1: nothing -> 7", "/3: nothing -> 8"]
    );
}

#[test]
fn elements_without_partners_on_both_sides_are_shown_as_changed() {
    let expected = r#"[{"sku": "a", "n": 1}, {"sku": "b", "n": 2}]"#;
    let actual = r#"[{"sku": "b", "n": 5}, {"sku": "a", "n": 1}]"#;
    assert_eq!(found(&unordered(), expected, actual), ["/1/n: 2 -> 5"]);
    assert_eq!(
        found(&unordered(), r#"["a", "b", "c"]"#, r#"["d", "a"]"#),
        [r#"/1: "b" -> "d""#, r#"/2: "c" -> nothing"#]
    );
}

#[test]
fn tolerance_holds_within_the_elements() {
    let policy = unordered()
        .tolerance_at("/*/price", Tolerance::abs(0.1))
        .unwrap();
    let expected = r#"[{"price": 1.0, "sku": "a"}, {"price": 1.05, "sku": "b"}]"#;
    let actual = r#"[{"price": 1.0, "sku": "b"}, {"price": 1.05, "sku": "a"}]"#;
    let comparison = compare(&policy, expected, actual);
    assert!(comparison.is_same());
    let used = comparison.tolerance_use.unwrap();
    assert!((0.49..0.51).contains(&used), "{used}");
    assert_eq!(
        found(
            &policy,
            expected,
            r#"[{"price": 1.0, "sku": "b"}, {"price": 1.2, "sku": "a"}]"#
        ),
        ["/0/price: 1.0 -> 1.2"]
    );
}

#[test]
fn what_is_ignored_in_elements_makes_no_difference() {
    let policy = unordered().ignore("/*/id").unwrap();
    let expected = r#"[{"id": 1, "sku": "a"}, {"id": 2, "sku": "b"}]"#;
    assert!(passes(
        &policy,
        expected,
        r#"[{"id": 1, "sku": "b"}, {"sku": "a"}]"#
    ));
    assert!(!passes(
        &policy,
        expected,
        r#"[{"id": 1, "sku": "b"}, {"id": 2, "sku": "b"}]"#
    ));
}

#[test]
fn equal_elements_give_way_where_others_need_their_partner() {
    // 1 equals 1, but then 0 and 2 would be left.
    assert!(passes(
        &with(Tolerance::abs(1.0)),
        "[0.0, 1.0]",
        "[1.0, 2.0]"
    ));
    assert!(passes(
        &with(Tolerance::abs(1.0)),
        "[1.0, 2.0]",
        "[0.0, 1.0]"
    ));
}

#[test]
fn neighbours_are_exchanged_where_that_gives_everybody_a_partner() {
    // The first elements are within 1, but then the others would be left.
    let (expected, actual) = ("[[0.0, 0.0], [1.0, 2.0]]", "[[0.0, 1.0], [1.0, 0.0]]");
    assert!(passes(&with(Tolerance::abs(1.0)), expected, actual));
    assert!(passes(&with(Tolerance::abs(1.0)), actual, expected));
}

#[test]
fn points_that_look_alike_find_their_partners() {
    // By their first numbers, the wrong points are neighbors.
    let expected = "[[0.0, 1.0], [0.0, 5.0], [0.0, 9.0]]";
    let actual = "[[1e-17, 1.0], [5e-18, 9.0], [0.0, 5.0]]";
    assert!(passes(&with(Tolerance::abs(1e-9)), expected, actual));
    assert!(passes(&with(Tolerance::abs(1e-9)), actual, expected));
    assert!(!passes(
        &with(Tolerance::abs(1e-9)),
        expected,
        "[[1e-17, 1.0], [0.0, 5.0], [0.0, 8.0]]"
    ));
}

#[test]
fn a_grid_of_many_points_finds_its_partners() {
    let grid =
        |jitter: f64| (0..2500).map(move |at| (at % 50, at / 50, jitter * f64::from(at % 3)));
    let point = |(x, y, jitter): (i32, i32, f64)| {
        let (x, y) = (f64::from(x) + jitter, f64::from(y));
        Value::from(vec![Value::from(x), Value::from(y)])
    };
    let expected: Vec<_> = grid(0.0).map(point).collect();
    let actual: Vec<_> = grid(1e-12).map(point).rev().collect();
    let comparison = compare::compare(
        &with(Tolerance::abs(1e-9)),
        &expected.into(),
        &actual.into(),
    );
    assert_eq!(comparison.count, 0);
}

#[test]
fn arrays_without_order_can_be_in_one_another() {
    let policy = unordered().unordered("/*/tags").unwrap();
    let expected = r#"[{"tags": ["a", "b"]}, {"tags": ["c", "d"]}]"#;
    assert!(passes(
        &policy,
        expected,
        r#"[{"tags": ["d", "c"]}, {"tags": ["b", "a"]}]"#
    ));
    assert!(!passes(
        &policy,
        expected,
        r#"[{"tags": ["d", "a"]}, {"tags": ["b", "c"]}]"#
    ));
}

#[test]
fn close_floats_are_close_without_an_order_too() {
    let comparison = compare(&unordered(), "[1.0, 2.0]", "[2.0000000000000004, 1.0]");
    assert_eq!(
        comparison.closeness.map(|closeness| closeness.ulps),
        Some(1)
    );
}

#[test]
fn a_field_that_is_not_an_array_is_compared_as_usual() {
    let policy = Policy::exact().unordered("/tags").unwrap();
    assert!(passes(&policy, r#"{"tags": "ab"}"#, r#"{"tags": "ab"}"#));
    assert!(!passes(&policy, r#"{"tags": []}"#, r#"{"tags": {}}"#));
    assert!(!passes(&policy, r#"{"tags": []}"#, "{}"));
}

#[test]
fn nested_deeply_an_element_does_not_exhaust_the_stack() {
    let nested = |leaf: i64| {
        let value = (0..100_000).fold(json(&leaf.to_string()), |value, _| vec![value].into());
        Value::from(vec![value])
    };
    let (expected, actual) = (nested(1), nested(2));
    assert_eq!(compare::compare(&unordered(), &expected, &actual).count, 1);
    // Dropping them would recurse.
    std::mem::forget((expected, actual));
}
