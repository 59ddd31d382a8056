//! The rows to explain, as columns: the features, and the fields of the expected outputs.

mod elements;

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use tdg_definition::json::{Kind as JsonKind, Number, Pointer, Value};
use tdg_definition::{Cells, Column, ObjectForm, calendar};

use super::value::AttributeValue;
pub(super) use elements::{ComparedElement, PooledElements};
use tdg_engine::generate::Vectors;
use tdg_engine::output::unmarked;

/// The maximum number of fields of the outputs.
const FIELDS: usize = 12;
/// The maximum depth of nested fields.
const DEPTH: usize = 4;

/// The rows to explain.
pub(super) struct ExplanationTable<'a> {
    pub(super) columns: Vec<ExplanationColumn<'a>>,
    pub(super) size: usize,
    /// The elements of the lists among the features.
    pub(super) lists: Vec<PooledElements<'a>>,
    /// The elements of nested lists, pooled for each row.
    pub(super) inner_lists: Vec<PooledElements<'a>>,
    /// The numbers that are preferred as thresholds, in order.
    pub(super) constants: &'a [Value],
}

/// A feature, a field of the expected outputs, or an aggregate of a list.
#[derive(Clone)]
pub(super) struct ExplanationColumn<'a> {
    pub(super) name: String,
    pub(super) kind: ColumnKind,
    pub(super) is_expected: bool,
    /// The position of the list that is aggregated.
    pub(super) list: Option<usize>,
    /// The words for a missing value, and for a present one; `None` if another column has them.
    pub(super) absence: Option<(&'static str, &'static str)>,
    source: ColumnSource<'a>,
    /// For a feature, the null rows, including nulls of its parents.
    nulls: Option<Cow<'a, [bool]>>,
}

const NULL: (&str, &str) = ("{0} = null", "{0} != null");
/// A field that some outputs don't have.
const MISSING: (&str, &str) = ("{0} missing", "{0} present");
/// An `Err` has no value, an `Ok` has one.
const ERR: (&str, &str) = ("{0} an Err", "{0} an Ok");

/// The kind of a column's values, apart from nulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Integer,
    Float,
    Boolean,
    Text,
    Bytes,
    /// Names of variants.
    Variant,
    Date,
    DateTime,
    /// Arrays. Only their length is considered.
    List,
    /// Values of several kinds. Only their absence is considered.
    Mixed,
}

/// The kinds of numbers and times.
pub(super) const ORDERED: [ColumnKind; 4] = {
    use ColumnKind::{Date, DateTime, Float, Integer};
    [Integer, Float, Date, DateTime]
};

impl ColumnKind {
    /// Returns true for numbers and times, whose differences are numbers.
    pub(super) fn is_ordered(self) -> bool {
        ORDERED.contains(&self)
    }

    /// Returns true if values can be compared.
    pub(super) fn is_comparable(self) -> bool {
        !matches!(self, Self::List | Self::Mixed)
    }
}

#[derive(Clone)]
enum ColumnSource<'a> {
    Feature(&'a Column),
    Expected(Vec<Option<&'a Value>>),
    /// Computed from a list, or the days of expected texts that are dates.
    Numbers(Vec<Option<Number>>),
    /// For each row, a row of another column.
    Picked(Box<ExplanationColumn<'a>>, Rc<[Option<u32>]>),
}

/// A reference to a value of a column.
enum ColumnValue<'a> {
    /// A row of a feature.
    Cell(&'a Column, usize),
    Expected(&'a Value),
    Number(Number),
}

impl<'a> ExplanationTable<'a> {
    pub(super) fn new(vectors: &'a Vectors, expected: Option<&'a [Value]>, size: usize) -> Self {
        let mut columns: Vec<ExplanationColumn<'a>> = vectors
            .features()
            .iter()
            .flat_map(|feature| ExplanationColumn::of_feature(&feature.name, &feature.column))
            .collect();
        if let Some(expected) = expected.filter(|expected| expected.len() >= size) {
            columns.extend(of_expected(&expected[..size]));
        }
        elements::with_lists(columns, size)
    }

    /// Returns the names of the columns.
    pub(super) fn names(&self) -> Vec<&str> {
        let names = self.columns.iter().map(|column| column.name.as_str());
        names.collect()
    }

    /// Returns the name of a column's feature or field.
    pub(super) fn subject(&self, position: usize) -> &str {
        &self.columns[self.columns[position].list.unwrap_or(position)].name
    }

    /// Returns the positions of the columns of these kinds that are features, or fields of expected
    /// outputs.
    pub(super) fn positions(&self, is_expected: bool, kinds: &[ColumnKind]) -> Vec<usize> {
        let is_one = |column: &ExplanationColumn<'_>| {
            column.is_expected == is_expected
                && column.list.is_none()
                && kinds.contains(&column.kind)
        };
        (0..self.columns.len())
            .filter(|position| is_one(&self.columns[*position]))
            .collect()
    }
}

impl<'a> ExplanationColumn<'a> {
    /// Returns the column of a feature; for an object, its members' columns; for variants, their
    /// names and their values. In recursive values, only the names of variants are distinguished.
    pub(super) fn of_feature(name: &str, column: &'a Column) -> Vec<Self> {
        let separator = match column.cells() {
            // As in Rust: `pair.0`.
            Cells::Object(values) if values.form() == ObjectForm::Array => '.',
            _ => '/',
        };
        let of_part = |(part, column): (&str, &'a Column)| {
            Self::of_feature(&format!("{name}{separator}{part}"), column)
        };
        let feature = |kind, values| Self {
            name: name.to_owned(),
            kind,
            is_expected: false,
            list: None,
            absence: column.nulls().map(|_| NULL),
            source: ColumnSource::Feature(values),
            nulls: values.nulls().map(Cow::Borrowed),
        };
        let kind = match column.cells() {
            Cells::Object(objects) => {
                let whole = column.nulls().map(|_| feature(ColumnKind::Mixed, column));
                let is_whole = |_: &(&str, &Column)| !column.cells().are_nodes();
                let members = objects.members().filter(is_whole).flat_map(of_part);
                let members = members.map(|member| member.within(column));
                return whole.into_iter().chain(members).collect();
            }
            Cells::Variant(variants) => {
                let names = feature(ColumnKind::Variant, variants.names_by_row());
                let values = match column.cells().are_nodes() {
                    true => &[],
                    false => variants.values_by_row(),
                };
                let values = values.iter();
                let values = values.flat_map(|(variant, values)| of_part((variant, values)));
                // The name already says that it has no value.
                let values = values.map(|column| Self {
                    absence: None,
                    ..column
                });
                let columns = std::iter::once(names).chain(values);
                return columns.map(|part| part.within(column)).collect();
            }
            Cells::Float(_) => ColumnKind::Float,
            Cells::Integer(_) | Cells::Unsigned(_) => ColumnKind::Integer,
            Cells::Boolean(_) => ColumnKind::Boolean,
            Cells::Text(_) => ColumnKind::Text,
            // Bytes written without escapes are text.
            Cells::Bytes(bytes) if bytes.is_plain() => ColumnKind::Text,
            Cells::Bytes(_) => ColumnKind::Bytes,
            Cells::Date(_) => ColumnKind::Date,
            Cells::DateTime(_) => ColumnKind::DateTime,
            Cells::List(_) => ColumnKind::List,
        };
        vec![feature(kind, column)]
    }

    /// Removes the values where the parent column has none.
    fn within(mut self, around: &'a Column) -> Self {
        if let Some(around) = around.nulls() {
            let nulls = (0..around.len()).map(|row| around[row] || self.is_null(row));
            self.nulls = Some(nulls.collect());
        }
        self
    }

    /// Creates a column with the value of the given row for each element of `rows`, if any.
    pub(super) fn picked(
        &self,
        name: String,
        list: Option<usize>,
        rows: Rc<[Option<u32>]>,
    ) -> Self {
        Self {
            name,
            list,
            absence: None,
            source: ColumnSource::Picked(Box::new(self.clone()), rows),
            nulls: None,
            ..*self
        }
    }

    /// Creates a column of numbers computed from a list.
    pub(super) fn of_numbers(name: String, list: usize, numbers: Vec<Option<Number>>) -> Self {
        let is_float = numbers.iter().flatten().any(|number| number.is_float());
        Self {
            name,
            kind: match is_float {
                true => ColumnKind::Float,
                false => ColumnKind::Integer,
            },
            is_expected: false,
            list: Some(list),
            absence: None,
            source: ColumnSource::Numbers(numbers),
            nulls: None,
        }
    }

    /// Returns the range of each row's elements, and their column, for a column of lists.
    pub(super) fn lists(&self, size: usize) -> Option<(Vec<Option<Range<usize>>>, &'a Column)> {
        let ColumnSource::Feature(feature) = self.source else {
            return None;
        };
        let Cells::List(lists) = feature.cells() else {
            return None;
        };
        let range = |row: usize| (!self.is_null(row)).then(|| lists.range(row));
        Some(((0..size).map(range).collect(), lists.elements()))
    }

    /// Returns a reference to the value of a row, if any.
    #[inline]
    fn at(&self, row: usize) -> Option<ColumnValue<'a>> {
        match &self.source {
            ColumnSource::Feature(feature) => self
                .has_cell(row)
                .then_some(ColumnValue::Cell(feature, row)),
            ColumnSource::Expected(values) => values[row].map(ColumnValue::Expected),
            ColumnSource::Numbers(numbers) => numbers[row].map(ColumnValue::Number),
            ColumnSource::Picked(column, rows) => column.at(rows[row]? as usize),
        }
    }

    /// Returns true if a feature has a value in a row.
    #[inline]
    fn has_cell(&self, row: usize) -> bool {
        self.nulls.as_ref().is_none_or(|nulls| !nulls[row])
    }

    #[inline]
    pub(super) fn is_null(&self, row: usize) -> bool {
        match self.at(row) {
            Some(ColumnValue::Expected(value)) => value.is_null(),
            value => value.is_none(),
        }
    }

    /// Returns the integer, the days of a date, or the seconds of a time.
    pub(super) fn integer(&self, row: usize) -> Option<i128> {
        match self.at(row)? {
            ColumnValue::Cell(feature, row) => match feature.cells() {
                Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
                    Some(values[row].into())
                }
                Cells::Unsigned(values) => Some(values[row].into()),
                _ => None,
            },
            ColumnValue::Expected(value) => value.as_number()?.as_i128(),
            ColumnValue::Number(number) => number.as_i128(),
        }
    }

    /// Returns the number; `None` for anything else, and for NaN.
    pub(super) fn float(&self, row: usize) -> Option<f64> {
        let float = match self.at(row)? {
            ColumnValue::Cell(feature, cell) => match feature.cells() {
                Cells::Float(values) => Some(values[cell]),
                _ => self.integer(row).map(|integer| integer as f64),
            },
            ColumnValue::Expected(value) => value.as_f64(),
            ColumnValue::Number(number) => Some(number.as_f64()),
        };
        float.filter(|float| !float.is_nan())
    }

    /// Returns the exact number; `None` for anything else, and for NaN.
    pub(super) fn number(&self, row: usize) -> Option<Number> {
        match self.kind {
            ColumnKind::Float => self.float(row).map(Number::from),
            _ => self.integer(row).map(Number::from),
        }
    }

    pub(super) fn is_nan(&self, row: usize) -> bool {
        match self.at(row) {
            Some(ColumnValue::Cell(feature, row)) => {
                matches!(feature.cells(), Cells::Float(values) if values[row].is_nan())
            }
            Some(ColumnValue::Expected(value)) => value.as_f64().is_some_and(f64::is_nan),
            _ => false,
        }
    }

    pub(super) fn text(&self, row: usize) -> Option<&'a str> {
        match self.at(row)? {
            ColumnValue::Cell(feature, row) => match feature.cells() {
                Cells::Text(text) => Some(text.get(row)),
                Cells::Bytes(bytes) => Some(bytes.escaped().get(row)),
                _ => None,
            },
            ColumnValue::Expected(value) => value.as_str(),
            ColumnValue::Number(_) => None,
        }
    }

    pub(super) fn bytes(&self, row: usize) -> Option<&'a [u8]> {
        let ColumnValue::Cell(feature, row) = self.at(row)? else {
            return None;
        };
        match feature.cells() {
            Cells::Bytes(bytes) => Some(bytes.get(row)),
            _ => None,
        }
    }

    pub(super) fn boolean(&self, row: usize) -> Option<bool> {
        match self.at(row)? {
            ColumnValue::Cell(feature, row) => match feature.cells() {
                Cells::Boolean(values) => Some(values[row]),
                _ => None,
            },
            ColumnValue::Expected(value) => value.as_bool(),
            ColumnValue::Number(_) => None,
        }
    }

    /// Returns the value in comparable form; `None` for null, NaN and arrays.
    pub(super) fn key(&self, row: usize) -> Option<AttributeValue<'a>> {
        match self.kind {
            ColumnKind::Text | ColumnKind::Bytes | ColumnKind::Variant => {
                self.text(row).map(AttributeValue::Text)
            }
            ColumnKind::Boolean => {
                let number = i64::from(self.boolean(row)?);
                Some(AttributeValue::Number(number.into()))
            }
            _ => self.number(row).map(AttributeValue::Number),
        }
    }

    /// Returns the number of characters of a text, or of elements of an array.
    pub(super) fn length(&self, row: usize) -> Option<i128> {
        if self.kind == ColumnKind::Text {
            return self.text(row).map(|text| text.chars().count() as i128);
        }
        let elements = match &self.source {
            ColumnSource::Feature(feature) if self.has_cell(row) => match feature.cells() {
                Cells::List(lists) => Some(lists.range(row).len()),
                _ => None,
            },
            ColumnSource::Expected(values) => values[row]?.as_array().map(<[Value]>::len),
            _ => None,
        };
        elements.map(|elements| elements as i128)
    }
}

/// Returns a column for each field of the outputs. The value of an `Ok` is the output itself.
fn of_expected(outputs: &[Value]) -> Vec<ExplanationColumn<'_>> {
    let mut fields = Vec::new();
    for output in outputs {
        collect_fields(output, Pointer::root(), &mut fields);
        if fields.len() > FIELDS {
            fields.truncate(FIELDS);
            break;
        }
    }
    let of = |field: &Pointer| -> Vec<Option<&Value>> {
        let outputs = outputs.iter();
        outputs.map(|output| field.find_in(output)).collect()
    };
    let ok = of(&Pointer::root().child("Ok"));
    let has_ok = ok.iter().any(Option::is_some);
    let is_of_ok = |values: &[Option<&Value>]| {
        let mut rows = values.iter().zip(&ok);
        has_ok && rows.all(|(value, ok)| value.is_some() == ok.is_some())
    };
    let mut columns = Vec::new();
    // The members of an `Ok` have columns of their own.
    if has_ok && !fields.iter().any(|field| field.to_string() == "/Ok") {
        columns.push(ExplanationColumn {
            absence: Some(ERR),
            kind: ColumnKind::Mixed,
            ..ExplanationColumn::of_values("expected".to_owned(), ok.clone())
        });
    }
    for field in fields {
        let values = of(&field);
        let text = field.to_string();
        let shown = unmarked(&field).to_string();
        let name = format!("expected{}", shown.strip_prefix("/Ok").unwrap_or(&shown));
        let has_nulls = values.iter().flatten().any(|value| value.is_null());
        let absence = match text.as_str() {
            "/Ok" if !has_nulls => Some(ERR),
            "/Err" if has_ok => None,
            _ if has_nulls => Some(NULL),
            _ if is_of_ok(&values) => None,
            _ => Some(MISSING),
        };
        columns.push(ExplanationColumn {
            absence,
            ..ExplanationColumn::of_values(name, values)
        });
    }
    columns
}

fn collect_fields(value: &Value, field: Pointer, fields: &mut Vec<Pointer>) {
    if let Some(object) = value.as_object()
        && field.depth() < DEPTH
    {
        // The message of a panic or of rejected inputs isn't an output.
        let is_message = |key: &str| matches!(key, "$panic" | "$not_an_input");
        for (key, value) in object.into_iter().filter(|(key, _)| !is_message(key)) {
            collect_fields(value, field.child(key), fields);
        }
    } else if !fields.contains(&field) && fields.len() <= FIELDS {
        fields.push(field);
    }
}

impl<'a> ExplanationColumn<'a> {
    fn of_values(name: String, values: Vec<Option<&'a Value>>) -> Self {
        let day = |value: &Option<&Value>| match value.and_then(Value::as_str) {
            Some(text) => Some(Some(calendar::parse_date(text).ok()?.into())),
            None => Some(None),
        };
        let kind = kind_of(&values);
        let is_text = kind == ColumnKind::Text;
        let days = || values.iter().map(day).collect();
        let (kind, source) = match is_text.then(days).flatten() {
            Some(days) => (ColumnKind::Date, ColumnSource::Numbers(days)),
            None => (kind, ColumnSource::Expected(values)),
        };
        Self {
            name,
            kind,
            is_expected: true,
            list: None,
            absence: Some(NULL),
            source,
            nulls: None,
        }
    }
}

fn kind_of(values: &[Option<&Value>]) -> ColumnKind {
    let mut kinds = values
        .iter()
        .flatten()
        .filter_map(|value| match value.kind() {
            JsonKind::Null => None,
            JsonKind::Number => Some(match value.as_number().and_then(Number::as_i128) {
                Some(_) => ColumnKind::Integer,
                None => ColumnKind::Float,
            }),
            JsonKind::String => Some(ColumnKind::Text),
            JsonKind::Bool => Some(ColumnKind::Boolean),
            JsonKind::Array => Some(ColumnKind::List),
            JsonKind::Object => Some(ColumnKind::Mixed),
        });
    let Some(mut kind) = kinds.next() else {
        return ColumnKind::Mixed;
    };
    for other in kinds {
        kind = match (kind, other) {
            (same, other) if same == other => same,
            (ColumnKind::Integer, ColumnKind::Float) | (ColumnKind::Float, ColumnKind::Integer) => {
                ColumnKind::Float
            }
            _ => return ColumnKind::Mixed,
        };
    }
    kind
}
