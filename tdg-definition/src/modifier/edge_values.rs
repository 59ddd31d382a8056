//! The values of each type that often break code.

use std::cmp::Ordering;

use super::decimals::Decimals;
use crate::calendar;
use crate::distribution::Distribution;
use crate::feature_type::FeatureType;
use crate::json::Value;
use crate::value::{self, Scalar};

/// 2⁵³, up to which a float can hold every integer.
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

/// For integers of which some are beyond `i64`.
const UNSIGNED: [u64; 2] = [i64::MAX as u64 + 1, u64::MAX];

const STRINGS: [&str; 10] = [
    "",
    " ",
    "\t\n",
    "null",
    "\0",
    "\"'\\",
    // An e and an accent on it: two characters that look like one.
    "e\u{301}",
    // From right to left.
    "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
    // A family of four: seven characters that look like one.
    "\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466}",
    // In lower case, it is two characters.
    "\u{130}",
];

const BYTES: [&[u8]; 6] = [
    b"",
    b"\0",
    b"\xff",
    // The mark that some put before UTF-8.
    b"\xef\xbb\xbf",
    // The second byte of a character, without its first.
    b"\x80",
    // A `/` in two bytes, where UTF-8 has one.
    b"\xc0\xaf",
];

/// The length of the last string, unless the distribution states the longest.
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

/// The values of that type. If the distribution has `min` or `max`, values beyond these are left
/// out and the two are added. If it has bounds of lengths, so are strings beyond these; if there
/// are decimals, so is what they would change.
pub(super) fn of(
    feature_type: FeatureType,
    distribution: &dyn Distribution,
    decimals: Option<Decimals>,
) -> Vec<Scalar> {
    if feature_type == FeatureType::Bytes {
        return bytes(distribution);
    }
    let parameters = distribution.parameters();
    let parameter = |wanted| {
        let found = parameters.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, value)| value)
    };
    let bound = |name| value::read(parameter(name)?, feature_type).ok();
    let (min, max) = (bound("min"), bound("max"));
    let length = |name| parameter(name).and_then(Value::as_u64);
    let shortest = length("min_length").unwrap_or(0);
    let longest = length("max_length").unwrap_or(LONG);
    let is_left = |value: &Scalar| match value {
        Scalar::Text(text) => (shortest..=longest).contains(&(text.chars().count() as u64)),
        _ => {
            let not_below = |min: &Scalar| min.compare(value) != Some(Ordering::Greater);
            let not_above = |max: &Scalar| value.compare(max) != Some(Ordering::Greater);
            min.as_ref().is_none_or(not_below)
                && max.as_ref().is_none_or(not_above)
                && decimals.is_none_or(|decimals| decimals.holds(value))
        }
    };
    let mut values = all(feature_type, distribution, longest as usize);
    values.retain(is_left);
    for bound in [min.clone(), max.clone()].into_iter().flatten() {
        // As text, because 0.0 equals -0.0.
        let text = bound.to_value().to_string();
        let is_other = |value: &Scalar| value.to_value().to_string() != text;
        if is_left(&bound) && values.iter().all(is_other) {
            values.push(bound);
        }
    }
    values
}

fn all(feature_type: FeatureType, distribution: &dyn Distribution, longest: usize) -> Vec<Scalar> {
    match feature_type {
        FeatureType::Float => FLOATS.into_iter().map(Scalar::Float).collect(),
        // No column has both negative integers and some beyond i64.
        FeatureType::Integer if *distribution.integers().end() > i64::MAX.into() => INTEGERS
            .into_iter()
            .filter(|integer| *integer >= 0)
            .map(Scalar::Integer)
            .chain(UNSIGNED.into_iter().map(Scalar::Unsigned))
            .collect(),
        FeatureType::Integer => INTEGERS.into_iter().map(Scalar::Integer).collect(),
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
        FeatureType::Bytes | FeatureType::List | FeatureType::Object | FeatureType::Variant => {
            Vec::new()
        }
    }
}

/// Those of lengths that the distribution can draw.
fn bytes(distribution: &dyn Distribution) -> Vec<Scalar> {
    let bound = |bound: Option<Value>| bound.and_then(|it| it.as_u64());
    let (shortest, longest) = distribution.bounds();
    let longest = bound(longest).unwrap_or(LONG) as usize;
    let lengths = bound(shortest).unwrap_or(0) as usize..=longest;
    let all = BYTES.into_iter().map(<[u8]>::to_vec);
    all.chain([vec![b'x'; longest]])
        .filter(|bytes| lengths.contains(&bytes.len()))
        .map(Scalar::Bytes)
        .collect()
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
