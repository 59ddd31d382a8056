//! The full range of a type, with all magnitudes alike.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::calendar;
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::{Faulty, Fields};
use crate::json::Value;
use crate::random::{Purpose, RowStream};
use crate::scalar::discrete::bernoulli;
use crate::scalar::text::pattern::{Pattern, choose};
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Domain, Sampler, Support, Work};
use crate::value::{self, Scalar};

pub(crate) const ENTRY: CatalogueEntry = CatalogueEntry::new(
    "any",
    &["min", "max", "min_length", "max_length", "length"],
    &FeatureType::SCALARS,
    read,
);

const BOUNDS: [&str; 2] = ["min", "max"];
const LENGTHS: [&str; 2] = ["min_length", "max_length"];

/// The share of edge rows if the feature doesn't state one.
pub(crate) const EDGE_SHARE: f64 = 0.25;

/// 2⁵³, the limit below which floats hold every integer exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// 2⁶⁴: some floats come at least as close to 0 as its reciprocal.
const FAR: f64 = 18_446_744_073_709_551_616.0;

/// The most digits after the point if the feature states no decimals.
const FEW: u8 = 3;

/// The longest string in characters.
const LONGEST: i64 = 10_000;

/// The spread of short and of long strings above the minimum length, except for edge values.
const SHORT: i64 = 4;
const LONG: i64 = 64;

/// Each value results from a series of choices. From left to right, each takes the row's next draw,
/// from draw 0; a choice with a single possibility takes none.
enum Any {
    Integer {
        min: i128,
        max: i128,
    },
    Float {
        min: f64,
        max: f64,
        /// The feature's decimals, if stated.
        decimals: Option<u8>,
    },
    /// Lengths in characters. The pattern's strings may be shorter than `max`.
    Text {
        min: i64,
        max: i64,
        pattern: Pattern,
    },
    Date,
    DateTime,
}

/// Reads the parameters for any type but `BYTES`.
pub(crate) fn read(
    fields: &mut Fields<'_>,
    feature_type: FeatureType,
) -> Option<Arc<dyn Distribution>> {
    Some(Arc::new(match feature_type {
        FeatureType::Boolean => return Some(bernoulli::even()),
        FeatureType::Integer => read_integer(fields)?,
        FeatureType::Float => read_float(fields)?,
        FeatureType::String => read_text(fields)?,
        FeatureType::Date => Any::Date,
        FeatureType::DateTime => Any::DateTime,
        // Bytes may refer to a feature, so `feature::any_bytes` reads them.
        FeatureType::Bytes | FeatureType::List | FeatureType::Object | FeatureType::Variant => {
            return None;
        }
    }))
}

/// Reads a bound; `None` if it's left out.
fn bound(
    fields: &mut Fields<'_>,
    name: &'static str,
    feature_type: FeatureType,
) -> Result<Option<Scalar>, Faulty> {
    if !fields.has(name) {
        fields.ignore(&[name]);
        return Ok(None);
    }
    match value::read_member(fields, name, feature_type) {
        None => Err(Faulty),
        bound => Ok(bound),
    }
}

fn read_bounds(
    fields: &mut Fields<'_>,
    feature_type: FeatureType,
) -> Option<(Option<Scalar>, Option<Scalar>)> {
    let min = bound(fields, BOUNDS[0], feature_type);
    let max = bound(fields, BOUNDS[1], feature_type);
    Some((min.ok()?, max.ok()?))
}

fn read_integer(fields: &mut Fields<'_>) -> Option<Any> {
    let (min, max) = read_bounds(fields, FeatureType::Integer)?;
    let min = min.as_ref().and_then(Scalar::integer);
    let max = max.as_ref().and_then(Scalar::integer);
    // A column can't hold both negative integers and integers above `i64::MAX`.
    let is_beyond = |bound: Option<i128>| bound.is_some_and(|bound| bound > i64::MAX.into());
    let smallest = if is_beyond(max) { 0 } else { i64::MIN.into() };
    let largest = if is_beyond(min) {
        u64::MAX.into()
    } else {
        i64::MAX.into()
    };
    let (min, max) = (min.unwrap_or(smallest), max.unwrap_or(largest));
    if !Cells::can_hold(&(min..=max)) {
        fields.fault_here("the range must be within i64 or within u64");
        return None;
    }
    is_ordered(fields, BOUNDS, min <= max)?;
    Some(Any::Integer { min, max })
}

fn read_float(fields: &mut Fields<'_>) -> Option<Any> {
    let (min, max) = read_bounds(fields, FeatureType::Float)?;
    let float = |bound, otherwise| match bound {
        Some(Scalar::Float(bound)) => bound,
        _ => otherwise,
    };
    let (min, max) = (float(min, f64::MIN), float(max, f64::MAX));
    is_ordered(fields, BOUNDS, min <= max)?;
    let decimals = None;
    Some(Any::Float { min, max, decimals })
}

fn read_text(fields: &mut Fields<'_>) -> Option<Any> {
    let min = read_length(fields, 0, 0);
    let max = read_length(fields, 1, LONGEST);
    let (min, max) = (min?, max?);
    is_ordered(fields, LENGTHS, min <= max)?;
    let pattern = Pattern::from_regex(&regex(min, max))?;
    Some(Any::Text { min, max, pattern })
}

fn read_length(fields: &mut Fields<'_>, side: usize, otherwise: i64) -> Option<i64> {
    let (name, bound) = (LENGTHS[side], BOUNDS[side]);
    if fields.has(bound) {
        fields.ignore(&[bound]);
        let message = format!("the bounds of a string are its lengths; write `{name}`");
        fields.fault(bound, message);
    }
    let length = fields.optional_integer(name).ok()?.unwrap_or(otherwise);
    if (0..=LONGEST).contains(&length) {
        return Some(length);
    }
    fields.fault(
        name,
        format!("must be from 0 to {LONGEST} characters, but is {length}"),
    );
    None
}

fn is_ordered(fields: &mut Fields<'_>, names: [&str; 2], is_ordered: bool) -> Option<()> {
    if !is_ordered {
        let [min, max] = names;
        fields.fault_here(format!("`{min}` must not be greater than `{max}`"));
    }
    is_ordered.then_some(())
}

impl Distribution for Any {
    fn canonical(&self) -> Canonical {
        let (names, min, max) = match *self {
            Self::Integer { min, max } => (BOUNDS, Value::from(min), Value::from(max)),
            Self::Float { min, max, .. } => (BOUNDS, Value::from(min), Value::from(max)),
            Self::Text { min, max, .. } => (LENGTHS, Value::from(min), Value::from(max)),
            Self::Date | Self::DateTime => return (ENTRY.name, Vec::new()),
        };
        (ENTRY.name, vec![(names[0], min), (names[1], max)])
    }

    fn domain(&self) -> Domain<'_> {
        let least = match *self {
            Self::Integer { min, max } => (max - min) as f64 + 1.0,
            Self::Text { min: 1, max: 1, .. } => 100_000.0,
            Self::Text { min, max, .. } if max > min => 1e6,
            Self::Float {
                min,
                max,
                decimals: None,
            } if max - min > 1.0 => 1e9,
            Self::Date => 3e6,
            Self::DateTime => 3e11,
            Self::Float { .. } | Self::Text { .. } => 1.0,
        };
        Domain::Many {
            least,
            of_rows: None,
        }
    }

    fn integers(&self) -> RangeInclusive<i128> {
        match *self {
            Self::Integer { min, max } => min..=max,
            _ => 0..=0,
        }
    }

    fn edge_share(&self) -> f64 {
        EDGE_SHARE
    }

    fn with_decimals(&self, digits: u8) -> Option<Arc<dyn Distribution>> {
        let Self::Float { min, max, .. } = *self else {
            return None;
        };
        let decimals = Some(digits);
        Some(Arc::new(Self::Float { min, max, decimals }))
    }

    fn support(&self) -> Support<'_> {
        match *self {
            Self::Text { min, max, .. } => Support::Strings {
                simplest: "a".repeat(min as usize),
                has: Box::new(move |text| (min..=max).contains(&(text.chars().count() as i64))),
            },
            _ => {
                let (min, max) = self.bounds();
                Support::Range(min, max)
            }
        }
    }

    fn work(&self) -> Work {
        match self {
            // Strings as long as `max` are rare and cheap to write.
            Self::Text { pattern, max, .. } => pattern.work().and(Work::each(*max as u64)),
            _ => Work::each(150),
        }
    }

    fn sampler(&self) -> Sampler<'_> {
        match self {
            Self::Text { pattern, .. } => pattern.sampler(),
            _ => {
                Sampler::rows(|rows| self.draw(rows.len(), &|row| rows.draws(Purpose::Value, row)))
            }
        }
    }
}

impl Any {
    /// Draws `rows` values, each from the draws of its row.
    fn draw(&self, rows: usize, draws: &dyn Fn(usize) -> RowStream) -> Cells {
        match *self {
            Self::Integer { min, max } => {
                let magnitudes = magnitudes(min, max);
                let mut values = vec![0; rows];
                for (row, value) in values.iter_mut().enumerate() {
                    *value = integer(&mut draws(row), &magnitudes);
                }
                Cells::from_integers(&values)
            }
            Self::Float { min, max, decimals } => {
                let floats = Floats::new(min, max, decimals);
                let mut values = vec![0.0; rows];
                for (row, value) in values.iter_mut().enumerate() {
                    *value = floats.value(&mut draws(row));
                }
                Cells::Float(values)
            }
            Self::Date => Cells::Date(days(rows, draws, day)),
            Self::DateTime | Self::Text { .. } => Cells::DateTime(days(rows, draws, second)),
        }
    }
}

/// The integers from `min` to `max` in rising order, cut where the magnitude is 0 or reaches a
/// power of two or of ten.
fn magnitudes(min: i128, max: i128) -> Vec<(i128, i128)> {
    let mut starts = Vec::new();
    let (mut two, mut ten) = (1, 1);
    while two <= 1 << 64 {
        let start = two.min(ten);
        starts.push(start);
        two *= if start == two { 2 } else { 1 };
        ten *= if start == ten { 10 } else { 1 };
    }
    let mut magnitudes = Vec::new();
    let mut add = |first: i128, last: i128| {
        let (first, last) = (first.max(min), last.min(max));
        if first <= last {
            magnitudes.push((first, last));
        }
    };
    for next in (1..starts.len()).rev() {
        add(1 - starts[next], -starts[next - 1]);
    }
    add(0, 0);
    for next in 1..starts.len() {
        add(starts[next - 1], starts[next] - 1);
    }
    magnitudes
}

/// Draws an integer of any magnitude, often the first or the last of its magnitude.
fn integer(draws: &mut RowStream, magnitudes: &[(i128, i128)]) -> i128 {
    let (first, last) = magnitudes[choose(draws, magnitudes.len() as u64) as usize];
    if first == last {
        return first;
    }
    match choose(draws, 8) {
        0 => first,
        1 => last,
        _ => first + i128::from(choose(draws, (last - first) as u64 + 1)),
    }
}

/// Floats, half of any magnitude and half decimal numbers with few digits after the point. All are
/// decimal if the feature states its decimals.
struct Floats {
    min: f64,
    max: f64,
    /// The bits of the first and the last float, by their distance from 0.
    negative: Option<(u64, u64)>,
    positive: Option<(u64, u64)>,
    /// A power of ten, and the integers that yield decimal numbers in the range when divided by it.
    decimals: Vec<(f64, Vec<(i128, i128)>)>,
}

impl Floats {
    fn new(min: f64, max: f64, stated: Option<u8>) -> Self {
        let mut decimals = Vec::new();
        let mut scale = 1.0;
        for _ in 0..=stated.unwrap_or(FEW) {
            let first = (min * scale).max(-EXACT).ceil();
            let last = (max * scale).min(EXACT).floor();
            let integers = magnitudes(first as i128, last as i128);
            if !integers.is_empty() {
                decimals.push((scale, integers));
            }
            scale *= 10.0;
        }
        // Most floats of any magnitude would round to 0.
        let has_others = stated.is_none() || decimals.is_empty();
        let others = |floats: Option<(u64, u64)>| floats.filter(|_| has_others);
        // Magnitudes end at the reciprocal of the largest, unless `min` or `max` allow less.
        let tiny = 1.0 / min.abs().max(max.abs()).max(FAR);
        Self {
            min,
            max,
            negative: others(positive_floats(-max, -min, tiny)),
            positive: others(positive_floats(min, max, tiny)),
            decimals,
        }
    }

    fn value(&self, draws: &mut RowStream) -> f64 {
        let has_floats = self.negative.is_some() || self.positive.is_some();
        if has_floats && (self.decimals.is_empty() || choose(draws, 2) == 0) {
            return self.of_any_magnitude(draws);
        }
        let (scale, integers) = &self.decimals[choose(draws, self.decimals.len() as u64) as usize];
        let value = integer(draws, integers) as f64 / scale;
        // `clamp` may confuse 0.0 and -0.0.
        if value < self.min {
            self.min
        } else if value > self.max {
            self.max
        } else {
            value
        }
    }

    /// Draws among all floats equally, which makes every power of two equally likely.
    fn of_any_magnitude(&self, draws: &mut RowStream) -> f64 {
        let count = |range: Option<(u64, u64)>| range.map_or(0, |(first, last)| last - first + 1);
        let (negative, positive) = (count(self.negative), count(self.positive));
        let chosen = choose(draws, negative + positive);
        match (self.negative, self.positive) {
            (Some((_, last)), _) if chosen < negative => -f64::from_bits(last - chosen),
            (_, Some((first, _))) => f64::from_bits(first + (chosen - negative)),
            _ => 0.0,
        }
    }
}

/// The bits of the smallest and the largest positive float from `least` to `most`, omitting floats
/// below `tiny` unless `least` is positive.
fn positive_floats(least: f64, most: f64, tiny: f64) -> Option<(u64, u64)> {
    let first = match least {
        _ if most <= 0.0 => return None,
        _ if least > 0.0 => least.to_bits(),
        _ if tiny <= most => tiny.to_bits(),
        _ => 1,
    };
    Some((first, most.to_bits()))
}

/// A regex for short and longer strings, of ASCII and of many other kinds of characters.
fn regex(min: i64, max: i64) -> String {
    let (short, long) = (max.min(min + SHORT), max.min(min + LONG));
    format!(
        "[ -~]{{{min},{short}}}|[ -~]{{{min},{long}}}|\
         {CHARACTERS}{{{min},{short}}}|{CHARACTERS}{{{min},{long}}}"
    )
}

/// Equally likely kinds: ASCII; control characters; characters special to quoting, markup and
/// shells; accented letters; combining marks; Greek and Cyrillic; Hebrew and Arabic; Chinese and
/// Japanese; emoji; invisible characters, including direction marks; all characters.
pub(crate) const CHARACTERS: &str = r##"([ -~]|[\u{0}-\u{1f}\u{7f}-\u{9f}]|["'`\\/<>&%$;,#]|[\u{c0}-\u{17f}]|[\u{300}-\u{36f}]|[\u{391}-\u{44f}]|[\u{5d0}-\u{5ea}\u{620}-\u{64a}]|[\u{3041}-\u{30ff}\u{4e00}-\u{9fff}]|[\u{1f300}-\u{1faff}]|[\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{2069}\u{fe0f}\u{feff}]|[\u{0}-\u{10ffff}])"##;

/// Draws a day. Half are from 1900 to 2099; the first and the last days of months are frequent.
fn day(draws: &mut RowStream) -> i64 {
    let year = match choose(draws, 2) {
        0 => choose(draws, 10_000),
        _ => 1900 + choose(draws, 200),
    } as i64;
    let month = 1 + choose(draws, 12) as i64;
    let first = calendar::first_of_month(year, month);
    let days = calendar::first_of_month(year, month + 1) - first;
    match choose(draws, 4) {
        0 => first,
        1 => first + days - 1,
        _ => first + choose(draws, days as u64) as i64,
    }
}

/// Draws a time in seconds. Midnight and the second before it are frequent.
fn second(draws: &mut RowStream) -> i64 {
    let midnight = day(draws) * calendar::SECONDS_A_DAY;
    match choose(draws, 4) {
        0 => midnight,
        1 => midnight + calendar::SECONDS_A_DAY - 1,
        _ => midnight + choose(draws, calendar::SECONDS_A_DAY as u64) as i64,
    }
}

fn days(
    rows: usize,
    draws: &dyn Fn(usize) -> RowStream,
    value: fn(&mut RowStream) -> i64,
) -> Vec<i64> {
    let mut values = vec![0; rows];
    for (row, drawn) in values.iter_mut().enumerate() {
        *drawn = value(&mut draws(row));
    }
    values
}
