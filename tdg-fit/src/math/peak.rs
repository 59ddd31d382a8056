//! Finds the peak of a function that has only one.

/// Returns the argument between `low` and `high` with the largest value, by golden-section search.
pub(crate) fn peak(low: f64, high: f64, evaluations: usize, of: impl Fn(f64) -> f64) -> f64 {
    const SECTION: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (low, high);
    let mut left = high - SECTION * (high - low);
    let mut right = low + SECTION * (high - low);
    let (mut at_left, mut at_right) = (of(left), of(right));
    for _ in 2..evaluations {
        if at_left > at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - SECTION * (high - low);
            at_left = of(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + SECTION * (high - low);
            at_right = of(right);
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_found() {
        let found = peak(-10.0, 100.0, 60, |x| -(x - 3.0) * (x - 3.0));
        assert!((found - 3.0).abs() < 1e-6, "{found}");
    }
}
