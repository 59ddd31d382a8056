//! The way through two outputs at once, field by field.

use std::borrow::Cow;
use std::iter::{Enumerate, Peekable, Zip};
use std::{slice, vec};

use tdg_definition::json::{Number, Pointer, Value};

use super::rule::Settings;
use super::unordered::{self, Pair};
use super::{Comparison, Policy, Tolerance};

pub(super) fn compare(policy: &Policy, expected: &Value, actual: &Value) -> Comparison {
    let mut walk = Walk {
        way: Vec::new(),
        found: Comparison::default(),
    };
    walk.visit(expected, actual, Settings::of_root(&policy.root));

    // A loop and not a recursion: how deep an output is must not decide over the stack.
    while let Some(container) = walk.way.last_mut() {
        let Some((segment, expected, actual)) = container.fields.next() else {
            walk.way.pop();
            continue;
        };
        container.segment = segment;
        let settings = match segment {
            Segment::Key(key) => container.settings.at_key(key),
            Segment::Index(index) => container.settings.at_index(index),
            Segment::Somewhere(_) => container.settings.at_any(),
        };
        if settings.ignored {
            continue;
        }
        match (expected, actual) {
            (Some(expected), Some(actual)) => walk.visit(expected, actual, settings),
            _ => walk.add(expected, actual),
        }
    }
    walk.found
}

struct Walk<'v, 'p> {
    /// The containers that the walk is in, outermost first.
    way: Vec<Container<'v, 'p>>,
    found: Comparison,
}

struct Container<'v, 'p> {
    fields: Fields<'v>,
    /// The field that the walk is at.
    segment: Segment<'v>,
    settings: Settings<'p>,
}

impl<'v, 'p> Walk<'v, 'p> {
    fn visit(&mut self, expected: &'v Value, actual: &'v Value, settings: Settings<'p>) {
        match (expected, actual) {
            (Value::Number(expected), Value::Number(actual)) => {
                self.visit_numbers(*expected, *actual, settings.tolerance);
            }
            // Of elements that are ignored, only the number is left to compare.
            (Value::Array(expected), Value::Array(actual))
                if settings.unordered && !settings.at_any().ignored =>
            {
                let pairs = unordered::pairs(expected, actual, &settings.at_any());
                self.enter(Fields::Pairs(pairs.into_iter()), settings);
            }
            (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
                let fields = Fields::Elements(expected.iter().zip(actual).enumerate());
                self.enter(fields, settings);
            }
            (Value::Object(expected), Value::Object(actual)) => {
                let fields = Fields::Entries {
                    expected: expected.iter().peekable(),
                    actual: actual.iter().peekable(),
                };
                self.enter(fields, settings);
            }
            // Scalars, arrays of different lengths, different kinds: nothing deep is compared.
            _ if expected == actual => {}
            _ => self.add(Some(expected), Some(actual)),
        }
    }

    fn visit_numbers(&mut self, expected: Number, actual: Number, tolerance: Tolerance) {
        if expected == actual {
            return;
        }
        match tolerance.share_used(expected, actual) {
            Some(share) => self.found.tolerate(share),
            None => {
                let way = &self.way;
                self.found.add_numbers(expected, actual, || pointer_to(way));
            }
        }
    }

    fn enter(&mut self, fields: Fields<'v>, settings: Settings<'p>) {
        self.way.push(Container {
            fields,
            segment: Segment::Index(0),
            settings,
        });
    }

    fn add(&mut self, expected: Option<&Value>, actual: Option<&Value>) {
        let way = &self.way;
        self.found.add(expected, actual, || pointer_to(way));
    }
}

fn pointer_to(way: &[Container<'_, '_>]) -> Pointer {
    way.iter()
        .map(|container| container.segment.text())
        .collect()
}

#[derive(Clone, Copy)]
enum Segment<'v> {
    Key(&'v str),
    Index(usize),
    /// In an array without an order: where one of the elements stands.
    Somewhere(usize),
}

impl<'v> Segment<'v> {
    fn text(self) -> Cow<'v, str> {
        match self {
            Self::Key(key) => Cow::Borrowed(key),
            Self::Index(index) | Self::Somewhere(index) => Cow::Owned(index.to_string()),
        }
    }
}

/// The fields of two containers side by side, in order; `None` where one of them has no such field.
enum Fields<'v> {
    Elements(Enumerate<Zip<slice::Iter<'v, Value>, slice::Iter<'v, Value>>>),
    Pairs(vec::IntoIter<Pair<'v>>),
    Entries {
        expected: Peekable<slice::Iter<'v, (String, Value)>>,
        actual: Peekable<slice::Iter<'v, (String, Value)>>,
    },
}

impl<'v> Iterator for Fields<'v> {
    type Item = (Segment<'v>, Option<&'v Value>, Option<&'v Value>);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Elements(elements) => {
                let (index, (expected, actual)) = elements.next()?;
                Some((Segment::Index(index), Some(expected), Some(actual)))
            }
            Self::Pairs(pairs) => {
                let (index, expected, actual) = pairs.next()?;
                Some((Segment::Somewhere(index), expected, actual))
            }
            Self::Entries { expected, actual } => {
                let key = match (expected.peek(), actual.peek()) {
                    (Some((left, _)), Some((right, _))) => left.min(right),
                    (Some((key, _)), None) | (None, Some((key, _))) => key,
                    (None, None) => return None,
                };
                let key: &'v String = key;
                let expected = expected.next_if(|(other, _)| other == key);
                let actual = actual.next_if(|(other, _)| other == key);
                Some((
                    Segment::Key(key),
                    expected.map(|(_, value)| value),
                    actual.map(|(_, value)| value),
                ))
            }
        }
    }
}
