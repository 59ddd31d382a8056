//! The lengths of lists.

use std::sync::Arc;

use super::part_reader::PartReader;
use super::path::{Reference, ReferenceUse, count_of};
use super::reference::length_of;
use crate::bytes;
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::{Fields, kind};
use crate::json::{Object, Value};
use crate::random::{Purpose, Stream, StreamRows};
use crate::scalar::batches::draw_each;
use crate::scalar::choice::constant;
use crate::scalar::{self, Distribution, Inversion, Monotonicity, Support, Words, Work, uniform};

/// The member that states the length.
pub(super) const NAME: &str = "length";

/// The most elements in a list.
const LONGEST: i64 = 10_000;

/// The most elements by default.
const USUAL: i64 = 8;

/// The most work before the first length. Reading a definition draws lengths, and it can have up to
/// 1,000 lists.
const ONCE: u64 = 1_000_000;

/// The number of lengths drawn to estimate the mean.
const SAMPLES: usize = 1024;

/// A number of elements for each row.
#[derive(Clone, Debug)]
pub(super) struct ListLength {
    distribution: Arc<dyn Distribution>,
    /// Replaces the distribution.
    reference: Option<Reference>,
    /// Limits a distribution that has no bounds itself.
    stretch: Option<Stretch>,
    /// The approximate mean length, rarely underestimated.
    mean: f64,
}

/// The part of a distribution between two bounds.
#[derive(Clone, Debug)]
struct Stretch {
    min: i64,
    max: i64,
    /// The first and the last word that give a value in the range.
    words: (u64, u64),
}

impl ListLength {
    /// Reads a number, `{"min": …, "max": …}`, or a distribution of integers.
    pub(super) fn read(fields: &mut Fields<'_>, reader: &PartReader) -> Option<Self> {
        let length = match fields.optional(NAME) {
            None => {
                let pointer = fields.pointer().child(NAME);
                let any = [
                    ("type", "any".into()),
                    ("min", 0.into()),
                    ("max", USUAL.into()),
                ];
                let any = Value::object(any);
                let any = fields.nested(&any, pointer, "a length")?;
                Self::new((reader.distribution)(any, FeatureType::Integer)?.ok()?)
            }
            Some(Value::Object(object)) => Self::read_distribution(fields, object, reader)?,
            Some(Value::Number(_)) => Self::new(constant::integer(fields.integer(NAME)?)),
            Some(Value::String(_)) => {
                return Self::as_long_as(Reference::read(fields, NAME, ReferenceUse::Count));
            }
            Some(other) => {
                let message = format!(
                    "must be a number, `{{\"min\": …, \"max\": …}}`, a distribution of INTEGER, or \
                     the name of a feature, but is {}",
                    kind(other)
                );
                fields.fault(NAME, message);
                return None;
            }
        };
        let (min, max) = length.bounds();
        if min < 0 || max > LONGEST.into() {
            let name = length.distribution.name();
            let message = match min == max {
                true => format!("must be from 0 to {LONGEST}, but is {min}"),
                false => format!(
                    "must be from 0 to {LONGEST}, but {name} draws from {min} to {max}; state \
                     `min` and `max`"
                ),
            };
            fields.fault(NAME, message);
            return None;
        }
        Some(length.with_mean())
    }

    fn new(distribution: Arc<dyn Distribution>) -> Self {
        Self {
            distribution,
            reference: None,
            stretch: None,
            mean: 0.0,
        }
    }

    /// A length set by another feature.
    fn as_long_as(reference: Option<Reference>) -> Option<Self> {
        let distribution = constant::integer(0);
        Some(Self {
            reference: Some(reference?),
            ..Self::new(distribution)
        })
    }

    /// The feature that sets the length, if any.
    pub(super) fn reference(&self) -> Option<&Reference> {
        self.reference.as_ref()
    }

    fn read_distribution(
        fields: &mut Fields<'_>,
        object: &Object,
        reader: &PartReader,
    ) -> Option<Self> {
        let pointer = fields.pointer().child(NAME);
        let Some(name) = object.get("type").and_then(Value::as_str) else {
            let bounds = Value::from(object.clone());
            let mut bounds = fields.nested(&bounds, pointer, "a length")?;
            let uniform = uniform::read(&mut bounds, FeatureType::Integer);
            bounds.finish();
            return uniform.map(Self::new);
        };
        let is_bound = |member: &str| {
            matches!(scalar::parameter_name(member), "min" | "max")
                && !(reader.has_parameter)(name, "max")
        };
        let part = |of_bounds: bool| {
            let members = object
                .iter()
                .filter(|(name, _)| is_bound(name) == of_bounds);
            Value::object(members.map(|(name, value)| (name, value.clone())))
        };
        let (rest, bounds) = (part(false), part(true));
        let mut distribution = fields.nested(&rest, pointer.clone(), "a length")?;
        if name.eq_ignore_ascii_case(length_of::ENTRY.name) {
            distribution.ignore(&["type"]);
            let reference = Reference::read(&mut distribution, "of", ReferenceUse::Length);
            distribution.finish();
            return Self::as_long_as(reference);
        }
        let Ok(distribution) = (reader.distribution)(distribution, FeatureType::Integer)? else {
            let message = format!(
                "can't be {name}; name a feature that is {name}, whose value is the length"
            );
            fields.fault(NAME, message);
            return None;
        };
        if distribution.work().once > ONCE {
            let message =
                format!("{name} has too many values for a length; use smaller parameters");
            fields.fault(NAME, message);
            return None;
        }
        let length = Self::new(distribution);
        match bounds.as_object().is_none_or(Object::is_empty) {
            true => Some(length),
            false => length.between(fields, &bounds),
        }
    }

    /// Restricts the lengths to bounds that the distribution itself doesn't have.
    fn between(self, fields: &mut Fields<'_>, bounds: &Value) -> Option<Self> {
        let pointer = fields.pointer().child(NAME);
        let bounds = fields.nested(bounds, pointer, "a length")?;
        let mut bounds = bounds.with_aliases(scalar::ALIASES);
        let min = bounds.optional_integer("min");
        let max = bounds.optional_integer("max");
        bounds.finish();
        let (min, max) = (min.ok()?.unwrap_or(0), max.ok()?.unwrap_or(LONGEST));
        let inversion = self.distribution.inversion();
        let words = inversion.and_then(|inversion| words_between(&inversion, min, max));
        let Some(words) = words else {
            let name = self.distribution.name();
            let message = format!("{name} has no value from {min} to {max}");
            fields.fault(NAME, message);
            return None;
        };
        let stretch = Some(Stretch { min, max, words });
        Some(Self { stretch, ..self })
    }

    fn with_mean(self) -> Self {
        let stream = Stream::new(0, NAME);
        let lengths = self.draw(&StreamRows::new(&stream, 0, SAMPLES));
        let total: u64 = lengths.into_iter().map(u64::from).sum();
        // Long lists may be rare and missing from the sample.
        let (shortest, longest) = self.bounds();
        let mean = (total + (longest - shortest) as u64) as f64 / SAMPLES as f64;
        Self { mean, ..self }
    }

    /// Returns true if the list or bytes have the length that the referenced feature sets, if any.
    pub(super) fn follows(&self, value: &Value, referred: Option<&Value>) -> bool {
        self.reference.is_none()
            || count_of(value) == Some(referred.and_then(count_of).unwrap_or(0))
    }

    /// Shortens a list or bytes to the length set by the referenced feature, dropping elements from
    /// where that feature first changed; `None` if it would have to grow.
    pub(super) fn adjusted(
        &self,
        value: &Value,
        to: Option<&Value>,
        was: Option<&Value>,
    ) -> Option<Value> {
        let length = usize::try_from(to.and_then(count_of).unwrap_or(0)).ok()?;
        let pairs = to
            .and_then(Value::as_array)
            .zip(was.and_then(Value::as_array));
        let common = |(new, old): (&[Value], &[Value])| {
            let pairs = new.iter().zip(old);
            pairs.take_while(|(new, old)| new == old).count()
        };
        let first_lost = pairs.map_or(length, common).min(length);
        match value {
            Value::Array(elements) => {
                let more = elements.len().checked_sub(length)?;
                let (before, rest) = elements.split_at(first_lost);
                Some([before, &rest[more..]].concat().into())
            }
            Value::Object(entries) if entries.len() >= length => {
                Some(Value::object(entries.iter().take(length).cloned()))
            }
            Value::String(text) => {
                let bytes: Vec<&str> = bytes::escapes(text).collect();
                let more = bytes.len().checked_sub(length)?;
                let (before, rest) = bytes.split_at(first_lost);
                Some([before, &rest[more..]].concat().concat().into())
            }
            _ => None,
        }
    }

    pub(super) fn bounds(&self) -> (i128, i128) {
        if let Some(reference) = &self.reference {
            let counts = reference.target().map(|target| target.counts);
            return counts.unwrap_or((0, LONGEST.into()));
        }
        match &self.stretch {
            Some(stretch) => (stretch.min.into(), stretch.max.into()),
            None => {
                let (min, max) = self.distribution.bounds();
                let stated = |bound: Option<Value>| bound?.as_i64().map(i128::from);
                let (smallest, largest) = self.distribution.integers().into_inner();
                (
                    stated(min).unwrap_or(smallest),
                    stated(max).unwrap_or(largest),
                )
            }
        }
    }

    /// Returns true if a list can be empty regardless of other features.
    pub(super) fn can_be_empty(&self) -> bool {
        self.reference.is_none() && self.bounds().0 == 0
    }

    /// The greatest possible length.
    pub(super) fn longest(&self) -> usize {
        usize::try_from(self.bounds().1).unwrap_or_default()
    }

    /// Returns true if any list can have this length while others are longer or shorter.
    pub(super) fn allows_among_others(&self, length: usize) -> bool {
        let (shortest, longest) = self.bounds();
        let is_drawn = match self.distribution.support() {
            Support::Values(values) => values.contains(&Value::from(length as u64)),
            _ => true,
        };
        let lengths = shortest..=longest;
        self.reference.is_none()
            && is_drawn
            && shortest < longest
            && lengths.contains(&(length as i128))
    }

    /// The approximate mean length.
    pub(super) fn mean(&self) -> f64 {
        let target = self.reference.as_ref().and_then(Reference::target);
        target.map_or(self.mean, |target| target.mean)
    }

    /// Returns the canonical form.
    pub(super) fn to_value(&self) -> Value {
        if let Some(reference) = &self.reference {
            return reference.to_value();
        }
        let (name, mut members) = self.distribution.canonical();
        if let Some(stretch) = &self.stretch {
            members.extend([("min", stretch.min.into()), ("max", stretch.max.into())]);
        }
        members.push(("type", name.into()));
        Value::object(members)
    }

    /// Draws the lengths of these rows.
    pub(super) fn draw(&self, rows: &StreamRows<'_>) -> Vec<u32> {
        if let Some(reference) = &self.reference {
            let length = |count: Option<u64>| count.unwrap_or(0).min(LONGEST as u64) as u32;
            return reference.counts(rows).into_iter().map(length).collect();
        }
        let own = || self.of_words(&Words::own(*rows, Purpose::Value));
        let drawn = match self.stretch {
            Some(_) => own(),
            None => None,
        };
        drawn.unwrap_or_else(|| as_lengths(&self.distribution.sampler().draw(rows)))
    }

    /// The direction of lengths as words rise, if each length comes from one word.
    pub(super) fn direction(&self) -> Option<Option<Monotonicity>> {
        let inversion = self.distribution.inversion()?;
        self.reference.is_none().then(|| inversion.direction())
    }

    /// The lengths of these words, if each length comes from one word.
    pub(super) fn of_words(&self, words: &Words<'_>) -> Option<Vec<u32>> {
        let inversion = self.distribution.inversion()?;
        let Some(Stretch { words: within, .. }) = &self.stretch else {
            return Some(as_lengths(&inversion.values(words)));
        };
        let within = draw_each(words, |word| crate::random::uniform::within(*within, word));
        Some(as_lengths(&inversion.values(&Words::Given(&within))))
    }

    /// The work of drawing `mean` elements per row on average, at `element` each.
    pub(super) fn work_of(&self, mean: f64, element: Work) -> Work {
        let each = (mean * element.each as f64) as u64;
        self.distribution.work().and(Work { each, ..element })
    }
}

pub(super) fn as_lengths(cells: &Cells) -> Vec<u32> {
    match cells {
        Cells::Integer(lengths) => lengths.iter().map(|&length| length as u32).collect(),
        Cells::Unsigned(lengths) => lengths.iter().map(|&length| length as u32).collect(),
        other => vec![0; other.len()],
    }
}

/// The first and the last word with a value from `min` to `max`.
fn words_between(inversion: &Inversion<'_>, min: i64, max: i64) -> Option<(u64, u64)> {
    if inversion.direction() != Some(Monotonicity::Rising) {
        return None;
    }
    let is_at_least = |least: i128, word: u64| {
        let values = inversion.values(&Words::Given(&[word]));
        values.integers()[0] >= least
    };
    // Finds the first word with a value of at least `least`.
    let first = |least: i128| {
        let (mut low, mut high) = (0, u64::MAX);
        if !is_at_least(least, high) {
            return None;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            match is_at_least(least, middle) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        Some(low)
    };
    let first_within = first(min.into())?;
    let last_within = match first(i128::from(max) + 1) {
        Some(beyond) => beyond.checked_sub(1)?,
        None => u64::MAX,
    };
    (first_within <= last_within).then_some((first_within, last_within))
}
