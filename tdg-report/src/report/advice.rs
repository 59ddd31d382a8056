//! Attribute options that make two runs of the same row agree.

use std::collections::{BTreeMap, BTreeSet};

use tdg_definition::Policy;
use tdg_definition::json::{Pointer, Value};
use tdg_definition::policy::{ANY, leads_to};

use tdg_engine::compare::{DifferingCase, compare, with_any_element};

/// The maximum number of places that are tried.
const TRIED: usize = 32;
/// The array of a set written by `Debug`.
const SET: &str = "$set";
/// Members that `Debug` adds to the fields.
const NOT_FIELDS: [&str; 3] = ["$name", "$rest", "$keys"];

/// Returns the arrays that have the same elements in both runs, in another order.
///
/// Outer arrays come first. They include inner ones only if necessary, because in a list of sets,
/// the order of the list still counts.
pub(super) fn reordered(policy: &Policy, differing: &[DifferingCase]) -> Vec<Pointer> {
    let mut arrays = arrays(differing);
    arrays.truncate(TRIED);
    let mut found: Vec<Pointer> = Vec::new();
    for with_those_within in [false, true] {
        for array in &arrays {
            let is_near = |other: &Pointer| leads_to(other, array) || leads_to(array, other);
            if found.iter().any(is_near) {
                continue;
            }
            let is_tried = |other: &&Pointer| match with_those_within {
                true => leads_to(array, other),
                false => *other == array,
            };
            let tried: Vec<Pointer> = arrays.iter().filter(is_tried).cloned().collect();
            let differs = |it: &Pointer| leads_to(array, it);
            if with_unordered(policy, &tried)
                .is_some_and(|policy| !differences(&policy, differing).iter().any(differs))
            {
                found.extend(tried);
            }
        }
    }
    found
}

/// Returns the fields that differ although these arrays are unordered. Leaves out fields whose
/// array or object would have nothing left to compare.
pub(super) fn ignorable(
    policy: &Policy,
    unordered: &[Pointer],
    differing: &[DifferingCase],
) -> Vec<Pointer> {
    let Some(policy) = with_unordered(policy, unordered) else {
        return Vec::new();
    };
    let places = differences(&policy, differing);
    let mut fields = generalised(differing, places.iter().cloned());
    fields.retain(|field| !field.is_root() && field.segments().all(|it| it != SET));
    let all = fields.clone();
    fields.retain(|field| {
        let is_of_field =
            |place: &&Pointer| place.depth() == field.depth() && leads_to(field, place);
        !places.iter().filter(is_of_field).any(|place| {
            let mut around = place.clone();
            around.pop();
            let values = differing
                .iter()
                .filter_map(|it| around.find_in(&it.expected));
            let mut children = values.map(|value| children(&around, value));
            children.any(|places| {
                let is_ignored = |it: &Pointer| all.iter().any(|field| leads_to(field, it));
                places.contains(place) && places.iter().all(is_ignored)
            })
        })
    });
    fields
}

fn with_unordered(policy: &Policy, arrays: &[Pointer]) -> Option<Policy> {
    let mut arrays = arrays.iter().map(ToString::to_string);
    arrays.try_fold(policy.clone(), |policy, array| {
        policy.unordered(&array).ok()
    })
}

/// Returns the places where the two runs differ under a policy.
fn differences(policy: &Policy, differing: &[DifferingCase]) -> BTreeSet<Pointer> {
    let of_case = |it: &DifferingCase| compare(policy, &it.expected, &it.actual).differences;
    let all = differing.iter().flat_map(of_case);
    all.map(|it| it.pointer).collect()
}

/// Returns the arrays around the differences, the outermost first.
fn arrays(differing: &[DifferingCase]) -> Vec<Pointer> {
    let mut places = BTreeSet::new();
    for case in differing {
        for difference in &case.comparison.differences {
            let mut place = difference.pointer.clone();
            while place.pop().is_some() {
                let array = |output| place.find_in(output)?.as_array();
                if array(&case.expected).is_some() && array(&case.actual).is_some() {
                    places.insert(place.clone());
                }
            }
        }
    }
    let mut arrays = generalised(differing, places);
    arrays.sort_by_key(Pointer::depth);
    arrays
}

/// Replaces indices and map keys with `*` if they aren't the same in all places.
fn generalised(
    differing: &[DifferingCase],
    places: impl IntoIterator<Item = Pointer>,
) -> Vec<Pointer> {
    let mut alike: BTreeMap<Pointer, Pointer> = BTreeMap::new();
    for place in places {
        let place = with_any_key(differing, &place);
        let general = alike
            .entry(with_any_element(&place))
            .or_insert_with(|| place.clone());
        *general = general
            .segments()
            .zip(place.segments())
            .map(|(one, other)| if one == other { one } else { ANY })
            .collect();
    }
    alike.into_values().collect()
}

/// Replaces a key with `*` if the object's keys are data, which is assumed if all cases together
/// have many more keys than any one case.
fn with_any_key(differing: &[DifferingCase], place: &Pointer) -> Pointer {
    let mut around = Pointer::root();
    let mut general = Pointer::root();
    for segment in place.segments() {
        let (mut keys, mut most) = (BTreeSet::new(), 0);
        for it in differing {
            let object = around.find_in(&it.expected).and_then(Value::as_object);
            let names = object.map_or_else(Vec::new, |object| object.keys().collect());
            most = most.max(names.len());
            keys.extend(names);
        }
        general.push(if keys.len() > 2 * most { ANY } else { segment });
        around.push(segment);
    }
    general
}

/// Returns the places right below an array or an object.
fn children(place: &Pointer, value: &Value) -> Vec<Pointer> {
    match value {
        Value::Array(elements) => {
            let indexes = 0..elements.len();
            indexes
                .map(|index| place.child(index.to_string()))
                .collect()
        }
        Value::Object(members) => {
            let named = members
                .keys()
                .filter(|key| !NOT_FIELDS.contains(&key.as_str()));
            named.map(|key| place.child(key)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the advice for pairs of outputs from two runs.
    fn advice(policy: &Policy, outputs: &[(&str, &str)]) -> [String; 2] {
        let differing = outputs.iter().enumerate().map(|(case, (first, second))| {
            DifferingCase::of_outputs(policy, case, first, second).unwrap()
        });
        let differing: Vec<_> = differing.collect();
        let unordered = reordered(policy, &differing);
        let ignorable = ignorable(policy, &unordered, &differing);
        let text = |places: Vec<Pointer>| {
            let places: Vec<String> = places.iter().map(|it| format!("{it:?}")).collect();
            places.join(" ").replace("Pointer", "")
        };
        [unordered, ignorable].map(text)
    }

    fn exact(outputs: &[(&str, &str)]) -> [String; 2] {
        advice(&Policy::exact(), outputs)
    }

    #[test]
    fn the_same_elements_in_another_order_are_unordered() {
        for (first, second, unordered) in [
            (
                r#"{"n":2,"tags":[1,2]}"#,
                r#"{"n":2,"tags":[2,1]}"#,
                r#"("/tags")"#,
            ),
            ("[1,2,3]", "[3,1,2]", r#"("")"#),
            (
                r#"{"$debug":"Tags { n: 2, tags: {1, 2} }"}"#,
                r#"{"$debug":"Tags { n: 2, tags: {2, 1} }"}"#,
                r#"("/tags/$set")"#,
            ),
            (
                r#"{"$debug":"{1, 2}"}"#,
                r#"{"$debug":"{2, 1}"}"#,
                r#"("/$set")"#,
            ),
            (r#"{"Ok":[1,2]}"#, r#"{"Ok":[2,1]}"#, r#"("/Ok")"#),
            // A map whose keys are pairs.
            ("[[[1,2],3],[[4,5],6]]", "[[[4,5],6],[[1,2],3]]", r#"("")"#),
            // Sets in a list, in a list of structs, in one member of a tuple, and in a set.
            ("[[1,2],[3,4]]", "[[2,1],[4,3]]", r#"("/*")"#),
            (
                r#"{"l":[{"t":[1,2]},{"t":[3]},{"t":[4,5]}]}"#,
                r#"{"l":[{"t":[2,1]},{"t":[3]},{"t":[5,4]}]}"#,
                r#"("/l/*/t")"#,
            ),
            ("[7,[1,2]]", "[7,[2,1]]", r#"("/1")"#),
            (
                r#"{"s":[[1,2],[3,4]]}"#,
                r#"{"s":[[4,3],[1,2]]}"#,
                r#"("/s") ("/s/*")"#,
            ),
        ] {
            assert_eq!(exact(&[(first, second)]), [unordered, ""], "{first}");
        }
    }

    #[test]
    fn a_map_of_sets_has_one_place_for_all_keys() {
        let maps: Vec<_> = (0..9)
            .map(|key| {
                (
                    format!(r#"{{"m":{{"{key}":[1,2]}}}}"#),
                    format!(r#"{{"m":{{"{key}":[2,1]}}}}"#),
                )
            })
            .collect();
        let maps: Vec<_> = maps
            .iter()
            .map(|(first, second)| (&**first, &**second))
            .collect();
        assert_eq!(exact(&maps), [r#"("/m/*")"#, ""]);
        assert_eq!(
            exact(&[
                (r#"{"Ok":[1,2]}"#, r#"{"Ok":[2,1]}"#),
                (r#"{"Err":[1]}"#, r#"{"Err":[2]}"#)
            ]),
            [r#"("/Ok")"#, ""]
        );
    }

    #[test]
    fn what_the_policy_allows_is_allowed_in_another_order_too() {
        let policy = Policy::exact().ignore("/tags/*/id").unwrap();
        let outputs = [(
            r#"{"tags":[{"id":7,"t":1},{"id":8,"t":2}]}"#,
            r#"{"tags":[{"id":5,"t":2},{"id":6,"t":1}]}"#,
        )];
        assert_eq!(advice(&policy, &outputs), [r#"("/tags")"#, ""]);
    }

    #[test]
    fn a_field_is_ignored_only_if_others_are_compared() {
        for (first, second, ignorable) in [
            (r#"{"at":1,"n":2}"#, r#"{"at":3,"n":2}"#, r#"("/at")"#),
            ("[1,2]", "[1,3]", r#"("/1")"#),
            (
                r#"{"$debug":"At { at: 1, n: 2 }"}"#,
                r#"{"$debug":"At { at: 3, n: 2 }"}"#,
                r#"("/at")"#,
            ),
            (
                r#"{"l":[{"id":1,"n":1},{"id":2,"n":2}]}"#,
                r#"{"l":[{"id":3,"n":1},{"id":4,"n":2}]}"#,
                r#"("/l/*/id")"#,
            ),
            (r#"{"n":2,"drawn":[1,2]}"#, r#"{"n":2,"drawn":[3,4]}"#, ""),
            (
                r#"{"n":2,"drawn":[{"x":1},{"x":2}]}"#,
                r#"{"n":2,"drawn":[{"x":3},{"x":4}]}"#,
                "",
            ),
            (r#"{"a":1,"b":2}"#, r#"{"a":3,"b":4}"#, ""),
            (
                r#"{"$debug":"At { at: 1 }"}"#,
                r#"{"$debug":"At { at: 3 }"}"#,
                "",
            ),
            (r#"{"$debug":"{1, 2}"}"#, r#"{"$debug":"{1, 3}"}"#, ""),
            ("1", "2", ""),
        ] {
            assert_eq!(exact(&[(first, second)]), ["", ignorable], "{first}");
        }
    }
}
