//! The values of each type that often break code.

use std::cmp::Ordering;

use super::decimals::Decimals;
use crate::calendar;
use crate::fault::{Invalid, invalid};
use crate::feature_type::FeatureType;
use crate::json::Value;
use crate::scalar::Distribution;
use crate::value::{self, Scalar};

/// 2⁵³, the limit below which floats hold every integer exactly.
const EXACT: i64 = 1 << 53;

const FLOATS: [f64; 13] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1.0_f64.next_up(),
    1.0_f64.next_down(),
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    // The smallest number above 0.
    5e-324,
    (EXACT - 1) as f64,
    EXACT as f64,
    (EXACT + 2) as f64,
];

const INTEGERS: [i64; 13] = [
    0,
    1,
    -1,
    i64::MAX,
    i64::MIN,
    EXACT - 1,
    EXACT,
    EXACT + 1,
    i32::MAX as i64,
    i32::MAX as i64 + 1,
    i32::MIN as i64,
    u32::MAX as i64,
    u32::MAX as i64 + 1,
];

/// For features with integers above `i64::MAX`.
const UNSIGNED: [u64; 2] = [i64::MAX as u64 + 1, u64::MAX];

const STRINGS: [&str; 10] = [
    "",
    " ",
    "\t\n",
    "null",
    "\0",
    "\"'\\",
    // An e and a combining accent: two characters that look like one.
    "e\u{301}",
    // Right-to-left text.
    "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
    // A family of four: seven characters that look like one.
    "\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466}",
    // A letter whose lower case has two characters.
    "\u{130}",
];

const BYTES: [&[u8]; 6] = [
    b"",
    b"\0",
    b"\xff",
    // The byte order mark that some programs put before UTF-8.
    b"\xef\xbb\xbf",
    // The second byte of a character, without its first.
    b"\x80",
    // An overlong `/`: two bytes instead of one.
    b"\xc0\xaf",
];

/// The length of the last string, unless the distribution has a maximum.
const LONG: u64 = 10_000;

const DATES: [&str; 11] = [
    "1970-01-01",
    "1969-12-31",
    "0000-01-01",
    "9999-12-31",
    "2000-02-29",
    "2024-02-29",
    "1900-02-28",
    "2023-02-28",
    "2023-03-01",
    "2023-12-31",
    "2024-12-31",
];

const DATETIMES: [&str; 11] = [
    "1970-01-01T00:00:00Z",
    "1969-12-31T23:59:59Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "2000-02-29T00:00:00Z",
    "2024-02-29T23:59:59Z",
    "1900-02-28T23:59:59Z",
    "2023-03-01T00:00:00Z",
    "2024-12-31T23:59:59Z",
    // The last second of 32 bits, and the next.
    "2038-01-19T03:14:07Z",
    "2038-01-19T03:14:08Z",
];

/// The bounds of a feature's edge values.
pub(super) struct EdgeBounds {
    /// The name of the distribution.
    distribution: &'static str,
    min: Option<Scalar>,
    max: Option<Scalar>,
    /// The lengths in characters or bytes.
    lengths: (Option<u64>, Option<u64>),
    decimals: Option<Decimals>,
    /// Set if integers can be above `i64::MAX`: a column can't hold these and negative ones.
    is_unsigned: bool,
}

impl EdgeBounds {
    pub(super) fn of(
        feature_type: FeatureType,
        distribution: &dyn Distribution,
        decimals: Option<Decimals>,
    ) -> Self {
        let (name, parameters) = distribution.canonical();
        let parameter = |wanted| {
            let found = parameters.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| value)
        };
        let bound = |name| value::read(parameter(name)?, feature_type).ok();
        let length = |name| parameter(name).and_then(Value::as_u64);
        let lengths = match feature_type {
            FeatureType::Bytes => {
                let (shortest, longest) = distribution.bounds();
                let length = |bound: Option<Value>| bound.and_then(|it| it.as_u64());
                (length(shortest), length(longest))
            }
            _ => (length("min_length"), length("max_length")),
        };
        Self {
            distribution: name,
            min: bound("min"),
            max: bound("max"),
            lengths,
            decimals,
            is_unsigned: *distribution.integers().end() > i64::MAX.into(),
        }
    }

    /// Checks that the value can be an edge value of the feature.
    ///
    /// # Errors
    /// The reason why not.
    pub(super) fn check(&self, value: &Scalar) -> Result<(), Invalid> {
        let name = self.distribution;
        let beyond = |bound: &Option<Scalar>, ordering: Ordering| {
            let bound = bound.as_ref()?;
            (value.compare(bound) == Some(ordering)).then(|| bound.to_value())
        };
        if let Some(min) = beyond(&self.min, Ordering::Less) {
            return invalid!("is below the `min` of {name}, {min}; remove it, or lower `min`");
        }
        if let Some(max) = beyond(&self.max, Ordering::Greater) {
            return invalid!("is above the `max` of {name}, {max}; remove it, or raise `max`");
        }
        let length = match value {
            Scalar::Text(text) => Some(text.chars().count() as u64),
            Scalar::Bytes(bytes) => Some(bytes.len() as u64),
            _ => None,
        };
        let (shortest, longest) = (
            self.lengths.0.unwrap_or(0),
            self.lengths.1.unwrap_or(u64::MAX),
        );
        if let Some(length) = length.filter(|it| !(shortest..=longest).contains(it)) {
            return invalid!(
                "has length {length}, but the length of {name} is from {shortest} to {longest}; remove \
                 it, or change the length"
            );
        }
        if let Some(decimals) = self.decimals.filter(|decimals| !decimals.holds(value)) {
            let digits = decimals.digits();
            return invalid!("has more than {digits} `decimals`; round it");
        }
        match value {
            Scalar::Integer(..0) if self.is_unsigned => invalid!(
                "must not be negative, because {name} draws integers outside i64; remove it"
            ),
            Scalar::Unsigned(_) if !self.is_unsigned => {
                invalid!("is outside i64, but {name} draws integers within it; remove it")
            }
            _ => Ok(()),
        }
    }
}

/// The values of this type within the bounds, plus the distribution's `min` and `max`, if any.
pub(super) fn of(feature_type: FeatureType, bounds: &EdgeBounds) -> Vec<Scalar> {
    let longest = bounds.lengths.1.unwrap_or(LONG) as usize;
    let mut values = all(feature_type, longest);
    values.retain(|value| bounds.check(value).is_ok());
    for bound in [&bounds.min, &bounds.max].into_iter().flatten() {
        // Compared as text, because 0.0 equals -0.0.
        let text = bound.to_value().to_string();
        let is_other = |value: &Scalar| value.to_value().to_string() != text;
        if bounds.check(bound).is_ok() && values.iter().all(is_other) {
            values.push(bound.clone());
        }
    }
    values
}

fn all(feature_type: FeatureType, longest: usize) -> Vec<Scalar> {
    match feature_type {
        FeatureType::Float => FLOATS.into_iter().map(Scalar::Float).collect(),
        FeatureType::Integer => INTEGERS
            .into_iter()
            .map(Scalar::Integer)
            .chain(UNSIGNED.into_iter().map(Scalar::Unsigned))
            .collect(),
        FeatureType::String => STRINGS
            .into_iter()
            .map(str::to_owned)
            .chain(["x".repeat(longest)])
            .map(Scalar::Text)
            .collect(),
        FeatureType::Boolean => vec![Scalar::Boolean(false), Scalar::Boolean(true)],
        FeatureType::Date => DATES
            .into_iter()
            .filter_map(|text| calendar::parse_date(text).ok())
            .map(Scalar::Date)
            .collect(),
        FeatureType::DateTime => DATETIMES
            .into_iter()
            .filter_map(|text| calendar::parse_datetime(text).ok())
            .map(Scalar::DateTime)
            .collect(),
        FeatureType::Bytes => BYTES
            .into_iter()
            .map(<[u8]>::to_vec)
            .chain([vec![b'x'; longest]])
            .map(Scalar::Bytes)
            .collect(),
        FeatureType::List | FeatureType::Object | FeatureType::Variant => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_date_and_time_of_the_lists_is_one() {
        assert!(DATES.iter().all(|text| calendar::parse_date(text).is_ok()));
        assert!(
            DATETIMES
                .iter()
                .all(|text| calendar::parse_datetime(text).is_ok())
        );
    }
}
