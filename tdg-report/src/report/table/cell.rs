//! Values in the cells of a table.

use tdg_definition::json::{Number, Value, write_str};

use tdg_engine::common_prefix;
use tdg_engine::compare::FieldDifference;
use tdg_engine::output::{debug_text, refusal};
use tdg_engine::text::{
    amount, char_width, percent, push_json_escaped, rounded_apart, shorten, signed, width,
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
            _ => (value_cell(expected), value_cell(actual)),
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
        let fits = |text| excerpt(text, 0, OUTPUT_WIDTH).ends_with('"');
        let start = if fits(expected) && fits(actual) {
            0
        } else {
            start_of_lead(&expected[..common])
        };
        let error = match (look_alike(&expected[common..], &actual[common..]), start) {
            (Some((expected, actual)), _) => {
                format!(
                    "U+{:04X}, was U+{:04X}",
                    u32::from(actual),
                    u32::from(expected)
                )
            }
            (None, 0) => String::new(),
            (None, _) => format!("at character {}", expected[..common].chars().count() + 1),
        };
        Self {
            expected: excerpt(expected, start, OUTPUT_WIDTH),
            actual: excerpt(actual, start, OUTPUT_WIDTH),
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
            (expected, actual) => (value_cell(expected.as_ref()), value_cell(actual.as_ref())),
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

/// Returns the start of an excerpt that shows a third of a cell before the difference.
fn start_of_lead(common: &str) -> usize {
    let mut room = OUTPUT_WIDTH / 3;
    for (index, character) in common.char_indices().rev() {
        let Some(left) = room.checked_sub(char_width(character).max(1)) else {
            return index + character.len_utf8();
        };
        room = left;
    }
    0
}

/// Returns the part of a string from `start`, at most `max` columns wide. A quote marks an end that
/// the string really has.
fn excerpt(string: &str, start: usize, max: usize) -> String {
    let mut text = String::from(if start == 0 { "\"" } else { "…" });
    // One column is reserved for the end.
    let room = max - 1;
    for character in string[start..].chars() {
        let before = text.len();
        push_json_escaped(&mut text, character);
        if width(&text) > room {
            text.truncate(before);
            text.push('…');
            return text;
        }
    }
    text.push('"');
    text
}

fn value_cell(value: Option<&Value>) -> String {
    match value {
        None => ABSENT.to_owned(),
        Some(Value::Number(number)) => number_cell(*number),
        Some(value) => {
            let mut text = String::new();
            match refusal(value) {
                Some(reason) => text.extend(["no input: ", reason]),
                None => push_preview(&mut text, value),
            }
            shorten(&text, OUTPUT_WIDTH)
        }
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

/// Appends the JSON text of a value, but stops well past the width of a cell, because outputs may
/// have megabytes.
fn push_preview(text: &mut String, value: &Value) {
    const ENOUGH: usize = 4 * OUTPUT_WIDTH;
    match value {
        Value::Array(elements) => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                if text.len() > ENOUGH {
                    text.push('…');
                    break;
                }
                push_preview(text, element);
            }
            text.push(']');
        }
        Value::Object(entries) => {
            if let Some(debug) = debug_text(value) {
                return text.push_str(&debug);
            }
            text.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                if text.len() > ENOUGH {
                    text.push('…');
                    break;
                }
                write_str(text, key);
                text.push(':');
                push_preview(text, value);
            }
            text.push('}');
        }
        Value::Number(number) => text.push_str(&number_cell(*number)),
        Value::String(string) => text.push_str(&excerpt(string, 0, ENOUGH)),
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
