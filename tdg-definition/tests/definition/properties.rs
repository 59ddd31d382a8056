//! Properties of the values of every definition, and of reading any text as a definition.

use crate::arbitrary;
use crate::arbitrary::{definition_of, float, related_definition_of};
use crate::rows::{column, columns};
use proptest::prelude::*;
use tdg_definition::json::{self, Value};
use tdg_definition::{Cells, Column, Definition, bytes, calendar};

proptest! {
    #[test]
    fn the_first_rows_of_many_are_the_rows_of_few(text in arbitrary::definition(), seed: u64, few in 0..40usize, more in 0..40usize) {
        let definition = parse(&text);
        let many = columns(&definition, seed, 0, few + more);
        for (many, few_rows) in many.iter().zip(&columns(&definition, seed, 0, few)) {
            prop_assert_eq!(&cells(few_rows)[..], &cells(many)[..few]);
        }
    }

    #[test]
    fn any_range_of_rows_is_a_piece_of_the_whole(text in arbitrary::definition(), seed: u64, first in 0..600u64, rows in 0..600u64) {
        let definition = parse(&text);
        let size = first + rows;
        let whole = definition.columns(seed, size, 0..size);
        for (whole, piece) in whole.iter().zip(&definition.columns(seed, size, first..size)) {
            prop_assert_eq!(&cells(piece)[..], &cells(whole)[first as usize..]);
        }
    }

    #[test]
    fn no_feature_changes_another(features in arbitrary::features(), seed: u64) {
        let all = columns(&parse(&definition_of(&features)), seed, 0, 30);
        for index in 0..features.len() {
            let alone = only(&features[index], seed, 30);
            prop_assert_eq!(cells(&all[index]), cells(&alone));
        }
    }

    #[test]
    fn no_feature_changes_those_that_it_is_not_related_to(
        features in arbitrary::features(), (related, relations) in arbitrary::related(), seed: u64,
    ) {
        let alone = columns(&parse(&related_definition_of(&related, &relations)), seed, 0, 30);
        let mut all = features.clone();
        all.extend(related);
        let all = columns(&parse(&related_definition_of(&all, &relations)), seed, 0, 30);
        let unrelated = columns(&parse(&definition_of(&features)), seed, 0, 30);
        for (column, expected) in all.iter().zip(unrelated.iter().chain(&alone)) {
            prop_assert_eq!(cells(column), cells(expected));
        }
    }

    #[test]
    fn nulls_change_no_value(
        (without, with) in arbitrary::null_probability().prop_flat_map(|p| same_feature_with_nulls(0.0, p)),
        seed: u64,
    ) {
        let values = cells(&only(&without, seed, 50));
        for (value, with) in values.into_iter().zip(cells(&only(&with, seed, 50))) {
            prop_assert!(with == Value::Null || with == value);
        }
    }

    #[test]
    fn more_nulls_keep_the_nulls_there_are(
        (fewer, more) in (0.0..=1.0, 0.0..=1.0).prop_flat_map(|(p, q): (f64, f64)| same_feature_with_nulls(p.min(q), p.max(q))),
        seed: u64,
    ) {
        let (fewer, more) = (only(&fewer, seed, 50), only(&more, seed, 50));
        prop_assert!((0..50).all(|row| !fewer.is_null(row) || more.is_null(row)));
    }

    #[test]
    fn values_are_of_their_type(text in arbitrary::definition(), seed: u64) {
        for column in columns(&parse(&text), seed, 0, 50) {
            prop_assert_eq!(column.cells().len(), 50);
            is_of_its_type(&column)?;
        }
    }

    #[test]
    fn uniform_integers_stay_within_their_range(a: i64, b: i64, near in 0..3u64, seed: u64) {
        for (min, max) in [(a.min(b), a.max(b)), (a, a.saturating_add_unsigned(near))] {
            let column = drawn(seed, "INTEGER", &format!(r#"{{"type": "uniform", "min": {min}, "max": {max}}}"#));
            let Cells::Integer(values) = column.cells() else { panic!("{column:?}") };
            prop_assert!(values.iter().all(|value| (min..=max).contains(value)));
        }
    }

    #[test]
    fn uniform_integers_outside_i64_stay_within_their_range(a: u64, b: u64, near in 0..3u64, seed: u64) {
        for (min, max) in [(a.min(b), a.max(b)), (a, a.saturating_add(near))] {
            let column = drawn(seed, "INTEGER", &format!(r#"{{"type": "uniform", "min": {min}, "max": {max}}}"#));
            let within = match column.cells() {
                Cells::Integer(values) => values.iter().all(|&v| (min..=max).contains(&(v as u64)) && v >= 0),
                Cells::Unsigned(values) => values.iter().all(|value| (min..=max).contains(value)),
                _ => false,
            };
            prop_assert!(within);
        }
    }

    #[test]
    fn uniform_floats_never_reach_their_maximum(a in float(), b in float(), steps in 0..4u64, seed: u64) {
        let next = |float: f64, steps: u64| (0..steps).fold(float, |float, _| float.next_up());
        for (min, max) in [(a.min(b), a.max(b)), (a, next(a, steps))] {
            if !(max - min).is_finite() {
                continue;
            }
            let (min_text, max_text) = (Value::from(min), Value::from(max));
            let column = drawn(seed, "FLOAT", &format!(r#"{{"type": "uniform", "min": {min_text}, "max": {max_text}}}"#));
            let Cells::Float(values) = column.cells() else { panic!("{column:?}") };
            let within = |value: f64| min <= value && (value < max || min == max && value == max);
            prop_assert!(values.iter().all(|&value| within(value)));
        }
    }

    #[test]
    fn counts_are_not_negative(rate in prop_oneof![1e-300..1e-3f64, 1e-3..100.0f64], seed: u64) {
        let column = drawn(seed, "INTEGER", &format!(r#"{{"type": "poisson", "rate": {rate}}}"#));
        let Cells::Integer(values) = column.cells() else { panic!("{column:?}") };
        prop_assert!(values.iter().all(|&value| value >= 0));
    }

    #[test]
    fn the_canonical_form_is_its_own_canonical_form(text in arbitrary::definition()) {
        let definition = parse(&text);
        let canonical = definition.canonical();
        let again = parse(&canonical);
        prop_assert_eq!(again.canonical(), canonical);
        prop_assert_eq!(again, definition);
    }

    #[test]
    fn the_canonical_form_draws_the_same_values(text in arbitrary::definition(), seed: u64) {
        let definition = parse(&text);
        let again = parse(&definition.canonical());
        for (column, again) in columns(&definition, seed, 0, 20).iter().zip(&columns(&again, seed, 0, 20)) {
            prop_assert_eq!(cells(column), cells(again));
        }
    }

    #[test]
    fn any_text_is_a_definition_or_has_faults(text: String) {
        prop_assert!(is_read_or_refused(&text));
    }

    #[test]
    fn any_json_is_a_definition_or_has_faults(value in any_json()) {
        prop_assert!(is_read_or_refused(&value.to_string()));
    }

    #[test]
    fn a_definition_with_another_value_somewhere_is_one_or_has_faults(
        text in arbitrary::definition(), place: prop::sample::Index, value in any_json(),
    ) {
        let mut definition = json::parse(&text).unwrap();
        let place = place.index(count(&definition));
        replace(&mut definition, place, &value);
        prop_assert!(is_read_or_refused(&definition.to_string()));
    }

    #[test]
    fn a_definition_with_an_edited_text_is_one_or_has_faults(
        text in arbitrary::definition(), place: prop::sample::Index, length in 0..4usize, typed in "[0-9a-z\"{}\\[\\],:.-]{0,2}",
    ) {
        let mut chars: Vec<char> = text.chars().collect();
        let start = place.index(chars.len());
        let end = (start + length).min(chars.len());
        chars.splice(start..end, typed.chars());
        prop_assert!(is_read_or_refused(&chars.into_iter().collect::<String>()));
    }
}

fn is_of_its_type(column: &Column) -> Result<(), TestCaseError> {
    match column.cells() {
        Cells::Float(values) => prop_assert!(values.iter().all(|value| value.is_finite())),
        Cells::Unsigned(values) => {
            let beyond = |row: usize| values[row] > i64::MAX as u64 && !column.is_null(row);
            prop_assert!((0..values.len()).any(beyond));
        }
        Cells::Date(days) => {
            for &days in days {
                let mut text = String::new();
                calendar::write_date(&mut text, days);
                prop_assert_eq!(calendar::parse_date(&text), Ok(days));
            }
        }
        Cells::DateTime(seconds) => {
            for &seconds in seconds {
                let mut text = String::new();
                calendar::write_datetime(&mut text, seconds);
                prop_assert_eq!(calendar::parse_datetime(&text), Ok(seconds));
            }
        }
        Cells::List(lists) => {
            let elements: usize = (0..lists.len()).map(|row| lists.range(row).len()).sum();
            prop_assert_eq!(lists.elements().cells().len(), elements);
            is_of_its_type(lists.elements())?;
        }
        Cells::Variant(variants) => {
            for (number, (_, values)) in variants.variants().enumerate() {
                let places = variants.places(number, 0..variants.len());
                if let Some(values) = values {
                    prop_assert_eq!(values.cells().len(), places.count());
                    is_of_its_type(values)?;
                }
            }
        }
        Cells::Object(objects) => {
            for (_, member) in objects.members() {
                prop_assert_eq!(member.cells().len(), objects.len());
                is_of_its_type(member)?;
            }
        }
        Cells::Bytes(bytes) => {
            for row in 0..bytes.len() {
                let read = bytes::unescape(bytes.escaped().get(row));
                prop_assert_eq!(read.as_deref(), Ok(bytes.get(row)));
            }
        }
        Cells::Integer(_) | Cells::Boolean(_) | Cells::Text(_) => {}
    }
    Ok(())
}

fn parse(text: &str) -> Definition {
    Definition::parse(text).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

/// The first rows of a single feature.
fn only(feature: &str, seed: u64, rows: usize) -> Column {
    column(&parse(&definition_of(&[feature.to_owned()])), seed, 0, rows)
}

fn drawn(seed: u64, feature_type: &str, distribution: &str) -> Column {
    let feature = format!(r#"{{"type": "{feature_type}", "distribution": {distribution}}}"#);
    only(&feature, seed, 200)
}

/// The same feature with two probabilities of nulls.
fn same_feature_with_nulls(one: f64, other: f64) -> impl Strategy<Value = (String, String)> {
    arbitrary::feature("x".to_owned(), Just(0.5)).prop_map(move |feature| {
        let with = |p: f64| {
            let mut value = json::parse(&feature).unwrap();
            if let Value::Object(members) = &mut value {
                members.insert("null_probability".to_owned(), Value::from(p));
            }
            value.to_string()
        };
        (with(one), with(other))
    })
}

/// The values of a column with their bits, where floats are converted to `u64`.
fn cells(column: &Column) -> Vec<Value> {
    let rows = 0..column.cells().len();
    rows.map(|row| cell(column, row)).collect()
}

fn cell(column: &Column, row: usize) -> Value {
    match column.cells() {
        _ if column.is_null(row) => Value::Null,
        Cells::Float(values) => Value::from(values[row].to_bits()),
        Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
            Value::from(values[row])
        }
        Cells::Unsigned(values) => Value::from(values[row]),
        Cells::Text(values) => Value::from(values.get(row)),
        Cells::Bytes(values) => Value::from(values.escaped().get(row)),
        Cells::Boolean(values) => Value::from(values[row]),
        Cells::List(lists) => {
            let elements = lists.range(row);
            Value::Array(elements.map(|it| cell(lists.elements(), it)).collect())
        }
        Cells::Variant(variants) => {
            let value = variants.value(row);
            let value = value.map(|(values, place)| cell(values, place));
            Value::object([(variants.name(row), value.unwrap_or(Value::Null))])
        }
        Cells::Object(objects) => {
            let member = |(name, member): (&str, &Column)| (name.to_owned(), cell(member, row));
            Value::object(objects.members().map(member))
        }
    }
}

/// Returns true for a valid definition whose canonical form can be read, or at least one fault,
/// each with a message.
fn is_read_or_refused(text: &str) -> bool {
    match Definition::parse(text) {
        Ok(definition) => Definition::parse(&definition.canonical()) == Ok(definition),
        Err(faults) => {
            faults.iter().count() > 0 && faults.iter().all(|fault| !fault.message.is_empty())
        }
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let words = [
        "type",
        "FLOAT",
        "INTEGER",
        "STRING",
        "uniform",
        "gaussian",
        "categorical",
        "mixture",
        "constant",
        "",
        "features",
        "feature_name",
        "distribution",
        "min",
        "max",
        "mu",
        "value",
        "probability",
        "categories",
        "components",
        "weight",
        "LIST",
        "list",
        "length",
        "element",
        "OBJECT",
        "object",
        "2020-02-30",
        "2020-02-30T00:00:00Z",
    ];
    let word = move || prop_oneof![4 => prop::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => any::<String>()];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-2.0..2.0f64).prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map(word(), inner, 0..5).prop_map(Value::from),
        ]
    })
}

/// The number of values in this one, including itself.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(elements) => elements.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

/// Replaces the value at a place, counted like in [`count`]; returns the number of visited places.
fn replace(value: &mut Value, place: usize, other: &Value) -> usize {
    if place == 0 {
        *value = other.clone();
        return 1;
    }
    let mut seen = 1;
    let inner: Vec<&mut Value> = match value {
        Value::Array(elements) => elements.iter_mut().collect(),
        Value::Object(members) => members.values_mut().collect(),
        _ => return 1,
    };
    for value in inner {
        if seen > place {
            break;
        }
        seen += replace(value, place - seen, other);
    }
    seen
}
