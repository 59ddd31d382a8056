//! A condition on one output: a field, optionally compared with a value.
//!
//! ```text
//! condition  = pointer | [pointer] comparison value
//! comparison = "<" | "<=" | "==" | "!=" | ">=" | ">"
//! value      = number | "string" | 'string' | true | false | null | NaN
//! ```

use std::cmp::Ordering;
use std::fmt;

use crate::fault::{Invalid, invalid};
use crate::json::{self, Pointer, Value};
use crate::policy::fields_at;

/// A condition on one output.
///
/// ```
/// use tdg_definition::json::parse;
/// use tdg_definition::requirement::Condition;
///
/// let refunded = Condition::parse("/refund > 0")?;
/// assert_eq!(refunded.holds(&parse(r#"{"refund": 2.5}"#)?), Some(true));
/// assert_eq!(refunded.holds(&parse(r#"{"refund": 0}"#)?), Some(false));
/// assert_eq!(refunded.holds(&parse("{}")?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    text: String,
    field: Pointer,
    /// `None` if the field only has to exist.
    comparison: Option<(Operator, Value)>,
}

/// The comparison of a field with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    AtLeast,
    /// `>`
    Greater,
}

/// Every comparison, with its alternative spellings.
const COMPARISONS: [(Operator, &str, &[&str]); 6] = [
    (Operator::Less, "<", &[]),
    (Operator::AtMost, "<=", &["=<", "≤"]),
    (Operator::Equal, "==", &["=", "==="]),
    (Operator::NotEqual, "!=", &["<>", "!", "!==", "≠"]),
    (Operator::AtLeast, ">=", &["=>", "≥"]),
    (Operator::Greater, ">", &[]),
];

const VALUES: &str = "a number, a string in quotes, true, false or null";

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    ///
    /// The fault, and the fix.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let of_comparison = |character: char| "<>=!≤≥≠".contains(character);
        let start = text.find(of_comparison).unwrap_or(text.len());
        let (field, rest) = text.split_at(start);
        let end = rest.find(|it| !of_comparison(it)).unwrap_or(rest.len());
        let (sign, value) = rest.split_at(end);
        let (field, value) = (field.trim(), value.trim());
        if field.is_empty() && sign.is_empty() {
            return Err(
                "names neither a field nor a value; write \"/refund > 0\" for a field of the \
                 output, or \"> 0\" for an output that is a number itself"
                    .into(),
            );
        }
        let field: Pointer = field.parse().map_err(|error| format!("{error}"))?;
        let comparison = match sign {
            "" => None,
            _ => {
                let comparison = comparison(sign)?;
                let value = literal(value)?;
                check(comparison, &value)?;
                Some((comparison, value))
            }
        };
        Ok(Self {
            text: text.trim().to_owned(),
            field,
            comparison,
        })
    }

    /// Returns the field.
    pub fn field(&self) -> &Pointer {
        &self.field
    }

    /// Returns true if it compares the field with a value.
    pub fn compares(&self) -> bool {
        self.comparison.is_some()
    }

    /// Returns true if an output meets the condition, or `None` if the field is missing. If there
    /// are several fields, one of them has to meet it.
    pub fn holds(&self, output: &Value) -> Option<bool> {
        let fields = fields_at(&self.field, output);
        if fields.is_empty() {
            return None;
        }
        Some(match &self.comparison {
            None => true,
            Some((comparison, value)) => {
                let mut fields = fields.into_iter();
                fields.any(|field| comparison.holds(field, value))
            }
        })
    }
}

/// Prints the original text.
impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl Operator {
    fn holds(self, field: &Value, value: &Value) -> bool {
        let order = match field.kind() == value.kind() && !is_nan(field) {
            true => Some(field.cmp(value)),
            false => None,
        };
        match self {
            Self::Equal => field == value,
            Self::NotEqual => field != value,
            Self::Less => order == Some(Ordering::Less),
            Self::AtMost => order.is_some_and(Ordering::is_le),
            Self::AtLeast => order.is_some_and(Ordering::is_ge),
            Self::Greater => order == Some(Ordering::Greater),
        }
    }
}

fn is_nan(value: &Value) -> bool {
    value.as_f64().is_some_and(f64::is_nan)
}

fn comparison(sign: &str) -> Result<Operator, Invalid> {
    let mut all = COMPARISONS.iter();
    let known = all.find(|(_, right, others)| *right == sign || others.contains(&sign));
    match known {
        Some((comparison, right, _)) if *right == sign => Ok(*comparison),
        Some((_, right, _)) => invalid!("`{sign}` is not a comparison; write `{right}`"),
        None => invalid!("`{sign}` is not a comparison; use one of < <= == != >= and >"),
    }
}

/// Parses the value after the comparison.
fn literal(text: &str) -> Result<Value, Invalid> {
    let in_quotes = text
        .strip_prefix('\'')
        .and_then(|text| text.strip_suffix('\''));
    if let Some(string) = in_quotes.filter(|string| !string.contains('\'')) {
        return Ok(Value::from(string));
    }
    match json::parse(text) {
        Ok(Value::Array(_) | Value::Object(_)) => {
            invalid!("`{text}` is not a value to compare with; use {VALUES}")
        }
        Ok(value) => Ok(value),
        Err(_) if text == "NaN" => Ok(Value::from(f64::NAN)),
        Err(_) if text.is_empty() => {
            invalid!("has no value to compare with; add {VALUES}")
        }
        Err(_)
            if ["&&", "||", " and ", " or "]
                .iter()
                .any(|it| text.contains(it)) =>
        {
            Err("has more than one comparison; write a `require` for each".into())
        }
        Err(_) if text.chars().all(|it| it.is_alphanumeric() || it == '_') => {
            invalid!("`{text}` is not {VALUES}; if it is a string, write '{text}'")
        }
        Err(_) => invalid!("`{text}` is not {VALUES}"),
    }
}

/// Checks that ordered comparisons are with numbers or strings.
fn check(comparison: Operator, value: &Value) -> Result<(), Invalid> {
    let is_ordered = match value {
        Value::Number(_) => !is_nan(value),
        value => value.as_str().is_some(),
    };
    if is_ordered || matches!(comparison, Operator::Equal | Operator::NotEqual) {
        return Ok(());
    }
    let value = match is_nan(value) {
        true => "NaN".to_owned(),
        false => value.to_string(),
    };
    invalid!("{value} is neither greater nor less than anything; use == or !=")
}
