//! The levels of a feature, which coverage combines.

use crate::column::Cells;
use crate::fault::{Invalid, invalid};
use crate::random::{Threshold, uniform};
use crate::relation::RelatedFeature;
use crate::scalar::{Inversion, Words};

/// Levels are ranges of words, each for a category or a bin of values. If some but not all rows are
/// null, null is an additional level, the last.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Levels {
    /// The first word of each level of values, rising from 0.
    first_words: Vec<u64>,
    /// The first of the words for nulls by which a row isn't null; `None` if null isn't a level.
    first_not_null: Option<u64>,
}

impl Levels {
    /// Returns the categories of the feature, or at most `bins` bins.
    ///
    /// # Errors
    /// The reason why it doesn't have levels to combine.
    pub(super) fn of(name: &str, feature: &dyn RelatedFeature, bins: u64) -> Result<Self, Invalid> {
        let inversion = feature.inversion()?;
        if feature.modifiers().has_edge_cases() {
            return invalid!(
                "`{name}` has `edge_cases`, which replace the values of its levels; remove one of the two"
            );
        }
        let nulls = Threshold::of(feature.null_probability()).first_word();
        let Some(first_not_null) = nulls else {
            return invalid!(
                "`{name}` is null in every row, so there is nothing to combine; remove it"
            );
        };
        let categories = feature.distribution().categories();
        let levels = Self {
            first_words: categories.unwrap_or_else(|| bins_of(&inversion, bins)),
            first_not_null: (first_not_null > 0).then_some(first_not_null),
        };
        if levels.count() < 2 {
            return invalid!(
                "`{name}` has only one level, so there is nothing to combine; remove it, or use more `bins` if it has several values"
            );
        }
        Ok(levels)
    }

    /// The number of levels.
    pub(super) fn count(&self) -> u32 {
        (self.first_words.len() + usize::from(self.first_not_null.is_some())) as u32
    }

    /// The word of that level, derived from the row's own; the own word if the level is null.
    pub(super) fn value_word(&self, level: u32, own: u64) -> u64 {
        let level = level as usize;
        let Some(&first) = self.first_words.get(level) else {
            return own;
        };
        let next = self.first_words.get(level + 1);
        uniform::within((first, next.map_or(u64::MAX, |next| next - 1)), own)
    }

    /// The word of that level, derived from the row's own, that decides whether the row is null.
    pub(super) fn null_word(&self, level: u32, own: u64) -> u64 {
        let Some(first_not_null) = self.first_not_null else {
            return own;
        };
        if (level as usize) < self.first_words.len() {
            uniform::within((first_not_null, u64::MAX), own)
        } else {
            uniform::within((0, first_not_null - 1), own)
        }
    }
}

/// The first words of equally likely bins, except that a value isn't split between two: it belongs
/// to the bin in which it begins. A few equally likely values thus get a bin each.
fn bins_of(inversion: &Inversion<'_>, bins: u64) -> Vec<u64> {
    // Quantiles use the upper 52 bits, so bins of floats begin at a float.
    let equal = (0..bins).map(|bin| ((bin << 52) / bins) << 12).collect();
    let mut first = first_words_of_values(inversion, equal);
    first.dedup();
    first
}

/// The first word with the same value, for each word.
fn first_words_of_values(inversion: &Inversion<'_>, words: Vec<u64>) -> Vec<u64> {
    let values = |words: &[u64]| identities(&inversion.values(&Words::Given(words)));
    let wanted = values(&words);
    let before: Vec<u64> = words.iter().map(|word| word.wrapping_sub(1)).collect();
    let before = values(&before);
    // By bisection, all words at once, except those that are first already.
    let mut low = words.clone();
    for i in 0..wanted.len() {
        if before[i] == wanted[i] {
            low[i] = 0;
        }
    }
    let mut high = words;
    while low != high {
        let halves = low.iter().zip(&high);
        let middle: Vec<u64> = halves.map(|(low, high)| low + (high - low) / 2).collect();
        let found = values(&middle);
        for i in 0..found.len() {
            if found[i] == wanted[i] {
                high[i] = middle[i];
            } else {
                low[i] = middle[i] + 1;
            }
        }
    }
    high
}

/// Numbers that are equal if the values are; empty for strings, which are categories.
fn identities(cells: &Cells) -> Vec<u64> {
    match cells {
        Cells::Float(values) => values.iter().map(|value| value.to_bits()).collect(),
        Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
            values.iter().map(|&value| value as u64).collect()
        }
        Cells::Unsigned(values) => values.clone(),
        Cells::Boolean(values) => values.iter().map(|&value| value.into()).collect(),
        Cells::Text(_)
        | Cells::Bytes(_)
        | Cells::List(_)
        | Cells::Object(_)
        | Cells::Variant(_) => Vec::new(),
    }
}
