//! Reads the values of a column from CSV fields or JSON values.

use std::borrow::Cow;

use tdg_definition::FeatureType;
use tdg_definition::json::Value;
use tdg_definition::table::{NullMarks, TableCell};

use crate::infer::{TypedColumn, present, strings, with_nulls};
use crate::notation::{self, TextSource};
use crate::times::TimesOfDay;

impl TypedColumn {
    /// Reads a column of CSV with this delimiter. White space around fields is ignored.
    ///
    /// ```
    /// use tdg_definition::FeatureType;
    /// use tdg_definition::table::{NullMarks, Table};
    /// use tdg_fit::TypedColumn;
    ///
    /// let table = Table::parse("price\n1.50\nNA\n", b',', 10)?;
    /// let cells = table.columns()[0].cells();
    /// let typed = TypedColumn::of_fields("price", cells, &NullMarks::usual(), b',');
    /// assert_eq!(typed.feature_type, FeatureType::Float);
    /// assert!(typed.column.is_null(1));
    /// # Ok::<(), tdg_definition::table::TableError>(())
    /// ```
    pub fn of_fields(
        name: &str,
        cells: &[TableCell<'_>],
        nulls: &NullMarks,
        delimiter: u8,
    ) -> Self {
        let texts: Vec<_> = cells.iter().map(|cell| present(cell, nulls)).collect();
        let plain = Self::of_plain(&texts);
        match plain.feature_type {
            FeatureType::String => plain.read(name, &texts, TextSource::Fields(delimiter)),
            _ => plain.named(name),
        }
    }

    /// Reads a column of JSON numbers, booleans and strings. Strings of digits stay strings.
    pub fn of_values<'v>(name: &str, values: impl Iterator<Item = &'v Value> + Clone) -> Self {
        let text = |value: &'v Value| match value {
            Value::Null => None,
            Value::String(text) => Some(Cow::Borrowed(text.as_str())),
            other => Some(Cow::Owned(other.to_string())),
        };
        let texts: Vec<_> = values.clone().map(text).collect();
        let texts: Vec<_> = texts.iter().map(Option::as_deref).collect();
        let has_strings = values.clone().any(|value| value.as_str().is_some());
        let plain = Self::of_plain(&texts);
        let is_date = matches!(
            plain.feature_type,
            FeatureType::Date | FeatureType::DateTime
        );
        if is_date || !has_strings {
            return plain.named(name);
        }
        let strings = Self {
            feature_type: FeatureType::String,
            decimals: None,
            column: with_nulls(strings(&texts), &texts),
            ..plain
        };
        strings.read(name, &texts, TextSource::JsonStrings)
    }

    /// Reads strings that may be numbers or dates in other notations.
    fn read(self, name: &str, texts: &[Option<&str>], source: TextSource) -> Self {
        let (read, note) = notation::read(name, texts, source);
        Self {
            times: TimesOfDay::parse(texts),
            note,
            ..read.unwrap_or(self).named(name)
        }
    }
}
