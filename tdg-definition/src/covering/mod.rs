//! Covering arrays: few rows in which all combinations of levels occur.
//!
//! The algorithm is IPOG (Lei, Kacker, Kuhn, Okun and Lawrence, *IPOG: a general strategy for t-way
//! software testing*, ECBS 2007): it starts with all combinations of the first features and adds
//! the others one by one. An array depends only on the numbers of levels and the strength.

mod missing;

use crate::checkpoint;
use crate::sort;
use missing::MissingCombinations;

/// Marks a feature that can have any level in a row.
const ANY: u32 = u32::MAX;

/// Rows of levels such that for any `strength` features, each combination of their levels is in one
/// of the rows.
///
/// ```
/// use tdg_definition::covering::CoveringArray;
///
/// // 81 combinations of all four, but each pair of levels is in one of 9 rows.
/// let array = CoveringArray::new(&[3, 3, 3, 3], 2);
/// assert_eq!(array.rows().len(), 9);
/// assert!(array.rows().contains(&vec![Some(0), Some(2), Some(2), Some(1)]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveringArray {
    rows: Vec<Vec<Option<u32>>>,
}

impl CoveringArray {
    /// Creates an array for features with these numbers of levels; 0 counts as 1. With fewer
    /// features than `strength`, the rows are all combinations.
    ///
    /// The work grows with [`combinations`]. Check those first for untrusted numbers.
    #[must_use]
    pub fn new(levels: &[u32], strength: usize) -> Self {
        let mut order: Vec<usize> = (0..levels.len()).collect();
        sort::by_key(&mut order, |&feature| std::cmp::Reverse(levels[feature]));
        let falling: Vec<u32> = order
            .iter()
            .map(|&feature| levels[feature].max(1))
            .collect();
        let in_order = |row: Vec<u32>| {
            let mut of_features = vec![None; row.len()];
            for (&feature, level) in order.iter().zip(row) {
                of_features[feature] = (level != ANY).then_some(level);
            }
            of_features
        };
        let rows = grow(&falling, strength.max(1))
            .into_iter()
            .map(in_order)
            .collect();
        Self { rows }
    }

    /// Returns the distinct rows: the level of each feature, counted from 0, or `None` if any fits.
    #[must_use]
    pub fn rows(&self) -> &[Vec<Option<u32>>] {
        &self.rows
    }
}

/// Returns the number of combinations of levels of `strength` different features, saturated at
/// `u64::MAX`. 0 levels count as 1.
///
/// ```
/// use tdg_definition::covering::combinations;
///
/// assert_eq!(combinations(&[2, 3, 4], 2), 2 * 3 + 2 * 4 + 3 * 4);
/// ```
#[must_use]
pub fn combinations(levels: &[u32], strength: usize) -> u64 {
    // Indexed by the number of features chosen so far.
    let mut chosen = vec![0_u64; strength.max(1).min(levels.len()) + 1];
    chosen[0] = 1;
    for &count in levels {
        for more in (1..chosen.len()).rev() {
            let with = chosen[more - 1].saturating_mul(count.max(1).into());
            chosen[more] = chosen[more].saturating_add(with);
        }
    }
    chosen[chosen.len() - 1]
}

/// The rows for numbers of levels in falling order.
fn grow(levels: &[u32], strength: usize) -> Vec<Vec<u32>> {
    let first = strength.min(levels.len());
    let mut rows = all(&levels[..first]);
    for end in first + 1..=levels.len() {
        checkpoint();
        let mut missing = MissingCombinations::all(&levels[..end], strength);
        missing.extend(&mut rows);
        missing.place_rest(&mut rows);
    }
    rows
}

/// All combinations; the last level changes first.
fn all(levels: &[u32]) -> Vec<Vec<u32>> {
    let mut rows = vec![Vec::new()];
    for &count in levels {
        let longer = |row: &Vec<u32>| {
            let row = row.clone();
            (0..count).map(move |level| [&row[..], &[level]].concat())
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    rows
}
