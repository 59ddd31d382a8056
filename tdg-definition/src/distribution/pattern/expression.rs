//! A parsed regular expression.

use super::class::Class;

/// A set of strings, and the choices by which one of them is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    /// Itself.
    Literal(String),
    /// One character.
    Class(Class),
    /// One string of each, joined.
    Sequence(Vec<Expression>),
    /// A string of one of the alternatives.
    Alternatives(Vec<Expression>),
    /// `least` to `most` strings, joined.
    Repeated {
        part: Box<Expression>,
        least: u64,
        most: u64,
    },
}

impl Expression {
    /// The length of the longest string in bytes; `u64::MAX` stands for that and more.
    pub(super) fn longest(&self) -> u64 {
        match self {
            Self::Literal(literal) => literal.len() as u64,
            Self::Class(class) => class.longest(),
            Self::Sequence(parts) => {
                let longest = parts.iter().map(Self::longest);
                longest.fold(0, u64::saturating_add)
            }
            Self::Alternatives(alternatives) => {
                alternatives.iter().map(Self::longest).max().unwrap_or(0)
            }
            Self::Repeated { part, most, .. } => part.longest().saturating_mul(*most),
        }
    }
}
