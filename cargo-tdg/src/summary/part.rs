//! Where in a distribution some of the rows are.

use tdg_definition::Cells;
use tdg_definition::json::Value;
use tdg_engine::Vectors;

use super::{Numbers, Shape, Summary};

/// How the values of a feature are distributed, in words of the axis, and how many of some rows are in
/// each part of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// What the part stands for: a category, `null`, or from where to where.
    pub(crate) label: String,
    pub(crate) count: usize,
    /// How many of them are among the rows that were asked for.
    pub(crate) chosen: usize,
}

/// The parts of a feature's distribution: bins, or categories, then `null`.
pub(crate) fn parts(
    summary: &Summary,
    vectors: &Vectors,
    position: usize,
    rows: &[usize],
) -> Vec<Part> {
    let mut parts = match &summary.shape {
        Shape::Nothing => Vec::new(),
        Shape::Numbers(numbers) => numbers.parts(),
        Shape::Categories { most, distinct } => {
            let named = most
                .iter()
                .map(|(label, count)| part(label.clone(), *count));
            let rest =
                summary.count - summary.nulls - most.iter().map(|(_, count)| count).sum::<usize>();
            let others = format!("{} others", distinct - most.len());
            named
                .chain((rest > 0).then(|| part(others, rest)))
                .collect()
        }
    };
    let others = parts.len().saturating_sub(1);
    if summary.nulls > 0 {
        parts.push(part("null".to_owned(), summary.nulls));
    }
    let last = parts.len().saturating_sub(1);
    for &row in rows {
        let at = match place(summary, vectors, position, row) {
            Place::Null => last,
            Place::At(part) => part,
            Place::Other => others,
        };
        if let Some(part) = parts.get_mut(at) {
            part.chosen += 1;
        }
    }
    parts
}

impl Numbers {
    /// The parts of the histogram.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let counts = self.histogram.counts.iter().enumerate();
        counts
            .map(|(index, &count)| part(self.label(index), count))
            .collect()
    }
}

enum Place {
    Null,
    At(usize),
    /// Among the categories that are not named.
    Other,
}

fn place(summary: &Summary, vectors: &Vectors, position: usize, row: usize) -> Place {
    let column = vectors.column(position);
    if column.is_null(row) {
        return Place::Null;
    }
    let number = match column.cells() {
        Cells::Float(values) => values[row],
        Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
            values[row] as f64
        }
        Cells::Unsigned(values) => values[row] as f64,
        Cells::Text(values) => return named(summary, &Value::from(values.get(row)).to_string()),
        Cells::Boolean(values) => return named(summary, &values[row].to_string()),
    };
    match &summary.shape {
        Shape::Numbers(numbers) => Place::At(numbers.histogram.part_of(number)),
        _ => Place::Other,
    }
}

fn named(summary: &Summary, value: &str) -> Place {
    let Shape::Categories { most, .. } = &summary.shape else {
        return Place::Other;
    };
    match most.iter().position(|(label, _)| label == value) {
        Some(position) => Place::At(position),
        None => Place::Other,
    }
}

fn part(label: String, count: usize) -> Part {
    Part {
        label,
        count,
        chosen: 0,
    }
}
