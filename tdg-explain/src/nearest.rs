//! The most similar row of the other side.

use tdg_definition::json::Value;
use tdg_definition::sort;

use super::table::{ColumnKind, ExplanationColumn, ExplanationTable};

/// A row, and the most similar row of the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The row.
    pub row: usize,
    /// The row on the other side.
    pub other: usize,
    /// The features in which they differ, the largest difference first; empty if the rows are
    /// equal.
    pub differences: Vec<FeatureDifference>,
}

/// A feature in which two rows differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureDifference {
    /// The name of the feature.
    pub feature: String,
    /// The value in the row.
    pub value: Value,
    /// The value in the other row.
    pub other: Value,
}

/// Finds neighbours.
pub(super) struct Nearest<'t> {
    columns: Vec<(&'t ExplanationColumn<'t>, Vec<f64>)>,
}

impl<'t> Nearest<'t> {
    pub(super) fn new(table: &'t ExplanationTable<'t>) -> Self {
        let features = table
            .columns
            .iter()
            .filter(|column| !column.is_expected && column.list.is_none());
        let columns = features.map(|column| {
            let mut numbers: Vec<f64> = (0..table.size)
                .filter_map(|row| column.float(row))
                .collect();
            sort::by(&mut numbers, f64::total_cmp);
            (column, numbers)
        });
        Self {
            columns: columns.collect(),
        }
    }

    /// Returns the neighbour of `row` among `others`, the first one of equally near ones.
    ///
    /// Distance is Gower's: the mean over all features of the share of values between two numbers
    /// or times, of the share of characters that two texts don't have in common at their
    /// beginning and end, and 0 or 1 for anything else. (J. C. Gower, "A general coefficient of
    /// similarity and some of its properties", 1971.)
    pub(super) fn neighbour(&self, row: usize, others: &[u32]) -> Option<Neighbour> {
        let mut nearest: Option<(f64, usize)> = None;
        for &other in others {
            let distances = self
                .columns
                .iter()
                .map(|(column, numbers)| distance(column, numbers, row, other as usize));
            let distance = distances.sum();
            if nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, other as usize));
            }
        }
        let (_, other) = nearest?;
        let mut differing: Vec<(f64, &ExplanationColumn<'_>)> = self
            .columns
            .iter()
            .map(|(column, numbers)| (distance(column, numbers, row, other), *column))
            .filter(|(distance, _)| *distance > 0.0)
            .collect();
        sort::by(&mut differing, |(left, _), (right, _)| {
            right.total_cmp(left)
        });
        let difference = |(_, column): (f64, &ExplanationColumn<'_>)| FeatureDifference {
            feature: column.name.clone(),
            value: column.value(row),
            other: column.value(other),
        };
        Some(Neighbour {
            row,
            other,
            differences: differing.into_iter().map(difference).collect(),
        })
    }
}

/// Returns the distance of two rows in one column, from 0 to 1.
fn distance(column: &ExplanationColumn<'_>, numbers: &[f64], row: usize, other: usize) -> f64 {
    match (column.is_null(row), column.is_null(other)) {
        (true, true) => return 0.0,
        (false, false) => {}
        _ => return 1.0,
    }
    let different = |is_different: bool| if is_different { 1.0 } else { 0.0 };
    match column.kind {
        ColumnKind::Variant => different(column.text(row) != column.text(other)),
        ColumnKind::Boolean => different(column.boolean(row) != column.boolean(other)),
        ColumnKind::Text => match (column.text(row), column.text(other)) {
            (Some(left), Some(right)) => {
                let characters = |text: &str| text.chars().collect::<Vec<char>>();
                between_lists(&characters(left), &characters(right))
            }
            _ => 1.0,
        },
        ColumnKind::Bytes => match (column.bytes(row), column.bytes(other)) {
            (Some(left), Some(right)) => between_lists(left, right),
            _ => 1.0,
        },
        ColumnKind::List => match (column.value(row), column.value(other)) {
            (Value::Array(left), Value::Array(right)) => between_lists(&left, &right),
            _ => 1.0,
        },
        _ => match (column.float(row), column.float(other)) {
            // Large integers may differ even if they are equal as floats.
            (Some(left), Some(right)) if left == right => {
                different(column.number(row) != column.number(other)) / numbers.len() as f64
            }
            (Some(left), Some(right)) => {
                let rank = |number: f64| numbers.partition_point(|other| *other < number);
                (rank(left).abs_diff(rank(right)) as f64 / numbers.len() as f64)
                    .max(f64::MIN_POSITIVE)
            }
            (None, None) => 0.0,
            _ => 1.0,
        },
    }
}

/// Returns the share of elements that two lists don't have in common at their beginning and end.
fn between_lists<T: PartialEq>(left: &[T], right: &[T]) -> f64 {
    if left == right {
        return 0.0;
    }
    let shorter = left.len().min(right.len());
    let same = |pair: &(&T, &T)| pair.0 == pair.1;
    let first = left.iter().zip(right).take_while(same).count();
    let last = left
        .iter()
        .rev()
        .zip(right.iter().rev())
        .take_while(same)
        .count();
    let common = (first + last).min(shorter);
    let longer = left.len().max(right.len());
    (longer - common).max(1) as f64 / longer as f64
}
