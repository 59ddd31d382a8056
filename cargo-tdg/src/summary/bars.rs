//! Bars: the distribution of a feature, and of some rows within it.

use tdg_definition::Cells;
use tdg_definition::json::Value;
use tdg_engine::Vectors;

use super::{Numbers, Shape, Summary};

/// A bar of a feature's distribution, and the share of the chosen rows in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bar {
    /// A category, `null`, or a range.
    pub(crate) label: String,
    pub(crate) count: usize,
    /// How many of them are chosen rows.
    pub(crate) chosen: usize,
}

/// The bars of a feature's distribution: bins or categories, then `null`.
pub(crate) fn bars(
    summary: &Summary,
    vectors: &Vectors,
    position: usize,
    rows: &[usize],
) -> Vec<Bar> {
    let mut bars = match &summary.shape {
        Shape::Nothing => Vec::new(),
        Shape::Numbers(numbers) => numbers.bars(),
        Shape::Categories { most, distinct } => {
            let named = most.iter().map(|(label, count)| bar(label.clone(), *count));
            let rest =
                summary.count - summary.nulls - most.iter().map(|(_, count)| count).sum::<usize>();
            let others = format!("{} others", distinct - most.len());
            named.chain((rest > 0).then(|| bar(others, rest))).collect()
        }
    };
    let others = bars.len().saturating_sub(1);
    if summary.nulls > 0 {
        bars.push(bar("null".to_owned(), summary.nulls));
    }
    let last = bars.len().saturating_sub(1);
    for &row in rows {
        let at = match bin(summary, vectors, position, row) {
            Bin::Null => last,
            Bin::Nth(index) => index,
            Bin::Other => others,
        };
        if let Some(bar) = bars.get_mut(at) {
            bar.chosen += 1;
        }
    }
    bars
}

impl Numbers {
    /// The bins of the histogram as bars.
    pub(crate) fn bars(&self) -> Vec<Bar> {
        let counts = self.histogram.counts.iter().enumerate();
        counts
            .map(|(index, &count)| bar(self.label(index), count))
            .collect()
    }
}

enum Bin {
    Null,
    Nth(usize),
    /// A category without a bar of its own.
    Other,
}

fn bin(summary: &Summary, vectors: &Vectors, position: usize, row: usize) -> Bin {
    let column = vectors.column(position);
    if column.is_null(row) {
        return Bin::Null;
    }
    let number = match column.cells() {
        Cells::Float(values) => values[row],
        Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
            values[row] as f64
        }
        Cells::Unsigned(values) => values[row] as f64,
        Cells::Text(values) if matches!(summary.shape, Shape::Numbers(_)) => {
            values.get(row).chars().count() as f64
        }
        Cells::Text(values) => return named(summary, &Value::from(values.get(row)).to_string()),
        Cells::Boolean(values) => return named(summary, &values[row].to_string()),
    };
    match &summary.shape {
        Shape::Numbers(numbers) => Bin::Nth(numbers.histogram.part_of(number)),
        _ => Bin::Other,
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

fn bar(label: String, count: usize) -> Bar {
    Bar {
        label,
        count,
        chosen: 0,
    }
}
