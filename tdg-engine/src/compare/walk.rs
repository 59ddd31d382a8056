//! The walk through two outputs in parallel, field by field.

use std::borrow::Cow;
use std::iter::{Enumerate, Peekable, Zip};
use std::{slice, vec};

use tdg_definition::json::{Number, Pointer, Value};
use tdg_definition::{Policy, Tolerance};

use super::Comparison;
use super::policy_at::PolicyAt;
use super::tolerance::share_used;
use super::unordered::{self, ElementPair};
use crate::output::refusal;

/// Compares the output of one case with the benchmark's.
///
/// ```
/// use tdg_definition::json::parse;
/// use tdg_definition::{Policy, Tolerance};
/// use tdg_engine::compare::compare;
///
/// let policy = Policy::exact()
///     .unordered("/lines")?
///     .tolerance_at("/lines/*/price", Tolerance::abs(0.01))?;
/// let expected = parse(r#"{"lines": [{"sku": "a", "price": 1.0}, {"sku": "b", "price": 2.0}]}"#)?;
/// let actual = parse(r#"{"lines": [{"sku": "b", "price": 2.009}, {"sku": "a", "price": 1.0}]}"#)?;
/// assert!(compare(&policy, &expected, &actual).is_same());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare(policy: &Policy, expected: &Value, actual: &Value) -> Comparison {
    let mut walk = Walk {
        path: Vec::new(),
        found: Comparison::default(),
    };
    let root = PolicyAt::root(policy);
    if !root.ignored {
        walk.visit(expected, actual, root);
    }

    // A loop instead of recursion: a deep output must not exhaust the stack.
    while let Some(container) = walk.path.last_mut() {
        let Some((segment, expected, actual)) = container.fields.next() else {
            walk.path.pop();
            continue;
        };
        container.segment = segment;
        let policy = match segment {
            Segment::Key(key) => container.policy.at_key(key),
            Segment::Index(index) => container.policy.at_index(index),
            Segment::Unordered(_) => container.policy.at_any(),
        };
        if policy.ignored {
            continue;
        }
        match (expected, actual) {
            (Some(expected), Some(actual)) => walk.visit(expected, actual, policy),
            _ => walk.add(expected, actual),
        }
    }
    walk.found
}

struct Walk<'v, 'p> {
    /// The containers around the walk's position, outermost first.
    path: Vec<OpenContainer<'v, 'p>>,
    found: Comparison,
}

struct OpenContainer<'v, 'p> {
    fields: FieldPairs<'v>,
    /// The current field.
    segment: Segment<'v>,
    policy: PolicyAt<'p>,
}

impl<'v, 'p> Walk<'v, 'p> {
    fn visit(&mut self, expected: &'v Value, actual: &'v Value, policy: PolicyAt<'p>) {
        match (expected, actual) {
            (Value::Number(expected), Value::Number(actual)) => {
                if expected != actual {
                    let (expected, actual) = (policy.typed(*expected), policy.typed(*actual));
                    self.visit_numbers(expected, actual, policy.tolerance);
                }
            }
            // If elements are ignored, only their number is compared.
            (Value::Array(expected), Value::Array(actual))
                if policy.unordered && !policy.at_any().ignored =>
            {
                let pairs = unordered::pairs(expected, actual, &policy.at_any());
                self.enter(FieldPairs::Pairs(pairs.into_iter()), policy);
            }
            (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
                let fields = FieldPairs::Elements(expected.iter().zip(actual).enumerate());
                self.enter(fields, policy);
            }
            _ if is_other_outcome(expected, actual, &policy) => {
                self.add(Some(expected), Some(actual));
            }
            (Value::Object(expected), Value::Object(actual)) => {
                let fields = FieldPairs::Entries {
                    expected: expected.iter().peekable(),
                    actual: actual.iter().peekable(),
                };
                self.enter(fields, policy);
            }
            // Scalars, arrays of different lengths and different kinds need no deep comparison.
            _ if expected == actual => {}
            _ => self.add(Some(expected), Some(actual)),
        }
    }

    fn visit_numbers(&mut self, expected: Number, actual: Number, tolerance: Tolerance) {
        match share_used(tolerance, expected, actual) {
            Some(share) => self.found.tolerate(share),
            None => {
                let path = &self.path;
                self.found
                    .add_numbers(expected, actual, || pointer_to(path));
            }
        }
    }

    fn enter(&mut self, fields: FieldPairs<'v>, policy: PolicyAt<'p>) {
        self.path.push(OpenContainer {
            fields,
            segment: Segment::Index(0),
            policy,
        });
    }

    fn add(&mut self, expected: Option<&Value>, actual: Option<&Value>) {
        let path = &self.path;
        self.found.add(expected, actual, || pointer_to(path));
    }
}

/// Returns true if the outcomes differ, such as `Ok` and `Err`, which is one difference, not two.
fn is_other_outcome(expected: &Value, actual: &Value, policy: &PolicyAt<'_>) -> bool {
    let is_only = |value: &Value, key: &str| {
        let object = value.as_object().filter(|object| object.len() == 1);
        object.is_some_and(|object| object.contains_key(key))
    };
    let is_from = |from, to| is_only(expected, from) && is_only(actual, to);
    let is_compared = || ["Ok", "Err"].iter().all(|key| !policy.at_key(key).ignored);
    let is_refusal = [expected, actual]
        .iter()
        .any(|value| refusal(value).is_some());
    is_refusal && expected != actual
        || (is_from("Ok", "Err") || is_from("Err", "Ok")) && is_compared()
}

fn pointer_to(path: &[OpenContainer<'_, '_>]) -> Pointer {
    path.iter()
        .map(|container| container.segment.text())
        .collect()
}

#[derive(Clone, Copy)]
enum Segment<'v> {
    Key(&'v str),
    Index(usize),
    /// The position of an element in an unordered array.
    Unordered(usize),
}

impl<'v> Segment<'v> {
    fn text(self) -> Cow<'v, str> {
        match self {
            Self::Key(key) => Cow::Borrowed(key),
            Self::Index(index) | Self::Unordered(index) => Cow::Owned(index.to_string()),
        }
    }
}

/// Pairs of fields from two containers, in order; `None` if one of them has no such field.
enum FieldPairs<'v> {
    Elements(Enumerate<Zip<slice::Iter<'v, Value>, slice::Iter<'v, Value>>>),
    Pairs(vec::IntoIter<ElementPair<'v>>),
    Entries {
        expected: Peekable<slice::Iter<'v, (String, Value)>>,
        actual: Peekable<slice::Iter<'v, (String, Value)>>,
    },
}

impl<'v> Iterator for FieldPairs<'v> {
    type Item = (Segment<'v>, Option<&'v Value>, Option<&'v Value>);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Elements(elements) => {
                let (index, (expected, actual)) = elements.next()?;
                Some((Segment::Index(index), Some(expected), Some(actual)))
            }
            Self::Pairs(pairs) => {
                let (index, expected, actual) = pairs.next()?;
                Some((Segment::Unordered(index), expected, actual))
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
