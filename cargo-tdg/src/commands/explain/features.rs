//! The features of a table: columns with a type, by a definition or inferred.

use tdg_definition::json::{self, Number, Value};
use tdg_definition::{
    Cells, Column, Definition, FeatureType, ListCells, ListForm, ObjectCells, ObjectForm, Text,
};
use tdg_engine::Vectors;

use super::table::{InputCells, InputColumn, InputTable};
use crate::error::Result;

/// A column with the type that fits all of its cells.
type Typed = (FeatureType, Column);

/// All columns of the table.
pub(super) fn inferred(table: InputTable) -> Result<Vectors> {
    let mut typed = Vec::with_capacity(table.columns.len());
    for column in table.columns {
        let (feature_type, cells) = match &column.cells {
            InputCells::Texts(texts) => of_texts(&column, texts)?,
            InputCells::Values(values) => of_values(&column, values)?,
        };
        typed.push((column.name, feature_type, cells));
    }
    Ok(Vectors::from_columns(typed, table.rows))
}

/// The columns that the definition names, and the names of the others.
pub(super) fn defined(
    mut table: InputTable,
    definition: &Definition,
) -> Result<(Vectors, Vec<String>)> {
    let mut columns = Vec::with_capacity(definition.features().len());
    for feature in definition.features() {
        columns.push((feature, table.take(feature.name())?));
    }
    let mut rows = vec!["[".to_owned(); table.rows];
    for (feature, column) in &columns {
        let is_string = feature.feature_type() == FeatureType::String;
        for (row, line) in rows.iter_mut().enumerate() {
            let value = match &column.cells {
                InputCells::Values(values) => values[row].clone(),
                InputCells::Texts(texts) => match texts[row].as_str() {
                    // An empty field can be an empty string, too.
                    "" if is_string && feature.null_probability() == 0.0 => "".into(),
                    "" => Value::Null,
                    text => of_text(feature.feature_type(), text),
                },
            };
            if line.len() > 1 {
                line.push(',');
            }
            line.push_str(&value.to_string());
        }
    }
    rows.iter_mut().for_each(|line| line.push(']'));
    let vectors = Vectors::from_rows(definition, rows.iter().map(String::as_str))?;
    let others = table.columns.into_iter().map(|column| column.name);
    Ok((vectors, others.collect()))
}

/// A field of CSV as a value of the type, or as a text that is not of the type.
fn of_text(feature_type: FeatureType, text: &str) -> Value {
    match feature_type {
        FeatureType::Integer | FeatureType::Float | FeatureType::Boolean => {
            // `True` and `1E3` as other programs write them.
            json::parse(&text.trim().to_ascii_lowercase()).unwrap_or_else(|_| text.into())
        }
        FeatureType::Date | FeatureType::DateTime => text.trim().into(),
        FeatureType::List | FeatureType::Object => {
            json::parse(text).unwrap_or_else(|_| text.into())
        }
        _ => text.into(),
    }
}

/// As `cargo tdg fit` does it, but with texts as they are, and with integers beyond `i64`.
fn of_texts(column: &InputColumn, texts: &[String]) -> Result<Typed> {
    let (feature_type, typed) = tdg_fit::read_column(texts.iter().map(String::as_str));
    if feature_type != FeatureType::String {
        return Ok((feature_type, typed));
    }
    let number = |row: usize| match typed.is_null(row) {
        true => Some(None),
        false => number(texts[row].trim()).map(Some),
    };
    let numbers: Option<Vec<Option<Number>>> = (0..texts.len()).map(number).collect();
    match numbers {
        Some(numbers) => of_numbers(column, &numbers),
        None if texts.iter().all(|text| is_nested(text)) => {
            let value = |text: &String| json::parse(text).unwrap_or(Value::Null);
            of_values(column, &texts.iter().map(value).collect::<Vec<_>>())
        }
        None => {
            let texts = texts.iter().map(String::as_str);
            Ok(strings(
                texts.map(|text| (!text.is_empty()).then_some(text)),
            ))
        }
    }
}

/// Whether a field of CSV holds a list or an object, or nothing.
fn is_nested(text: &str) -> bool {
    let is_nested = |value: Value| value.as_array().is_some() || value.as_object().is_some();
    text.is_empty() || text.starts_with(['[', '{']) && json::parse(text).is_ok_and(is_nested)
}

/// `007` is a code. What is not finite is a number, so that it can be reported.
fn number(text: &str) -> Option<Number> {
    match json::parse(text) {
        Ok(value) => value.as_number(),
        Err(_) => {
            let float: f64 = text.parse().ok()?;
            (!float.is_finite()).then(|| float.into())
        }
    }
}

fn of_values(column: &InputColumn, values: &[Value]) -> Result<Typed> {
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
        let texts = values.iter().map(|it| it.as_str().unwrap_or_default());
        let (feature_type, typed) = tdg_fit::read_column(texts);
        if matches!(feature_type, FeatureType::Date | FeatureType::DateTime) {
            return Ok((feature_type, typed));
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

/// Lists whose elements have the type that fits all of them.
fn of_lists(column: &InputColumn, values: &[Value]) -> Result<Typed> {
    let lists = values.iter().map(|it| it.as_array().unwrap_or_default());
    let lengths: Vec<u32> = lists.clone().map(|list| list.len() as u32).collect();
    let elements: Vec<Value> = lists.flatten().cloned().collect();
    let (_, elements) = of_values(column, &elements)?;
    let cells = Cells::List(ListCells::new(ListForm::Array, &lengths, elements));
    let nulls = values.iter().map(Value::is_null);
    Ok((FeatureType::List, with_nulls(cells, nulls)))
}

/// Objects, each member with a type of its own.
fn of_objects(column: &InputColumn, values: &[Value], names: &[String]) -> Result<Typed> {
    let mut members = Vec::with_capacity(names.len());
    for name in names {
        let member = |value: &Value| value.get(name).cloned().unwrap_or(Value::Null);
        let values: Vec<Value> = values.iter().map(member).collect();
        members.push((name.clone(), of_values(column, &values)?.1));
    }
    let cells = Cells::Object(ObjectCells::new(ObjectForm::Object, members, values.len()));
    let nulls = values.iter().map(Value::is_null);
    Ok((FeatureType::Object, with_nulls(cells, nulls)))
}

/// The names of members, if all values are objects with the same ones.
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

/// Integers if all are in one range of 64 bits, else floats.
fn of_numbers(column: &InputColumn, numbers: &[Option<Number>]) -> Result<Typed> {
    let not_finite = |number: &Option<Number>| number.is_some_and(|it| !it.as_f64().is_finite());
    if let Some(row) = numbers.iter().position(not_finite) {
        return Err(column.fault(
            row,
            "a number must be finite; leave the cell empty for null",
        ));
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
