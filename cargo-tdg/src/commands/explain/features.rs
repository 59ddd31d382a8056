//! The features of a table: its columns with matching types.

use tdg_definition::json::{self, Number, Value};
use tdg_definition::table::{NullMarks, TableCell};
use tdg_definition::{
    Cells, Column, FeatureType, ListCells, ListForm, ObjectCells, ObjectForm, Text,
};
use tdg_engine::Vectors;
use tdg_fit::TypedColumn;

use super::table::{InputColumn, InputTable};
use crate::error::Result;
use crate::terminal::note;

/// The most specific type for all cells of a column, and the parsed cells.
type Typed = (FeatureType, Column);

/// Infers the types of all columns of a table.
pub(super) fn inferred(input: &InputTable<'_>, nulls: &NullMarks) -> Result<Vectors> {
    let mut typed = Vec::with_capacity(input.columns.len());
    for column in &input.columns {
        let (feature_type, cells) = match input.table.is_json() {
            true => of_values(column, &column.outputs())?,
            false => of_fields(column, nulls)?,
        };
        typed.push((column.name.to_owned(), feature_type, cells));
    }
    Ok(Vectors::from_columns(typed, input.table.rows()))
}

/// Infers a type as `cargo tdg fit` does, but keeps texts and integers above 64 bits.
fn of_fields(column: &InputColumn<'_>, nulls: &NullMarks) -> Result<Typed> {
    let delimiter = column.table.delimiter();
    let typed = TypedColumn::of_fields(column.name, column.cells, nulls, delimiter);
    if let Some(text) = &typed.note {
        note(text);
    }
    if typed.feature_type != FeatureType::String {
        return Ok((typed.feature_type, typed.column));
    }
    let texts = column.cells.iter().map(TableCell::field);
    let texts: Vec<_> = texts
        .map(|text| (!nulls.contain(text)).then_some(text))
        .collect();
    let number =
        |text: &Option<&str>| text.map_or(Some(None), |text| number(text.trim()).map(Some));
    if let Some(numbers) = texts.iter().map(number).collect::<Option<Vec<_>>>() {
        return of_numbers(column, &numbers);
    }
    if texts.iter().flatten().all(|text| is_nested(text)) {
        let value = |text: &Option<&str>| text.and_then(|text| json::parse(text).ok());
        let values = texts.iter().map(|text| value(text).unwrap_or(Value::Null));
        return of_values(column, &values.collect::<Vec<_>>());
    }
    Ok(strings(texts.into_iter()))
}

/// Returns true if a CSV field contains a list or an object.
fn is_nested(text: &str) -> bool {
    let is_nested = |value: Value| value.as_array().is_some() || value.as_object().is_some();
    text.starts_with(['[', '{']) && json::parse(text).is_ok_and(is_nested)
}

/// Parses a number. `007` is a code; non-finite numbers are accepted so that they can be reported.
fn number(text: &str) -> Option<Number> {
    match json::parse(text) {
        Ok(value) => value.as_number(),
        Err(_) => {
            let float: f64 = text.parse().ok()?;
            (!float.is_finite()).then(|| float.into())
        }
    }
}

fn of_values(column: &InputColumn<'_>, values: &[Value]) -> Result<Typed> {
    let all = |is_of: fn(&Value) -> bool| values.iter().all(|it| it.is_null() || is_of(it));
    if all(Value::is_null) {
        return Ok(strings(values.iter().map(|_| None)));
    }
    if all(|it| it.as_bool().is_some()) {
        let cells = values.iter().map(|it| it.as_bool().unwrap_or_default());
        let cells = Cells::Boolean(cells.collect());
        return Ok((
            FeatureType::Boolean,
            with_nulls(cells, values.iter().map(Value::is_null)),
        ));
    }
    if all(|it| it.as_number().is_some()) {
        let numbers: Vec<_> = values.iter().map(Value::as_number).collect();
        return of_numbers(column, &numbers);
    }
    if all(|it| it.as_str().is_some()) {
        let typed = TypedColumn::of_values(column.name, values.iter());
        if typed.feature_type != FeatureType::String {
            return Ok((typed.feature_type, typed.column));
        }
    }
    if all(|it| it.as_array().is_some()) {
        return of_lists(column, values);
    }
    if let Some(names) = common_names(values) {
        return of_objects(column, values, &names);
    }
    let texts: Vec<Option<String>> = values
        .iter()
        .map(|value| match value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        })
        .collect();
    Ok(strings(texts.iter().map(Option::as_deref)))
}

/// Returns a column of lists, with one type for all elements.
fn of_lists(column: &InputColumn<'_>, values: &[Value]) -> Result<Typed> {
    let lists = values.iter().map(|it| it.as_array().unwrap_or_default());
    let lengths: Vec<u32> = lists.clone().map(|list| list.len() as u32).collect();
    let elements: Vec<Value> = lists.flatten().cloned().collect();
    let (_, elements) = of_values(&column.within(), &elements)?;
    let cells = Cells::List(ListCells::new(ListForm::Array, &lengths, elements));
    let nulls = values.iter().map(Value::is_null);
    Ok((FeatureType::List, with_nulls(cells, nulls)))
}

/// Returns a column of objects, with a type per member.
fn of_objects(column: &InputColumn<'_>, values: &[Value], names: &[String]) -> Result<Typed> {
    let mut members = Vec::with_capacity(names.len());
    for name in names {
        let member = |value: &Value| value.get(name).cloned().unwrap_or(Value::Null);
        let values: Vec<Value> = values.iter().map(member).collect();
        members.push((name.clone(), of_values(&column.within(), &values)?.1));
    }
    let cells = Cells::Object(ObjectCells::new(ObjectForm::Object, members, values.len()));
    let nulls = values.iter().map(Value::is_null);
    Ok((FeatureType::Object, with_nulls(cells, nulls)))
}

/// Returns the members' names if all values are objects with the same members.
fn common_names(values: &[Value]) -> Option<Vec<String>> {
    let mut names: Option<Vec<String>> = None;
    for value in values.iter().filter(|it| !it.is_null()) {
        let of_value = value.as_object()?.iter().map(|(name, _)| name.to_string());
        let of_value: Vec<String> = of_value.collect();
        match &names {
            Some(names) if *names != of_value => return None,
            _ => names = Some(of_value),
        }
    }
    names
}

/// Returns integers if all fit into one 64-bit type, or else floats.
fn of_numbers(column: &InputColumn<'_>, numbers: &[Option<Number>]) -> Result<Typed> {
    let not_finite = |number: &Option<Number>| number.is_some_and(|it| !it.as_f64().is_finite());
    if let Some(row) = numbers.iter().position(not_finite) {
        let problem = "a number must be finite; leave the cell empty for null";
        return Err(column.fault(row, problem));
    }
    fn all<T: Default>(
        numbers: &[Option<Number>],
        read: fn(Number) -> Option<T>,
    ) -> Option<Vec<T>> {
        let read = |number: &Option<Number>| number.map_or_else(|| Some(T::default()), read);
        numbers.iter().map(read).collect()
    }
    let is_float = numbers.iter().flatten().any(|number| number.is_float());
    let integers = || {
        let narrow = || Some(Cells::Integer(all(numbers, Number::as_i64)?));
        let wide = || Some(Cells::Unsigned(all(numbers, Number::as_u64)?));
        narrow().or_else(wide)
    };
    let (feature_type, cells) = match (!is_float).then(integers).flatten() {
        Some(cells) => (FeatureType::Integer, cells),
        None => {
            let floats = numbers.iter().map(|it| it.map_or(0.0, Number::as_f64));
            (FeatureType::Float, Cells::Float(floats.collect()))
        }
    };
    Ok((
        feature_type,
        with_nulls(cells, numbers.iter().map(Option::is_none)),
    ))
}

fn strings<'a>(texts: impl Iterator<Item = Option<&'a str>> + Clone) -> Typed {
    let mut cells = Text::default();
    texts
        .clone()
        .for_each(|text| cells.push(text.unwrap_or_default()));
    let column = with_nulls(Cells::Text(cells), texts.map(|text| text.is_none()));
    (FeatureType::String, column)
}

fn with_nulls(cells: Cells, nulls: impl Iterator<Item = bool>) -> Column {
    Column::new(cells, Some(nulls.collect()))
}
