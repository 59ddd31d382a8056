//! Outputs that are now wrapped in another `Some`, `Ok` or newtype: `5` became `Some(5)`.
//!
//! If a function returns another type, all outputs differ. Other changes show once they are
//! compared as if they had always had that type.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tdg_definition::Policy;
use tdg_definition::json::{Pointer, Value};
use tdg_engine::compare::{DifferingCase, with_any_element};
use tdg_engine::text::in_all;

/// The number of cases from which rewrappings are detected.
const JUDGED: usize = 500;
/// Fewer equal outputs may be chance.
const LEAST: usize = 3;

const PLAIN: &str = "x";
const OK: &str = "Ok(x)";
const SOME: &str = "Some(x)";
const ERR: &str = "an Err";
const NONE: &str = "None";
const NULL: &str = "null";
/// The key for the names that `Debug` writes.
const NAME: &str = "$name";

/// A field, and the old and new notation of its values: `x` and `Some(x)`.
type Rewrapping = (Pointer, [Cow<'static, str>; 2]);

/// The notation of a value, and the value inside if it counts.
type Layer<'a> = (Cow<'static, str>, Option<Cow<'a, Value>>);

/// Returns sentences about rewrapped outputs, and the cases that also differ otherwise; their
/// expected outputs are wrapped like the actual ones.
pub(super) fn unwrapped(differing: &[DifferingCase]) -> (Vec<String>, Cow<'_, [DifferingCase]>) {
    let known = rewrappings(&differing[..differing.len().min(JUDGED)]);
    if known.is_empty() {
        return (Vec::new(), Cow::Borrowed(differing));
    }
    let mut counts: BTreeMap<Rewrapping, usize> = BTreeMap::new();
    let mut others = Vec::new();
    for case in differing {
        let (found, expected) = in_case(case, |it| known.contains(it));
        if found.is_empty() {
            others.push(case.clone());
            continue;
        }
        for (rewrapping, _) in found.into_iter().filter(|(_, is_same)| *is_same) {
            *counts.entry(rewrapping).or_default() += 1;
        }
        let actual = case.actual.clone();
        let case = DifferingCase::compared(&Policy::exact(), case.case, expected, actual);
        others.extend((!case.comparison.is_same()).then_some(case));
    }
    let sentence = |((field, [from, to]), count): (Rewrapping, usize)| {
        let all = differing.len();
        let cases = match count == all {
            true => in_all(all),
            false => format!("in {count} of the {all}"),
        };
        match field.is_root() {
            true => format!("{from} became {to} {cases}"),
            false => format!("{field}: {from} became {to} {cases}"),
        }
    };
    (
        counts.into_iter().map(sentence).collect(),
        Cow::Owned(others),
    )
}

/// Returns the rewrappings that leave most inner values equal.
fn rewrappings(differing: &[DifferingCase]) -> Vec<Rewrapping> {
    let mut counts: BTreeMap<Rewrapping, [usize; 2]> = BTreeMap::new();
    for case in differing {
        for (rewrapping, is_same) in in_case(case, |_| true).0 {
            counts.entry(rewrapping).or_default()[usize::from(is_same)] += 1;
        }
    }
    // An `Err` leaves nothing to compare, so the `Ok`s of the same field decide.
    counts.retain(|(_, [from, _]), [others, same]| *from == ERR || *same >= LEAST.max(*others));
    let is_result = |of: &Pointer| counts.keys().any(|(it, [from, _])| it == of && *from == OK);
    let is_told = |(field, [from, _]): &&Rewrapping| *from != ERR || is_result(field);
    counts.keys().filter(is_told).cloned().collect()
}

/// Returns the rewrappings of a case, with true if all inner values are equal; and the expected
/// output, rewrapped where `is_known`.
fn in_case(
    case: &DifferingCase,
    is_known: impl Fn(&Rewrapping) -> bool,
) -> (BTreeMap<Rewrapping, bool>, Value) {
    let mut found = BTreeMap::new();
    let mut note = |rewrapping: Rewrapping, is_same: bool| {
        let is_known = is_known(&rewrapping);
        if is_known {
            *found.entry(rewrapping).or_insert(true) &= is_same;
        }
        is_known
    };
    let expected = match case.comparison.moved.is_empty() {
        true => rewrapped(&Pointer::root(), &case.expected, &case.actual, &mut note),
        false => case.expected.clone(),
    };
    (found, expected)
}

/// Rewraps the expected value like the actual one, in each place where `note` returns true. `note`
/// gets true if the inner values are equal.
fn rewrapped(
    place: &Pointer,
    expected: &Value,
    actual: &Value,
    note: &mut dyn FnMut(Rewrapping, bool) -> bool,
) -> Value {
    let [(before, inner), (now, other)] = layers(expected, actual);
    let is_same = inner == other || before == ERR;
    let is_possible = match &*before {
        ERR => [NONE, NULL].contains(&&*now),
        _ => before != now && inner.is_some() && other.is_some(),
    };
    if is_possible && note((with_any_element(place), [before, now.clone()]), is_same) {
        return inner.map_or_else(
            || actual.clone(),
            |inner| wrapped(inner.into_owned(), &now, actual),
        );
    }
    match (expected, actual) {
        (Value::Object(members), Value::Object(others)) => {
            let member = |(key, value): &(String, Value)| {
                let value = match others.get(key) {
                    Some(other) if other != value => {
                        rewrapped(&place.child(key), value, other, note)
                    }
                    _ => value.clone(),
                };
                (key.clone(), value)
            };
            Value::object(members.iter().map(member))
        }
        (Value::Array(elements), Value::Array(others)) if elements.len() == others.len() => {
            let both = elements.iter().zip(others).enumerate();
            let of_both = |(index, (value, other)): (usize, (&Value, &Value))| {
                rewrapped(&place.child(index.to_string()), value, other, note)
            };
            both.map(of_both).collect::<Vec<_>>().into()
        }
        _ => expected.clone(),
    }
}

/// Returns the layers of two values; one can be a newtype or an object with one member.
fn layers<'a>(expected: &'a Value, actual: &'a Value) -> [Layer<'a>; 2] {
    let both = [expected, actual].map(layer);
    let [(before, _), (now, _)] = &both;
    if before != PLAIN || now != PLAIN {
        return both;
    }
    match (newtype(expected), newtype(actual)) {
        (Some(newtype), None) if !is_around(actual) => [newtype, layer(actual)],
        (None, Some(newtype)) if !is_around(expected) => [layer(expected), newtype],
        _ => both,
    }
}

fn layer(value: &Value) -> Layer<'_> {
    let alone = value.as_object().filter(|members| members.len() == 1);
    let only = |key: &str| alone.and_then(|members| members.get(key));
    let (name, inner) = match (outer_name(value), value) {
        (Some("Some"), _) => (SOME, within_name(value)),
        (Some("Ok"), _) => (OK, within_name(value)),
        (Some("Err"), _) => (ERR, None),
        (Some("None"), _) => (NONE, None),
        (None, Value::Null) => (NULL, None),
        (None, _) if only("Err").is_some() => (ERR, None),
        (None, _) if only("Ok").is_some() => (OK, only("Ok").map(Cow::Borrowed)),
        _ => (PLAIN, Some(Cow::Borrowed(value))),
    };
    (name.into(), inner)
}

/// Recognizes `Me(x)`, or `{"me": x}` in JSON. A value with further fields isn't a newtype.
fn newtype(value: &Value) -> Option<Layer<'_>> {
    let members = value.as_object()?;
    if let Some(name) = outer_name(value) {
        let is_only = members.len() == 2 && !name.is_empty();
        let inner = members.get("0").filter(|_| is_only)?;
        return Some((format!("{name}(x)").into(), Some(Cow::Borrowed(inner))));
    }
    let (key, inner) = members.iter().next().filter(|_| members.len() == 1)?;
    let is_mark = key.starts_with('$');
    (!is_mark).then(|| (format!("{{{key:?}: x}}").into(), Some(Cow::Borrowed(inner))))
}

/// Returns true if the value has fields, so it may have lost or gained some.
fn is_around(value: &Value) -> bool {
    value
        .as_object()
        .is_some_and(|members| !members.contains_key("$text"))
}

/// Returns `Some` for both `Some(5)` and `Some(Line { cents: 5 })` as written by `Debug`.
fn outer_name(value: &Value) -> Option<&str> {
    value.get(NAME)?.as_str()?.split('(').next()
}

fn within_name(value: &Value) -> Option<Cow<'_, Value>> {
    let name = value.get(NAME)?.as_str()?;
    match name.split_once('(') {
        Some((_, inner)) => Some(Cow::Owned(named(value.clone(), inner.strip_suffix(')')?))),
        None => value.get("0").map(Cow::Borrowed),
    }
}

/// Wraps a value in the layer of that name around another value.
fn wrapped(inner: Value, layer: &str, like: &Value) -> Value {
    let only = like.as_object().and_then(|members| members.keys().next());
    match (outer_name(like), only) {
        _ if layer == PLAIN => inner,
        (Some(name), _) => match inner.get(NAME).and_then(Value::as_str) {
            Some(own) => named(inner.clone(), &format!("{name}({own})")),
            None => Value::object([(NAME, name.into()), ("0", inner)]),
        },
        (None, Some(key)) => Value::object([(key.as_str(), inner)]),
        (None, None) => inner,
    }
}

fn named(mut value: Value, name: &str) -> Value {
    if let Value::Object(members) = &mut value {
        members.insert(NAME, name.into());
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::json::parse;

    /// Returns the sentences about outputs, and the remaining cases.
    fn said(outputs: &[(&str, &str)]) -> String {
        let cases = outputs.iter().enumerate();
        let cases = cases.map(|(case, (expected, actual))| {
            let read = |text: &str| parse(text).unwrap();
            DifferingCase::compared(&Policy::exact(), case, read(expected), read(actual))
        });
        let cases: Vec<DifferingCase> = cases.collect();
        let (mut said, others) = unwrapped(&cases);
        said.extend(
            others
                .iter()
                .map(|it| format!("{}: {} {}", it.case, it.expected, it.actual)),
        );
        said.join("\n")
    }

    #[test]
    fn outputs_are_compared_within_what_is_around_them() {
        let some = |inner: &str| format!(r#"{{"$name":"Some","0":{inner}}}"#);
        let none = r#"{"$name":"None"}"#;
        insta::assert_snapshot!(said(&[
            ("5", &some("5")), ("[1]", &some("[1]")), ("7", &some("8")), ("9", none), ("2", &some("2")),
        ]), @r#"
        x became Some(x) in 3 of the 5
        2: {"$name":"Some","0":7} {"$name":"Some","0":8}
        3: 9 {"$name":"None"}
        "#);
        insta::assert_snapshot!(said(&[
            (r#"{"Ok":5}"#, &some("5")), (r#"{"Ok":1.5}"#, &some("1.5")), (r#"{"Ok":2}"#, &some("2")),
            (r#"{"Err":"odd"}"#, none), (r#"{"Ok":3}"#, none),
        ]), @r#"
        Ok(x) became Some(x) in 3 of the 5
        an Err became None in 1 of the 5
        4: {"Ok":3} {"$name":"None"}
        "#);
        insta::assert_snapshot!(said(&[
            (r#"{"Ok":5}"#, "5"), (r#"{"Ok":6}"#, "6"), (r#"{"Ok":7}"#, "7"), (r#"{"Err":"odd"}"#, "null"),
        ]), @"
        Ok(x) became x in 3 of the 4
        an Err became null in 1 of the 4
        ");
        insta::assert_snapshot!(said(&[
            (r#"{"$name":"Line","cents":5}"#, r#"{"$name":"Some(Line)","cents":5}"#),
            (r#"{"$name":"Line","cents":6}"#, r#"{"$name":"Some(Line)","cents":6}"#),
            (r#"{"$name":"Line","cents":7}"#, r#"{"$name":"Some(Line)","cents":7}"#),
            (r#"{"$name":"Line","cents":8}"#, r#"{"$name":"Some(Line)","cents":9}"#),
        ]), @r#"
        x became Some(x) in 3 of the 4
        3: {"$name":"Some(Line)","cents":8} {"$name":"Some(Line)","cents":9}
        "#);
        let me = |inner: &str| format!(r#"{{"$name":"Me","0":{inner}}}"#);
        insta::assert_snapshot!(said(&[
            (&me("5"), "5"), (&me("6"), "6"), (&me("7"), "7"), (&me("8"), "9"),
        ]), @"
        Me(x) became x in 3 of the 4
        3: 8 9
        ");
        insta::assert_snapshot!(said(&[
            ("[5]", &me("[5]")), ("[6]", &me("[6]")), ("[7]", &me("[7]")), ("[8]", &me("[9]")),
        ]), @r#"
        x became Me(x) in 3 of the 4
        3: {"$name":"Me","0":[8]} {"$name":"Me","0":[9]}
        "#);
        insta::assert_snapshot!(said(&[
            (r#"{"n":5}"#, r#"{"n":{"cents":5}}"#), (r#"{"n":6}"#, r#"{"n":{"cents":6}}"#),
            (r#"{"n":7}"#, r#"{"n":{"cents":7}}"#), (r#"{"n":8}"#, r#"{"n":{"cents":9}}"#),
        ]), @r#"
        /n: x became {"cents": x} in 3 of the 4
        3: {"n":{"cents":8}} {"n":{"cents":9}}
        "#);
        insta::assert_snapshot!(said(&[
            (r#"{"n":5,"of":[1,2]}"#, r#"{"n":{"Ok":5},"of":[1,2]}"#),
            (r#"{"n":6,"of":[1,2]}"#, r#"{"n":{"Ok":6},"of":[1,2]}"#),
            (r#"{"n":7,"of":[1,2]}"#, r#"{"n":{"Ok":7},"of":[1,3]}"#),
        ]), @r#"
        /n: x became Ok(x) in all 3
        2: {"n":{"Ok":7},"of":[1,2]} {"n":{"Ok":7},"of":[1,3]}
        "#);
    }

    #[test]
    fn other_changes_stay_as_they_are() {
        let error = r#"{"Err":"odd"}"#;
        insta::assert_snapshot!(said(&[
            (r#"{"Ok":1}"#, error), (r#"{"Ok":2}"#, error), (error, "null"), (error, "null"),
            (error, "null"), ("1", r#"{"Ok":2}"#), ("2", r#"{"Ok":3}"#), ("3", r#"{"Ok":4}"#),
        ]), @r#"
        0: {"Ok":1} {"Err":"odd"}
        1: {"Ok":2} {"Err":"odd"}
        2: {"Err":"odd"} null
        3: {"Err":"odd"} null
        4: {"Err":"odd"} null
        5: 1 {"Ok":2}
        6: 2 {"Ok":3}
        7: 3 {"Ok":4}
        "#);
    }
}
