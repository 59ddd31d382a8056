//! The patterns of changed outputs, and their sentences.

use std::fmt::{self, Display};

use tdg_definition::json::{Number, Value};
use tdg_engine::output::debug_text;

use super::{Unit, fraction};
use crate::quoted_text::{escaped, quoted};
use crate::threshold::digits;

/// A way in which actual values follow from the expected ones, or from the row.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChangePattern {
    /// Floats that differ by at most this many ULP.
    WithinUlps(u64),
    /// All actual values are this one.
    Always(Value),
    /// One value was expected, and another one came.
    Became {
        /// The expected value.
        from: Value,
        /// The actual value.
        to: Value,
    },
    /// An `Ok` became an `Err` with this value.
    BecameErr(Value),
    /// An `Ok` became an `Err` with a text that starts like this.
    BecameErrStarting(String),
    /// An `Err` became an `Ok` with this value.
    BecameOk(Value),
    /// An `Err` became an `Ok`.
    ErrToOk,
    /// An `Ok` became an `Err`.
    OkToErr,
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
    /// The expected number times a constant for each value of a feature, or plus that constant.
    ByCategory {
        /// True if the constant is added.
        is_offset: bool,
        /// The feature.
        feature: String,
        /// The values, each with its constant.
        numbers: Vec<(Value, f64)>,
    },
    /// Approximately the inner pattern: the numbers are rounded, or were before.
    About(Box<Self>),
    /// A date or time that is later by this many units.
    Later(i64, Unit),
    /// A text with this edit: `in lower case`.
    Edited(String),
    /// Texts that only differ in one replaced part.
    Replaced {
        /// The part in the expected text.
        from: String,
        /// The part in the actual text.
        to: String,
    },
    /// Values that are equal apart from this: `only white space differs`.
    Only(String),
    /// This many more elements than expected.
    Longer(i64),
    /// Only this element differs.
    OnlyElement {
        /// The position, counted from 0.
        position: usize,
        /// The number of elements.
        length: usize,
    },
    /// The first differing elements are at this position, counted from 0.
    FirstDifference(usize),
    /// All are above the expected values.
    Above,
    /// All are below the expected values.
    Below,
    /// All have the same number of elements, with other values.
    SameLength,
    /// All have more elements.
    More,
    /// All have fewer elements.
    Fewer,
}

impl ChangePattern {
    /// Returns true if expected value and row determine the actual value, or nearly.
    pub fn is_formula(&self) -> bool {
        !matches!(
            self,
            Self::WithinUlps(_)
                | Self::ErrToOk
                | Self::OkToErr
                | Self::Replaced { .. }
                | Self::OnlyElement { .. }
                | Self::Above
                | Self::Below
                | Self::SameLength
                | Self::More
                | Self::Fewer
                | Self::Longer(_)
                | Self::FirstDifference(_)
                | Self::Only(_)
        )
    }

    /// Rounds constants by category, which are more than a reader compares.
    pub(super) fn roughly(mut self) -> Self {
        if let Self::ByCategory { numbers, .. } = &mut self {
            for (_, number) in numbers {
                *number = roughly(*number);
            }
        }
        self
    }

    /// Returns true if it describes rows that the other patterns of its field leave out.
    pub(super) fn is_apart(&self) -> bool {
        matches!(self, Self::WithinUlps(_))
    }
}

impl Display for ChangePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WithinUlps(ulps) => write!(f, "differs by at most {ulps} ULP"),
            Self::Always(Value::Null) => f.write_str("actual is null"),
            Self::Always(value) if is_empty(value) => f.write_str("actual is empty"),
            Self::Always(value) => match value.get("$panic") {
                Some(message) => write!(f, "panicked with {}", plain(message)),
                None => write!(f, "actual = {}", plain(value)),
            },
            Self::Became { from, to } => write!(f, "{} became {}", outcome(from), outcome(to)),
            Self::BecameErr(value) => write!(f, "became Err({})", plain(value)),
            Self::BecameErrStarting(text) => write!(f, "became Err(\"{text}…\")"),
            Self::BecameOk(value) => write!(f, "became Ok({})", plain(value)),
            Self::ErrToOk => f.write_str("an Err became an Ok"),
            Self::OkToErr => f.write_str("an Ok became an Err"),
            Self::Equals(quantity) => write!(f, "actual = {quantity}"),
            Self::OneOf(left, right) => write!(f, "actual = {left} or {right}"),
            Self::Times(factor, quantity) => match fraction::divisor(*factor) {
                Some(divisor) => write!(f, "actual = {quantity} / {}", number(divisor)),
                None => write!(f, "actual = {} × {quantity}", number(*factor)),
            },
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
            Self::About(pattern) => {
                let text = pattern.to_string();
                write!(f, "{}", text.replacen("actual =", "actual is about", 1))
            }
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
            Self::Replaced { from, to } => {
                write!(f, "{} became {}", quoted(from), quoted(to))
            }
            Self::OnlyElement { position, length } => {
                write!(f, "only element {position} (of {length}) differs")
            }
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
            Self::SameLength => f.write_str("actual has as many elements, with other values"),
            Self::More => f.write_str("actual has more elements"),
            Self::Fewer => f.write_str("actual has fewer elements"),
        }
    }
}

fn outcome(value: &Value) -> String {
    if let Some(message) = value.get("$panic") {
        return format!("a panic with {}", plain(message));
    }
    let mut sides = ["Ok", "Err"].into_iter();
    match sides.find_map(|side| Some((side, value.get(side)?))) {
        Some((side, inner)) => format!("{side}({})", plain(inner)),
        None => plain(value),
    }
}

/// The maximum number of significant digits of an approximate constant.
const ROUGH: usize = 3;
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
        true => write!(f, ", …"),
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

/// Rounds a long decimal.
fn roughly(number: f64) -> f64 {
    let is_long = digits(Number::from(number)) > ROUGH;
    match is_long && fraction::written(number).is_none() {
        true => format!("{number:.0$e}", ROUGH - 1)
            .parse()
            .unwrap_or(number),
        false => number,
    }
}

fn number(number: f64) -> String {
    match number < 0.0 {
        true => format!("−{}", short(-number)),
        false => short(number),
    }
}

/// Returns `+ 12` or `− 0.25`.
fn summand(number: f64) -> String {
    let sign = if number < 0.0 { '−' } else { '+' };
    format!("{sign} {}", short(number.abs()))
}

fn short(number: f64) -> String {
    fraction::written(number).unwrap_or_else(|| {
        let text = Number::from(number).to_string();
        text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
    })
}

/// Writes a value as JSON, or as `Debug` wrote it, with readable NaN and infinity.
pub(super) fn plain(value: &Value) -> String {
    if let Some(text) = debug_text(value) {
        return text;
    }
    let mut text = value.to_string();
    // Within a string, the quotes would be escaped.
    for name in ["NaN", "Infinity", "-Infinity"] {
        text = text.replace(&format!(r#"{{"$float":"{name}"}}"#), name);
    }
    escaped(&text)
}
