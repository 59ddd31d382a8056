//! An expected output with some places replaced by the actual ones.

use std::fmt;

use tdg_definition::Policy;
use tdg_definition::json::{Object, Pointer, Value};
use tdg_definition::policy::ANY;

use super::policy_at::PolicyAt;
use crate::output::unmarked;

/// Returns the expected output with the places of these pointers replaced by the actual ones.
///
/// In pointers, `*` stands for every element of an array and every value of an object, as in a
/// policy. A place that the actual output doesn't have is removed. A place that only the actual
/// output has is added, if both have the object around it.
///
/// # Errors
/// Fails if a pointer leads into an array whose elements can't be identified by position, because
/// its length changed or its order doesn't count.
///
/// ```
/// use tdg_definition::Policy;
/// use tdg_definition::json::parse;
/// use tdg_engine::compare::replace;
///
/// let expected = parse(r#"{"price": 100, "old": 1}"#)?;
/// let actual = parse(r#"{"price": 97, "tax": 19}"#)?;
/// let places = ["/tax".parse()?, "/old".parse()?];
/// let replaced = replace(&Policy::exact(), &expected, &actual, &places)?;
/// assert_eq!(replaced, parse(r#"{"price": 100, "tax": 19}"#)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replace(
    policy: &Policy,
    expected: &Value,
    actual: &Value,
    places: &[Pointer],
) -> Result<Value, ReplaceError> {
    let places: Vec<Vec<&str>> = places.iter().map(|it| it.segments().collect()).collect();
    let places: Vec<&[&str]> = places.iter().map(Vec::as_slice).collect();
    below(
        &PolicyAt::root(policy),
        expected,
        actual,
        &places,
        &mut Pointer::root(),
    )
}

/// Returns the pointer for readers, such as `/tax`, or `the output`.
pub fn place_name(place: &Pointer) -> String {
    let place = unmarked(place);
    match place.is_root() {
        true => "the output".to_owned(),
        false => place.to_string(),
    }
}

/// A pointer leads into an array whose elements can't be identified by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplaceError {
    array: Pointer,
    because: &'static str,
}

impl fmt::Display for ReplaceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { array, because } = self;
        let array = place_name(array);
        write!(
            formatter,
            "elements of {array} can't be accepted alone: {because}"
        )
    }
}

impl std::error::Error for ReplaceError {}

/// Replaces places below these two values. The places are relative to them.
fn below(
    policy: &PolicyAt<'_>,
    expected: &Value,
    actual: &Value,
    places: &[&[&str]],
    at: &mut Pointer,
) -> Result<Value, ReplaceError> {
    if places.iter().any(|place| place.is_empty()) {
        return Ok(actual.clone());
    }
    if places.is_empty() {
        return Ok(expected.clone());
    }
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual))
            if !is_other_variant(expected, actual, places) =>
        {
            members(policy, expected, actual, places, at).map(Value::Object)
        }
        (Value::Array(expected), Value::Array(actual)) => {
            let because = match () {
                () if policy.unordered => "its order does not count",
                () if expected.len() != actual.len() => "its length changed",
                () => "",
            };
            if !because.is_empty() {
                let array = at.clone();
                return Err(ReplaceError { array, because });
            }
            let mut elements = Vec::with_capacity(expected.len());
            for (index, (expected, actual)) in expected.iter().zip(actual).enumerate() {
                let segment = index.to_string();
                at.push(&segment);
                let places = within(places, &segment);
                elements.push(below(
                    &policy.at_index(index),
                    expected,
                    actual,
                    &places,
                    at,
                )?);
                at.pop();
            }
            Ok(Value::Array(elements))
        }
        // The pointers lead below a value of another kind, which has no such places.
        _ => Ok(expected.clone()),
    }
}

/// Returns true if the objects are different variants of an enum, or one is a panic, so that fields
/// of one have no place in the other. Returns false if the pointers name both.
fn is_other_variant(expected: &Object, actual: &Object, places: &[&[&str]]) -> bool {
    let only = |object: &Object| match object.len() {
        1 => object.keys().next().cloned(),
        _ => None,
    };
    let is_named = |key: &str| within(places, key).iter().any(|rest| rest.is_empty());
    let is_renamed = expected.get("$name") != actual.get("$name") && !is_named("$name");
    match (only(expected), only(actual)) {
        _ if is_renamed => true,
        (Some(one), Some(other)) => one != other && !(is_named(&one) && is_named(&other)),
        (one, other) => [one, other].iter().flatten().any(|key| key == "$panic"),
    }
}

fn members(
    policy: &PolicyAt<'_>,
    expected: &Object,
    actual: &Object,
    places: &[&[&str]],
    at: &mut Pointer,
) -> Result<Object, ReplaceError> {
    let is_named = |key: &str| within(places, key).iter().any(|rest| rest.is_empty());
    let mut members = Object::new();
    for (key, expected) in expected.iter() {
        let value = match actual.get(key) {
            Some(actual) => {
                at.push(key);
                let value = below(
                    &policy.at_key(key),
                    expected,
                    actual,
                    &within(places, key),
                    at,
                )?;
                at.pop();
                value
            }
            None if is_named(key) => continue,
            None => expected.clone(),
        };
        members.insert(key.as_str(), value);
    }
    for (key, actual) in actual.iter() {
        if !expected.contains_key(key) && is_named(key) {
            members.insert(key.as_str(), actual.clone());
        }
    }
    Ok(members)
}

/// Returns the rest of each pointer that leads to this member or element.
fn within<'p>(places: &[&'p [&'p str]], segment: &str) -> Vec<&'p [&'p str]> {
    let leads_there = |place: &&'p [&'p str]| match place.split_first() {
        Some((first, rest)) if *first == segment || *first == ANY => Some(rest),
        _ => None,
    };
    places.iter().filter_map(leads_there).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::json::parse;

    fn replaced(policy: &Policy, expected: &str, actual: &str, places: &[&str]) -> String {
        let places: Vec<Pointer> = places.iter().map(|place| place.parse().unwrap()).collect();
        let read = |text: &str| parse(text).unwrap();
        match replace(policy, &read(expected), &read(actual), &places) {
            Ok(value) => value.to_string(),
            Err(error) => error.to_string(),
        }
    }

    fn exactly(expected: &str, actual: &str, places: &[&str]) -> String {
        replaced(&Policy::exact(), expected, actual, places)
    }

    #[test]
    fn only_the_named_places_are_replaced() {
        let (expected, actual) = (
            r#"{"a":1,"b":{"c":1,"d":1}}"#,
            r#"{"a":2,"b":{"c":2,"e":2}}"#,
        );
        assert_eq!(exactly(expected, actual, &[]), expected);
        assert_eq!(exactly(expected, actual, &[""]), actual);
        assert_eq!(
            exactly(expected, actual, &["/a"]),
            r#"{"a":2,"b":{"c":1,"d":1}}"#
        );
        assert_eq!(
            exactly(expected, actual, &["/b/c"]),
            r#"{"a":1,"b":{"c":2,"d":1}}"#
        );
        assert_eq!(
            exactly(expected, actual, &["/b/d", "/b/e"]),
            r#"{"a":1,"b":{"c":1,"e":2}}"#
        );
        assert_eq!(
            exactly(expected, actual, &["/b/*"]),
            r#"{"a":1,"b":{"c":2,"e":2}}"#
        );
        assert_eq!(exactly(expected, actual, &["/a/b", "/x"]), expected);
    }

    #[test]
    fn elements_are_replaced_where_positions_identify_them() {
        let (expected, actual) = (
            r#"[{"a":1,"b":1},{"a":1,"b":1}]"#,
            r#"[{"a":2,"b":2},{"a":2,"b":2}]"#,
        );
        assert_eq!(
            exactly(expected, actual, &["/*/a"]),
            r#"[{"a":2,"b":1},{"a":2,"b":1}]"#
        );
        assert_eq!(
            exactly(expected, actual, &["/1"]),
            r#"[{"a":1,"b":1},{"a":2,"b":2}]"#
        );
        insta::assert_snapshot!(exactly(r#"{"x":[1]}"#, r#"{"x":[1,2]}"#, &["/x/*"]), @"elements of /x can't be accepted alone: its length changed");
        assert_eq!(
            exactly(r#"{"x":[1]}"#, r#"{"x":[1,2]}"#, &["/x"]),
            r#"{"x":[1,2]}"#
        );
        let unordered = Policy::exact().unordered("").unwrap();
        insta::assert_snapshot!(replaced(&unordered, expected, actual, &["/*/a"]), @"elements of the output can't be accepted alone: its order does not count");
    }

    #[test]
    fn another_kind_has_none_of_the_places() {
        for place in ["/Ok", "/Err", "/Ok/a"] {
            let (ok, error) = (r#"{"Ok":{"a":1}}"#, r#"{"Err":"x"}"#);
            assert_eq!(exactly(ok, error, &[place]), ok);
        }
        let panic = r#"{"$panic":"x"}"#;
        assert_eq!(
            exactly(r#"{"a":1,"b":2}"#, panic, &["/a"]),
            r#"{"a":1,"b":2}"#
        );
        assert_eq!(
            exactly(r#"{"net":1}"#, r#"{"price":1}"#, &["/net", "/price"]),
            r#"{"price":1}"#
        );
        assert_eq!(
            exactly(r#"{"a":[1]}"#, r#"{"a":{"b":1}}"#, &["/a/b"]),
            r#"{"a":[1]}"#
        );
    }
}
