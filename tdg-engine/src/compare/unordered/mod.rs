//! Pairing of elements in two arrays whose order doesn't matter.
//!
//! Two elements can be the same only if they are equal in everything without a tolerance, and if no
//! gap wider than the tolerance separates their numbers. That forms groups. Within a group,
//! elements are sorted by their numbers, and one pass through both arrays pairs neighbors. If
//! elements have one tolerated number, this finds all pairs. If they have several, neighbors can be
//! the wrong partners. Then pairs are exchanged until every element has a partner, provided the
//! group is small enough.

mod key;
mod matching;

use tdg_definition::json::Value;
use tdg_definition::{Policy, sort};

use super::policy_at::PolicyAt;
use key::ElementKeys;
use matching::Matching;

/// Counts the values in unordered arrays of an output, each once for every such array around it.
/// The time and memory that comparing takes grow with this count.
pub fn unordered_values(policy: &Policy, output: &Value) -> usize {
    let mut values = 0;
    let mut rest = vec![(output, PolicyAt::root(policy), 0)];
    while let Some((value, policy, arrays)) = rest.pop() {
        values += arrays;
        if policy.ignored || arrays == 0 && policy.has_no_nodes() {
            continue;
        }
        match value {
            Value::Array(elements) if policy.unordered => {
                let within = elements.iter();
                rest.extend(within.map(|element| (element, policy.at_any(), arrays + 1)));
            }
            Value::Array(elements) => {
                let within = elements.iter().enumerate();
                rest.extend(
                    within.map(|(index, element)| (element, policy.at_index(index), arrays)),
                );
            }
            Value::Object(members) => {
                let within = members.iter();
                rest.extend(within.map(|(name, member)| (member, policy.at_key(name), arrays)));
            }
            _ => {}
        }
    }
    values
}

/// Two elements that belong together, or one without a partner. The position is the expected
/// element's, if any.
pub(super) type ElementPair<'v> = (usize, Option<&'v Value>, Option<&'v Value>);

/// Pairs every element of both arrays, by position, added ones last. Elements without a partner
/// within tolerance are paired in sorted order, so that a changed element is one difference.
pub(super) fn pairs<'v>(
    expected: &'v [Value],
    actual: &'v [Value],
    element: &PolicyAt<'_>,
) -> Vec<ElementPair<'v>> {
    let mut keys = ElementKeys::default();
    let mut expected_keys = keys.keys(expected, element);
    let mut actual_keys = keys.keys(actual, element);
    keys.tell_apart(&mut expected_keys, &mut actual_keys);
    let mut matching = Matching::new(keys, expected_keys, actual_keys);
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
