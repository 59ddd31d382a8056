//! The sentences about how outputs changed.

use std::fmt::{self, Display};

use tdg_definition::json::{Number, Value};
use tdg_engine::output::debug_text;

use super::{Unit, fraction};

/// How actual values follow from the expected ones, or from the row.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChangePattern {
    /// Floats that are at most so many ULP apart.
    WithinUlps(u64),
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
    /// The expected number times a number that each value of a feature has, or plus that number.
    ByCategory {
        /// Whether it is added.
        is_offset: bool,
        /// The feature.
        feature: String,
        /// Its values, each with the number.
        numbers: Vec<(Value, f64)>,
    },
    /// Nearly as this says: the numbers are rounded, or were before.
    About(Box<Self>),
    /// A date or time that is so much later.
    Later(i64, Unit),
    /// A text edited so: `in lower case`.
    Edited(String),
    /// One text has this in place of that in the other, which is the same but for it.
    Replaced {
        /// That in the expected text.
        from: String,
        /// That in the actual text.
        to: String,
    },
    /// Both are the same but for this: `only white space differs`.
    Only(String),
    /// A number of elements more than expected.
    Longer(i64),
    /// Only this element of so many differs, from 0.
    OnlyElement {
        /// Its position.
        position: usize,
        /// The number of elements.
        length: usize,
    },
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

    /// Whether it is about rows that the other patterns of its field leave out.
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
            Self::Always(value) => write!(f, "actual = {}", plain(value)),
            Self::Became { from, to } => write!(f, "{} became {}", plain(from), plain(to)),
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
                write!(f, "{} became {}", Value::from(&**from), Value::from(&**to))
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
    fraction::written(number).unwrap_or_else(|| {
        let text = Number::from(number).to_string();
        text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
    })
}

/// A value as JSON, or as `Debug` wrote it, with NaN and infinity as people write them.
pub(super) fn plain(value: &Value) -> String {
    if let Some(text) = debug_text(value) {
        return text;
    }
    let mut text = value.to_string();
    // Within a string, the quotes would be escaped.
    for name in ["NaN", "Infinity", "-Infinity"] {
        text = text.replace(&format!(r#"{{"$float":"{name}"}}"#), name);
    }
    text
}
