//! Fields that have moved to another place.
//!
//! A renamed field shows up as one removed and one added field, which would hide a regression in
//! its values. If most values indicate a move, outputs are compared as if the field had always been
//! at its new place.

use std::collections::BTreeMap;

use tdg_definition::json::{Pointer, Value};
use tdg_definition::policy::{ANY, fields_at};
use tdg_definition::{Policy, sort};

use super::moved_field::{is_place_of, with_any_element};
use super::{DifferingCase, FieldDifference, Moved, compare};
use crate::spelling::letters;

/// The maximum number of cases used to judge candidates.
const JUDGED: usize = 500;
/// The maximum number of candidates.
const CANDIDATES: usize = 96;
/// The maximum number of keys in an object that only one version has.
const KEYS: usize = 8;
/// The maximum number of one-sided fields past the ones a comparison keeps. Objects with more
/// probably have data as keys.
const REST: usize = 64;
/// The required agreement of values, from 0 (chance) to 1. Constants never reach it, and fields
/// with few distinct values do only if nearly all agree.
const AGREEMENT: f64 = 0.5;

/// Finds the fields that have moved, and compares the cases as if they had always been at their new
/// places. Differences in shape are kept along with differences in values.
pub fn find_moved(policy: &Policy, differing: &mut [DifferingCase]) {
    let moves = moves(policy, differing);
    if moves.is_empty() {
        return;
    }
    for case in differing {
        let (mut expected, mut moved) = (case.expected.clone(), Vec::new());
        for one in &moves {
            if let Some(other) = one.of_case(&expected, &case.actual) {
                expected = other;
                moved.push(one.clone());
            }
        }
        if moved.is_empty() {
            continue;
        }
        let mut comparison = compare(policy, &expected, &case.actual);
        for difference in shape(case, &moved) {
            let FieldDifference {
                pointer,
                expected,
                actual,
            } = difference;
            comparison.add(expected.as_ref(), actual.as_ref(), || pointer);
        }
        comparison.moved = moved;
        case.comparison = comparison;
    }
}

/// Returns the differences in shape at both places of each moved field.
fn shape(case: &DifferingCase, moved: &[Moved]) -> Vec<FieldDifference> {
    let found = case.comparison.differences.iter();
    let is_shape = |it: &&FieldDifference| {
        it.expected.is_none() != it.actual.is_none() && is_place_of(moved, &it.pointer)
    };
    let mut shape: Vec<FieldDifference> = found.filter(is_shape).cloned().collect();
    for place in moved.iter().flat_map(|it| [&it.from, &it.to]) {
        let is_told = shape
            .iter()
            .any(|it| with_any_element(&it.pointer) == *place);
        if !is_told {
            let is_from = moved.iter().any(|it| it.from == *place);
            let first = |output: &Value| fields_at(place, output).first().map(|it| (*it).clone());
            shape.push(FieldDifference {
                pointer: place.clone(),
                expected: first(&case.expected).filter(|_| is_from),
                actual: first(&case.actual).filter(|_| !is_from),
            });
        }
    }
    shape
}

/// Returns the moves that most values support, if no rival candidate does as well.
fn moves(policy: &Policy, differing: &[DifferingCase]) -> Vec<Moved> {
    let judged = &differing[..differing.len().min(JUDGED)];
    let mut agreeing = Vec::new();
    for candidate in candidates(judged) {
        if let Some(agree) = agreement(policy, judged, &candidate) {
            agreeing.push((agree, candidate));
        }
    }
    let is_root = |it: &Moved| it.from.is_root() || it.to.is_root();
    // If the whole output moved, so did its members.
    if agreeing.iter().any(|(_, it)| is_root(it)) {
        agreeing.retain(|(_, it)| is_root(it) || it.from.depth() == it.to.depth());
    }
    let is_rival = |one: &Moved, other: &Moved| {
        one != other
            && (one.from == other.from || one.to == other.to || is_root(one) || is_root(other))
    };
    let is_best = |(agree, one): &&(usize, Moved)| {
        let mut rivals = agreeing.iter().filter(|(_, other)| is_rival(one, other));
        rivals.all(|(others, _)| others < agree)
    };
    let best = agreeing.iter().filter(is_best);
    best.map(|(_, candidate)| candidate.clone()).collect()
}

/// Pairs places on one side with places on the other that may hold the same field.
fn candidates(differing: &[DifferingCase]) -> Vec<Moved> {
    let [removed, added] = one_sided(differing);
    let root = Pointer::root();
    let tops = |places: &[Pointer]| -> Vec<Pointer> {
        let tops = places.iter().filter(|place| place.depth() == 1);
        tops.take(KEYS).cloned().collect()
    };
    let removed_tops = tops(&removed).into_iter().map(|from| moved(&from, &root));
    let added_tops = tops(&added).into_iter().map(|to| moved(&root, &to));
    let alike = spelled_alike(&removed, &added);
    let (removed, added) = (by_parent(&removed), by_parent(&added));
    let beside = removed.iter().flat_map(|(parent, from)| {
        let to = added.get(parent).map(Vec::as_slice).unwrap_or_default();
        // Objects with data as keys have many of them, and none was renamed.
        let is_few = from.len() <= KEYS && to.len() <= KEYS;
        let pairs = from
            .iter()
            .flat_map(|from| to.iter().map(|to| moved(from, to)));
        pairs.filter(move |it| is_few && !is_spelled_alike(it))
    });
    let found = removed_tops.chain(added_tops).chain(alike).chain(beside);
    found.take(CANDIDATES).collect()
}

fn moved(from: &Pointer, to: &Pointer) -> Moved {
    Moved {
        from: from.clone(),
        to: to.clone(),
    }
}

/// Pairs fields with similarly spelled names, in the same object or one level in or out.
fn spelled_alike(removed: &[Pointer], added: &[Pointer]) -> Vec<Moved> {
    let mut by_letters = BTreeMap::<String, Vec<&Pointer>>::new();
    for to in added {
        by_letters.entry(last_letters(to)).or_default().push(to);
    }
    let is_near = |from: &Pointer, to: &Pointer| {
        let (from, to) = (parent(from), parent(to));
        from == to || parent(&from) == to || from == parent(&to)
    };
    let alike = removed.iter().flat_map(|from| {
        let others = by_letters.get(&last_letters(from)).into_iter().flatten();
        let near = others.filter(move |to| is_near(from, to));
        near.map(move |to| moved(from, to))
    });
    alike.collect()
}

/// Returns the name without case and separators.
fn last_letters(place: &Pointer) -> String {
    letters(place.segments().next_back().unwrap_or_default())
}

fn is_spelled_alike(candidate: &Moved) -> bool {
    last_letters(&candidate.from) == last_letters(&candidate.to)
}

/// Returns the fields that only expected outputs have and the fields that only actual outputs have,
/// including their members.
fn one_sided(differing: &[DifferingCase]) -> [Vec<Pointer>; 2] {
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for case in differing {
        let (expected, actual) = (&case.expected, &case.actual);
        let has_rest = (1..=REST).contains(&case.comparison.more_one_sided());
        for difference in &case.comparison.differences {
            let is_one_sided = difference.expected.is_none() || difference.actual.is_none();
            if difference.pointer.is_root() || is_one_sided && has_rest {
                let around = parent(&difference.pointer);
                removed.extend(members(&around, [expected, actual]));
                added.extend(members(&around, [actual, expected]));
                continue;
            }
            let place = &difference.pointer;
            match (&difference.expected, &difference.actual) {
                (Some(value), None) => removed.extend(with_members(place, value)),
                (None, Some(value)) => added.extend(with_members(place, value)),
                _ => {}
            }
        }
    }
    [removed, added].map(|places| {
        let mut places = sort::distinct(places);
        places.retain(|place| {
            let key = place.segments().next_back();
            key.is_some_and(|key| key != ANY && !key.starts_with('$'))
        });
        places
    })
}

/// Returns the fields at a place that only the first output has, including their members.
fn members(around: &Pointer, outputs: [&Value; 2]) -> Vec<Pointer> {
    let [members, others] = outputs.map(|it| around.find_in(it).and_then(Value::as_object));
    let is_other = |key: &str| others.is_none_or(|others| !others.contains_key(key));
    let members = members.into_iter().flat_map(|members| members.iter());
    let members = members.filter(|(key, _)| is_other(key));
    let places = members.flat_map(|(key, value)| with_members(&around.child(key), value));
    places.collect()
}

fn with_members(place: &Pointer, value: &Value) -> Vec<Pointer> {
    let place = with_any_element(place);
    let keys = value.as_object().into_iter().flat_map(|it| it.keys());
    let members = keys.map(|key| place.child(key));
    members.chain([place.clone()]).collect()
}

fn by_parent(places: &[Pointer]) -> BTreeMap<Pointer, Vec<&Pointer>> {
    let mut by_parent = BTreeMap::<Pointer, Vec<&Pointer>>::new();
    for place in places {
        by_parent.entry(parent(place)).or_default().push(place);
    }
    by_parent
}

fn parent(pointer: &Pointer) -> Pointer {
    let mut parent = pointer.clone();
    parent.pop();
    parent
}

/// Counts the cases in which the field has its value from the other place. Returns `None` if that
/// may be chance.
fn agreement(policy: &Policy, differing: &[DifferingCase], candidate: &Moved) -> Option<usize> {
    let (mut cases, mut agree) = (0_usize, 0_usize);
    let mut values: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for case in differing {
        let Some(moved) = candidate.of_case(&case.expected, &case.actual) else {
            continue;
        };
        cases += 1;
        let comparison = compare(policy, &moved, &case.actual);
        let mut differences = comparison.differences.iter();
        let is_within = |it: &FieldDifference| candidate.to.covers(&with_any_element(&it.pointer));
        agree += usize::from(!differences.any(is_within));
        values.entry(texts(&moved, &candidate.to)).or_default().0 += 1.0;
        let actual = texts(&case.actual, &candidate.to);
        values.entry(actual).or_default().1 += 1.0;
    }
    let all = cases as f64;
    let by_chance: f64 = values.values().map(|(one, other)| one * other).sum();
    let by_chance = match is_spelled_alike(candidate) {
        // The names are evidence too.
        true => 0.0,
        false => by_chance / (all * all),
    };
    let observed = agree as f64 / all;
    let is_likely = by_chance < 1.0 && observed - by_chance >= AGREEMENT * (1.0 - by_chance);
    is_likely.then_some(agree)
}

/// Returns the values at this place as text.
fn texts(value: &Value, place: &Pointer) -> String {
    let values = fields_at(place, value).into_iter();
    values.map(|value| format!("{value},")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::Tolerance;
    use tdg_definition::json::parse;

    /// Returns the differences of some cases and the fields that moved.
    fn found(policy: &Policy, outputs: impl IntoIterator<Item = (String, String)>) -> String {
        let read = |text: &str| parse(text).unwrap();
        let compared = outputs.into_iter().enumerate();
        let compared = compared.map(|(case, (expected, actual))| {
            DifferingCase::compared(policy, case, read(&expected), read(&actual))
        });
        let mut differing: Vec<DifferingCase> =
            compared.filter(|case| !case.comparison.is_same()).collect();
        find_moved(policy, &mut differing);
        let moved = differing[0].comparison.moved.iter();
        let moved: Vec<String> = moved
            .map(|it| format!("{} -> {}", it.from, it.to))
            .collect();
        let values = differing.iter().filter(|case| {
            let mut differences = case.comparison.differences.iter();
            differences.any(|it| !case.comparison.is_moved(it))
        });
        let values: Vec<usize> = values.map(|case| case.case).collect();
        format!("{} {values:?}", moved.join(", "))
    }

    /// Returns a wrong value for every fifth case.
    fn broken(case: usize) -> usize {
        match case % 5 {
            3 => 10 * case + 1,
            _ => 10 * case,
        }
    }

    fn exactly(of: impl Fn(usize) -> (String, String)) -> String {
        found(&Policy::exact(), (0..10).map(of))
    }

    #[test]
    fn a_renamed_field_is_found_although_some_values_changed() {
        let (wrong, none) = ("/price -> /total [3, 8]", " [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]");
        let price = |case: usize| format!(r#"{{"price":{},"n":1}}"#, 10 * case);
        let total = |case: usize| format!(r#"{{"total":{},"n":1}}"#, broken(case));
        assert_eq!(exactly(|case| (price(case), total(case))), wrong);
        let taxed = |case: usize| total(case).replace('}', r#","tax":0}"#);
        assert_eq!(
            exactly(|case| (price(case), taxed(case))).split(' ').nth(2),
            Some("/total")
        );
        // Both candidates agree equally well, so neither is chosen.
        let twice =
            |case: usize| total(case).replace('}', &format!(r#","sum":{}}}"#, broken(case)));
        assert_eq!(exactly(|case| (price(case), twice(case))), none);
        // Constants agree by accident, and two booleans often do.
        let constant = |_| (r#"{"a":0}"#.to_owned(), r#"{"b":0}"#.to_owned());
        assert_eq!(exactly(constant), none);
        let flags = |case: usize| {
            let (one, other) = (case % 4 < 2, case % 3 < 2);
            (format!(r#"{{"a":{one}}}"#), format!(r#"{{"b":{other}}}"#))
        };
        assert_eq!(exactly(flags), none);
        let lines = |name: &str, price: usize| {
            format!(r#"{{"lines":[{{"{name}":{price}}},{{"{name}":0}}]}}"#)
        };
        let of_lines = |case: usize| (lines("price", 10 * case), lines("net", broken(case)));
        assert_eq!(exactly(of_lines), "/lines/*/price -> /lines/*/net [3, 8]");
    }

    #[test]
    fn numbers_within_the_tolerance_agree() {
        let policy = Policy::exact().tolerance(Tolerance::abs(0.5)).unwrap();
        let outputs = (0..10).map(|case| {
            let total = broken(case) as f64 + 0.25;
            (
                format!(r#"{{"price":{}.0}}"#, 10 * case),
                format!(r#"{{"total":{total}}}"#),
            )
        });
        assert_eq!(found(&policy, outputs), "/price -> /total [3, 8]");
    }

    #[test]
    fn an_output_may_be_within_an_object_now_or_no_longer() {
        let plain = |case: usize| (10 * case).to_string();
        let within = |key: &str, case: usize| format!(r#"{{"{key}":{}}}"#, broken(case));
        let wrapped = exactly(|case| (plain(case), within("price", case)));
        assert_eq!(wrapped, " -> /price [3, 8]");
        let result = exactly(|case| (plain(case), within("Ok", case)));
        assert_eq!(result, " -> /Ok [3, 8]");
        let no_result = exactly(|case| (within("Ok", case), plain(case)));
        assert_eq!(no_result, "/Ok ->  [3, 8]");
        let object = |case: usize| format!(r#"{{"a":{},"b":{{"c":1}}}}"#, 10 * case);
        let changed = |case: usize| format!(r#"{{"a":{},"b":{{"c":1}}}}"#, broken(case));
        let unwrapped = exactly(|case| (format!(r#"{{"Ok":{}}}"#, object(case)), changed(case)));
        assert_eq!(unwrapped, "/Ok ->  [3, 8]");
        let wrapped = exactly(|case| (object(case), format!(r#"{{"Ok":{}}}"#, changed(case))));
        assert_eq!(wrapped, " -> /Ok [3, 8]");
        // An error that became a success isn't a move.
        let errors = exactly(|case| match case {
            4 => (r#"{"Err":"x"}"#.to_owned(), "0".to_owned()),
            _ => (within("Ok", case), plain(case)),
        });
        assert_eq!(errors, "/Ok ->  [3, 4, 8]");
    }

    #[test]
    fn members_may_be_one_level_further_out_now_or_in() {
        let inner = |a: usize| format!(r#"{{"i":{{"a":{a},"flag":0}},"n":1}}"#);
        let outer = |a: usize| format!(r#"{{"a":{a},"flag":0,"n":1}}"#);
        let flattened = exactly(|case| (inner(10 * case), outer(broken(case))));
        assert_eq!(flattened, "/i/a -> /a, /i/flag -> /flag [3, 8]");
        let grouped = exactly(|case| (outer(10 * case), inner(broken(case))));
        assert_eq!(grouped, "/a -> /i/a, /flag -> /i/flag [3, 8]");
        let lines = |line: String| format!(r#"{{"lines":[{line},{line}]}}"#);
        let elements = exactly(|case| (lines(inner(10 * case)), lines(outer(broken(case)))));
        assert_eq!(
            elements,
            "/lines/*/i/a -> /lines/*/a, /lines/*/i/flag -> /lines/*/flag [3, 8]"
        );
    }

    #[test]
    fn names_of_another_spelling_are_followed_though_values_are_few() {
        let snake = |case: usize| format!(r#"{{"unit_price":{},"is_new":true}}"#, 10 * case);
        let camel =
            |case: usize| format!(r#"{{"unitPrice":{},"isNew":{}}}"#, 10 * case, case % 5 != 3);
        let renamed = exactly(|case| (snake(case), camel(case)));
        assert_eq!(
            renamed,
            "/is_new -> /isNew, /unit_price -> /unitPrice [3, 8]"
        );
        let names = (0..12).map(|it| (format!("\"f_{it}\":1"), format!("\"F{it}\":1")));
        let (snake, camel): (Vec<String>, Vec<String>) = names.unzip();
        let [snake, camel] = [snake, camel].map(|all| format!("{{{}}}", all.join(",")));
        let many = exactly(|_| (snake.clone(), camel.clone()));
        assert_eq!(many.matches("->").count(), 12);
    }

    #[test]
    fn objects_whose_keys_are_data_have_no_renamed_fields() {
        let object = |start: usize| {
            let member = |key: usize| format!(r#""k{key}":{}"#, key % 7);
            let members: Vec<String> = (start..start + 3_000).map(member).collect();
            format!("{{{}}}", members.join(","))
        };
        let outputs = (0..4).map(|case| {
            let start = case * 10_000;
            (object(start), object(start + 5_000))
        });
        assert_eq!(found(&Policy::exact(), outputs), " [0, 1, 2, 3]");
    }
}
