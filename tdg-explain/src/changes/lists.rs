//! Arrays, and texts that are lists with commas.

use tdg_definition::json::{Value, parse};
use tdg_definition::sort;

use super::ChangePattern;
use super::pairs::{Pairs, PatternCandidate, most_frequent};
use super::pattern::plain;
use super::quantity::finite;
use super::texts::{OPEN, lacks};

type ListItems = Vec<Value>;

/// A function of a list, with its words.
type ListFunction = (&'static str, fn(&ListItems) -> ListItems);

const FUNCTIONS: [ListFunction; 11] = [
    ("reversed", |list| list.iter().rev().cloned().collect()),
    ("sorted", sorted),
    ("sorted in reverse", |list| {
        sorted(list).into_iter().rev().collect()
    }),
    ("without its last element", |list| {
        list[..list.len().saturating_sub(1)].to_vec()
    }),
    ("without its first element", |list| {
        list.get(1..).unwrap_or_default().to_vec()
    }),
    ("without its first and last element", |list| {
        list.get(1..list.len().max(2) - 1)
            .unwrap_or_default()
            .to_vec()
    }),
    ("without repeated elements", |list| {
        let mut kept = ListItems::new();
        for value in list {
            if !kept.contains(value) {
                kept.push(value.clone());
            }
        }
        kept
    }),
    ("with the other sign in all elements", |list| {
        with_each(list, |it| -it)
    }),
    ("without the signs of its elements", |list| {
        with_each(list, f64::abs)
    }),
    ("with a minus before all elements", |list| {
        with_each(list, |it| -it.abs())
    }),
    ("as its first element alone", |list| {
        list.iter().take(1).cloned().collect()
    }),
];

/// A relation between an expected and an actual list, with its words.
type ListRelation = (&'static str, fn(&ListItems, &ListItems) -> bool);

const RELATIONS: [ListRelation; 8] = [
    ("only the signs of elements differ", |left, right| {
        left.len() == right.len() && with_each(left, f64::abs) == with_each(right, f64::abs)
    }),
    ("only the order of elements differs", |left, right| {
        sorted(left) == sorted(right)
    }),
    ("only the last element differs", |left, right| {
        left.len() == right.len()
            && left.split_last().map(|it| it.1) == right.split_last().map(|it| it.1)
    }),
    ("only the first element differs", |left, right| {
        left.len() == right.len() && left.get(1..) == right.get(1..)
    }),
    ("actual is the beginning of expected", |left, right| {
        left.starts_with(right)
    }),
    ("actual is the end of expected", |left, right| {
        left.ends_with(right)
    }),
    ("actual lacks elements of expected", |left, right| {
        right.len() < left.len() && lacks(&mut left.iter(), right.iter())
    }),
    (
        "actual has more elements than expected, and all of those",
        |left, right| left.len() < right.len() && lacks(&mut right.iter(), left.iter()),
    ),
];

fn sorted(list: &ListItems) -> ListItems {
    let mut list = list.clone();
    sort::by(&mut list, |left, right| left.cmp(right));
    list
}

fn with_each(list: &ListItems, function: fn(f64) -> f64) -> ListItems {
    let each = |value: &Value| finite(value).map_or(value.clone(), |it| function(it).into());
    list.iter().map(each).collect()
}

/// The lists of all pairs.
pub(super) struct ListPairs {
    lists: Vec<Option<(ListItems, ListItems)>>,
}

impl ListPairs {
    /// Reads the lists of all pairs; `None` if most values aren't lists.
    pub(super) fn new(pairs: &Pairs<'_>) -> Option<Self> {
        let notation = ListNotation::of(pairs);
        let elements = |value: &Value| match (value, &notation) {
            (Value::Array(elements), _) => Some(elements.clone()),
            (Value::String(text), Some(notation)) => notation.elements(text),
            _ => None,
        };
        let lists = pairs.pairs.iter();
        let lists = lists.map(|it| Some((elements(it.expected)?, elements(it.actual)?)));
        let lists: Vec<_> = lists.collect();
        let known = lists.iter().flatten().count();
        (2 * known >= lists.len()).then_some(Self { lists })
    }

    fn both(&self, left: usize, right: usize) -> Option<(&ListItems, &ListItems)> {
        let (expected, _) = self.lists[left].as_ref()?;
        let (_, actual) = self.lists[right].as_ref()?;
        Some((expected, actual))
    }

    fn candidate<'a>(
        &'a self,
        pattern: ChangePattern,
        holds: impl Fn(&ListItems, &ListItems) -> bool + 'a,
    ) -> PatternCandidate<'a> {
        PatternCandidate::from_values(pattern, |left, right| self.both(left, right), holds)
    }

    fn own<'l>(
        &'l self,
        pairs: &'l Pairs<'_>,
    ) -> impl Iterator<Item = (&'l ListItems, &'l ListItems)> {
        pairs
            .sample
            .iter()
            .filter_map(|index| self.both(*index, *index))
    }
}

/// How texts write lists. White space and the digits of numbers are in the elements, so equal
/// lists are equal texts.
struct ListNotation {
    separator: &'static str,
    are_numbers: bool,
}

impl ListNotation {
    /// Returns the notation of all texts, if they have one.
    fn of(pairs: &Pairs<'_>) -> Option<Self> {
        let values = || pairs.pairs.iter().flat_map(|it| [it.expected, it.actual]);
        let in_all = |notation: &Self| {
            let mut elements = values().map(|it| it.as_str().and_then(|it| notation.elements(it)));
            elements.all(|it| it.is_some())
        };
        let of = |separator| {
            [true, false].map(|are_numbers| Self {
                separator,
                are_numbers,
            })
        };
        let mut notations = [",", ", "].into_iter().flat_map(of);
        let notation = notations.find(in_all)?;
        let commas = || values().map(|it| it.as_str().map_or(0, |it| it.matches(',').count()));
        // A text with one comma is rather a number or a name.
        let are_lists =
            commas().any(|it| it > 1) && 4 * commas().filter(|it| *it > 0).count() >= pairs.len();
        are_lists.then_some(notation)
    }

    fn elements(&self, text: &str) -> Option<ListItems> {
        let is_word = |text: &str| {
            !text.is_empty() && !text.contains(|it: char| it == ',' || it.is_whitespace())
        };
        let element = |text: &str| match parse(text).ok().filter(|it| it.as_number().is_some()) {
            Some(number) if number.to_string() != text => None,
            Some(number) if self.are_numbers => Some(number),
            None if self.are_numbers => None,
            _ => is_word(text).then(|| text.into()),
        };
        match text.is_empty() {
            true => Some(ListItems::new()),
            false => text.split(self.separator).map(element).collect(),
        }
    }
}

/// Finds edits that turn expected lists into the actual ones.
pub(super) fn edits<'a>(pairs: &'a Pairs<'a>, lists: &'a ListPairs) -> Vec<PatternCandidate<'a>> {
    let mut candidates: Vec<_> = swapped(pairs, lists).into_iter().collect();
    for (words, function) in FUNCTIONS {
        let holds = move |expected: &ListItems, actual: &ListItems| function(expected) == *actual;
        candidates.push(edit(lists, words.to_owned(), 0, holds));
    }
    let own = || lists.own(pairs);
    let appended = own().filter_map(|(left, right)| right.strip_prefix(&**left)?.first().cloned());
    if let Some(value) = most_frequent(appended.collect()) {
        let words = format!("with {} appended", plain(&value));
        let one = value.clone();
        candidates.push(edit(lists, words, 1, move |left, right| {
            right.strip_prefix(&**left) == Some(std::slice::from_ref(&one))
        }));
        candidates.extend(padded(pairs, lists, value));
    }
    let prepended = own().filter_map(|(left, right)| right.strip_suffix(&**left)?.first().cloned());
    if let Some(value) = most_frequent(prepended.collect()) {
        let words = format!("with {} prepended", plain(&value));
        candidates.push(edit(lists, words, 1, move |left, right| {
            right.strip_suffix(&**left) == Some(std::slice::from_ref(&value))
        }));
    }
    let next = own().filter_map(|(left, right)| left.strip_prefix(&**right)?.first().cloned());
    if let Some(value) = most_frequent(next.collect()) {
        let words = format!("before its first element {}", plain(&value));
        candidates.push(edit(lists, words, 1, move |left, right| {
            let end = left.iter().position(|it| *it == value);
            end.is_some_and(|end| left[..end] == **right)
        }));
    }
    let missing =
        own().filter_map(|(left, right)| left.iter().find(|it| !right.contains(it)).cloned());
    if let Some(value) = most_frequent(missing.collect()) {
        let words = format!("without the elements {}", plain(&value));
        candidates.push(edit(lists, words, 1, move |left, right| {
            left.iter().filter(|it| **it != value).eq(right)
        }));
    }
    candidates
}

/// Finds patterns such as `with elements 0 and 2 swapped`.
fn swapped<'a>(pairs: &'a Pairs<'a>, lists: &'a ListPairs) -> Option<PatternCandidate<'a>> {
    let two = lists.own(pairs).filter_map(|(left, right)| {
        let mut places = places(left, right);
        let two = (places.next()?, places.next()?);
        places.next().is_none().then_some(two)
    });
    let (one, other) = most_frequent(two.collect())?;
    let words = format!("with elements {one} and {other} swapped");
    Some(edit(lists, words, 0, move |left, right| {
        let mut left = left.clone();
        if other < left.len() {
            left.swap(one, other);
        }
        left == *right
    }))
}

/// Finds patterns such as `padded with 0 to 8 elements`.
fn padded<'a>(
    pairs: &'a Pairs<'a>,
    lists: &'a ListPairs,
    value: Value,
) -> Option<PatternCandidate<'a>> {
    let lengths = lists.own(pairs).map(|(_, actual)| actual.len());
    let length = most_frequent(lengths.collect())?;
    let words = format!("padded with {} to {length} elements", plain(&value));
    Some(edit(lists, words, 1, move |left, right| {
        let rest = right.strip_prefix(&**left);
        right.len() == length && rest.is_some_and(|rest| rest.iter().all(|it| *it == value))
    }))
}

/// Creates the candidate for an edit.
fn edit<'a>(
    lists: &'a ListPairs,
    words: String,
    fitted: usize,
    holds: impl Fn(&ListItems, &ListItems) -> bool + 'a,
) -> PatternCandidate<'a> {
    PatternCandidate {
        fitted,
        choices: FUNCTIONS.len(),
        ..lists.candidate(ChangePattern::Edited(words), holds)
    }
}

/// Finds lists that partly equal the expected ones.
pub(super) fn relations<'a>(lists: &'a ListPairs) -> Vec<PatternCandidate<'a>> {
    let of = |(words, relation): ListRelation| PatternCandidate {
        choices: RELATIONS.len(),
        open: OPEN,
        ..lists.candidate(ChangePattern::Only(words.to_owned()), relation)
    };
    let mut candidates: Vec<_> = RELATIONS.map(of).into();
    candidates.extend(one_element(lists));
    candidates
}

/// Finds patterns such as `only element 1 (of 5) differs`, if all lists have the same length.
fn one_element<'a>(lists: &'a ListPairs) -> Option<PatternCandidate<'a>> {
    let mut own = lists.lists.iter().flatten();
    let (first, other) = own.next()?;
    let (position, length) = (places(first, other).next()?, first.len());
    if length < 2 || !own.all(|(left, right)| left.len() == length && right.len() == length) {
        return None;
    }
    let pattern = ChangePattern::OnlyElement { position, length };
    Some(PatternCandidate {
        choices: length,
        open: OPEN,
        ..lists.candidate(pattern, move |left, right| {
            places(left, right).eq([position])
        })
    })
}

/// Returns the positions at which two lists differ.
fn places(left: &ListItems, right: &ListItems) -> impl Iterator<Item = usize> {
    let both = left.iter().zip(right).enumerate();
    both.filter(|(_, (left, right))| left != right)
        .map(|(place, _)| place)
}

/// Finds patterns of lengths and positions: a fallback, reported only if no other pattern holds.
pub(super) fn lengths<'a>(pairs: &'a Pairs<'a>, lists: &'a ListPairs) -> Vec<PatternCandidate<'a>> {
    let longer = |left: &ListItems, right: &ListItems| right.len() as i64 - left.len() as i64;
    let first = |left: &ListItems, right: &ListItems| places(left, right).next();
    let mut candidates = Vec::new();
    let counts = lists.own(pairs).map(|(left, right)| longer(left, right));
    if let Some(count) = most_frequent(counts.collect()).filter(|count| *count != 0) {
        candidates.push(PatternCandidate {
            fitted: 1,
            ..lists.candidate(ChangePattern::Longer(count), move |left, right| {
                longer(left, right) == count
            })
        });
    }
    let places = lists
        .own(pairs)
        .filter_map(|(left, right)| first(left, right));
    if let Some(place) = most_frequent(places.collect()) {
        candidates.push(PatternCandidate {
            fitted: 1,
            ..lists.candidate(ChangePattern::FirstDifference(place), move |left, right| {
                first(left, right) == Some(place)
            })
        });
    }
    candidates.push(PatternCandidate {
        open: OPEN,
        for_all: true,
        ..lists.candidate(ChangePattern::SameLength, |left, right| {
            left.len() == right.len()
        })
    });
    for (pattern, sign) in [(ChangePattern::More, 1), (ChangePattern::Fewer, -1)] {
        candidates.push(PatternCandidate {
            chance: Some(0.5),
            choices: 2,
            for_all: true,
            ..lists.candidate(pattern, move |left, right| {
                longer(left, right).signum() == sign
            })
        });
    }
    candidates
}
