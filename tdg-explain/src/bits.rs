//! Bit sets of rows.

/// Returns the number of words for the bits of `rows` rows.
pub(super) fn words(rows: usize) -> usize {
    rows.div_ceil(64)
}

/// Sets the bit of a row.
pub(super) fn set(bits: &mut [u64], row: usize) {
    bits[row / 64] |= 1 << (row % 64);
}

/// Returns a set of some rows.
pub(super) fn from_rows(rows: impl IntoIterator<Item = u32>, words: usize) -> Vec<u64> {
    let mut bits = vec![0; words];
    for row in rows {
        set(&mut bits, row as usize);
    }
    bits
}

/// Returns the set of all rows.
pub(super) fn full(rows: usize) -> Vec<u64> {
    let mut bits = vec![u64::MAX; words(rows)];
    if let Some(last) = bits.last_mut()
        && !rows.is_multiple_of(64)
    {
        *last = (1 << (rows % 64)) - 1;
    }
    bits
}

pub(super) fn count(bits: &[u64]) -> usize {
    bits.iter().map(|word| word.count_ones() as usize).sum()
}

/// Returns the number of rows in both sets.
pub(super) fn common(left: &[u64], right: &[u64]) -> usize {
    let both = left.iter().zip(right);
    both.map(|(left, right)| (left & right).count_ones() as usize)
        .sum()
}

/// Returns the rows in both sets.
pub(super) fn both(left: &[u64], right: &[u64]) -> Vec<u64> {
    let mut both = left.to_vec();
    keep(&mut both, right, false);
    both
}

/// Intersects the set with `other`, or with its complement if `negated`.
pub(super) fn keep(bits: &mut [u64], other: &[u64], negated: bool) {
    let flip = if negated { u64::MAX } else { 0 };
    for (word, other) in bits.iter_mut().zip(other) {
        *word &= other ^ flip;
    }
}

pub(super) fn add(bits: &mut [u64], other: &[u64]) {
    for (word, other) in bits.iter_mut().zip(other) {
        *word |= other;
    }
}

/// Returns the number of rows that `bits` has in common with each of two sets.
pub(super) fn common_of_two(bits: &[u64], first: &[u64], second: &[u64]) -> (usize, usize) {
    let (mut of_first, mut of_second) = (0, 0);
    // The search spends most of its time here; in a dev build, iterators cost more than the bits.
    let mut at = 0;
    while at < bits.len() {
        of_first += (bits[at] & first[at]).count_ones();
        of_second += (bits[at] & second[at]).count_ones();
        at += 1;
    }
    (of_first as usize, of_second as usize)
}
