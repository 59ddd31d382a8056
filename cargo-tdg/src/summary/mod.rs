//! A column of values in a line: how they are distributed.

mod of;
mod part;

use crate::terminal::{number, percent};

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
    Numbers(Histogram),
    Categories {
        /// The most frequent ones with their counts, those first.
        most: Vec<(String, usize)>,
        distinct: usize,
    },
}

/// Numbers, or times as numbers, in bins of equal width.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Histogram {
    pub(crate) scale: Scale,
    pub(crate) least: f64,
    pub(crate) greatest: f64,
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
    pub(crate) bins: Vec<usize>,
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

/// How many bins a histogram has at most.
const BINS: usize = 24;
/// How many categories are named in a line.
const NAMED: usize = 5;

impl Histogram {
    /// Of values that are all finite; at least one.
    pub(crate) fn of(values: &[f64], scale: Scale) -> Self {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let count = values.len() as f64;
        let mean = values.iter().map(|value| value / count).sum::<f64>();
        let variance = values
            .iter()
            .map(|value| (value - mean) * (value - mean) / count)
            .sum::<f64>();
        let bins = bins_for(values, least, greatest);
        let mut counts = vec![0; bins];
        for value in values {
            counts[bin(*value, least, greatest, bins)] += 1;
        }
        Self {
            scale,
            least,
            greatest,
            mean,
            deviation: variance.sqrt(),
            bins: counts,
        }
    }

    /// The bin that one of the values is in.
    pub(crate) fn bin_of(&self, value: f64) -> usize {
        bin(value, self.least, self.greatest, self.bins.len())
    }

    /// What a bin stands for.
    fn label(&self, bin: usize) -> String {
        let range = self.greatest - self.least;
        // A bin for each whole number.
        if range + 1.0 == self.bins.len() as f64 {
            return self.text(self.least + bin as f64);
        }
        let width = range / self.bins.len() as f64;
        let from = self.least + width * bin as f64;
        format!("{} … {}", self.text(from), self.text(from + width))
    }

    /// A value as the scale writes it.
    pub(crate) fn text(&self, value: f64) -> String {
        let mut text = String::new();
        match self.scale {
            Scale::Number => return number(value),
            Scale::DateTime => tdg_definition::calendar::write_datetime(&mut text, value as i64),
            Scale::Date => tdg_definition::calendar::write_date(&mut text, value as i64),
        }
        text
    }

    /// A bar for each bin.
    pub(crate) fn bars(&self) -> String {
        const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let highest = self.bins.iter().max().copied().unwrap_or(1).max(1);
        let bar = |&count: &usize| match count {
            0 => ' ',
            _ => BARS[(count * 8).div_ceil(highest).clamp(1, 8) - 1],
        };
        self.bins.iter().map(bar).collect()
    }
}

fn bin(value: f64, least: f64, greatest: f64, bins: usize) -> usize {
    // Halves, because the width of all floats is beyond the greatest.
    let share = (value / 2.0 - least / 2.0) / (greatest / 2.0 - least / 2.0);
    ((share * bins as f64) as usize).min(bins - 1)
}

/// A bin for each value of a few whole numbers, else as many as there is room for.
fn bins_for(values: &[f64], least: f64, greatest: f64) -> usize {
    let width = greatest - least;
    if width == 0.0 {
        return 1;
    }
    let is_whole = values.iter().all(|value| value.fract() == 0.0);
    match is_whole && width < BINS as f64 {
        true => width as usize + 1,
        false => BINS,
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
            Shape::Numbers(histogram) if histogram.least == histogram.greatest => {
                format!("always {}{nulls}", histogram.text(histogram.least))
            }
            Shape::Numbers(histogram) => {
                let text = |value| histogram.text(value);
                let ends = (
                    text(histogram.least),
                    histogram.bars(),
                    text(histogram.greatest),
                );
                let moments = match histogram.scale {
                    Scale::Number => {
                        format!(
                            "  mean {}, sd {}",
                            text(histogram.mean),
                            text(histogram.deviation)
                        )
                    }
                    Scale::DateTime | Scale::Date => String::new(),
                };
                format!("{} ▕{}▏ {}{moments}{nulls}", ends.0, ends.1, ends.2)
            }
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
            shape: Shape::Numbers(Histogram::of(values, Scale::Number)),
        };
        summary.line()
    }

    #[test]
    fn whole_numbers_have_a_bar_each() {
        assert_eq!(
            line(&[1.0, 2.0, 2.0, 2.0, 2.0, 4.0]),
            "1 ▕▂█ ▂▏ 4  mean 2.167, sd 0.8975"
        );
    }

    #[test]
    fn the_widest_floats_have_a_histogram() {
        let histogram = Histogram::of(&[f64::MIN, 0.0, f64::MAX], Scale::Number);
        assert_eq!(histogram.bins.iter().sum::<usize>(), 3);
        assert_eq!((histogram.bins[0], histogram.bins[23]), (1, 1));
    }

    #[test]
    fn one_value_needs_no_histogram() {
        assert_eq!(line(&[3.0, 3.0]), "always 3");
    }
}
