//! Permutations that compute each number independently.

use super::{Purpose, Stream, uniform};

pub(super) const ROUNDS: usize = 8;

/// A keyed permutation of the numbers `0 ..= last`.
///
/// A Feistel network on pairs of numbers below `side` = ⌊√last⌋ + 1, whose sums are taken modulo
/// `side` (Black and Rogaway, *Ciphers with arbitrary finite domains*, CT-RSA 2002, the generalized
/// Feistel network). There are slightly more pairs than numbers; a pair that doesn't represent a
/// number is permuted again until one does (cycle walking).
///
/// ```
/// use tdg_definition::random::{Permutation, Purpose, Stream};
///
/// let stream = Stream::new(7, "ticket");
/// let order = Permutation::new(&stream, Purpose::Unique, 0, 5);
/// let mut numbers: Vec<u64> = (0..=5).map(|number| order.of(number)).collect();
/// numbers.sort();
/// assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
/// ```
#[derive(Clone, Debug)]
pub struct Permutation {
    last: u64,
    side: u64,
    keys: [u64; ROUNDS],
}

impl Permutation {
    /// Creates the permutation with this number: its keys are the words of the rows `8 × number ..
    /// 8 × number + 8`, draw 0.
    pub fn new(stream: &Stream, purpose: Purpose, number: u64, last: u64) -> Self {
        let mut keys = [0; ROUNDS];
        stream.fill(purpose, 0, number.wrapping_mul(ROUNDS as u64), &mut keys);
        Self::with_keys(keys, last)
    }

    pub(super) fn with_keys(keys: [u64; ROUNDS], last: u64) -> Self {
        let side = last.isqrt() + 1;
        Self { last, side, keys }
    }

    /// Maps a number, which is at most `last`.
    pub fn of(&self, number: u64) -> u64 {
        let mut number = number;
        loop {
            number = self.once(number);
            if number <= self.last {
                return number;
            }
        }
    }

    fn once(&self, number: u64) -> u64 {
        let side = self.side;
        let (mut left, mut right) = (number / side, number % side);
        let mut round = 0;
        while round < ROUNDS {
            let added = left + uniform::below(mixed(right ^ self.keys[round]), side);
            left = right;
            right = if added < side { added } else { added - side };
            round += 1;
        }
        left * side + right
    }
}

/// Mixes a word: each bit of the result depends on most of its bits, the upper ones on all.
#[inline]
fn mixed(word: u64) -> u64 {
    let product = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (product ^ (product >> 32)).wrapping_mul(0xBB67_AE85_84CA_A73B)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn permutation(seed: u64, last: u64) -> Permutation {
        Permutation::new(&Stream::new(seed, "x"), Purpose::Unique, 0, last)
    }

    /// Computes the statistic of a uniform choice among `cells`; its mean is `cells - 1`, its
    /// standard deviation √(2 × mean).
    fn chi_square(counts: &[u32]) -> f64 {
        let total: u32 = counts.iter().sum();
        let expected = f64::from(total) / counts.len() as f64;
        let square = |&count: &u32| (f64::from(count) - expected) * (f64::from(count) - expected);
        counts.iter().map(square).sum::<f64>() / expected
    }

    #[test]
    fn the_largest_domain_has_all_words() {
        let order = permutation(7, u64::MAX);
        let mut numbers: Vec<u64> = (0..1000)
            .chain(u64::MAX - 1000..=u64::MAX)
            .map(|number| order.of(number))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 2001);
        assert!(numbers[1000] > u64::MAX / 4 && numbers[1000] < u64::MAX / 4 * 3);
    }

    #[test]
    fn a_number_comes_to_every_place_alike() {
        for last in [4, 10, 63] {
            for number in [0, last / 2, last] {
                let mut counts = vec![0; last as usize + 1];
                for seed in 0..5_000 {
                    counts[permutation(seed, last).of(number) as usize] += 1;
                }
                let (mean, chi_square) = (last as f64, chi_square(&counts));
                assert!(
                    chi_square < mean + 5.0 * (2.0 * mean).sqrt(),
                    "{chi_square}"
                );
            }
        }
    }

    #[test]
    fn where_one_number_comes_to_says_nothing_of_its_neighbour() {
        let last = 9;
        let mut counts = vec![0; 90];
        for seed in 0..20_000 {
            let order = permutation(seed, last);
            let (one, other) = (order.of(3), order.of(4));
            counts[(one * 9 + other - u64::from(other > one)) as usize] += 1;
        }
        assert!(chi_square(&counts) < 89.0 + 5.0 * (2.0 * 89.0_f64).sqrt());
    }

    #[test]
    fn permutations_of_another_number_are_others() {
        let stream = Stream::new(7, "x");
        let order = |number| Permutation::new(&stream, Purpose::Unique, number, 999_999).of(0);
        assert_ne!(order(0), order(1));
    }

    proptest! {
        #[test]
        fn no_number_is_made_twice(seed: u64, last in 0..3_000_u64) {
            let order = permutation(seed, last);
            let mut numbers: Vec<u64> = (0..=last).map(|number| order.of(number)).collect();
            numbers.sort_unstable();
            prop_assert!(numbers.into_iter().eq(0..=last));
        }

        #[test]
        fn numbers_of_large_domains_stay_within_and_apart(seed: u64, last: u64, a: u64, b: u64) {
            let order = permutation(seed, last);
            let (a, b) = (uniform::up_to(a, last), uniform::up_to(b, last));
            prop_assert!(order.of(a) <= last);
            prop_assert_eq!(order.of(a) == order.of(b), a == b);
        }
    }
}
