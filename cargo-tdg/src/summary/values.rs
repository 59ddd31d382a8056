//! Summaries of values: the column of a feature, or the fields of outputs.

use std::collections::{BTreeMap, BTreeSet};

use tdg_definition::Cells;
use tdg_definition::json::{Pointer, Value};
use tdg_engine::Vectors;

use super::{Numbers, Scale, Shape, Summary};

/// The most categories that are kept by name.
const KEPT: usize = 24;

/// The distribution of a feature: of strings that are mostly different, that of their lengths.
pub(crate) fn feature(vectors: &Vectors, position: usize) -> Summary {
    let column = vectors.column(position);
    let rows = || (0..vectors.size()).filter(|&row| !column.is_null(row));
    let integers = |values: &[i64]| rows().map(|row| values[row] as f64).collect::<Vec<_>>();
    let (numbers, scale) = match column.cells() {
        Cells::Float(values) => (rows().map(|row| values[row]).collect(), Scale::Number),
        Cells::Integer(values) => (integers(values), Scale::Number),
        Cells::Unsigned(values) => (
            rows().map(|row| values[row] as f64).collect(),
            Scale::Number,
        ),
        Cells::DateTime(values) => (integers(values), Scale::DateTime),
        Cells::Date(values) => (integers(values), Scale::Date),
        Cells::Text(values) => {
            let texts = || rows().map(|row| values.get(row));
            let (distinct, present) = (texts().collect::<BTreeSet<_>>().len(), texts().count());
            if distinct <= KEPT || 2 * distinct <= present {
                let texts = texts().map(|text| Value::from(text).to_string());
                return categories(vectors.size(), texts);
            }
            let lengths = texts().map(|text| text.chars().count() as f64);
            (lengths.collect(), Scale::Length)
        }
        Cells::Boolean(values) => {
            return categories(vectors.size(), rows().map(|row| values[row].to_string()));
        }
    };
    summary(vectors.size(), numbers, scale)
}

/// The distributions of the fields of outputs, by their pointers. A field that an output does not
/// have counts as `null`.
pub(crate) fn fields(outputs: &[Value]) -> BTreeMap<String, Summary> {
    let mut fields: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for output in outputs {
        collect(output, &mut Pointer::root(), &mut fields);
    }
    let summary = |(pointer, values)| (pointer, field(outputs.len(), values));
    fields.into_iter().map(summary).collect()
}

fn collect<'v>(value: &'v Value, at: &mut Pointer, fields: &mut BTreeMap<String, Vec<&'v Value>>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (key, member) in members {
                at.push(key.as_str());
                collect(member, at, fields);
                at.pop();
            }
        }
        _ => fields.entry(at.to_string()).or_default().push(value),
    }
}

fn field(count: usize, values: Vec<&Value>) -> Summary {
    let present = values.iter().filter(|value| !value.is_null());
    let numbers: Option<Vec<f64>> = present.clone().map(|value| value.as_f64()).collect();
    match numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite())) {
        Some(numbers) => summary(count, numbers, Scale::Number),
        None => categories(
            count,
            present.map(|value| match value {
                Value::Array(elements) => format!("[{}]", elements.len()),
                value => value.to_string(),
            }),
        ),
    }
}

fn summary(count: usize, numbers: Vec<f64>, scale: Scale) -> Summary {
    Summary {
        count,
        nulls: count - numbers.len(),
        shape: Numbers::of(&numbers, scale).map_or(Shape::Nothing, Shape::Numbers),
    }
}

fn categories(count: usize, values: impl Iterator<Item = String>) -> Summary {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut present = 0;
    for value in values {
        *counts.entry(value).or_default() += 1;
        present += 1;
    }
    let distinct = counts.len();
    let mut most: Vec<_> = counts.into_iter().collect();
    most.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    most.truncate(KEPT);
    Summary {
        count,
        nulls: count - present,
        shape: match distinct {
            0 => Shape::Nothing,
            _ => Shape::Categories { most, distinct },
        },
    }
}
