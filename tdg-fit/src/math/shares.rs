//! Converts counts to probabilities that sum to 1.

/// Returns the share of each count, in decimals that sum to 1. Largest remainders are rounded up.
///
/// Uses at least six decimals, and enough to distinguish the counts.
pub(crate) fn shares(counts: &[f64]) -> Vec<f64> {
    let total: f64 = counts.iter().sum();
    let mut units = 1e6;
    while units < 10.0 * total && units < 1e12 {
        units *= 10.0;
    }
    let exact: Vec<f64> = counts.iter().map(|count| count / total * units).collect();
    let mut whole: Vec<f64> = exact.iter().map(|share| share.floor()).collect();
    let missing = units - whole.iter().sum::<f64>();
    let mut order: Vec<usize> = (0..counts.len()).collect();
    let remainder = |index: usize| exact[index] - exact[index].floor();
    order.sort_by(|&one, &other| remainder(other).total_cmp(&remainder(one)));
    for &index in order.iter().take(missing as usize) {
        whole[index] += 1.0;
    }
    whole.iter().map(|share| share / units).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn thirds_are_decimals_that_sum_to_one() {
        assert_eq!(shares(&[1.0, 1.0, 1.0]), [0.333_334, 0.333_333, 0.333_333]);
        assert_eq!(shares(&[3.0, 1.0]), [0.75, 0.25]);
    }

    proptest! {
        #[test]
        fn shares_sum_to_one_and_none_is_zero(counts in prop::collection::vec(1..1_000_000_u32, 1..300)) {
            let counts: Vec<f64> = counts.into_iter().map(f64::from).collect();
            let shares = shares(&counts);
            prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-11);
            prop_assert!(shares.iter().all(|&share| share > 0.0));
        }
    }
}
