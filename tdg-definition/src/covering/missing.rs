//! The combinations that the rows still lack when another feature is added.

use std::ops::Range;

use super::ANY;

/// Tracks which combinations of the newest feature and the earlier features aren't
/// in any row yet.
pub(super) struct MissingCombinations<'a> {
    /// The numbers of levels up to the newest feature.
    levels: &'a [u32],
    sets: Vec<Set>,
    /// By set, then by the levels of the set's features in lexicographic order.
    missing: Vec<bool>,
    left: usize,
}

/// The features of a combination in rising order; the newest is the last.
struct Set {
    features: Vec<usize>,
    /// The places of its combinations.
    places: Range<usize>,
}

impl<'a> MissingCombinations<'a> {
    /// Marks all combinations with the last of these features as missing.
    pub(super) fn all(levels: &'a [u32], strength: usize) -> Self {
        let newest = levels.len() - 1;
        let (mut sets, mut start) = (Vec::new(), 0);
        for mut features in subsets(newest, strength - 1) {
            features.push(newest);
            let counts = features.iter().map(|&feature| levels[feature] as usize);
            let places = start..start + counts.product::<usize>();
            start = places.end;
            sets.push(Set { features, places });
        }
        Self {
            levels,
            sets,
            missing: vec![true; start],
            left: start,
        }
    }

    /// Gives each row the newest feature's level that adds the most missing combinations.
    pub(super) fn extend(&mut self, rows: &mut [Vec<u32>]) {
        let mut gains = vec![0_u32; self.levels[self.levels.len() - 1] as usize];
        let mut places = Vec::with_capacity(self.sets.len());
        for row in rows {
            if self.left == 0 {
                row.push(ANY);
                continue;
            }
            gains.fill(0);
            places.clear();
            for set in &self.sets {
                if let Some(place) = self.place(set, row) {
                    count(&self.missing[place..place + gains.len()], &mut gains);
                    places.push(place);
                }
            }
            let level = largest(&gains, sum(row));
            if gains[level] == 0 {
                row.push(ANY);
                continue;
            }
            for place in &places {
                self.missing[place + level] = false;
            }
            self.left -= gains[level] as usize;
            row.push(level as u32);
        }
    }

    /// Puts each remaining combination into the first row with room for it, or into a new row.
    pub(super) fn place_rest(&self, rows: &mut Vec<Vec<u32>>) {
        // Other rows have no room.
        let mut open = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            if row.contains(&ANY) {
                open.push(number);
            }
        }
        for set in &self.sets {
            for place in set.places.clone() {
                if !self.missing[place] {
                    continue;
                }
                let wanted = self.combination(set, place);
                let roomy = open
                    .iter()
                    .find(|&&number| has_room(&rows[number], &wanted));
                let number = roomy.copied().unwrap_or_else(|| {
                    open.push(rows.len());
                    rows.push(vec![ANY; self.levels.len()]);
                    rows.len() - 1
                });
                for (feature, level) in wanted {
                    rows[number][feature] = level;
                }
            }
        }
    }

    /// The place of the first combination with the row's levels of the earlier features; `None` if
    /// one of these levels is open.
    fn place(&self, set: &Set, row: &[u32]) -> Option<usize> {
        // Indexed, because iterators are slow in unoptimized builds.
        let (mut place, mut i) = (0, 0);
        while i < set.features.len() - 1 {
            let feature = set.features[i];
            let level = row[feature];
            if level == ANY {
                return None;
            }
            place = place * self.levels[feature] as usize + level as usize;
            i += 1;
        }
        Some(set.places.start + place * self.levels[set.features[i]] as usize)
    }

    /// The combination at `place`: features with their levels.
    fn combination(&self, set: &Set, place: usize) -> Vec<(usize, u32)> {
        let mut rest = place - set.places.start;
        let mut combination = Vec::with_capacity(set.features.len());
        for &feature in set.features.iter().rev() {
            let count = self.levels[feature] as usize;
            combination.push((feature, (rest % count) as u32));
            rest /= count;
        }
        combination
    }
}

fn count(missing: &[bool], gains: &mut [u32]) {
    let mut level = 0;
    while level < missing.len() {
        gains[level] += u32::from(missing[level]);
        level += 1;
    }
}

/// The sum of the row's fixed levels.
fn sum(row: &[u32]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < row.len() {
        if row[i] != ANY {
            sum += row[i] as usize;
        }
        i += 1;
    }
    sum
}

/// The level with the largest gain, or the first of several from `first` on, wrapping around.
/// Starting at the sum of the row's levels shifts levels from row to row, like in a Latin square.
fn largest(gains: &[u32], first: usize) -> usize {
    let count = gains.len();
    let first = first % count;
    let (mut best, mut level, mut others) = (first, first, count - 1);
    while others > 0 {
        level = if level + 1 < count { level + 1 } else { 0 };
        if gains[level] > gains[best] {
            best = level;
        }
        others -= 1;
    }
    best
}

fn has_room(row: &[u32], wanted: &[(usize, u32)]) -> bool {
    let mut i = 0;
    while i < wanted.len() {
        let (feature, level) = wanted[i];
        if row[feature] != level && row[feature] != ANY {
            return false;
        }
        i += 1;
    }
    true
}

/// All sets of `size` numbers below `end`, each in rising order, in lexicographic order.
fn subsets(end: usize, size: usize) -> Vec<Vec<usize>> {
    let mut subsets = vec![Vec::new()];
    for _ in 0..size {
        let longer = |subset: &Vec<usize>| {
            let subset = subset.clone();
            let next = subset.last().map_or(0, |last| last + 1);
            (next..end).map(move |number| [&subset[..], &[number]].concat())
        };
        subsets = subsets.iter().flat_map(longer).collect();
    }
    subsets
}
