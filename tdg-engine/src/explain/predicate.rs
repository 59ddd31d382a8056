//! A condition on one feature, as reports show it.

use std::fmt;

use tdg_definition::Cells;
use tdg_definition::json::{Number, Value};

use crate::generate::{Vectors, VectorsFeature};

/// A condition on one feature: `quantity > 10`, `coupon = "HALF"`, `length of name <= 3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// The name of the feature.
    pub feature: String,
    /// The property that is compared.
    pub aspect: Aspect,
    /// The comparison.
    pub operator: Operator,
}

/// A property of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// Its value.
    Value,
    /// The number of characters of the string.
    Length,
}

/// A comparison with a constant.
///
/// `null` is neither above nor below anything; it only equals `null`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `= 15`, `= "HALF"`, `= null`.
    Is(Value),
    /// `!= "HALF"`, which is true of `null` as well.
    IsNot(Value),
    /// `<= 4.5`.
    AtMost(Number),
    /// `> 4.5`.
    Above(Number),
    /// `< 2024-03-01`: a date or a datetime in the notation of definitions. A datetime may omit
    /// its end: `2024-03-01` is the beginning of that day.
    Before(String),
    /// `>= 2024-03-01`.
    From(String),
    /// `starting with "EU-"`.
    StartsWith(String),
}

impl Predicate {
    /// Whether it holds for a row.
    ///
    /// False if there is no such feature or row.
    pub fn holds(&self, vectors: &Vectors, row: usize) -> bool {
        let feature = vectors
            .features()
            .iter()
            .find(|feature| feature.name == self.feature);
        match feature {
            Some(feature) if row < vectors.size() => self.is_true_of(feature, row),
            _ => false,
        }
    }

    pub(super) fn is_lower_bound(&self) -> bool {
        matches!(self.operator, Operator::Above(_) | Operator::From(_))
    }

    pub(super) fn is_true_of(&self, feature: &VectorsFeature, row: usize) -> bool {
        let cell = Cell::of(feature, row, self.aspect);
        match (&self.operator, cell) {
            (Operator::Is(value), cell) => cell.is(value),
            (Operator::IsNot(value), cell) => !cell.is(value),
            (Operator::AtMost(limit), Cell::Number(number)) => number <= *limit,
            (Operator::Above(limit), Cell::Number(number)) => number > *limit,
            // Texts of times are in the order of the times.
            (Operator::Before(limit), Cell::Text(time)) => time < limit.as_str(),
            (Operator::From(limit), Cell::Text(time)) => time >= limit.as_str(),
            (Operator::StartsWith(prefix), Cell::Text(text)) => text.starts_with(prefix.as_str()),
            _ => false,
        }
    }
}

/// The notation of reports.
impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.subject())?;
        match &self.operator {
            Operator::Is(value) => write!(f, " = {}", shown(value)),
            Operator::IsNot(value) => write!(f, " != {}", shown(value)),
            Operator::AtMost(limit) => write!(f, " <= {}", short(*limit)),
            Operator::Above(limit) => write!(f, " > {}", short(*limit)),
            Operator::Before(time) => write!(f, " < {time}"),
            Operator::From(time) => write!(f, " >= {time}"),
            Operator::StartsWith(prefix) => {
                write!(f, " starting with {}", shown(&Value::from(prefix.as_str())))
            }
        }
    }
}

impl Predicate {
    /// Writes `10 < quantity <= 15` if `self` and `upper` are such bounds.
    pub(super) fn write_interval(
        &self,
        upper: &Self,
        f: &mut fmt::Formatter<'_>,
    ) -> Result<bool, fmt::Error> {
        if self.feature != upper.feature || self.aspect != upper.aspect {
            return Ok(false);
        }
        let subject = self.subject();
        match (&self.operator, &upper.operator) {
            (Operator::Above(low), Operator::AtMost(high)) => {
                write!(f, "{} < {subject} <= {}", short(*low), short(*high))?;
            }
            (Operator::From(begin), Operator::Before(end)) => {
                write!(f, "{begin} <= {subject} < {end}")?
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `name`, `length of name`.
    fn subject(&self) -> String {
        match self.aspect {
            Aspect::Value => self.feature.clone(),
            Aspect::Length => format!("length of {}", self.feature),
        }
    }
}

/// A value in JSON; a long string is cut.
fn shown(value: &Value) -> String {
    const LONGEST: usize = 60;
    let mut text = value.to_string();
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// A threshold without `.0`: it is compared with integers and floats alike.
pub(super) fn short(number: Number) -> String {
    let text = number.to_string();
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The number of characters.
pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// A value of a row, borrowed.
pub(super) enum Cell<'a> {
    Null,
    Boolean(bool),
    Number(Number),
    Text(&'a str),
}

impl<'a> Cell<'a> {
    pub(super) fn of(feature: &'a VectorsFeature, row: usize, aspect: Aspect) -> Self {
        if feature.column.is_null(row) {
            return Self::Null;
        }
        match feature.column.cells() {
            Cells::Float(values) => Self::Number(values[row].into()),
            Cells::Integer(values) => Self::Number(values[row].into()),
            Cells::Unsigned(values) => Self::Number(values[row].into()),
            Cells::Boolean(values) => Self::Boolean(values[row]),
            Cells::Text(text) if aspect == Aspect::Length => {
                Self::Number((length(text.get(row)) as u64).into())
            }
            Cells::Text(text) => Self::Text(text.get(row)),
            Cells::DateTime(_) | Cells::Date(_) => Self::Text(feature.calendar_text(row)),
        }
    }

    fn is(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Null, Value::Null) => true,
            (Self::Boolean(left), Value::Bool(right)) => left == right,
            (Self::Number(left), Value::Number(right)) => left == right,
            (Self::Text(left), Value::String(right)) => left == right,
            _ => false,
        }
    }

    /// The number; 0 for other values.
    pub(super) fn number(&self) -> Number {
        match self {
            Self::Number(number) => *number,
            _ => Number::from(0),
        }
    }

    pub(super) fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Boolean(value) => Value::from(*value),
            Self::Number(value) => Value::from(*value),
            Self::Text(value) => Value::from(*value),
        }
    }
}
