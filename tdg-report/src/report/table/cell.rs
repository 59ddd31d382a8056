//! Values in the cells of a table.

use tdg_definition::json::{Number, Value, write_str};

use tdg_engine::common_prefix;
use tdg_engine::compare::FieldDifference;
use tdg_engine::output::{debug_text, refusal};
use tdg_engine::text::{
    amount, char_width, escape, percent, push_json_escaped, rounded_apart, shorten_apart, signed,
};

/// The width of an output's cell.
pub(crate) const OUTPUT_WIDTH: usize = 26;

/// Errors up to this are shown in ULP, because their percentages are meaningless.
const FEW_ULPS: u64 = 16;

/// The cell of an absent field.
const ABSENT: &str = "–";

/// The cells of one difference.
#[derive(Default)]
pub(crate) struct DifferenceCells {
    pub(crate) expected: String,
    pub(crate) actual: String,
    /// The error of a number, or a description of another difference.
    pub(crate) error: String,
    /// The error relative to the expected value.
    pub(crate) relative: String,
}

impl DifferenceCells {
    pub(crate) fn new(difference: &FieldDifference) -> Self {
        let (expected, actual) = (difference.expected.as_ref(), difference.actual.as_ref());
        if let (Some(Value::String(expected)), Some(Value::String(actual))) = (expected, actual) {
            return Self::of_strings(expected, actual);
        }
        let (expected, actual) = match (finite_float(expected), finite_float(actual)) {
            (Some(expected), Some(actual)) => rounded_apart(expected, actual),
            _ => shortened_cells([expected, actual]).into(),
        };
        Self {
            expected,
            actual,
            error: error_cell(difference),
            relative: relative_cell(difference),
        }
    }

    /// Returns the cells without shortening.
    pub(crate) fn whole(difference: &FieldDifference) -> Self {
        let text = |side: &Option<Value>| {
            side.as_ref()
                .map_or_else(|| ABSENT.to_owned(), Value::to_string)
        };
        Self {
            expected: text(&difference.expected),
            actual: text(&difference.actual),
            ..Self::new(difference)
        }
    }

    fn of_strings(expected: &str, actual: &str) -> Self {
        let common = common_prefix(expected, actual);
        let cells = [json_text(expected), json_text(actual)];
        let [expected_cell, actual_cell] = shorten_apart([&cells[0], &cells[1]], [OUTPUT_WIDTH; 2]);
        let is_start = expected_cell.starts_with('"');
        let error = match (look_alike(&expected[common..], &actual[common..]), is_start) {
            (Some((expected, actual)), _) => {
                format!(
                    "U+{:04X}, was U+{:04X}",
                    u32::from(actual),
                    u32::from(expected)
                )
            }
            (None, true) => String::new(),
            (None, false) => format!("at character {}", expected[..common].chars().count() + 1),
        };
        Self {
            expected: expected_cell,
            actual: actual_cell,
            error,
            relative: String::new(),
        }
    }
}

/// A difference as text. Long strings are excerpts around the place where they part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferenceText {
    /// The expected value; numbers in full.
    pub expected: String,
    /// The actual value; numbers in full.
    pub actual: String,
    /// The error of a number, relative to the expected one unless that is 0, or a description of
    /// another difference.
    pub error: String,
}

impl DifferenceText {
    /// Returns the text of a difference.
    #[must_use]
    pub fn new(difference: &FieldDifference) -> Self {
        let cells = DifferenceCells::new(difference);
        let error = match cells.relative.is_empty() {
            true => cells.error,
            false => cells.relative,
        };
        let (expected, actual) = match (&difference.expected, &difference.actual) {
            (Some(Value::String(_)), Some(Value::String(_))) => (cells.expected, cells.actual),
            (expected, actual) => shortened_cells([expected.as_ref(), actual.as_ref()]).into(),
        };
        Self {
            expected,
            actual,
            error,
        }
    }
}

fn finite_float(value: Option<&Value>) -> Option<f64> {
    let number = value?.as_number().filter(|number| number.is_float())?;
    Some(number.as_f64()).filter(|float| float.is_finite())
}

/// The first characters of two texts, if they may look alike: a letter and the same with a
/// combining mark, or letters of two scripts.
fn look_alike(expected: &str, actual: &str) -> Option<(char, char)> {
    let (first, second) = (expected.chars().next()?, actual.chars().next()?);
    let is_mark = |character: char| char_width(character) == 0 && !character.is_control();
    let has_mark = |text: &str| text.chars().take(2).any(is_mark);
    let is_one_ascii = first.is_ascii() != second.is_ascii();
    (is_one_ascii || has_mark(expected) || has_mark(actual)).then_some((first, second))
}

/// Returns a string as in JSON, escaped for terminals as well.
fn json_text(string: &str) -> String {
    let mut text = String::from("\"");
    for character in string.chars() {
        push_json_escaped(&mut text, character);
    }
    text.push('"');
    text
}

/// Returns the cells of two values, cut where they are alike.
fn shortened_cells(values: [Option<&Value>; 2]) -> [String; 2] {
    let [expected, actual] = values.map(value_cell);
    shorten_apart([&expected, &actual], [OUTPUT_WIDTH; 2])
}

fn value_cell(value: Option<&Value>) -> String {
    match value {
        None => ABSENT.to_owned(),
        Some(Value::Number(number)) => number_cell(*number),
        Some(value) => match refusal(value) {
            Some(reason) => format!("no input: {}", escape(reason)),
            None => {
                let mut text = String::new();
                push_value(&mut text, value);
                text
            }
        },
    }
}

fn number_cell(number: Number) -> String {
    let float = number.as_f64();
    if float.is_nan() {
        "NaN".to_owned()
    } else if float.is_infinite() {
        if float > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else {
        number.to_string()
    }
}

/// Appends the text of a value: as `Debug` wrote it, or as JSON.
fn push_value(text: &mut String, value: &Value) {
    match value {
        Value::Array(elements) => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                push_value(text, element);
            }
            text.push(']');
        }
        Value::Object(entries) => {
            if let Some(debug) = debug_text(value) {
                return text.push_str(&escape(&debug));
            }
            text.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                write_str(text, key);
                text.push(':');
                push_value(text, value);
            }
            text.push('}');
        }
        Value::Number(number) => text.push_str(&number_cell(*number)),
        Value::String(string) => text.push_str(&json_text(string)),
        Value::Null | Value::Bool(_) => text.push_str(&value.to_string()),
    }
}

fn error_cell(difference: &FieldDifference) -> String {
    match (&difference.expected, &difference.actual) {
        (_, None) => "missing".to_owned(),
        (None, _) => "added".to_owned(),
        (Some(expected), Some(actual))
            if refusal(expected).is_some() || refusal(actual).is_some() =>
        {
            String::new()
        }
        (Some(Value::Array(expected)), Some(Value::Array(actual))) => {
            format!("length {}, was {}", actual.len(), expected.len())
        }
        (Some(expected), Some(actual)) if expected.kind() != actual.kind() => {
            let is_null = expected.is_null() || actual.is_null();
            // The cells already show that one of them is null.
            if is_null {
                String::new()
            } else {
                format!("{}, was {}", actual.kind(), expected.kind())
            }
        }
        _ => difference
            .signed_error()
            .map_or_else(String::new, |error| signed(error, amount)),
    }
}

fn relative_cell(difference: &FieldDifference) -> String {
    match (difference.ulps(), difference.relative_error()) {
        (Some(ulps), _) if ulps <= FEW_ULPS => format!("{ulps} ULP"),
        (_, Some(error)) => signed(error, percent),
        _ => String::new(),
    }
}
