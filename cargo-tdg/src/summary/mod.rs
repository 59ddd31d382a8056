//! A column of values in a line: how they are distributed.

mod of;
mod part;

use tdg_engine::report::{Histogram, Spread, amount};

use crate::terminal::percent;

pub(crate) use of::{feature, fields};
pub(crate) use part::{Part, parts};

/// How the values of a feature, or of a field of the outputs, are distributed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Summary {
    /// How many values there are, `null` included.
    pub(crate) count: usize,
    pub(crate) nulls: usize,
    pub(crate) shape: Shape,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// There is nothing but `null`.
    Nothing,
    Numbers(Numbers),
    Categories {
        /// The most frequent ones with their counts, those first.
        most: Vec<(String, usize)>,
        distinct: usize,
    },
}

/// Numbers, or times as numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbers {
    pub(crate) scale: Scale,
    pub(crate) histogram: Histogram,
    /// Unless they are too large to be summed.
    spread: Option<Spread>,
}

/// What the numbers stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Number,
    /// Seconds since 1970.
    DateTime,
    /// Days since 1970.
    Date,
}

/// How many categories are named in a line.
const NAMED: usize = 5;

impl Numbers {
    /// Unless there is none, or one is not finite.
    pub(crate) fn of(values: &[f64], scale: Scale) -> Option<Self> {
        Some(Self {
            scale,
            histogram: Histogram::of(values)?,
            spread: Spread::of(values),
        })
    }

    /// What a part of the histogram stands for.
    fn label(&self, part: usize) -> String {
        let (from, to) = self.histogram.ends(part);
        match from == to {
            true => self.text(from),
            false => format!("{} … {}", self.text(from), self.text(to)),
        }
    }

    /// A value as the scale writes it.
    fn text(&self, value: f64) -> String {
        let mut text = String::new();
        match self.scale {
            Scale::Number => return amount(value),
            Scale::DateTime => tdg_definition::calendar::write_datetime(&mut text, value as i64),
            Scale::Date => tdg_definition::calendar::write_date(&mut text, value as i64),
        }
        text
    }

    /// The least and the greatest value.
    pub(crate) fn ends(&self) -> [String; 2] {
        [self.histogram.least, self.histogram.most].map(|end| self.text(end))
    }

    fn line(&self) -> String {
        let [least, most] = self.ends();
        if self.histogram.counts.len() == 1 {
            return format!("always {least}");
        }
        let spread = match (self.scale, self.spread) {
            (Scale::Number, Some(spread)) => format!("  {}", spread.words()),
            _ => String::new(),
        };
        format!("{least} ▕{}▏ {most}{spread}", self.histogram.bars())
    }
}

impl Summary {
    /// In a line without what it belongs to.
    pub(crate) fn line(&self) -> String {
        let nulls = match self.nulls {
            0 => String::new(),
            nulls => format!(", null {}", percent(nulls, self.count)),
        };
        match &self.shape {
            Shape::Nothing => "null".to_owned(),
            Shape::Numbers(numbers) => numbers.line() + &nulls,
            Shape::Categories { most, distinct } => {
                let share = |(value, count): &(String, usize)| {
                    format!("{} {}", shortened(value), percent(*count, self.count))
                };
                let named: Vec<String> = most.iter().take(NAMED).map(share).collect();
                let more = match distinct.saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(", and {more} more"),
                };
                format!("{}{more}{nulls}", named.join(", "))
            }
        }
    }
}

/// A value that is too long for a line loses its end.
fn shortened(value: &str) -> String {
    const LONGEST: usize = 24;
    match value.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[f64]) -> String {
        let summary = Summary {
            count: values.len(),
            nulls: 0,
            shape: Shape::Numbers(Numbers::of(values, Scale::Number).unwrap()),
        };
        summary.line()
    }

    #[test]
    fn numbers_have_bars_mean_and_deviation() {
        assert_eq!(
            line(&[-1.0, 0.0, 0.0, 0.0, 0.0, 2.0]),
            "−1 ▕▂█ ▂▏ 2  mean 0.1667, sd 0.9832"
        );
    }

    #[test]
    fn what_cannot_be_summed_has_its_bars_alone() {
        assert_eq!(
            line(&[f64::MIN, 0.0, f64::MAX]),
            "−1.8e308 ▕█           █          █▏ 1.8e308"
        );
    }

    #[test]
    fn one_value_needs_no_histogram() {
        assert_eq!(line(&[3.0, 3.0]), "always 3");
    }
}
