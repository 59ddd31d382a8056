//! The keys used to pair elements.

use std::cmp::Ordering;
use std::ops::Range;

use tdg_definition::json::{Number, Value};
use tdg_definition::{Tolerance, sort};

use crate::compare::policy_at::PolicyAt;
use crate::compare::tolerance::{leaves_gap, share_used};

/// The most numbers per element used for grouping. Sorting by all of them would gain nothing.
const GROUPING_NUMBERS: usize = 8;

/// The contents of all keys in shared vectors, because there may be millions of keys, most of them
/// short.
#[derive(Default)]
pub(super) struct ElementKeys<'v> {
    parts: Vec<KeyPart<'v>>,
    numbers: Vec<Tolerated>,
}

/// The key used to pair an element.
#[derive(Clone)]
pub(super) struct ElementKey {
    /// The element's position.
    pub(super) index: usize,
    /// The parts of the element that are compared exactly.
    parts: Range<usize>,
    /// Its numbers with a tolerance. Equal parts imply equal tolerances.
    numbers: Range<usize>,
}

/// A number with a tolerance.
#[derive(Clone)]
struct Tolerated {
    number: Number,
    tolerance: Tolerance,
    /// The number of wide gaps below it, if it is one of the first in its key.
    gaps: usize,
}

/// A piece of a value, in the order of its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum KeyPart<'v> {
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

impl<'v> ElementKeys<'v> {
    /// Returns the keys of an array's elements, sorted.
    pub(super) fn keys(&mut self, elements: &'v [Value], policy: &PolicyAt<'_>) -> Vec<ElementKey> {
        let elements = elements.iter().enumerate();
        let mut keys: Vec<ElementKey> = elements
            .map(|(index, element)| self.add(index, element, policy))
            .collect();
        sort::by(&mut keys, |left, right| self.order(left, right));
        keys
    }

    /// Counts the gaps between the numbers of elements with the same parts, and sorts again.
    pub(super) fn tell_apart(&mut self, expected: &mut [ElementKey], actual: &mut [ElementKey]) {
        let mut keys: Vec<ElementKey> = expected.iter().chain(actual.iter()).cloned().collect();
        sort::by(&mut keys, |left, right| {
            self.parts(left).cmp(self.parts(right))
        });
        let mut rest = keys.as_mut_slice();
        while let Some(first) = rest.first() {
            let is_other = |key: &ElementKey| self.parts(key) != self.parts(first);
            let end = rest.iter().position(is_other).unwrap_or(rest.len());
            let (group, others) = rest.split_at_mut(end);
            self.count_gaps(group);
            rest = others;
        }
        sort::by(expected, |left, right| self.order(left, right));
        sort::by(actual, |left, right| self.order(left, right));
    }

    /// Counts the gaps between the numbers of keys with the same parts.
    fn count_gaps(&mut self, group: &mut [ElementKey]) {
        let numbers = group.first().map_or(0, |key| key.numbers.len());
        for place in 0..numbers.min(GROUPING_NUMBERS) {
            sort::by_key(group, |key| self.numbers(key)[place].number);
            let mut before: Option<(Number, Tolerance)> = None;
            let mut gaps = 0;
            for key in group.iter() {
                let number = &mut self.numbers[key.numbers.start + place];
                let (below, tolerance) = before.unwrap_or((number.number, number.tolerance));
                gaps += usize::from(leaves_gap(tolerance, below, number.number));
                number.gaps = gaps;
                before = Some((number.number, tolerance));
            }
        }
    }

    fn add(&mut self, index: usize, element: &'v Value, policy: &PolicyAt<'_>) -> ElementKey {
        let (parts, numbers) = (self.parts.len(), self.numbers.len());
        // A loop instead of recursion: a deep output must not exhaust the stack.
        let mut rest = vec![(None, element, policy.clone())];
        while let Some((member, value, policy)) = rest.pop() {
            self.parts.extend(member.map(KeyPart::Member));
            self.push(value, policy, &mut rest);
        }
        ElementKey {
            index,
            parts: parts..self.parts.len(),
            numbers: numbers..self.numbers.len(),
        }
    }

    /// Adds a value, and queues its contents to be added next.
    fn push<'p>(
        &mut self,
        value: &'v Value,
        policy: PolicyAt<'p>,
        rest: &mut Vec<(Option<&'v str>, &'v Value, PolicyAt<'p>)>,
    ) {
        self.parts.push(match value {
            _ if policy.ignored => KeyPart::Ignored,
            Value::Null => KeyPart::Null,
            Value::Bool(boolean) => KeyPart::Bool(*boolean),
            Value::Number(number) if policy.tolerance.is_exact() => KeyPart::Number(*number),
            Value::Number(number) => {
                self.numbers.push(Tolerated {
                    number: policy.typed(*number),
                    tolerance: policy.tolerance,
                    gaps: 0,
                });
                KeyPart::Tolerated
            }
            Value::String(text) => KeyPart::String(text),
            Value::Array(elements) if policy.unordered => {
                self.parts.push(KeyPart::Array(elements.len()));
                // Their keys already cover everything below; walking it again would double the work
                // per level.
                let mut within = ElementKeys::default();
                for key in within.keys(elements, &policy.at_any()) {
                    self.parts.extend_from_slice(within.parts(&key));
                    self.numbers.extend_from_slice(within.numbers(&key));
                }
                return;
            }
            Value::Array(elements) => {
                let within = elements.iter().enumerate().rev();
                rest.extend(within.map(|(index, element)| (None, element, policy.at_index(index))));
                KeyPart::Array(elements.len())
            }
            Value::Object(members) => {
                let before = rest.len();
                for (name, member) in members.iter().rev() {
                    let policy = policy.at_key(name);
                    if !policy.ignored {
                        rest.push((Some(name.as_str()), member, policy));
                    }
                }
                KeyPart::Object(rest.len() - before)
            }
        });
    }

    fn parts(&self, key: &ElementKey) -> &[KeyPart<'v>] {
        &self.parts[key.parts.clone()]
    }

    fn numbers(&self, key: &ElementKey) -> &[Tolerated] {
        &self.numbers[key.numbers.clone()]
    }

    pub(super) fn order(&self, left: &ElementKey, right: &ElementKey) -> Ordering {
        let numbers = |key| self.numbers(key).iter().map(|it| it.number);
        // 1 and 1.0 are equal, but a tolerance can distinguish them.
        let kinds = |key| numbers(key).map(|number| number.is_float());
        self.group_order(left, right)
            .then_with(|| numbers(left).cmp(numbers(right)))
            .then_with(|| kinds(left).cmp(kinds(right)))
    }

    /// Orders groups. Elements of different groups are never the same.
    pub(super) fn group_order(&self, left: &ElementKey, right: &ElementKey) -> Ordering {
        let gaps = |key| self.numbers(key).iter().map(|it| it.gaps);
        let parts = self.parts(left).cmp(self.parts(right));
        parts.then_with(|| gaps(left).cmp(gaps(right)))
    }

    pub(super) fn is_same(&self, expected: &ElementKey, actual: &ElementKey) -> bool {
        self.group_order(expected, actual) == Ordering::Equal && self.is_within(expected, actual)
    }

    /// Returns true if the tolerated numbers of two keys in a group are close enough.
    pub(super) fn is_within(&self, expected: &ElementKey, actual: &ElementKey) -> bool {
        let mut numbers = self.numbers(expected).iter().zip(self.numbers(actual));
        numbers.all(|(expected, actual)| {
            expected.number == actual.number
                || share_used(expected.tolerance, expected.number, actual.number).is_some()
        })
    }
}
