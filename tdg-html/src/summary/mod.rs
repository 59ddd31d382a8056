//! The distribution of values, on one line or as bars.

mod bars;
mod values;

use tdg_engine::text::amount;
use tdg_report::{Histogram, Spread};

use crate::percent;

pub(crate) use bars::{Bar, Told, bars, doublings, number};
pub(crate) use values::texts_by_value;
pub use values::{feature, fields};

/// The distribution of a feature or of a field of the outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The number of values, including `null`.
    pub(crate) count: usize,
    pub(crate) nulls: usize,
    /// The number of outputs without the field.
    pub(crate) missing: usize,
    pub(crate) shape: Shape,
    /// The signs of a field's numbers, if they differ: negative, zero, positive.
    pub(crate) signs: Option<[usize; 3]>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// All values are `null`.
    Nothing,
    Numbers(Numbers),
    Categories {
        /// The most frequent categories with their counts, most frequent first.
        most: Vec<(String, usize)>,
        distinct: usize,
    },
}

/// A distribution of numbers, or of times as numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbers {
    pub(crate) scale: Scale,
    pub(crate) histogram: Histogram,
    /// The spread, or `None` if the numbers are too large to be summed.
    spread: Option<Spread>,
}

/// The meaning of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Number,
    /// Seconds since 1970.
    DateTime,
    /// Days since 1970.
    Date,
    /// Characters of mostly distinct strings.
    Length,
    /// Elements of lists.
    Elements,
}

/// The maximum number of categories on a line.
const NAMED: usize = 5;

impl Numbers {
    /// Summarises numbers. Returns `None` if the list is empty, or a number isn't finite.
    pub(crate) fn new(values: &[f64], scale: Scale) -> Option<Self> {
        Some(Self {
            scale,
            histogram: Histogram::new(values)?,
            spread: Spread::new(values),
        })
    }

    /// Returns the range of a bin of the histogram.
    fn label(&self, bin: usize) -> String {
        let (from, to) = self.histogram.ends(bin);
        if from == to {
            self.text(from)
        } else {
            format!("{} … {}", self.text(from), self.text(to))
        }
    }

    /// Formats a value in the notation of the scale.
    fn text(&self, value: f64) -> String {
        let mut text = String::new();
        match self.scale {
            Scale::Number | Scale::Length | Scale::Elements => return amount(value),
            Scale::DateTime => tdg_definition::calendar::write_datetime(&mut text, value as i64),
            Scale::Date => tdg_definition::calendar::write_date(&mut text, value as i64),
        }
        text
    }

    /// Returns the smallest and the largest value.
    pub(crate) fn ends(&self) -> [String; 2] {
        let [least, most] = [self.histogram.least, self.histogram.most].map(|end| self.text(end));
        match self.scale {
            Scale::Length => [least, format!("{most} characters")],
            Scale::Elements => [least, format!("{most} elements")],
            _ => [least, most],
        }
    }

    fn line(&self) -> String {
        let [least, most] = self.ends();
        if self.histogram.counts.len() == 1 {
            return format!("always {most}");
        }
        let spread = match (self.scale, self.spread) {
            (Scale::Number, Some(spread)) => format!("  {}", spread.words()),
            _ => String::new(),
        };
        format!("{least} ▕{}▏ {most}{spread}", self.histogram.bars())
    }
}

impl Summary {
    /// Returns the distribution on one line.
    #[must_use]
    pub fn line(&self) -> String {
        let share = |(name, count): (&str, usize)| match count {
            0 => String::new(),
            count => format!(", {name} {}", percent(count, self.count)),
        };
        let signs = self.signs.unwrap_or_default();
        let signs = ["negative", "zero", "positive"].into_iter().zip(signs);
        let nulls = [("null", self.nulls), ("missing", self.missing)];
        let nulls: String = signs.chain(nulls).map(share).collect();
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

/// Shortens a value that is too long for a line.
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
            missing: 0,
            signs: None,
            shape: Shape::Numbers(Numbers::new(values, Scale::Number).unwrap()),
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
    fn numbers_too_large_to_be_summed_have_only_bars() {
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
