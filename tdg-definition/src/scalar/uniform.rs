//! The uniform distribution.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::random::uniform::{unit, up_to};
use crate::scalar::batches::draw_each;
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Domain, Sampler, Words};
use crate::value::{self, Scalar};

pub(crate) const ENTRY: CatalogueEntry = CatalogueEntry::new(
    "uniform",
    &["min", "max"],
    &[
        FeatureType::Integer,
        FeatureType::Float,
        FeatureType::DateTime,
        FeatureType::Date,
    ],
    read,
);

/// Every value from `min` to `max` is equally likely. Both can occur, except that a `FLOAT` stays
/// below `max`.
enum Uniform {
    /// `min + (max - min) × u`, with `u` from 0 to below 1.
    Float { min: f64, max: f64 },
    /// Integers, seconds or days. `min + ⌊w × (max - min + 1) / 2⁶⁴⌋`, with the row's word `w`: no
    /// value is favored by more than (max - min + 1) / 2⁶⁴ of its share.
    Signed(i64, i64, fn(i64) -> Scalar, fn(Vec<i64>) -> Cells),
    /// Like `Signed`, for integers with a `max` above `i64::MAX`.
    Unsigned { min: u64, max: u64 },
}

pub(crate) fn read(
    fields: &mut Fields<'_>,
    feature_type: FeatureType,
) -> Option<Arc<dyn Distribution>> {
    let min = value::read_member(fields, "min", feature_type);
    let max = value::read_member(fields, "max", feature_type);
    let uniform = match (min?, max?) {
        (Scalar::Float(min), Scalar::Float(max)) => Uniform::Float { min, max },
        (Scalar::Integer(min), Scalar::Integer(max)) => {
            Uniform::Signed(min, max, Scalar::Integer, Cells::Integer)
        }
        (Scalar::Unsigned(min), Scalar::Unsigned(max)) => Uniform::Unsigned { min, max },
        (Scalar::Integer(min), Scalar::Unsigned(max)) if min >= 0 => Uniform::Unsigned {
            min: min.unsigned_abs(),
            max,
        },
        (Scalar::DateTime(min), Scalar::DateTime(max)) => {
            Uniform::Signed(min, max, Scalar::DateTime, Cells::DateTime)
        }
        (Scalar::Date(min), Scalar::Date(max)) => {
            Uniform::Signed(min, max, Scalar::Date, Cells::Date)
        }
        _ => {
            fields.fault_here("the range must be within i64 or within u64");
            return None;
        }
    };
    match uniform {
        Uniform::Float { min, max } if min <= max && !(max - min).is_finite() => {
            fields.fault_here("the range is so wide that max − min is infinite");
            None
        }
        _ if uniform.is_ordered() => Some(Arc::new(uniform)),
        _ => {
            fields.fault_here("`min` must not be greater than `max`");
            None
        }
    }
}

impl Uniform {
    fn is_ordered(&self) -> bool {
        match self {
            Self::Float { min, max } => min <= max,
            Self::Unsigned { min, max } => min <= max,
            Self::Signed(min, max, ..) => min <= max,
        }
    }
}

impl Distribution for Uniform {
    fn canonical(&self) -> Canonical {
        let (min, max) = match *self {
            Self::Float { min, max } => (Scalar::Float(min), Scalar::Float(max)),
            Self::Signed(min, max, scalar, _) => (scalar(min), scalar(max)),
            Self::Unsigned { min, max } => (Scalar::Unsigned(min), Scalar::Unsigned(max)),
        };
        (
            ENTRY.name,
            vec![("min", min.to_value()), ("max", max.to_value())],
        )
    }

    fn integers(&self) -> RangeInclusive<i128> {
        match *self {
            Self::Signed(min, max, ..) => min.into()..=max.into(),
            Self::Unsigned { min, max } => min.into()..=max.into(),
            _ => 0..=0,
        }
    }

    fn domain(&self) -> Domain<'_> {
        match *self {
            Self::Float { .. } => Domain::Other(None),
            Self::Signed(min, max, _, cells) => {
                Domain::numbered(width(min, max), move |numbers| cells(from(min, numbers)))
            }
            Self::Unsigned { min, max } => Domain::numbered(max - min, move |numbers| {
                Cells::Unsigned(numbers.iter().map(|number| min + number).collect())
            }),
        }
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rising(|words| match *self {
            Self::Float { min, max } => {
                let value = |word| float_at(min, max, unit(word));
                Cells::Float(draw_each(words, value))
            }
            Self::Signed(min, max, _, cells) => cells(integers(words, min, max)),
            Self::Unsigned { min, max } => {
                let value = |word| min + up_to(word, max - min);
                Cells::Unsigned(draw_each(words, value))
            }
        })
    }
}

fn float_at(min: f64, max: f64, u: f64) -> f64 {
    // Rounding can reach `max`, which is excluded unless it's the only value.
    let last = if min < max { max.next_down() } else { max };
    let value = min + (max - min) * u;
    // `f64::min` may confuse 0.0 and -0.0.
    if value > last { last } else { value }
}

/// The difference `max - min`.
fn width(min: i64, max: i64) -> u64 {
    max.wrapping_sub(min) as u64
}

fn from(min: i64, numbers: &[u64]) -> Vec<i64> {
    let value = |&number: &u64| min.wrapping_add(number as i64);
    numbers.iter().map(value).collect()
}

fn integers(words: &Words<'_>, min: i64, max: i64) -> Vec<i64> {
    let last = width(min, max);
    draw_each(words, |word| min.wrapping_add(up_to(word, last) as i64))
}
