//! A parsed regular expression.

use super::class::CharacterClass;

/// A set of strings, and the choices that draw one of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    /// This string.
    Literal(String),
    /// One character.
    Class(CharacterClass),
    /// One string of each part, joined.
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
    /// The length of the longest string in bytes, saturated at `u64::MAX`.
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

    /// The greatest character in any of its strings.
    pub(super) fn last_character(&self) -> Option<char> {
        match self {
            Self::Literal(literal) => literal.chars().max(),
            Self::Class(class) => Some(class.last()),
            Self::Sequence(parts) | Self::Alternatives(parts) => {
                parts.iter().filter_map(Self::last_character).max()
            }
            Self::Repeated { part, .. } => part.last_character(),
        }
    }

    /// A lower bound for the number of strings, from the largest alternative and the most
    /// repetitions. These strings have one length, so each is counted once.
    pub(super) fn least_count(&self) -> f64 {
        match self {
            Self::Literal(_) => 1.0,
            Self::Class(class) => class.size() as f64,
            Self::Sequence(parts) => parts.iter().map(Self::least_count).product(),
            Self::Alternatives(alternatives) => alternatives
                .iter()
                .map(Self::least_count)
                .fold(0.0, f64::max),
            Self::Repeated { part, most, .. } => {
                // More than 64 factors make no difference.
                let factors = (*most).min(64);
                (0..factors).map(|_| part.least_count()).product()
            }
        }
    }

    /// The most parts that a string is written from, saturated at `u64::MAX`.
    pub(super) fn most_steps(&self) -> u64 {
        let inner = match self {
            Self::Literal(_) | Self::Class(_) => 0,
            Self::Sequence(parts) => {
                let steps = parts.iter().map(Self::most_steps);
                steps.fold(0, u64::saturating_add)
            }
            Self::Alternatives(alternatives) => {
                let steps = alternatives.iter().map(Self::most_steps);
                steps.max().unwrap_or(0)
            }
            Self::Repeated { part, most, .. } => part.most_steps().saturating_mul(*most),
        };
        inner.saturating_add(1)
    }

    /// The string with the first alternatives, the plainest characters and the fewest repetitions.
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

    /// Returns true if the whole text is one of its strings.
    pub(super) fn matches(&self, text: &str) -> bool {
        let mut starts = vec![false; text.len() + 1];
        starts[0] = true;
        self.ends(text, &starts)[text.len()]
    }

    /// Marks the places in the text where a string can end that starts at one of `starts`.
    fn ends(&self, text: &str, starts: &[bool]) -> Vec<bool> {
        let mut ends = vec![false; starts.len()];
        match self {
            Self::Literal(literal) => {
                for start in places(starts) {
                    if text[start..].starts_with(literal.as_str()) {
                        ends[start + literal.len()] = true;
                    }
                }
            }
            Self::Class(class) => {
                for start in places(starts) {
                    if let Some(first) = text[start..].chars().next()
                        && class.has(first)
                    {
                        ends[start + first.len_utf8()] = true;
                    }
                }
            }
            Self::Sequence(parts) => {
                ends = starts.to_vec();
                for part in parts {
                    ends = part.ends(text, &ends);
                }
            }
            Self::Alternatives(alternatives) => {
                for alternative in alternatives {
                    add(&mut ends, &alternative.ends(text, starts));
                }
            }
            Self::Repeated { part, least, most } => {
                let mut last = starts.to_vec();
                for count in 0..=*most {
                    if count > 0 {
                        last = part.ends(text, &last);
                    }
                    // Stop at an empty round, or at one that adds no new places.
                    let is_done = match count >= *least {
                        true => !add(&mut ends, &last),
                        false => places(&last).next().is_none(),
                    };
                    if is_done {
                        break;
                    }
                }
            }
        }
        ends
    }
}

fn places(marked: &[bool]) -> impl Iterator<Item = usize> {
    (0..marked.len()).filter(|place| marked[*place])
}

/// Adds the places, and returns true if any of them is new.
fn add(all: &mut [bool], places: &[bool]) -> bool {
    let mut is_new = false;
    for (known, place) in all.iter_mut().zip(places) {
        is_new |= *place && !*known;
        *known |= *place;
    }
    is_new
}
