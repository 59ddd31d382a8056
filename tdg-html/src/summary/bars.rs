//! Bars for the distribution of a feature, and of some rows within it.

use tdg_definition::json::Value;
use tdg_definition::{Cells, Column};

use super::{Numbers, Shape, Summary};

/// A bar of a feature's distribution, with the chosen rows in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bar {
    /// A category, `null`, or a range.
    pub(crate) label: String,
    pub(crate) count: usize,
    /// The number of chosen rows among them.
    pub(crate) chosen: usize,
    /// True if a rule covers any of them.
    pub(crate) is_covered: bool,
}

impl Bar {
    fn new(label: String, count: usize) -> Self {
        Self {
            label,
            count,
            chosen: 0,
            is_covered: false,
        }
    }

    /// Returns the share of chosen rows.
    pub(crate) fn share(&self) -> f64 {
        self.chosen as f64 / self.count.max(1) as f64
    }

    /// Returns the tooltip, such as `"HALF": 13 of 13 changed`.
    pub(crate) fn tip(&self, did: &str) -> String {
        match self.chosen {
            0 => format!("{}: {}", self.label, self.count),
            chosen => format!("{}: {chosen} of {} {did}", self.label, self.count),
        }
    }
}

/// The rows to highlight in bars, each list in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told<'a> {
    /// The chosen rows, such as those that changed.
    pub(crate) chosen: &'a [usize],
    /// The rows that a rule covers, if the bars illustrate a rule.
    pub(crate) covered: Option<&'a [usize]>,
}

/// Returns the bars of a feature's distribution: bins or categories, then `null`. Categories that a
/// rule covers come first.
pub(crate) fn bars(summary: &Summary, column: &Column, told: Told<'_>) -> Vec<Bar> {
    let mut bars = match &summary.shape {
        Shape::Nothing => Vec::new(),
        Shape::Numbers(numbers) => numbers.bars(),
        Shape::Categories { most, distinct } => {
            let named = most
                .iter()
                .map(|(label, count)| Bar::new(label.clone(), *count));
            let rest =
                summary.count - summary.nulls - most.iter().map(|(_, count)| count).sum::<usize>();
            let others = format!("{} others", distinct - most.len());
            named
                .chain((rest > 0).then(|| Bar::new(others, rest)))
                .collect()
        }
    };
    let others = bars.len().saturating_sub(1);
    if summary.nulls > 0 {
        bars.push(Bar::new("null".to_owned(), summary.nulls));
    }
    let last = bars.len().saturating_sub(1);
    let at = |row: usize| match bin(summary, column, row) {
        Bin::Null => last,
        Bin::Nth(index) => index,
        Bin::Other => others,
    };
    for &row in told.chosen {
        if let Some(bar) = bars.get_mut(at(row)) {
            bar.chosen += 1;
        }
    }
    for &row in told.covered.unwrap_or_default() {
        if let Some(bar) = bars.get_mut(at(row)) {
            bar.is_covered = true;
        }
    }
    if matches!(summary.shape, Shape::Categories { .. }) {
        bars.sort_by_key(|bar| !bar.is_covered);
    }
    bars
}

impl Numbers {
    /// Returns the bins of the histogram as bars.
    fn bars(&self) -> Vec<Bar> {
        let counts = self.histogram.counts.iter().enumerate();
        counts
            .map(|(index, &count)| Bar::new(self.label(index), count))
            .collect()
    }

    /// Returns the part of the axis that these numbers take up, from 0 to 1.
    pub(crate) fn extent(&self, numbers: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
        let histogram = &self.histogram;
        let least = numbers.clone().fold(histogram.most, f64::min);
        let most = numbers.fold(histogram.least, f64::max);
        if let Some(whole) = histogram.whole {
            let all = whole * histogram.counts.len() as f64;
            return [
                (least - histogram.least) / all,
                (most + 1.0 - histogram.least) / all,
            ];
        }
        // Halved, because the range of all floats overflows.
        let range = histogram.most / 2.0 - histogram.least / 2.0;
        [least, most].map(|end| (end / 2.0 - histogram.least / 2.0) / range)
    }
}

/// Groups lengths on a logarithmic scale, with a bar for each doubling.
pub(crate) fn doublings(lengths: impl Iterator<Item = (usize, usize)>, told: Told<'_>) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::new();
    for (row, length) in lengths {
        let at = (usize::BITS - length.leading_zeros()) as usize;
        while bars.len() <= at {
            bars.push(Bar::new(doubling(bars.len()), 0));
        }
        bars[at].count += 1;
        bars[at].chosen += usize::from(told.chosen.binary_search(&row).is_ok());
        let covered = told.covered.unwrap_or_default();
        bars[at].is_covered |= covered.binary_search(&row).is_ok();
    }
    let empty = bars.iter().take_while(|bar| bar.count == 0).count();
    bars.split_off(empty)
}

/// Returns the label of a bar: `0`, `1`, `2 … 3`, `4 … 7`.
fn doubling(at: usize) -> String {
    match at {
        0 | 1 => at.to_string(),
        _ => format!(
            "{} … {}",
            1_usize << (at - 1),
            (1_usize << (at - 1)) * 2 - 1
        ),
    }
}

enum Bin {
    Null,
    Nth(usize),
    /// A category without its own bar.
    Other,
}

fn bin(summary: &Summary, column: &Column, row: usize) -> Bin {
    if column.is_null(row) {
        return Bin::Null;
    }
    match (&summary.shape, column.cells()) {
        (Shape::Numbers(numbers), _) => match number(column, row) {
            Some(number) => Bin::Nth(numbers.histogram.part_of(number)),
            None => Bin::Other,
        },
        (_, Cells::Bytes(values)) => {
            named(summary, &Value::from(values.escaped().get(row)).to_string())
        }
        (_, Cells::Text(values)) => named(summary, &Value::from(values.get(row)).to_string()),
        (_, Cells::Variant(variants)) => {
            named(summary, &Value::from(variants.name(row)).to_string())
        }
        (_, Cells::Boolean(values)) => named(summary, &values[row].to_string()),
        _ => Bin::Other,
    }
}

/// Returns the number of a cell on the axis. For a text or a list, this is its length.
pub(crate) fn number(column: &Column, row: usize) -> Option<f64> {
    if column.is_null(row) {
        return None;
    }
    match column.cells() {
        Cells::Float(values) => Some(values[row]),
        Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
            Some(values[row] as f64)
        }
        Cells::Unsigned(values) => Some(values[row] as f64),
        Cells::Text(values) => Some(values.get(row).chars().count() as f64),
        Cells::Bytes(values) => Some(values.get(row).len() as f64),
        Cells::List(lists) => Some(lists.range(row).len() as f64),
        Cells::Boolean(_) | Cells::Object(_) | Cells::Variant(_) => None,
    }
}

fn named(summary: &Summary, value: &str) -> Bin {
    let Shape::Categories { most, .. } = &summary.shape else {
        return Bin::Other;
    };
    match most.iter().position(|(label, _)| label == value) {
        Some(position) => Bin::Nth(position),
        None => Bin::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_a_bar_for_each_doubling() {
        let lengths = [2, 3, 3, 4, 7, 8, 10_000].into_iter().enumerate();
        let told = Told {
            chosen: &[3, 6],
            covered: Some(&[6]),
        };
        let bars = doublings(lengths, told).into_iter();
        let told: Vec<_> = bars
            .filter(|bar| bar.count > 0)
            .map(|bar| (bar.tip("changed"), bar.is_covered))
            .collect();
        let tip = |text: &str, is_covered| (text.to_owned(), is_covered);
        assert_eq!(
            told,
            [
                tip("2 … 3: 3", false),
                tip("4 … 7: 1 of 2 changed", false),
                tip("8 … 15: 1", false),
                tip("8192 … 16383: 1 of 1 changed", true),
            ]
        );
    }

    #[test]
    fn numbers_have_their_part_of_the_axis() {
        let extent = |all: &[f64], some: &[f64]| {
            let numbers = Numbers::new(all, super::super::Scale::Number).unwrap();
            numbers.extent(some.iter().copied())
        };
        // A whole number takes up a place as wide as itself.
        let whole: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!(extent(&whole, &[16.0, 20.0]), [0.75, 1.0]);
        assert_eq!(extent(&[0.0, 0.5, 2.0], &[0.5, 1.5]), [0.25, 0.75]);
        assert_eq!(extent(&[f64::MIN, f64::MAX], &[0.0]), [0.5, 0.5]);
    }
}
