//! Two-sample tests of equal distributions, for sorted samples of equal size, at 0.1 %.

/// The two-sample Kolmogorov–Smirnov test: the largest distance between the empirical distribution
/// functions. Exact for continuous values, conservative if values are equal.
pub(crate) fn kolmogorov_smirnov(first: &[f64], second: &[f64]) -> bool {
    let (mut i, mut j, mut largest) = (0, 0, 0);
    while i < first.len() && j < second.len() {
        let value = first[i].min(second[j]);
        while i < first.len() && first[i] <= value {
            i += 1;
        }
        while j < second.len() && second[j] <= value {
            j += 1;
        }
        largest = largest.max(i.abs_diff(j));
    }
    let size = first.len() as f64;
    // The quantile of the Kolmogorov distribution: √(−½ ln (0.001 / 2)).
    largest as f64 / size < 1.9495 * (2.0 / size).sqrt()
}

/// The two-sample χ² test over the distinct values; values rare in both samples are merged.
pub(crate) fn chi_square(first: &[f64], second: &[f64]) -> bool {
    const RARE: usize = 20;
    let (mut i, mut j) = (0, 0);
    let mut cells: Vec<(usize, usize)> = Vec::new();
    let mut rare = (0, 0);
    while i < first.len() || j < second.len() {
        let value = match (first.get(i), second.get(j)) {
            (Some(a), Some(b)) => a.min(*b),
            (Some(value), None) | (None, Some(value)) => *value,
            (None, None) => break,
        };
        let (start_i, start_j) = (i, j);
        while i < first.len() && first[i] == value {
            i += 1;
        }
        while j < second.len() && second[j] == value {
            j += 1;
        }
        let (a, b) = (i - start_i, j - start_j);
        if a + b < RARE {
            rare = (rare.0 + a, rare.1 + b);
        } else {
            cells.push((a, b));
        }
    }
    if rare != (0, 0) {
        cells.push(rare);
    }
    assert!(cells.len() > 1, "a single value proves nothing");
    let mut statistic = 0.0;
    for &(a, b) in &cells {
        let difference = a as f64 - b as f64;
        statistic += difference * difference / (a + b) as f64;
    }
    statistic < chi_square_limit(cells.len() - 1)
}

/// The 99.9 % quantile of χ² by Wilson and Hilferty's approximation.
fn chi_square_limit(degrees_of_freedom: usize) -> f64 {
    let n = degrees_of_freedom as f64;
    let cube_root = 1.0 - 2.0 / (9.0 * n) + 3.0902 * (2.0 / (9.0 * n)).sqrt();
    n * cube_root * cube_root * cube_root
}
