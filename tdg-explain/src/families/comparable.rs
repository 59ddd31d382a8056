//! Selects the columns that are worth comparing.

use tdg_definition::sort;

use super::super::attribute::Family;
use super::super::table::{ColumnKind, ExplanationColumn, ExplanationTable};

/// Two numbers are compared if the middle 80 % of their values overlap by more than this share of
/// each.
const OVERLAP: f64 = 0.1;
/// The same for numbers that are alike, and for lengths.
const ALIKE: f64 = 0.5;

/// Texts with fewer distinct values are categories, which are best described by their values.
const CATEGORIES: usize = 12;
/// Inspecting longer texts, or more columns of them, would take too long.
const LONGEST: usize = 200;
const COLUMNS: usize = 12;
/// Numbers that are equal in this many rows are compared as well.
const EQUAL: usize = 8;
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
    let texts = sort::distinct(texts);
    (columns <= COLUMNS && is_short && texts.len() > CATEGORIES).then_some(texts)
}

/// Returns true if texts are at most this long on average: a few longer ones take little time.
pub(super) fn are_short(texts: &[&str], longest: usize) -> bool {
    texts.iter().map(|text| text.len()).sum::<usize>() <= longest * texts.len()
}

/// Returns true if a column's texts are best described by their values.
pub(super) fn is_categorical(table: &ExplanationTable<'_>, position: usize) -> bool {
    sort::distinct(texts(table, position)).len() <= CATEGORIES
}

fn texts<'t>(table: &ExplanationTable<'t>, position: usize) -> Vec<&'t str> {
    let column = &table.columns[position];
    (0..table.size.min(ROWS))
        .filter_map(|row| column.text(row))
        .collect()
}

/// Returns true if a column has texts or lists of several lengths that are worth inspecting.
pub(super) fn has_lengths(table: &ExplanationTable<'_>, position: usize) -> bool {
    let column = &table.columns[position];
    let mut lengths = (0..table.size).filter_map(|row| column.length(row));
    let first = lengths.next();
    lengths.any(|length| Some(length) != first)
        && (column.kind == ColumnKind::List || contents(table, position).is_some())
}

/// Returns true if the lengths of two columns of texts or lists are alike.
pub(super) fn have_similar_lengths(
    table: &ExplanationTable<'_>,
    first: usize,
    second: usize,
) -> bool {
    let rows = 0..table.size.min(ROWS);
    let lengths = [first, second].map(|position| {
        let lengths = rows
            .clone()
            .filter_map(|row| table.columns[position].length(row));
        middle(lengths.map(|length| length as f64).collect())
    });
    overlap(lengths[0], lengths[1]) > ALIKE
}

/// Returns the middle 80 % of the numbers.
fn middle(mut numbers: Vec<f64>) -> Option<(f64, f64)> {
    sort::by(&mut numbers, f64::total_cmp);
    let at = |share: f64| {
        numbers
            .get((numbers.len() as f64 * share) as usize)
            .copied()
    };
    Some((at(0.1)?, at(0.9)?))
}

/// Returns pairs of columns to compare, the first one from `left`, the second one from `right`. To
/// describe few rows, they must be alike.
pub(super) fn pairs(
    family: &Family<'_, '_>,
    left: &[usize],
    right: &[usize],
) -> Vec<(usize, usize)> {
    let share = if family.has_few() { ALIKE } else { OVERLAP };
    overlapping(family.table, left, right, share)
}

/// Returns pairs of these columns with similar values.
#[cfg(feature = "full")]
pub(super) fn alike(table: &ExplanationTable<'_>, columns: &[usize]) -> Vec<(usize, usize)> {
    overlapping(table, columns, columns, ALIKE)
}

/// Returns pairs of columns that overlap by more than this share, or have many equal numbers.
fn overlapping(
    table: &ExplanationTable<'_>,
    left: &[usize],
    right: &[usize],
    share: f64,
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
    let numbers = |position: usize| -> Vec<Option<f64>> {
        let column = &table.columns[position];
        match left.contains(&position) || right.contains(&position) {
            true => (0..size).map(|row| column.float(row)).collect(),
            false => Vec::new(),
        }
    };
    let numbers: Vec<Vec<Option<f64>>> = (0..table.columns.len()).map(numbers).collect();
    let ranges = numbers
        .iter()
        .map(|it| middle(it.iter().flatten().copied().collect()));
    let ranges: Vec<Option<(f64, f64)>> = ranges.collect();
    let are_often_equal = |first: usize, second: usize| {
        let both = numbers[first].iter().zip(&numbers[second]);
        let equal = both.filter(|(first, second)| first.is_some() && first == second);
        is_number(first) && equal.take(EQUAL).count() == EQUAL
    };
    let mut pairs = Vec::new();
    for &first in left {
        for &second in right {
            let is_new = first != second && !pairs.contains(&(second, first));
            if is_new
                && is_number(first) == is_number(second)
                && (is_number(first) || table.columns[first].kind == table.columns[second].kind)
                && (overlap(ranges[first], ranges[second]) > share
                    || are_often_equal(first, second))
            {
                pairs.push((first, second));
            }
        }
    }
    pairs
}

/// Returns how much two ranges overlap, as a share of the wider one; negative if they don't.
fn overlap(left: Option<(f64, f64)>, right: Option<(f64, f64)>) -> f64 {
    let (Some(left), Some(right)) = (left, right) else {
        return -1.0;
    };
    let common = left.1.min(right.1) - left.0.max(right.0);
    let share = |range: (f64, f64)| common / (range.1 - range.0).max(f64::MIN_POSITIVE);
    share(left).min(share(right))
}
