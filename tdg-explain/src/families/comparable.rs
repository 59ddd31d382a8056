//! Selects the columns that are worth comparing.

use tdg_definition::sort;

use super::super::table::{ColumnKind, ExplanationColumn, ExplanationTable};

/// Two numbers are compared if the middle 80 % of their values overlap by more than this share of
/// each.
const OVERLAP: f64 = 0.1;

/// Texts with fewer distinct values are categories, which are best described by their values.
const CATEGORIES: usize = 12;
/// Inspecting longer texts, or more columns of them, would take too long.
const LONGEST: usize = 200;
const COLUMNS: usize = 12;
/// This many rows are representative of a column.
const ROWS: usize = 1000;

/// Returns the distinct texts of a column, if they are worth inspecting.
pub(super) fn contents<'t>(table: &ExplanationTable<'t>, position: usize) -> Option<Vec<&'t str>> {
    let is_expected = table.columns[position].is_expected;
    // Inputs are inspected even if the outputs have many texts.
    let counts =
        |it: &&ExplanationColumn<'_>| it.kind == ColumnKind::Text && it.is_expected <= is_expected;
    let columns = table.columns.iter().filter(counts).count();
    let texts = texts(table, position);
    let is_short = are_short(&texts, LONGEST);
    let texts = distinct(texts);
    (columns <= COLUMNS && is_short && texts.len() > CATEGORIES).then_some(texts)
}

/// Returns true if texts are at most this long on average: a few longer ones take little time.
pub(super) fn are_short(texts: &[&str], longest: usize) -> bool {
    texts.iter().map(|text| text.len()).sum::<usize>() <= longest * texts.len()
}

/// Returns true if a column's texts are best described by their values.
pub(super) fn is_categorical(table: &ExplanationTable<'_>, position: usize) -> bool {
    distinct(texts(table, position)).len() <= CATEGORIES
}

fn texts<'t>(table: &ExplanationTable<'t>, position: usize) -> Vec<&'t str> {
    let column = &table.columns[position];
    (0..table.size.min(ROWS))
        .filter_map(|row| column.text(row))
        .collect()
}

fn distinct(mut texts: Vec<&str>) -> Vec<&str> {
    sort::by(&mut texts, Ord::cmp);
    texts.dedup();
    texts
}

/// Returns true if a column has texts or lists of several lengths that are worth inspecting.
pub(super) fn has_lengths(table: &ExplanationTable<'_>, position: usize) -> bool {
    let column = &table.columns[position];
    let mut lengths = (0..table.size).filter_map(|row| column.length(row));
    let first = lengths.next();
    lengths.any(|length| Some(length) != first)
        && (column.kind == ColumnKind::List || contents(table, position).is_some())
}

/// Returns the middle 80 % of the numbers.
fn middle(column: &ExplanationColumn<'_>, size: usize) -> Option<(f64, f64)> {
    let mut numbers: Vec<f64> = (0..size).filter_map(|row| column.float(row)).collect();
    sort::by(&mut numbers, f64::total_cmp);
    let at = |share: f64| {
        numbers
            .get((numbers.len() as f64 * share) as usize)
            .copied()
    };
    Some((at(0.1)?, at(0.9)?))
}

/// Returns pairs of columns to compare, the first one from `left`, the second one from `right`.
pub(super) fn pairs(
    table: &ExplanationTable<'_>,
    left: &[usize],
    right: &[usize],
) -> Vec<(usize, usize)> {
    let is_number = |position: usize| {
        matches!(
            table.columns[position].kind,
            ColumnKind::Integer | ColumnKind::Float
        )
    };
    if left.is_empty() || right.is_empty() {
        return Vec::new();
    }
    let size = table.size.min(ROWS);
    let ranges: Vec<Option<(f64, f64)>> = (0..table.columns.len())
        .map(
            |position| match left.contains(&position) || right.contains(&position) {
                true => middle(&table.columns[position], size),
                false => None,
            },
        )
        .collect();
    let mut pairs = Vec::new();
    for &first in left {
        for &second in right {
            let is_new = first != second && !pairs.contains(&(second, first));
            if is_new
                && is_number(first) == is_number(second)
                && (is_number(first) || table.columns[first].kind == table.columns[second].kind)
                && overlap(ranges[first], ranges[second])
            {
                pairs.push((first, second));
            }
        }
    }
    pairs
}

fn overlap(left: Option<(f64, f64)>, right: Option<(f64, f64)>) -> bool {
    let (Some(left), Some(right)) = (left, right) else {
        return false;
    };
    let common = left.1.min(right.1) - left.0.max(right.0);
    let share = |range: (f64, f64)| common / (range.1 - range.0).max(f64::MIN_POSITIVE);
    common >= 0.0 && share(left) > OVERLAP && share(right) > OVERLAP
}
