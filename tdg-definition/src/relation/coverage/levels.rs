//! The levels of a feature, of which coverage makes combinations.

use crate::column::Cells;
use crate::distribution::{Inversion, Words};
use crate::feature::Feature;
use crate::random::{Threshold, uniform};

/// Levels are ranges of words: those of a category or of a bin of values. Where some but not all
/// rows are null, null is one more level, the last.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Levels {
    /// The first word of each level of values, rising from 0.
    first_words: Vec<u64>,
    /// The first word by which a row isn't null, of those that decide that; nothing if null is no
    /// level.
    first_not_null: Option<u64>,
}

impl Levels {
    /// The categories of the feature, or at most this number of bins.
    ///
    /// # Errors
    /// Why it has no levels to combine.
    pub(super) fn of(feature: &Feature, bins: u64) -> Result<Self, String> {
        let inversion = feature.inversion()?;
        let name = feature.name();
        if feature.has_edge_cases() {
            return Err(format!(
                "`{name}` has `edge_cases`, which replace the values of its levels; remove one of the two"
            ));
        }
        let nulls = Threshold::of(feature.null_probability()).first_word();
        let Some(first_not_null) = nulls else {
            return Err(format!(
                "`{name}` is null in every row, so there is nothing to combine; remove it"
            ));
        };
        let categories = feature.distribution().categories();
        let levels = Self {
            first_words: categories.unwrap_or_else(|| bins_of(&inversion, bins)),
            first_not_null: (first_not_null > 0).then_some(first_not_null),
        };
        if levels.count() < 2 {
            return Err(format!(
                "`{name}` has only one level, so there is nothing to combine; remove it, or use more `bins` if it has several values"
            ));
        }
        Ok(levels)
    }

    /// The number of members.
    pub(super) fn count(&self) -> u32 {
        (self.first_words.len() + usize::from(self.first_not_null.is_some())) as u32
    }

    /// The word of that level in place of a row's own; the own one if the level is null.
    pub(super) fn value_word(&self, level: u32, own: u64) -> u64 {
        let level = level as usize;
        let Some(&first) = self.first_words.get(level) else {
            return own;
        };
        let next = self.first_words.get(level + 1);
        uniform::within((first, next.map_or(u64::MAX, |next| next - 1)), own)
    }

    /// The word of that level in place of the row's own that decides whether it is null.
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

/// The first words of bins that are equally likely, except that no value is in two of them: a value
/// is in the bin that it begins in. So a few equally likely values have a bin each.
fn bins_of(inversion: &Inversion<'_>, bins: u64) -> Vec<u64> {
    // Quantiles look at the upper 52 bits; so bins of floats begin where a float does.
    let equal = (0..bins).map(|bin| ((bin << 52) / bins) << 12).collect();
    let mut first = first_words_of_values(inversion, equal);
    first.dedup();
    first
}

/// For each word, the first one of its value.
fn first_words_of_values(inversion: &Inversion<'_>, words: Vec<u64>) -> Vec<u64> {
    let values = |words: &[u64]| identities(&inversion.values(&Words::Given(words)));
    let wanted = values(&words);
    let before: Vec<u64> = words.iter().map(|word| word.wrapping_sub(1)).collect();
    let before = values(&before);
    // By bisection, all at once, of what is not the first one already.
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

/// Numbers that are equal where the values are; nothing for strings, which are categories.
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
