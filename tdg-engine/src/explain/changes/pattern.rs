//! The sentences about how outputs changed.

use std::fmt::{self, Display};

use tdg_definition::json::{Number, Value};

use super::Unit;

/// How actual values follow from the expected ones, or from the row.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChangePattern {
    /// All are this value.
    Always(Value),
    /// One value was expected, and another one came.
    Became {
        /// The value that was expected.
        from: Value,
        /// The value that came.
        to: Value,
    },
    /// An `Ok` became an `Err` with this value.
    BecameErr(Value),
    /// An `Ok` became an `Err` with a text that begins so.
    BecameErrStarting(String),
    /// A quantity: `largest of a, b and c`, `−expected`.
    Equals(String),
    /// One feature in some cases, another one in the others.
    OneOf(String, String),
    /// A quantity times a number.
    Times(f64, String),
    /// A quantity plus a number.
    Plus(String, f64),
    /// The expected number times a number, plus another.
    Affine(f64, f64),
    /// The expected number plus a quantity times a number.
    PlusTimes(f64, String),
    /// The expected number times a number that each value of a feature has, or plus that number.
    ByCategory {
        /// Whether it is added.
        is_offset: bool,
        /// The feature.
        feature: String,
        /// Its values, each with the number.
        numbers: Vec<(Value, f64)>,
    },
    /// The expected number times numbers of this narrow range.
    TimesAbout(f64, f64),
    /// The expected value of the previous case.
    OfCaseBefore,
    /// The expected value of the next case.
    OfCaseAfter,
    /// A date or time that is so much later.
    Later(i64, Unit),
    /// A text edited so: `in lower case`.
    Edited(String),
    /// Both are the same but for this: `only white space differs`.
    Only(String),
    /// A number of elements more than expected.
    Longer(i64),
    /// The first elements that differ are those at this position, from 0.
    FirstDifference(usize),
    /// All are above what was expected.
    Above,
    /// All are below what was expected.
    Below,
    /// All have as many elements, of other values.
    SameLength,
    /// All have more elements.
    More,
    /// All have fewer elements.
    Fewer,
}

impl ChangePattern {
    /// Whether the expected value and the row give the actual value, or nearly.
    pub fn is_formula(&self) -> bool {
        !matches!(
            self,
            Self::Above
                | Self::Below
                | Self::SameLength
                | Self::More
                | Self::Fewer
                | Self::Longer(_)
                | Self::FirstDifference(_)
                | Self::Only(_)
        )
    }
}

impl Display for ChangePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Always(Value::Null) => f.write_str("actual is null"),
            Self::Always(value) if is_empty(value) => f.write_str("actual is empty"),
            Self::Always(value) => write!(f, "actual = {}", plain(value)),
            Self::Became { from, to } => write!(f, "{} became {}", plain(from), plain(to)),
            Self::BecameErr(value) => write!(f, "became Err({})", plain(value)),
            Self::BecameErrStarting(text) => write!(f, "became Err(\"{text}…\")"),
            Self::Equals(quantity) => write!(f, "actual = {quantity}"),
            Self::OneOf(left, right) => write!(f, "actual = {left} or {right}"),
            Self::Times(factor, quantity) => {
                write!(f, "actual = {} × {quantity}", number(*factor))
            }
            Self::Plus(quantity, offset) => {
                write!(f, "actual = {quantity} {}", summand(*offset))
            }
            Self::Affine(-1.0, offset) => write!(f, "actual = {} − expected", number(*offset)),
            Self::Affine(factor, offset) => {
                let factor = number(*factor);
                write!(f, "actual = {factor} × expected {}", summand(*offset))
            }
            Self::PlusTimes(1.0, quantity) => write!(f, "actual = expected + {quantity}"),
            Self::PlusTimes(-1.0, quantity) => write!(f, "actual = expected − {quantity}"),
            Self::PlusTimes(factor, quantity) => {
                write!(f, "actual = expected {} × {quantity}", summand(*factor))
            }
            Self::ByCategory {
                is_offset,
                feature,
                numbers,
            } => by_category(f, *is_offset, feature, numbers),
            Self::TimesAbout(low, high) => {
                let (low, high) = (number(*low), number(*high));
                write!(f, "actual is {low} to {high} × expected")
            }
            Self::OfCaseBefore => f.write_str("actual = expected of the case before"),
            Self::OfCaseAfter => f.write_str("actual = expected of the case after"),
            Self::Later(count, unit) => {
                let direction = if *count < 0 { "earlier" } else { "later" };
                match count.unsigned_abs() {
                    1 => write!(f, "one {unit} {direction}"),
                    count => write!(f, "{count} {unit}s {direction}"),
                }
            }
            Self::Edited(edit) if edit.starts_with("with") => {
                write!(f, "actual = expected {edit}")
            }
            Self::Edited(edit) => write!(f, "actual = expected, {edit}"),
            Self::Only(text) => f.write_str(text),
            Self::Longer(count) => {
                let plural = if count.abs() == 1 { "" } else { "s" };
                let than = if *count < 0 { "fewer" } else { "more" };
                write!(f, "{} element{plural} {than}", count.abs())
            }
            Self::FirstDifference(position) => {
                write!(f, "the first difference is at element {position}")
            }
            Self::Above => f.write_str("actual > expected"),
            Self::Below => f.write_str("actual < expected"),
            Self::SameLength => f.write_str("actual has as many elements, of other values"),
            Self::More => f.write_str("actual has more elements"),
            Self::Fewer => f.write_str("actual has fewer elements"),
        }
    }
}

/// The maximum number of categories that are named.
const CATEGORIES: usize = 3;

fn by_category(
    f: &mut fmt::Formatter<'_>,
    is_offset: bool,
    feature: &str,
    numbers: &[(Value, f64)],
) -> fmt::Result {
    let term = |constant: f64| match is_offset {
        true => format!("expected {}", summand(constant)),
        false => format!("{} × expected", number(constant)),
    };
    for (index, (value, constant)) in numbers.iter().take(CATEGORIES).enumerate() {
        let (term, value) = (term(*constant), plain(value));
        match index {
            0 => write!(f, "actual = {term} where {feature} = {value}")?,
            _ => write!(f, ", {term} where {value}")?,
        }
    }
    match numbers.len() > CATEGORIES {
        true => write!(f, ", and so on"),
        false => Ok(()),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        _ => false,
    }
}

fn number(number: f64) -> String {
    match number < 0.0 {
        true => format!("−{}", short(-number)),
        false => short(number),
    }
}

/// `+ 12`, `− 0.25`.
fn summand(number: f64) -> String {
    let sign = if number < 0.0 { '−' } else { '+' };
    format!("{sign} {}", short(number.abs()))
}

fn short(number: f64) -> String {
    let text = Number::from(number).to_string();
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A value as JSON, with NaN and infinity as people write them.
pub(super) fn plain(value: &Value) -> String {
    let mut text = value.to_string();
    // Within a string, the quotes would be escaped.
    for name in ["NaN", "Infinity", "-Infinity"] {
        text = text.replace(&format!(r#"{{"$float":"{name}"}}"#), name);
    }
    text
}
