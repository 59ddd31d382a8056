//! The attributes of rows, as ranks.

use std::ops::Range;

use tdg_definition::math::ln;
use tdg_definition::sort;
use tdg_definition::{Cells, Column, Text};

use super::predicate::{Aspect, length};
use crate::generate::Vectors;
use crate::prefix::common_prefix;

/// Prefixes that fewer rows share are skipped.
const PREFIX_ROWS: usize = 4;

/// A property of every row: the value of a feature, or the length of a string.
///
/// Each row has the rank of its value among the distinct ones, so that every question is whether a
/// rank lies in a range: `<=`, `>`, `=` and "starts with" alike.
pub(super) struct Attribute {
    /// The position of the feature.
    pub(super) feature: usize,
    pub(super) aspect: Aspect,
    /// Whether `<=` and `>` are asked.
    pub(super) is_ordered: bool,
    /// The rank of each row; that of `null` follows the last value's.
    pub(super) ranks: Vec<u32>,
    /// The number of distinct values, without `null`.
    pub(super) distinct: u32,
    pub(super) has_null: bool,
    /// The ranks of values that more than one row has; only these are tested with `=`.
    pub(super) repeated: Vec<u32>,
    /// The ranges of ranks that share a prefix.
    pub(super) prefixes: Vec<Range<u32>>,
    /// The cost of naming one of the questions.
    pub(super) cost: f64,
}

/// The attributes that differ between any of the first `size` rows.
pub(super) fn attributes(vectors: &Vectors, size: usize) -> Vec<Attribute> {
    let mut attributes = Vec::new();
    for (position, feature) in vectors.features().iter().enumerate() {
        let column = &feature.column;
        let value = Attribute::of_values(position, column, size);
        if let Cells::Text(text) = column.cells() {
            attributes.extend(Attribute::of_lengths(position, column, text, size).map(
                |mut lengths| {
                    // Where a length says the same as a value, the value is simpler.
                    lengths.cost += value.as_ref().map_or(0.0, |value| value.cost) + ln(2.0);
                    lengths
                },
            ));
        }
        attributes.extend(value);
    }
    // Values come before lengths that say the same.
    sort::by_key(&mut attributes, |attribute| attribute.aspect);
    let choice = ln(attributes.len().max(1) as f64);
    for attribute in &mut attributes {
        attribute.cost += choice;
    }
    attributes
}

impl Attribute {
    fn of_values(feature: usize, column: &Column, size: usize) -> Option<Self> {
        let keyed = |key: &dyn Fn(usize) -> u64| Ranked::new(column, size, key);
        let ranked = match column.cells() {
            Cells::Float(values) => keyed(&|row| order_of_float(values[row])),
            Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
                keyed(&|row| values[row] as u64 ^ (1 << 63))
            }
            Cells::Unsigned(values) => keyed(&|row| values[row]),
            Cells::Boolean(values) => keyed(&|row| u64::from(values[row])),
            Cells::Text(text) => {
                let order = order_of_entries(text);
                keyed(&|row| u64::from(order[text.rows()[row] as usize]))
            }
        };
        let is_ordered = !matches!(column.cells(), Cells::Boolean(_) | Cells::Text(_));
        let prefixes = match column.cells() {
            Cells::Text(text) => shared_prefixes(text, &ranked),
            _ => Vec::new(),
        };
        Self::new(feature, Aspect::Value, is_ordered, ranked, prefixes)
    }

    fn of_lengths(feature: usize, column: &Column, text: &Text, size: usize) -> Option<Self> {
        let lengths: Vec<u64> = text.entries().map(|entry| length(entry) as u64).collect();
        if lengths.windows(2).all(|pair| pair[0] == pair[1]) {
            return None;
        }
        let key = |row: usize| lengths[text.rows()[row] as usize];
        let ranked = Ranked::new(column, size, &key);
        // `null` is a question of the value.
        if ranked.examples.len() < 2 {
            return None;
        }
        Self::new(feature, Aspect::Length, true, ranked, Vec::new())
    }

    /// `None` if all rows have one rank.
    fn new(
        feature: usize,
        aspect: Aspect,
        is_ordered: bool,
        ranked: Ranked,
        prefixes: Vec<Range<u32>>,
    ) -> Option<Self> {
        let distinct = ranked.examples.len() as u32;
        let has_null = ranked.has_null && aspect == Aspect::Value;
        if distinct + u32::from(has_null) < 2 {
            return None;
        }
        let mut repeated = Vec::new();
        for rank in 0..distinct {
            if ranked.rows_of_rank[rank as usize] > 1 {
                repeated.push(rank);
            }
        }
        // `<=` and `>` of each threshold; `=` and, without order, `!=` of each value.
        let questions = if is_ordered {
            2 * (distinct as usize - 1) + repeated.len()
        } else {
            2 * repeated.len() + prefixes.len()
        };
        let questions = questions + 2 * usize::from(has_null);
        Some(Self {
            feature,
            aspect,
            is_ordered,
            ranks: ranked.ranks,
            distinct,
            has_null,
            repeated,
            prefixes,
            cost: ln(questions.max(1) as f64),
        })
    }
}

/// Rows ranked by their values.
struct Ranked {
    ranks: Vec<u32>,
    has_null: bool,
    /// For each rank, the number of its rows, and one of them.
    rows_of_rank: Vec<usize>,
    examples: Vec<u32>,
}

impl Ranked {
    fn new(column: &Column, size: usize, key: &dyn Fn(usize) -> u64) -> Self {
        let mut keys: Vec<(u64, u32)> = Vec::with_capacity(size);
        for row in 0..size {
            if !column.is_null(row) {
                keys.push((key(row), row as u32));
            }
        }
        sort(&mut keys);
        let has_null = keys.len() < size;
        let mut ranks = vec![0; size];
        let mut rows_of_rank: Vec<usize> = Vec::new();
        let mut examples = Vec::new();
        let mut last = None;
        for (key, row) in keys {
            if last != Some(key) {
                last = Some(key);
                rows_of_rank.push(0);
                examples.push(row);
            }
            let rank = examples.len() - 1;
            rows_of_rank[rank] += 1;
            ranks[row as usize] = rank as u32;
        }
        if has_null {
            let null = examples.len() as u32;
            for (row, rank) in ranks.iter_mut().enumerate() {
                if column.is_null(row) {
                    *rank = null;
                }
            }
        }
        Self {
            ranks,
            has_null,
            rows_of_rank,
            examples,
        }
    }
}

/// Sorts by key; counts where keys are dense, as those of integers and categories are.
fn sort(keys: &mut Vec<(u64, u32)>) {
    let least = keys.iter().map(|(key, _)| *key).min().unwrap_or_default();
    let most = keys.iter().map(|(key, _)| *key).max().unwrap_or_default();
    if most - least > 4 * keys.len() as u64 {
        keys.sort_unstable_by_key(|(key, _)| *key);
        return;
    }
    let mut places = vec![0; (most - least) as usize + 2];
    for (key, _) in keys.iter() {
        places[(key - least) as usize + 1] += 1;
    }
    let mut sum = 0;
    for place in &mut places {
        sum += *place;
        *place = sum;
    }
    let mut sorted = vec![(0, 0); keys.len()];
    for (key, row) in keys.iter() {
        let place = &mut places[(key - least) as usize];
        sorted[*place] = (*key, *row);
        *place += 1;
    }
    *keys = sorted;
}

/// An integer in the order of floats; both zeros are equal, and NaN is the largest.
fn order_of_float(float: f64) -> u64 {
    if float.is_nan() {
        return u64::MAX;
    }
    // This turns −0.0 into 0.0.
    let bits = (float + 0.0).to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | (1 << 63)
    }
}

/// The rank of each entry among the distinct ones.
fn order_of_entries(text: &Text) -> Vec<u32> {
    let mut entries: Vec<(&str, usize)> = text
        .entries()
        .enumerate()
        .map(|(index, entry)| (entry, index))
        .collect();
    sort::by(&mut entries, Ord::cmp);
    let mut order = vec![0; entries.len()];
    let mut rank = 0;
    let mut last = None;
    for (entry, index) in entries {
        if last.is_some_and(|last| last != entry) {
            rank += 1;
        }
        last = Some(entry);
        order[index] = rank;
    }
    order
}

/// The ranges of ranks whose values share a prefix, each once: they end where neighbouring sorted
/// values part. Ranges of one value, of all values and of few rows are left out.
fn shared_prefixes(text: &Text, ranked: &Ranked) -> Vec<Range<u32>> {
    let value = |rank: usize| text.get(ranked.examples[rank] as usize);
    let distinct = ranked.examples.len();
    let mut prefixes = Vec::new();
    // The prefixes that the current value shares with earlier ones: lengths and first ranks.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for rank in 1..=distinct {
        let common = if rank < distinct {
            common_prefix(value(rank - 1), value(rank))
        } else {
            0
        };
        let mut first = rank - 1;
        while let Some(&(length, start)) = open.last()
            && length > common
        {
            open.pop();
            first = start;
            let rows: usize = ranked.rows_of_rank[start..rank].iter().sum();
            if rows >= PREFIX_ROWS && rank - start < distinct {
                prefixes.push(start as u32..rank as u32);
            }
        }
        if common > 0 && open.last().is_none_or(|(length, _)| *length < common) {
            open.push((common, first));
        }
    }
    sort::by_key(&mut prefixes, |range| (range.start, range.end));
    prefixes
}
