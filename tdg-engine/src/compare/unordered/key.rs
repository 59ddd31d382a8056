//! The key by which an element is paired.

use std::cmp::Ordering;

use tdg_definition::json::{Number, Value};
use tdg_definition::{Tolerance, sort};

use crate::compare::policy_at::PolicyAt;
use crate::compare::tolerance::{leaves_gap, share_used};

/// How many numbers of an element make groups: sorting all those of long arrays would gain nothing.
const GROUPING_NUMBERS: usize = 8;

/// The key by which an element is paired.
pub(super) struct Key<'v> {
    /// The element's position.
    pub(super) index: usize,
    /// All of the element that is compared exactly.
    parts: Vec<Part<'v>>,
    /// Its numbers with a tolerance, which is the same for the same parts.
    numbers: Vec<Number>,
    tolerances: Vec<Tolerance>,
    /// For each of the first numbers, how many wide gaps lie below it.
    gaps: Vec<usize>,
}

/// A piece of a value, in the order of its text.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part<'v> {
    Ignored,
    Null,
    Bool(bool),
    Tolerated,
    Number(Number),
    String(&'v str),
    /// An array of this length.
    Array(usize),
    /// An object with this number of members.
    Object(usize),
    Member(&'v str),
}

/// The keys of an array's elements, sorted.
pub(super) fn keys<'v>(elements: &'v [Value], policy: &PolicyAt<'_>) -> Vec<Key<'v>> {
    let mut keys: Vec<_> = elements
        .iter()
        .enumerate()
        .map(|(index, element)| Key::of(index, element, policy))
        .collect();
    sort::by(&mut keys, Key::order);
    keys
}

/// Counts the gaps between the numbers of elements that have the same parts, and sorts anew.
pub(super) fn tell_apart<'v>(expected: &mut [Key<'v>], actual: &mut [Key<'v>]) {
    let mut keys: Vec<&mut Key<'v>> = expected.iter_mut().chain(actual.iter_mut()).collect();
    sort::by(&mut keys, |left, right| left.parts.cmp(&right.parts));
    for group in keys.chunk_by_mut(|left, right| left.parts == right.parts) {
        for place in 0..group[0].numbers.len().min(GROUPING_NUMBERS) {
            sort::by_key(group, |key| key.numbers[place]);
            let tolerance = group[0].tolerances[place];
            let (mut before, mut gaps) = (group[0].numbers[place], 0);
            for key in group.iter_mut() {
                let number = key.numbers[place];
                gaps += usize::from(leaves_gap(tolerance, before, number));
                before = number;
                key.gaps.push(gaps);
            }
        }
    }
    sort::by(expected, Key::order);
    sort::by(actual, Key::order);
}

impl<'v> Key<'v> {
    fn of(index: usize, element: &'v Value, policy: &PolicyAt<'_>) -> Self {
        let mut key = Self {
            index,
            parts: Vec::new(),
            numbers: Vec::new(),
            tolerances: Vec::new(),
            gaps: Vec::new(),
        };
        // A loop instead of recursion: a deep output must not exhaust the stack.
        let mut rest = vec![(None, element, policy.clone())];
        while let Some((member, value, policy)) = rest.pop() {
            key.parts.extend(member.map(Part::Member));
            key.push(value, policy, &mut rest);
        }
        // There may be a million keys, and most are short.
        key.parts.shrink_to_fit();
        key.numbers.shrink_to_fit();
        key.tolerances.shrink_to_fit();
        key.gaps
            .reserve_exact(key.numbers.len().min(GROUPING_NUMBERS));
        key
    }

    /// Adds a value; what is within it is left to be added next.
    fn push<'p>(
        &mut self,
        value: &'v Value,
        policy: PolicyAt<'p>,
        rest: &mut Vec<(Option<&'v str>, &'v Value, PolicyAt<'p>)>,
    ) {
        self.parts.push(match value {
            _ if policy.ignored => Part::Ignored,
            Value::Null => Part::Null,
            Value::Bool(boolean) => Part::Bool(*boolean),
            Value::Number(number) if policy.tolerance.is_exact() => Part::Number(*number),
            Value::Number(number) => {
                self.numbers.push(*number);
                self.tolerances.push(policy.tolerance);
                Part::Tolerated
            }
            Value::String(text) => Part::String(text),
            Value::Array(elements) if policy.unordered => {
                self.parts.push(Part::Array(elements.len()));
                // Their keys have all that is below: walking it again would double the work with
                // every level.
                for key in keys(elements, &policy.at_any()) {
                    self.parts.extend(key.parts);
                    self.numbers.extend(key.numbers);
                    self.tolerances.extend(key.tolerances);
                }
                return;
            }
            Value::Array(elements) => {
                let within = elements.iter().enumerate().rev();
                rest.extend(within.map(|(index, element)| (None, element, policy.at_index(index))));
                Part::Array(elements.len())
            }
            Value::Object(members) => {
                let before = rest.len();
                for (name, member) in members.iter().rev() {
                    let policy = policy.at_key(name);
                    if !policy.ignored {
                        rest.push((Some(name.as_str()), member, policy));
                    }
                }
                Part::Object(rest.len() - before)
            }
        });
    }

    pub(super) fn order(&self, other: &Self) -> Ordering {
        self.group_order(other)
            .then_with(|| self.numbers.cmp(&other.numbers))
            .then_with(|| self.kinds().cmp(other.kinds()))
    }

    /// 1 and 1.0 are equal, but a tolerance can tell them apart.
    fn kinds(&self) -> impl Iterator<Item = bool> {
        self.numbers.iter().map(|number| number.is_float())
    }

    /// Elements of different groups are never the same.
    pub(super) fn group_order(&self, other: &Self) -> Ordering {
        let parts = self.parts.cmp(&other.parts);
        parts.then_with(|| self.gaps.cmp(&other.gaps))
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.group_order(other) == Ordering::Equal && self.is_within(other)
    }

    /// Whether the tolerated numbers of a key of the same group are close enough.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        let numbers = self.numbers.iter().zip(&other.numbers);
        numbers
            .zip(&self.tolerances)
            .all(|((expected, actual), tolerance)| {
                expected == actual || share_used(*tolerance, *expected, *actual).is_some()
            })
    }
}
