//! Infers the narrowest type that fits all texts of a column, and reads its values.

use std::str::FromStr;

use tdg_definition::table::{NullMarks, TableCell};
use tdg_definition::{Cells, Column, FeatureType, calendar};

use crate::times::TimesOfDay;

/// A column with the type of its values.
#[derive(Debug)]
pub struct TypedColumn {
    pub(crate) name: String,
    /// The type of the values.
    pub feature_type: FeatureType,
    /// The number of decimals of a `FLOAT`, if a few represent all values.
    pub(crate) decimals: Option<u32>,
    /// The values.
    pub column: Column,
    /// The format of the texts, if they are times of day.
    pub(crate) times: Option<TimesOfDay>,
    /// A note on how the texts were read, or why they weren't, if needed.
    pub note: Option<String>,
}

/// The maximum number of decimals to keep. Values with more were computed.
const MAX_DECIMALS: u32 = 10;

impl TypedColumn {
    /// Reads texts in the definition's own notation.
    pub(crate) fn of_plain(texts: &[Option<&str>]) -> Self {
        let (feature_type, cells) = cells(texts);
        Self {
            name: String::new(),
            feature_type,
            decimals: decimals(feature_type, texts),
            column: with_nulls(cells, texts),
            times: None,
            note: None,
        }
    }

    pub(crate) fn named(self, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..self
        }
    }
}

/// Returns a CSV field without surrounding white space, or `None` if it means null.
pub(crate) fn present<'a>(cell: &'a TableCell<'_>, nulls: &NullMarks) -> Option<&'a str> {
    let text = cell.field().trim();
    (!nulls.contain(text)).then_some(text)
}

pub(crate) fn with_nulls(cells: Cells, texts: &[Option<&str>]) -> Column {
    let is_null = texts.iter().map(Option::is_none).collect();
    Column::new(cells, Some(is_null))
}

/// Returns the narrowest type that fits all texts of a column, with its values.
fn cells(texts: &[Option<&str>]) -> (FeatureType, Cells) {
    if texts.iter().all(Option::is_none) {
        return (FeatureType::String, strings(texts));
    }
    None.or_else(|| {
        let values = all(texts, boolean)?;
        Some((FeatureType::Boolean, Cells::Boolean(values)))
    })
    .or_else(|| {
        let values = all(texts, integer)?;
        Some((FeatureType::Integer, Cells::Integer(values)))
    })
    .or_else(|| {
        let values = all(texts, integer)?;
        Some((FeatureType::Integer, Cells::Unsigned(values)))
    })
    .or_else(|| Some((FeatureType::Float, Cells::Float(all(texts, float)?))))
    .or_else(|| Some((FeatureType::Date, Cells::Date(all(texts, date)?))))
    .or_else(|| {
        let values = all(texts, datetime)?;
        Some((FeatureType::DateTime, Cells::DateTime(values)))
    })
    .unwrap_or_else(|| (FeatureType::String, strings(texts)))
}

pub(crate) fn strings(texts: &[Option<&str>]) -> Cells {
    Cells::Text(texts.iter().map(|text| text.unwrap_or_default()).collect())
}

/// Returns the values if all texts can be read. Nulls become the default.
fn all<T: Default>(texts: &[Option<&str>], read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    texts
        .iter()
        .map(|text| text.map_or_else(|| Some(T::default()), &read))
        .collect()
}

fn boolean(text: &str) -> Option<bool> {
    match text {
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// Reads an integer. Texts such as `007` are codes.
fn integer<T: FromStr>(text: &str) -> Option<T> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_code = digits.len() > 1 && digits.starts_with('0');
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !is_code).then(|| text.parse().ok())?
}

/// Reads a finite float. Digits that overflow an integer are a code.
pub(crate) fn float(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let begins_as_one = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let is_code =
        digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
    let is_integer = digits.bytes().all(|byte| byte.is_ascii_digit());
    if !begins_as_one || is_code || (is_integer && integer::<i64>(text).is_none()) {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

fn date(text: &str) -> Option<i64> {
    calendar::parse_date(text).ok()
}

/// Reads a date with a time, in UTC if it has no offset. Fractions of a second are truncated, and a
/// date alone means midnight.
fn datetime(text: &str) -> Option<i64> {
    if text.len() == 10 {
        return calendar::parse_datetime(&format!("{text}T00:00:00Z")).ok();
    }
    let (clock, rest) = text.split_at_checked(19)?;
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    let zone = if zone.is_empty() { "Z" } else { zone };
    calendar::parse_datetime(&format!("{clock}{zone}")).ok()
}

/// Returns the number of decimals that represents all values of a `FLOAT`, if it is small.
fn decimals(feature_type: FeatureType, texts: &[Option<&str>]) -> Option<u32> {
    if feature_type != FeatureType::Float {
        return None;
    }
    let mut most = 0;
    for text in texts.iter().flatten() {
        if text.contains(['e', 'E']) {
            return None;
        }
        let fraction = text.split_once('.').map_or("", |(_, fraction)| fraction);
        most = most.max(fraction.trim_end_matches('0').len() as u32);
        if most > MAX_DECIMALS {
            return None;
        }
    }
    Some(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::table::Table;

    fn inferred(texts: &[&str]) -> (FeatureType, Option<u32>, Cells) {
        let text = format!("x,y\n{},\n", texts.join(",\n"));
        let table = Table::parse(&text, b',', usize::MAX).unwrap();
        let nulls = NullMarks::usual().with(["?"]);
        let typed = TypedColumn::of_fields("x", table.columns()[0].cells(), &nulls, b',');
        (
            typed.feature_type,
            typed.decimals,
            typed.column.cells().clone(),
        )
    }

    fn type_of(texts: &[&str]) -> FeatureType {
        inferred(texts).0
    }

    #[test]
    fn a_column_has_the_narrowest_type_that_fits_all_of_its_texts() {
        assert_eq!(type_of(&["1", "-2", ""]), FeatureType::Integer);
        assert_eq!(type_of(&["1", "-2.5", "1e3"]), FeatureType::Float);
        assert_eq!(type_of(&["true", "FALSE", "NA"]), FeatureType::Boolean);
        assert_eq!(type_of(&["2020-01-31", "2020-02-29"]), FeatureType::Date);
        assert_eq!(type_of(&["2020-01-31", "2020-02-30"]), FeatureType::String);
        assert_eq!(type_of(&["1", "x"]), FeatureType::String);
    }

    #[test]
    fn codes_of_digits_are_not_numbers() {
        assert_eq!(type_of(&["007", "123"]), FeatureType::String);
        assert_eq!(type_of(&["00.5", "1.5"]), FeatureType::String);
        assert_eq!(type_of(&["18446744073709551616"]), FeatureType::String);
        assert_eq!(type_of(&["inf", "1.5"]), FeatureType::String);
        assert_eq!(type_of(&["0", "10"]), FeatureType::Integer);
    }

    #[test]
    fn integers_are_signed_or_unsigned() {
        let largest = inferred(&["18446744073709551615", "9223372036854775808", "7", ""]);
        assert_eq!(largest.0, FeatureType::Integer);
        assert_eq!(largest.2, Cells::Unsigned(vec![u64::MAX, 1 << 63, 7, 0]));
        assert_eq!(type_of(&["9223372036854775808", "-1"]), FeatureType::String);
    }

    #[test]
    fn times_are_read_with_and_without_offsets_and_fractions() {
        let (feature_type, _, cells) = inferred(&[
            "2020-01-01T01:00:00+01:00",
            "2020-01-01 00:00:00",
            "2020-01-01T00:00:00.123456",
            "2020-01-01",
        ]);
        assert_eq!(feature_type, FeatureType::DateTime);
        assert_eq!(cells, Cells::DateTime(vec![1_577_836_800; 4]));
    }

    #[test]
    fn nulls_are_the_default_and_the_chosen_texts() {
        let (feature_type, _, _) = inferred(&["1", "null", "N/A", "NaN", "?"]);
        assert_eq!(feature_type, FeatureType::Integer);
        assert_eq!(type_of(&["NONE", "HALF"]), FeatureType::String);
        assert_eq!(type_of(&["", "NA"]), FeatureType::String);
    }

    #[test]
    fn decimals_are_kept_if_they_are_few() {
        assert_eq!(inferred(&["1.50", "2.25", "3.0"]).1, Some(2));
        assert_eq!(inferred(&["1.0", "2.0"]).1, Some(0));
        assert_eq!(inferred(&["0.30000000000000004", "1.5"]).1, None);
        assert_eq!(inferred(&["1e-3", "1.5"]).1, None);
    }
}
