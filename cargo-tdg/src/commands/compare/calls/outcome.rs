//! The outcome of a call.

use std::collections::BTreeSet;

use tdg_definition::json::Value;
use tdg_engine::output::{self, F32Places, OutputForm};

use crate::confine::ProcessEnd;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CallOutcome {
    /// The texts of the output, whose name is empty, and of the changed arguments.
    Returned(Vec<(String, String)>),
    Panicked(String),
    /// An argument can't be made from the row.
    NotInput,
    /// The process ended, for this reason.
    Ended(String),
}

impl CallOutcome {
    /// Parses the driver's tokens.
    pub(crate) fn read(payload: &[u8]) -> Option<Self> {
        let mut tokens = tokens(payload)?.into_iter();
        match tokens.next()?.as_str() {
            "returned" => {
                let mut parts = Vec::new();
                while let Some(name) = tokens.next() {
                    parts.push((name, tokens.next()?));
                }
                Some(Self::Returned(parts))
            }
            "panicked" => tokens.next().map(Self::Panicked),
            "not an input" => Some(Self::NotInput),
            _ => None,
        }
    }

    /// Returns the outcome as a value with fields.
    pub(crate) fn value(&self) -> Value {
        match self {
            Self::Returned(parts) => match parts.as_slice() {
                [(_, text)] => value_of(text),
                parts => Value::object(parts.iter().filter(|(_, text)| text != "()").map(
                    |(name, text)| {
                        let name = if name.is_empty() { OUTPUT } else { name };
                        (name, value_of(text))
                    },
                )),
            },
            Self::Panicked(reason) | Self::Ended(reason) => {
                Value::object([("$panic", reason.as_str().into())])
            }
            Self::NotInput => Value::Null,
        }
    }

    /// Adds the places of the outcome's `f32`s.
    pub(crate) fn add_f32s(&self, places: &mut F32Places) {
        let parts = self.parts();
        for (name, text) in parts {
            let Some((text, precise)) = text.split_once(PRECISE) else {
                continue;
            };
            match name.as_str() {
                _ if parts.len() == 1 => add_f32s(text, precise, places),
                "" => add_f32s(text, precise, places.at(OUTPUT)),
                name => add_f32s(text, precise, places.at(name)),
            }
        }
    }

    /// Returns true if a text is cut, so that only the whole can be compared.
    pub(crate) fn is_cut(&self) -> bool {
        self.parts().iter().any(|(_, text)| text.contains(DIGEST))
    }

    pub(crate) fn is_out_of_time(&self) -> bool {
        matches!(self, Self::Ended(how) if *how == ProcessEnd::OutOfTime.to_string())
    }

    /// Changes the texts of its values and of a panic.
    pub(crate) fn each_text(&mut self, change: impl Fn(&mut String)) {
        match self {
            Self::Returned(parts) => parts.iter_mut().for_each(|(_, text)| change(text)),
            Self::Panicked(text) | Self::Ended(text) => change(text),
            Self::NotInput => {}
        }
    }

    fn parts(&self) -> &[(String, String)] {
        match self {
            Self::Returned(parts) => parts,
            _ => &[],
        }
    }

    fn parts_mut(&mut self) -> &mut [(String, String)] {
        match self {
            Self::Returned(parts) => parts,
            _ => &mut [],
        }
    }

    /// Returns the number of bytes of its texts.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Returned(parts) => parts.iter().map(|(_, text)| text.len()).sum(),
            Self::Panicked(text) | Self::Ended(text) => text.len(),
            Self::NotInput => 0,
        }
    }

    /// Formats the outcome on one line.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Returned(parts) => {
                let texts = parts
                    .iter()
                    .filter(|(_, text)| text != "()" || parts.len() == 1);
                let texts = texts.map(|(name, text)| match name.is_empty() {
                    true => in_order(shown(text)),
                    false => format!("{name}: {}", in_order(shown(text))),
                });
                texts.collect::<Vec<_>>().join(", ")
            }
            Self::Panicked(message) => format!("panic: {message}"),
            Self::NotInput => "no input".to_owned(),
            Self::Ended(how) => how.clone(),
        }
    }
}

/// The name of the output, next to the changed arguments.
const OUTPUT: &str = "output";
/// Precedes the digest of a text that the driver cut.
const DIGEST: &str = ", digest ";
/// Separates the shown text from the text with more decimals.
const PRECISE: char = '\0';

fn shown(text: &str) -> &str {
    text.split_once(PRECISE).map_or(text, |(text, _)| text)
}

/// Parts that one side can't show: names of arguments, and forms of the output. A type that gains a
/// `Debug` doesn't change the output.
pub(crate) struct UnshownParts(BTreeSet<String>);

/// The driver's text for parts without `Debug` and `Display`, and for such values inside others.
const UNSHOWN: &str = "()";
const UNSHOWN_WITHIN: [(&str, &str); 3] =
    [("Some(", "Some(_)"), ("Ok(", "Ok(_)"), ("Err(", "Err(_)")];

/// Returns the unshown form of an output.
fn unshown_form(text: &str) -> Option<&'static str> {
    let within = UNSHOWN_WITHIN
        .iter()
        .find(|(start, _)| text.starts_with(start));
    within.map(|(_, form)| *form)
}

impl UnshownParts {
    pub(crate) fn new(sides: &[Vec<CallOutcome>; 2]) -> Self {
        Self(sides.iter().flat_map(|it| unshown(it)).collect())
    }

    /// Hides the parts in all outcomes.
    pub(crate) fn leave_out(&self, outcomes: &mut [CallOutcome]) {
        for (name, text) in outcomes.iter_mut().flat_map(CallOutcome::parts_mut) {
            let form = match name.is_empty() {
                true => unshown_form(text).filter(|it| self.0.contains(*it)),
                false => Some(UNSHOWN).filter(|_| self.0.contains(name)),
            };
            if let Some(form) = form {
                form.clone_into(text);
            }
        }
    }
}

/// Returns the parts that aren't shown on a side.
fn unshown(outcomes: &[CallOutcome]) -> BTreeSet<String> {
    let (mut unshown, mut shown) = (BTreeSet::new(), BTreeSet::new());
    for (name, text) in outcomes.iter().flat_map(CallOutcome::parts) {
        match (name.is_empty(), unshown_form(text)) {
            (true, Some(form)) if form == text => drop(unshown.insert(text.clone())),
            (true, _) => {}
            (false, _) if text == UNSHOWN => drop(unshown.insert(name.clone())),
            (false, _) => drop(shown.insert(name.clone())),
        }
    }
    &unshown - &shown
}

/// Splits the text of a `Result` into its variant and its content.
fn side_of(text: &str) -> Option<(&'static str, &str)> {
    ["Ok", "Err"].into_iter().find_map(|side| {
        let inner = text.strip_prefix(side)?.strip_prefix('(')?;
        Some((side, inner.strip_suffix(')')?))
    })
}

fn add_f32s(text: &str, precise: &str, places: &mut F32Places) {
    match (side_of(text), side_of(precise)) {
        (Some((side, text)), Some((_, precise))) => add_f32s(text, precise, places.at(side)),
        _ => places.add_debug(text, precise),
    }
}

/// Parses a `Debug` text. A `Result` becomes an object, as in tests.
pub(crate) fn value_of(text: &str) -> Value {
    let text = shown(text);
    if let Some((side, inner)) = side_of(text) {
        return Value::object([(side, value_of(inner))]);
    }
    let output = OutputForm::Debug.of_text(text.to_owned());
    output::read(&output.to_string()).unwrap_or_else(|_| text.into())
}

/// Sorts the entries of maps in a `Debug` text, which may be in hash order.
fn in_order(text: &str) -> String {
    let mut open = text.match_indices('{').map(|(at, _)| &text[at + 1..]);
    if !open.any(|it| !it.starts_with([' ', '}'])) {
        return text.to_owned();
    }
    if let Some((side, inner)) = side_of(text) {
        return format!("{side}({})", in_order(inner));
    }
    // Only values with a name have a text.
    let tuple = OutputForm::Debug.of_text(format!("({text},)"));
    let value = output::read(&tuple.to_string()).ok();
    let sorted = value.and_then(|it| output::debug_text(&it));
    let sorted = sorted
        .as_deref()
        .and_then(|it| it.strip_prefix('(')?.strip_suffix(",)"));
    sorted.unwrap_or(text).to_owned()
}

/// Reads texts that each follow their length.
pub(crate) fn tokens(mut payload: &[u8]) -> Option<Vec<String>> {
    let mut tokens = Vec::new();
    while !payload.is_empty() {
        let (token, rest) = next_token(payload)?;
        tokens.push(String::from_utf8_lossy(token).into_owned());
        payload = rest;
    }
    Some(tokens)
}

/// Splits off the first token.
pub(crate) fn next_token(payload: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = payload.iter().position(|it| *it == b':')?;
    let length: usize = std::str::from_utf8(&payload[..colon]).ok()?.parse().ok()?;
    payload[colon + 1..].split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_shown_in_order() {
        for (text, sorted) in [
            (
                r#"{"y": 1.0, "x": {2: A, 1: B}}"#,
                r#"{"x": {1: B, 2: A}, "y": 1.0}"#,
            ),
            (
                r#"Ok([Svg { of: {"b": 1, "a": 2} }])"#,
                r#"Ok([Svg { of: {"a": 2, "b": 1} }])"#,
            ),
            ("Line { sku: 1, cents: {} }", "Line { sku: 1, cents: {} }"),
            ("not { :a value", "not { :a value"),
            ("not {a value", "not {a value"),
        ] {
            let outcome = CallOutcome::Returned(vec![(String::new(), text.to_owned())]);
            assert_eq!(outcome.text(), sorted);
        }
    }

    #[test]
    fn a_form_that_one_side_can_not_show_is_left_out_on_both() {
        let outcomes = |texts: [&str; 3]| {
            let parts = |text: &str| {
                let changed = if text.contains('_') { UNSHOWN } else { "7" };
                vec![
                    (String::new(), text.to_owned()),
                    ("it".to_owned(), changed.to_owned()),
                ]
            };
            texts.map(|it| CallOutcome::Returned(parts(it))).to_vec()
        };
        let mut sides = [
            outcomes(["Ok(5)", "Err(_)", "Err(_)"]),
            outcomes(["Ok(6)", "Err(\"far\")", "Ok(7)"]),
        ];
        let unshown = UnshownParts::new(&sides);
        sides.iter_mut().for_each(|it| unshown.leave_out(it));
        let texts = sides.each_ref().map(|it| {
            let texts = it.iter().map(CallOutcome::text);
            texts.collect::<Vec<_>>().join("; ")
        });
        assert_eq!(texts[0], "Ok(5), it: 7; Err(_); Err(_)");
        assert_eq!(texts[1], "Ok(6), it: 7; Err(_), it: 7; Ok(7), it: 7");
    }
}
