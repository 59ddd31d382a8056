//! Strings that match a regular expression.

use std::sync::Arc;

use crate::checkpoint;
use crate::column::{Cells, Text};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::uniform::below;
use crate::random::{Purpose, RowStream};
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Domain, Sampler, Support, Work};

mod bytes;
mod class;
mod expression;
mod parser;

use bytes::BytesPattern;
use expression::Expression;

pub(crate) const ENTRY: CatalogueEntry = <CatalogueEntry>::new(
    "pattern",
    &["regex"],
    &[FeatureType::String, FeatureType::Bytes],
    read,
)
.with_aliases(&["regex"]);

/// Strings that match `regex` as a whole. From left to right, each choice takes the row's next
/// draw, from draw 0: the character of a class, the alternative of a group, the number of
/// repetitions. All possibilities are equally likely. A single possibility takes no draw.
pub(crate) struct Pattern {
    regex: String,
    expression: Expression,
}

/// The longest string in bytes.
const LONGEST: u64 = 64 * 1024;

fn read(fields: &mut Fields<'_>, feature_type: FeatureType) -> Option<Arc<dyn Distribution>> {
    let regex = fields.text("regex")?;
    let is_bytes = feature_type == FeatureType::Bytes;
    let parsed = match regex.strip_prefix(bytes::FLAG).filter(|_| is_bytes) {
        Some(rest) => bytes::parse(rest),
        None => parser::parse(regex),
    };
    let expression = match parsed {
        Ok(expression) => expression,
        Err(fault) => {
            fields.fault("regex", fault.to_string());
            return None;
        }
    };
    let longest = expression.longest();
    if longest <= LONGEST {
        let regex = regex.to_owned();
        let pattern = Pattern { regex, expression };
        return Some(match is_bytes {
            true => Arc::new(BytesPattern::new(pattern)),
            false => Arc::new(pattern),
        });
    }
    let message = format!(
        "strings could be {longest} bytes long; use fewer repetitions to keep them within {LONGEST}"
    );
    fields.fault("regex", message);
    None
}

impl Pattern {
    /// Creates the strings of a regular expression; `None` if it is invalid.
    pub(crate) fn from_regex(regex: &str) -> Option<Self> {
        let expression = parser::parse(regex).ok()?;
        let regex = regex.to_owned();
        Some(Self { regex, expression })
    }

    /// Appends the string of these draws.
    pub(crate) fn write(&self, draws: &mut RowStream, text: &mut String) {
        write(&self.expression, draws, text);
    }
}

impl Distribution for Pattern {
    fn canonical(&self) -> Canonical {
        (
            ENTRY.name,
            vec![("regex", Value::from(self.regex.as_str()))],
        )
    }

    fn domain(&self) -> Domain<'_> {
        Domain::Many {
            least: self.expression.least_count(),
            of_rows: Some(
                "is not possible with a pattern, because different choices can give the same string; use uuid or a \
                 uniform INTEGER",
            ),
        }
    }

    fn support(&self) -> Support<'_> {
        Support::Strings {
            simplest: self.expression.simplest(),
            has: Box::new(|text| self.expression.matches(text)),
        }
    }

    fn work(&self) -> Work {
        Work::each(self.expression.most_steps().saturating_mul(40))
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let mut texts = Text::default();
            let mut text = String::new();
            for row in 0..rows.len() {
                if row % 16 == 0 {
                    checkpoint();
                }
                text.clear();
                let mut draws = rows.draws(Purpose::Value, row);
                write(&self.expression, &mut draws, &mut text);
                texts.push(&text);
            }
            Cells::Text(texts)
        })
    }
}

fn write(expression: &Expression, draws: &mut RowStream, text: &mut String) {
    match expression {
        Expression::Literal(literal) => text.push_str(literal),
        Expression::Class(class) => text.push(class.character(choose(draws, class.size()))),
        Expression::Sequence(parts) => {
            for part in parts {
                write(part, draws, text);
            }
        }
        Expression::Alternatives(alternatives) => {
            let chosen = choose(draws, alternatives.len() as u64);
            write(&alternatives[chosen as usize], draws, text);
        }
        Expression::Repeated { part, least, most } => {
            for _ in 0..least + choose(draws, most - least + 1) {
                write(part, draws, text);
            }
        }
    }
}

/// Chooses a number in `0 .. choices` from the next draw, or without one if there is only one.
pub(crate) fn choose(draws: &mut RowStream, choices: u64) -> u64 {
    if choices == 1 {
        return 0;
    }
    below(draws.next_word(), choices)
}
