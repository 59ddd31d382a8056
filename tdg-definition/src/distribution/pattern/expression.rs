//! A parsed regular expression.

use std::collections::BTreeSet;

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

    /// The string of the first alternatives, the plainest characters and the fewest repetitions.
    pub(super) fn simplest(&self) -> String {
        match self {
            Self::Literal(literal) => literal.clone(),
            Self::Class(class) => class.plainest().into(),
            Self::Sequence(parts) => parts.iter().map(Self::simplest).collect(),
            Self::Alternatives(alternatives) => {
                let first = alternatives.first();
                first.map(Self::simplest).unwrap_or_default()
            }
            Self::Repeated { part, least, .. } => part.simplest().repeat(*least as usize),
        }
    }

    /// Whether the whole text is one of its strings.
    pub(super) fn matches(&self, text: &str) -> bool {
        self.ends(text, &BTreeSet::from([0])).contains(&text.len())
    }

    /// The places in the text at which a string can end that starts at one of those places.
    fn ends(&self, text: &str, starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        match self {
            Self::Literal(literal) => {
                let starts = starts.iter();
                let matching = starts.filter(|start| text[**start..].starts_with(literal.as_str()));
                matching.map(|start| start + literal.len()).collect()
            }
            Self::Class(class) => {
                let end = |start: &usize| {
                    let first = text[*start..].chars().next()?;
                    class.has(first).then_some(start + first.len_utf8())
                };
                starts.iter().filter_map(end).collect()
            }
            Self::Sequence(parts) => {
                let ends = |starts: BTreeSet<usize>, part: &Self| part.ends(text, &starts);
                parts.iter().fold(starts.clone(), ends)
            }
            Self::Alternatives(alternatives) => {
                let ends = |part: &Self| part.ends(text, starts);
                alternatives.iter().flat_map(ends).collect()
            }
            Self::Repeated { part, least, most } => {
                let mut ends = starts.clone();
                let mut all = BTreeSet::new();
                for count in 0..=*most {
                    if count > 0 {
                        ends = part.ends(text, &ends);
                    }
                    if count >= *least {
                        let known = all.len();
                        all.extend(&ends);
                        if all.len() == known {
                            // None, or none that further repetitions don't start from already.
                            break;
                        }
                    } else if ends.is_empty() {
                        break;
                    }
                }
                all
            }
        }
    }
}
