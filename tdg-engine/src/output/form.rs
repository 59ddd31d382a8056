//! The forms of outputs. An output is serde's JSON as it is, or the text of `{:?}` or `{}` within
//! `{"$debug": …}` or `{"$display": …}`. Either side of a `Result` can have such a text, within
//! `{"Ok": …}` or `{"Err": …}`.

use std::fmt;

use tdg_definition::json::{self, Pointer, Value};

use super::debug;

/// The trait that an output was written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OutputForm {
    /// `serde::Serialize`
    #[default]
    Serialize,
    /// `Debug`
    Debug,
    /// `Display`
    Display,
}

// The names of the traits.
tdg_definition::names!(OutputForm::name {
    Serialize = "Serialize", Debug = "Debug", Display = "Display",
});

impl OutputForm {
    /// Returns the key of its texts. No output has this key otherwise, since a `$` at the start of
    /// a user's key is doubled.
    fn key(self) -> Option<&'static str> {
        match self {
            Self::Serialize => None,
            Self::Debug => Some("$debug"),
            Self::Display => Some("$display"),
        }
    }

    /// Returns the form that a canonical output is marked with.
    pub(crate) fn marked(output: &str) -> Option<Self> {
        let sides = ["{\"Ok\":", "{\"Err\":"];
        let value = sides.iter().find_map(|side| output.strip_prefix(side));
        let key = value.unwrap_or(output).strip_prefix("{\"$")?;
        MARKED.into_iter().find(|form| {
            let name = form.key().and_then(|key| key.strip_prefix('$'));
            name.and_then(|name| key.strip_prefix(name))
                .is_some_and(|rest| rest.starts_with('"'))
        })
    }

    /// Wraps a text as an output of this form.
    pub fn of_text(self, text: String) -> Value {
        match self.key() {
            Some(key) => Value::object([(key, text.into())]),
            None => text.into(),
        }
    }

    /// Returns the text of a value that is marked with this form.
    pub(super) fn text_in(self, value: &Value) -> Option<&str> {
        value.get(self.key()?)?.as_str()
    }

    /// Describes how a test selects this form.
    pub fn option(self) -> &'static str {
        match self {
            Self::Serialize => "no `output` in the attribute",
            Self::Debug => "output = \"debug\" in the attribute",
            Self::Display => "output = \"display\" in the attribute",
        }
    }
}

impl fmt::Display for OutputForm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The forms that mark their outputs.
const MARKED: [OutputForm; 2] = [OutputForm::Debug, OutputForm::Display];

/// Returns the value of an output, for comparing and showing it.
///
/// ```
/// use tdg_engine::output;
///
/// let output = output::read(r#"{"$debug": "Line { sku: \"a\", cents: 5 }"}"#)?;
/// assert_eq!(output.to_string(), r#"{"$name":"Line","cents":5,"sku":"a"}"#);
/// # Ok::<(), tdg_definition::json::Error>(())
/// ```
///
/// # Errors
/// Fails if the output isn't JSON.
pub fn read(output: &str) -> Result<Value, json::Error> {
    let parsed = json::parse(output)?;
    Ok(match side(&parsed) {
        (None, value) => texts_value(value).unwrap_or(parsed),
        (Some(side), value) => match texts_value(value) {
            Some(value) => Value::object([(side, value)]),
            None => parsed,
        },
    })
}

/// Writes a value as an output in the form of `other`, or returns `None` if a text in that form
/// can't express it.
pub fn write_as(other: &str, value: &Value) -> Option<String> {
    let other = json::parse(other).ok()?;
    let (key, text) = side(&other);
    let form = form_of(text).unwrap_or_default();
    let (key, value) = match key {
        Some(_) => side(value),
        None => (None, value),
    };
    let text = match form {
        OutputForm::Serialize => value.clone(),
        OutputForm::Debug => form.of_text(debug::write(value)?),
        OutputForm::Display => form.of_text(value.as_str()?.to_owned()),
    };
    let output = match key {
        Some(key) => Value::object([(key, text)]),
        None => text,
    };
    Some(output.to_string())
}

/// Returns the text of a value with names and marks that only `Debug` output has.
pub fn debug_text(value: &Value) -> Option<String> {
    let mut keys = value.as_object()?.keys();
    let is_marked = keys.any(|key| is_ours(key));
    is_marked.then(|| debug::write(value))?
}

/// Returns the forms of two outputs if they differ.
pub fn change_of_form(expected: &str, actual: &str) -> Option<[OutputForm; 2]> {
    let is_marked = |text: &str| text.contains("$debug") || text.contains("$display");
    if !is_marked(expected) && !is_marked(actual) {
        return None;
    }
    let both = [json::parse(expected).ok()?, json::parse(actual).ok()?];
    let [(expected_side, expected), (actual_side, actual)] = [side(&both[0]), side(&both[1])];
    // The two sides of a `Result` may have different forms.
    if expected_side != actual_side && expected_side.is_some() && actual_side.is_some() {
        return None;
    }
    let forms = [form_of(expected)?, form_of(actual)?];
    (forms[0] != forms[1]).then_some(forms)
}

/// Splits a `Result` into its side and the value there.
fn side(output: &Value) -> (Option<&str>, &Value) {
    match output.as_object() {
        Some(object) if object.len() == 1 => match object.iter().next() {
            Some((key, value)) if key == "Ok" || key == "Err" => (Some(key), value),
            _ => (None, output),
        },
        _ => (None, output),
    }
}

/// Returns the place as a reader knows it, without the members that mark names and texts in the
/// values of `Debug` output. The one of a set is kept, because `unordered` needs it.
///
/// ```
/// use tdg_engine::output::unmarked;
///
/// assert_eq!(unmarked(&"/shipping/$name".parse()?).to_string(), "/shipping");
/// assert!(unmarked(&"/$text".parse()?).is_root());
/// # Ok::<(), tdg_definition::json::PointerError>(())
/// ```
#[must_use]
pub fn unmarked(place: &Pointer) -> Pointer {
    let is_shown = |key: &&str| !is_ours(key) || *key == "$set";
    place.segments().filter(is_shown).collect()
}

fn is_ours(key: &str) -> bool {
    key.starts_with('$') && !key.starts_with("$$")
}

fn texts_value(value: &Value) -> Option<Value> {
    let [debug, display] = MARKED.map(|form| form.text_in(value));
    match (debug, display) {
        (Some(text), _) => Some(debug::read(text)),
        (_, Some(text)) => Some(text.into()),
        _ => None,
    }
}

/// Returns the form of an output, or `None` for a substitute such as a panic.
fn form_of(value: &Value) -> Option<OutputForm> {
    let key = value.as_object().and_then(|object| object.keys().next());
    match key.filter(|key| is_ours(key)) {
        None => Some(OutputForm::Serialize),
        Some(key) => MARKED.into_iter().find(|form| form.key() == Some(key)),
    }
}

#[cfg(test)]
mod tests {
    use tdg_definition::Policy;

    use super::*;
    use crate::compare::DifferingCase;

    const DEBUG: &str = r#"{"$debug":"Money { cents: 5 }"}"#;
    const OK_DEBUG: &str = r#"{"Ok":{"$debug":"Money { cents: 5 }"}}"#;
    const ERR_DISPLAY: &str = r#"{"Err":{"$display":"5 EUR"}}"#;
    const SERIALIZE: &str = r#"{"Ok":{"$$debug":5}}"#;

    fn value(output: &str) -> String {
        read(output).unwrap().to_string()
    }

    #[test]
    fn an_output_is_read_by_the_form_that_it_says() {
        assert_eq!(value(DEBUG), r#"{"$name":"Money","cents":5}"#);
        assert_eq!(value(OK_DEBUG), r#"{"Ok":{"$name":"Money","cents":5}}"#);
        assert_eq!(value(ERR_DISPLAY), r#"{"Err":"5 EUR"}"#);
        for output in [SERIALIZE, r#"{"$panic":"gone"}"#, "1.5", "[]"] {
            assert_eq!(value(output), output);
        }
        let forms = [DEBUG, OK_DEBUG, ERR_DISPLAY, SERIALIZE].map(OutputForm::marked);
        let [debug, display] = MARKED.map(Some);
        assert_eq!(forms, [debug, debug, display, None]);
    }

    #[test]
    fn another_name_with_the_same_fields_is_a_change() {
        let compared = |expected: &str, actual: &str| {
            let [expected, actual] = [expected, actual]
                .map(|text| OutputForm::Debug.of_text(text.to_owned()).to_string());
            DifferingCase::of_outputs(&Policy::exact(), 0, &expected, &actual).unwrap()
        };
        let renamed = compared("Circle { r: 1.0 }", "Square { r: 1.0 }").comparison;
        assert_eq!(renamed.count, 1);
        assert_eq!(renamed.differences[0].pointer.to_string(), "/$name");
        let same = compared("Circle { r: 1.0 }", "Circle { r: 1 }").comparison;
        assert!(same.is_same());
        for (one, other) in [
            ("5", "Some(5)"),
            ("Red", "\"Red\""),
            ("'a'", "\"a\""),
            ("[1, 2]", "(1, 2)"),
            ("[1, 2]", "{1, 2}"),
            ("Some(Red)", "Ok(Red)"),
            ("{1: 2}", "{\"1\": 2}"),
            ("2021-01-01", "2021-01-02"),
        ] {
            assert!(!compared(one, other).comparison.is_same(), "{one} {other}");
        }
    }

    #[test]
    fn a_value_is_written_in_the_form_of_another_output() {
        let written = |other, value| write_as(other, &read(value).unwrap());
        for output in [DEBUG, OK_DEBUG, ERR_DISPLAY, SERIALIZE] {
            assert_eq!(written(output, output).as_deref(), Some(output));
        }
        let map = r#"{"$debug":"{\"Ok\": 1}"}"#;
        assert_eq!(written(DEBUG, map).as_deref(), Some(map));
        assert_eq!(written(DEBUG, "null"), None);
    }

    #[test]
    fn only_outputs_of_one_side_have_another_form() {
        let change = |expected, actual| change_of_form(expected, actual);
        assert_eq!(change(DEBUG, DEBUG), None);
        assert_eq!(change(OK_DEBUG, ERR_DISPLAY), None);
        assert_eq!(change(DEBUG, r#"{"$panic":"$debug $display"}"#), None);
        let [debug, display] = MARKED;
        assert_eq!(change(DEBUG, "5"), Some([debug, OutputForm::Serialize]));
        assert_eq!(
            change(SERIALIZE, OK_DEBUG),
            Some([OutputForm::Serialize, debug])
        );
        let text = r#"{"$display":"5"}"#;
        assert_eq!(change(text, DEBUG), Some([display, debug]));
    }
}
