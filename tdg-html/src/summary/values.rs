//! Summaries of values: the column of a feature, or the fields of outputs.

use std::collections::{BTreeMap, BTreeSet};

use tdg_definition::json::{Pointer, Value};
use tdg_definition::{Cells, Column};

use super::{Numbers, Scale, Shape, Summary};

/// The maximum number of categories that are kept by name.
const KEPT: usize = 24;

/// Summarises the values of a feature, or the lengths of its strings if most are distinct.
#[must_use]
pub fn feature(column: &Column) -> Summary {
    let rows = || (0..column.cells().len()).filter(|&row| !column.is_null(row));
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
        Cells::Text(values) if are_categories(&mut rows().map(|row| values.get(row))) => {
            return texts_by_value(column);
        }
        Cells::Text(values) => {
            let lengths = rows().map(|row| values.get(row).chars().count() as f64);
            (lengths.collect(), Scale::Length)
        }
        Cells::Bytes(values)
            if are_categories(&mut rows().map(|row| values.escaped().get(row))) =>
        {
            return texts_by_value(column);
        }
        Cells::Bytes(values) => {
            let lengths = rows().map(|row| values.get(row).len() as f64);
            (lengths.collect(), Scale::Length)
        }
        Cells::List(lists) => {
            let lengths = rows().map(|row| lists.range(row).len() as f64);
            (lengths.collect(), Scale::Elements)
        }
        Cells::Variant(variants) => {
            let names = rows().map(|row| Value::from(variants.name(row)).to_string());
            return categories(column.cells().len(), names);
        }
        Cells::Object(_) => return categories(column.cells().len(), std::iter::empty()),
        Cells::Boolean(values) => {
            return categories(
                column.cells().len(),
                rows().map(|row| values[row].to_string()),
            );
        }
    };
    summary(column.cells().len(), numbers, scale)
}

/// Returns true if there are few distinct texts, or if most of them occur more than once.
fn are_categories(texts: &mut dyn Iterator<Item = &str>) -> bool {
    let mut present = 0;
    let distinct: BTreeSet<&str> = texts.inspect(|_| present += 1).collect();
    distinct.len() <= KEPT || 2 * distinct.len() <= present
}

/// Summarises a feature's texts as categories, even if they are mostly distinct.
pub(crate) fn texts_by_value(column: &Column) -> Summary {
    let rows = (0..column.cells().len()).filter(|&row| !column.is_null(row));
    let text = |row| match column.cells() {
        Cells::Text(values) => Some(Value::from(values.get(row)).to_string()),
        Cells::Bytes(values) => Some(Value::from(values.escaped().get(row)).to_string()),
        _ => None,
    };
    categories(column.cells().len(), rows.filter_map(text))
}

/// Summarises the fields of outputs, by pointer. If each output is a variant such as `Ok` or `Err`,
/// the root has the distribution of the variants.
#[must_use]
pub fn fields(outputs: &[Value]) -> BTreeMap<String, Summary> {
    let mut fields: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for output in outputs {
        collect(output, &mut Pointer::root(), &mut fields);
    }
    let summary = |(pointer, values)| (pointer, field(outputs.len(), values));
    let mut fields: BTreeMap<String, Summary> = fields.into_iter().map(summary).collect();
    let variants: Option<Vec<&String>> = outputs.iter().map(variant).collect();
    if let Some(variants) = variants.filter(|variants| variants.iter().any(|it| *it != variants[0]))
    {
        let names = variants.into_iter().cloned();
        fields.insert(String::new(), categories(outputs.len(), names));
    }
    fields
}

/// Returns the only key of an object.
fn variant(output: &Value) -> Option<&String> {
    let object = output.as_object().filter(|object| object.len() == 1)?;
    object.keys().next()
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
    let missing = count - values.len();
    let present = values.iter().filter(|value| !value.is_null());
    let numbers: Option<Vec<f64>> = present.clone().map(|value| value.as_f64()).collect();
    let of_present = match numbers.filter(|numbers| numbers.iter().all(|it| it.is_finite())) {
        Some(numbers) => Summary {
            signs: signs(&numbers),
            ..summary(values.len(), numbers, Scale::Number)
        },
        None => categories(
            values.len(),
            present.map(|value| match value {
                Value::Array(elements) => format!("[{}]", elements.len()),
                value => value.to_string(),
            }),
        ),
    };
    Summary {
        count,
        missing,
        ..of_present
    }
}

/// Counts the negative, zero and positive numbers, or returns `None` if all have the same sign.
fn signs(numbers: &[f64]) -> Option<[usize; 3]> {
    let mut counts = [0; 3];
    for &number in numbers {
        counts[usize::from(number >= 0.0) + usize::from(number > 0.0)] += 1;
    }
    let is_mixed = counts.iter().filter(|count| **count > 0).count() > 1;
    is_mixed.then_some(counts)
}

fn summary(count: usize, numbers: Vec<f64>, scale: Scale) -> Summary {
    Summary {
        count,
        nulls: count - numbers.len(),
        missing: 0,
        shape: Numbers::new(&numbers, scale).map_or(Shape::Nothing, Shape::Numbers),
        signs: None,
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
        missing: 0,
        signs: None,
        shape: match distinct {
            0 => Shape::Nothing,
            _ => Shape::Categories { most, distinct },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::json::parse;

    #[test]
    fn outputs_have_the_shares_of_their_classes() {
        let outputs = [
            r#"{"Ok":{"refund":2.5,"coupon":null,"late":true}}"#,
            r#"{"Ok":{"refund":0,"coupon":"HALF","late":true}}"#,
            r#"{"Ok":{"refund":-1,"late":false}}"#,
            r#"{"Err":"no such order"}"#,
        ];
        let outputs = outputs.map(|output| parse(output).unwrap());
        let lines = fields(&outputs).into_iter();
        let lines: Vec<_> = lines
            .map(|(field, summary)| format!("{field}: {}", summary.line()))
            .collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        : Ok 75 %, Err 25 %
        /Err: "no such order" 25 %, missing 75 %
        /Ok/coupon: "HALF" 25 %, null 25 %, missing 50 %
        /Ok/late: true 50 %, false 25 %, missing 25 %
        /Ok/refund: −1 ▕█     █                █▏ 2.5  mean 0.5, sd 1.803, negative 25 %, zero 25 %, positive 25 %, missing 25 %
        "#);
    }

    #[test]
    fn one_variant_needs_no_shares() {
        let outputs = ["1", "2"].map(|number| parse(&format!(r#"{{"Ok":{number}}}"#)).unwrap());
        let fields: Vec<_> = fields(&outputs).into_keys().collect();
        assert_eq!(fields, ["/Ok"]);
    }
}
