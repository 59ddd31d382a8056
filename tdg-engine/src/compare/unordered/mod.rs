//! Which elements of two arrays belong together where their order doesn't matter.
//!
//! Elements can be the same only if they are equal in everything that has no tolerance, and if no
//! gap wider than the tolerance lies between their numbers. That makes groups; within a group,
//! elements are sorted by their numbers, and one way through both arrays pairs neighbours. It finds
//! all the pairs there are where an element has one tolerated number. With several, neighbours can
//! be the wrong partners; there pairs are exchanged until every element has one, in groups that are
//! small enough for it.

mod key;
mod matching;

use tdg_definition::json::Value;
use tdg_definition::sort;

use super::rule::Settings;
use key::{keys, tell_apart};
use matching::Matching;

/// How many values of an output are in arrays without an order, each counted once for every such array that it is in.
pub(super) fn values(output: &Value, settings: Settings<'_>) -> usize {
    let mut values = 0;
    let mut rest = vec![(output, settings, 0)];
    while let Some((value, settings, arrays)) = rest.pop() {
        values += arrays;
        if settings.ignored || arrays == 0 && settings.has_no_rules() {
            continue;
        }
        match value {
            Value::Array(elements) if settings.unordered => {
                let within = elements.iter();
                rest.extend(within.map(|element| (element, settings.at_any(), arrays + 1)));
            }
            Value::Array(elements) => {
                let within = elements.iter().enumerate();
                rest.extend(
                    within.map(|(index, element)| (element, settings.at_index(index), arrays)),
                );
            }
            Value::Object(members) => {
                let within = members.iter();
                rest.extend(within.map(|(name, member)| (member, settings.at_key(name), arrays)));
            }
            _ => {}
        }
    }
    values
}

/// Two elements that belong together, or one that has no partner; the place is the expected one's
/// if there is one.
pub(super) type Pair<'v> = (usize, Option<&'v Value>, Option<&'v Value>);

/// Every element of both arrays in one pair, by place, added ones last. What has no partner within
/// tolerance is paired in sorted order, so that a changed element is shown as one.
pub(super) fn pairs<'v>(
    expected: &'v [Value],
    actual: &'v [Value],
    element: &Settings<'_>,
) -> Vec<Pair<'v>> {
    let (mut expected_keys, mut actual_keys) = (keys(expected, element), keys(actual, element));
    tell_apart(&mut expected_keys, &mut actual_keys);
    let mut matching = Matching::new(expected_keys, actual_keys);
    matching.sweep();
    matching.exchange();

    let mut pairs = Vec::with_capacity(expected.len().max(actual.len()));
    let left_over = matching.actual.iter().zip(&matching.of_actual);
    let mut left_over =
        left_over.filter_map(|(key, partner)| partner.is_none().then_some(key.index));
    for (key, partner) in matching.expected.iter().zip(&matching.of_expected) {
        let partner = match partner {
            Some(partner) => Some(matching.actual[*partner].index),
            None => left_over.next(),
        };
        let actual = partner.map(|index| &actual[index]);
        pairs.push((key.index, Some(&expected[key.index]), actual));
    }
    pairs.extend(left_over.map(|index| (index, None, Some(&actual[index]))));
    sort::by_key(&mut pairs, |(index, expected, _)| {
        (expected.is_none(), *index)
    });
    pairs
}
