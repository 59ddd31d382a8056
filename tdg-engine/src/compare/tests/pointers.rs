//! The choice of the pointer that applies to a field.

use super::{Policy, Tolerance, compare, json, passes, places};
use crate::compare::unmatched;

fn at(policy: Policy, pointer: &str, abs: f64) -> Policy {
    policy.tolerance_at(pointer, Tolerance::abs(abs)).unwrap()
}

#[test]
fn an_asterisk_is_every_element_of_an_array() {
    let policy = at(Policy::exact(), "/lines/*/price", 0.5);
    let expected = r#"{"lines": [{"price": 1.0, "tax": 1.0}, {"price": 2.0}], "price": 1.0}"#;
    let actual = r#"{"lines": [{"price": 1.5, "tax": 1.5}, {"price": 2.5}], "price": 1.5}"#;
    let comparison = compare(&policy, expected, actual);
    assert_eq!(places(&comparison), ["/lines/0/tax", "/price"]);
}

#[test]
fn an_asterisk_is_every_value_of_an_object() {
    let policy = at(Policy::exact(), "/rates/*", 0.5);
    let expected = r#"{"rates": {"EUR": 1.0, "USD": 2.0, "*": 3.0}}"#;
    let actual = r#"{"rates": {"EUR": 1.5, "USD": 2.5, "*": 3.5}}"#;
    assert!(passes(&policy, expected, actual));
    let another_key = r#"{"rates": {"EUR": 1.0, "CHF": 2.0, "*": 3.0}}"#;
    let comparison = compare(&policy, expected, another_key);
    assert_eq!(places(&comparison), ["/rates/CHF", "/rates/USD"]);
}

#[test]
fn the_longest_pointer_wins() {
    let policy = at(at(Policy::exact(), "/a", 1.0), "/*/*", 0.1);
    assert!(passes(&policy, r#"{"a": 1.0}"#, r#"{"a": 2.0}"#));
    assert!(!passes(&policy, r#"{"a": [1.0]}"#, r#"{"a": [2.0]}"#));
}

#[test]
fn of_equally_long_pointers_the_one_that_names_first_wins() {
    // Tries both orders, because the result must not depend on them.
    for [first, second] in [["/a/*", "/*/b"], ["/*/b", "/a/*"]] {
        let abs = |pointer| if pointer == "/a/*" { 1.0 } else { 0.1 };
        let policy = at(at(Policy::exact(), first, abs(first)), second, abs(second));
        let passes = |key: &str, inner: &str| {
            let output = |value| format!(r#"{{"{key}": {{"{inner}": {value:?}}}}}"#);
            passes(&policy, &output(1.0), &output(1.5))
        };
        assert!(passes("a", "b"), "{first}");
        assert!(passes("a", "c"), "{first}");
        assert!(!passes("c", "b"), "{first}");
    }
    let policy = at(at(Policy::exact(), "/*/price", 0.1), "/1/price", 1.0);
    let expected = r#"[{"price": 1.0}, {"price": 1.0}]"#;
    let actual = r#"[{"price": 1.5}, {"price": 1.5}]"#;
    assert_eq!(places(&compare(&policy, expected, actual)), ["/0/price"]);
}

#[test]
fn a_field_can_be_exact_where_others_are_not() {
    let policy = Policy::exact()
        .tolerance(Tolerance::abs(1.0))
        .unwrap()
        .tolerance_at("/id", Tolerance::default())
        .unwrap();
    let comparison = compare(
        &policy,
        r#"{"id": 1.0, "x": 1.0}"#,
        r#"{"id": 1.5, "x": 1.5}"#,
    );
    assert_eq!(places(&comparison), ["/id"]);
}

#[test]
fn an_ignored_field_is_ignored_despite_pointers_below_it() {
    let policy = at(Policy::exact().ignore("/*/at").unwrap(), "/a/at/day", 0.0);
    let expected = r#"{"a": {"at": {"day": 1}}, "b": {"at": 1}, "at": 1}"#;
    let actual = r#"{"a": {"at": {"day": 2}}, "b": {}, "at": 2}"#;
    assert_eq!(places(&compare(&policy, expected, actual)), ["/at"]);
}

#[test]
fn the_length_of_an_array_of_ignored_elements_counts() {
    for policy in [
        Policy::exact().ignore("/*").unwrap(),
        Policy::exact().ignore("/*").unwrap().unordered("").unwrap(),
    ] {
        assert!(passes(&policy, r#"[1, "a"]"#, "[2, null]"));
        assert_eq!(places(&compare(&policy, "[1]", "[1, 2]")), [""]);
    }
}

#[test]
fn the_work_grows_with_the_number_of_overlapping_pointers() {
    // Each level doubles the ways to read the pointers, unless they are read together.
    let mut policy = Policy::exact();
    for named in 0..40 {
        let segments: Vec<_> = (0..40)
            .map(|place| if place == named { "/a" } else { "/*" })
            .collect();
        policy = at(policy, &segments.concat(), 0.5);
    }
    let nested = |leaf: &str| {
        let (open, close) = (r#"{"a":"#.repeat(40), "}".repeat(40));
        format!("{open}{leaf}{close}")
    };
    assert!(passes(&policy, &nested("1.0"), &nested("1.5")));
}

#[test]
fn pointers_that_lead_to_nothing_are_found() {
    let policy = at(Policy::exact(), "/lines/*/prise", 1.0)
        .tolerance(Tolerance::abs(1.0))
        .and_then(|policy| policy.ignore("/lines/1"))
        .and_then(|policy| policy.ignore("/Err"))
        .and_then(|policy| policy.unordered("/tags/*"))
        .unwrap();
    let outputs = [
        r#"{"lines": [{"price": 1}], "tags": []}"#,
        r#"{"Err": 1, "lines": [1, 2]}"#,
    ];
    let unmatched = unmatched(&policy, &mut outputs.into_iter().map(json));
    let unmatched: Vec<_> = unmatched.iter().map(ToString::to_string).collect();
    assert_eq!(unmatched, ["/lines/*/prise", "/tags/*"]);
}

#[test]
fn no_more_outputs_are_read_than_it_takes_to_find_all_pointers() {
    let policy = Policy::exact().ignore("/id").unwrap();
    let mut outputs = [r#"{"id": 1}"#, "1"].into_iter().map(json);
    assert_eq!(unmatched(&policy, &mut outputs), []);
    assert_eq!(outputs.len(), 1);
}
