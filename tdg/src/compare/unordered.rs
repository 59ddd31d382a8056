//! Which elements of two arrays belong together where their order doesn't matter.
//!
//! Elements can be the same only if they are equal in everything that has no tolerance. So they are
//! sorted by that, and by their tolerated numbers second: elements that belong together then stand
//! near each other, and one way through both arrays pairs them. That finds all the pairs there are
//! where an element has one tolerated number. With several, neighbours can be the wrong partners;
//! there pairs are exchanged until every element has one, in groups that are small enough for it.

use std::cmp::Ordering;
use std::ops::Range;

use tdg_definition::json::{Number, Value};

use super::Tolerance;
use super::rule::Settings;

/// How many comparisons of tolerated numbers the exchange of pairs may take in a group.
const EXCHANGES: usize = 10_000_000;

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
    let mut matching = Matching::new(keys(expected, element), keys(actual, element));
    matching.sweep();
    matching.exchange();

    let mut pairs = Vec::with_capacity(expected.len().max(actual.len()));
    let free = |partner: &Option<usize>| partner.is_none();
    let mut left_over = matching.actual.iter().zip(&matching.of_actual);
    let mut left_over = left_over
        .by_ref()
        .filter(|(_, partner)| free(partner))
        .map(|(key, _)| key.index);
    for (key, partner) in matching.expected.iter().zip(&matching.of_expected) {
        let partner = match partner {
            Some(partner) => Some(matching.actual[*partner].index),
            None => left_over.next(),
        };
        let actual = partner.map(|index| &actual[index]);
        pairs.push((key.index, Some(&expected[key.index]), actual));
    }
    pairs.extend(left_over.map(|index| (index, None, Some(&actual[index]))));
    pairs.sort_unstable_by_key(|(index, expected, _)| (expected.is_none(), *index));
    pairs
}

/// What an element is paired by.
struct Key<'v> {
    /// Where the element stands.
    index: usize,
    /// All of the element that is compared exactly.
    parts: Vec<Part<'v>>,
    /// Its numbers with a tolerance, which is the same for the same parts.
    numbers: Vec<Number>,
    tolerances: Vec<Tolerance>,
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
    /// An array of so many elements.
    Array(usize),
    /// An object of so many members.
    Object(usize),
    Member(&'v str),
}

/// The keys of an array's elements, sorted.
fn keys<'v>(elements: &'v [Value], settings: &Settings<'_>) -> Vec<Key<'v>> {
    let mut keys: Vec<_> = elements
        .iter()
        .enumerate()
        .map(|(index, element)| Key::of(index, element, settings))
        .collect();
    keys.sort_by(Key::order);
    keys
}

impl<'v> Key<'v> {
    fn of(index: usize, element: &'v Value, settings: &Settings<'_>) -> Self {
        let mut key = Self {
            index,
            parts: Vec::new(),
            numbers: Vec::new(),
            tolerances: Vec::new(),
        };
        // A loop and not a recursion: how deep an output is must not decide over the stack.
        let mut rest = vec![(None, element, settings.clone())];
        while let Some((member, value, settings)) = rest.pop() {
            key.parts.extend(member.map(Part::Member));
            key.push(value, settings, &mut rest);
        }
        key
    }

    /// Adds a value; what is within it is left to be added next.
    fn push<'p>(
        &mut self,
        value: &'v Value,
        settings: Settings<'p>,
        rest: &mut Vec<(Option<&'v str>, &'v Value, Settings<'p>)>,
    ) {
        self.parts.push(match value {
            _ if settings.ignored => Part::Ignored,
            Value::Null => Part::Null,
            Value::Bool(boolean) => Part::Bool(*boolean),
            Value::Number(number) if settings.tolerance == Tolerance::EXACT => {
                Part::Number(*number)
            }
            Value::Number(number) => {
                self.numbers.push(*number);
                self.tolerances.push(settings.tolerance);
                Part::Tolerated
            }
            Value::String(text) => Part::String(text),
            Value::Array(elements) => {
                let elements: Vec<&Value> = if settings.unordered {
                    let keys = keys(elements, &settings.at_any());
                    keys.iter().map(|key| &elements[key.index]).collect()
                } else {
                    elements.iter().collect()
                };
                let within = elements.iter().enumerate().rev();
                rest.extend(within.map(|(index, element)| {
                    let settings = if settings.unordered {
                        settings.at_any()
                    } else {
                        settings.at_index(index)
                    };
                    (None, *element, settings)
                }));
                Part::Array(elements.len())
            }
            Value::Object(members) => {
                let before = rest.len();
                for (name, member) in members.iter().rev() {
                    let settings = settings.at_key(name);
                    if !settings.ignored {
                        rest.push((Some(name.as_str()), member, settings));
                    }
                }
                Part::Object(rest.len() - before)
            }
        });
    }

    fn order(&self, other: &Self) -> Ordering {
        let parts = self.parts.cmp(&other.parts);
        parts.then_with(|| self.numbers.cmp(&other.numbers))
    }

    fn is_same(&self, other: &Self) -> bool {
        self.parts == other.parts && self.is_within(other)
    }

    /// Whether the tolerated numbers of a key with the same parts are close enough.
    fn is_within(&self, other: &Self) -> bool {
        let numbers = self.numbers.iter().zip(&other.numbers);
        numbers
            .zip(&self.tolerances)
            .all(|((expected, actual), tolerance)| {
                expected == actual || tolerance.share_used(*expected, *actual).is_some()
            })
    }
}

/// Who is whose partner, by the places among the sorted keys.
struct Matching<'v> {
    expected: Vec<Key<'v>>,
    actual: Vec<Key<'v>>,
    of_expected: Vec<Option<usize>>,
    of_actual: Vec<Option<usize>>,
}

impl<'v> Matching<'v> {
    fn new(expected: Vec<Key<'v>>, actual: Vec<Key<'v>>) -> Self {
        Self {
            of_expected: vec![None; expected.len()],
            of_actual: vec![None; actual.len()],
            expected,
            actual,
        }
    }

    /// Goes through both arrays once and pairs what is the same at the front of both.
    fn sweep(&mut self) {
        let (mut left, mut right) = (0, 0);
        while let (Some(expected), Some(actual)) = (self.expected.get(left), self.actual.get(right))
        {
            if expected.is_same(actual) {
                self.of_expected[left] = Some(right);
                self.of_actual[right] = Some(left);
                left += 1;
                right += 1;
            } else if expected.order(actual) == Ordering::Less {
                left += 1;
            } else {
                right += 1;
            }
        }
    }

    /// Gives every element of a group a partner, by exchanging some, or leaves the group as it is.
    fn exchange(&mut self) {
        let mut end = 0;
        while let Some(first) = self.expected.get(end) {
            let parts = &first.parts;
            let in_group = |keys: &[Key<'v>]| {
                keys.partition_point(|key| key.parts < *parts)
                    ..keys.partition_point(|key| key.parts <= *parts)
            };
            let (group, others) = (in_group(&self.expected), in_group(&self.actual));
            end = group.end;

            let alone: Vec<usize> = group
                .clone()
                .filter(|place| self.of_expected[*place].is_none())
                .collect();
            let work = alone.len().saturating_mul(group.len() * others.len());
            if group.len() != others.len() || work > EXCHANGES {
                continue;
            }
            let before = (self.of_expected.clone(), self.of_actual.clone());
            if !alone.iter().all(|place| self.find_partner(*place, &others)) {
                (self.of_expected, self.of_actual) = before;
            }
        }
    }

    /// Looks for a free partner by way of partners that could take another: the shortest augmenting
    /// path, breadth first.
    fn find_partner(&mut self, place: usize, others: &Range<usize>) -> bool {
        let mut reached_from: Vec<Option<usize>> = vec![None; others.len()];
        let mut waiting = vec![place];
        let mut next = 0;
        while let Some(&seeker) = waiting.get(next) {
            next += 1;
            for other in others.clone() {
                let from = &mut reached_from[other - others.start];
                if from.is_some() || !self.expected[seeker].is_within(&self.actual[other]) {
                    continue;
                }
                *from = Some(seeker);
                match self.of_actual[other] {
                    Some(partner) => waiting.push(partner),
                    None => {
                        self.exchange_along(&reached_from, others.start, other);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Everybody on the way takes the one they reached and leaves the one they had.
    fn exchange_along(&mut self, reached_from: &[Option<usize>], start: usize, end: usize) {
        let mut free = Some(end);
        while let Some(other) = free
            && let Some(seeker) = reached_from[other - start]
        {
            self.of_actual[other] = Some(seeker);
            free = self.of_expected[seeker].replace(other);
        }
    }
}
