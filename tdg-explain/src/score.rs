//! Scores: how informative a rule is, and how surprising under chance. All are in nats.

use tdg_definition::math::ln;

/// Fewer rows are described by shorter terms, and not by loose comparisons.
pub(super) const FEW: usize = 8;

/// The number of cases on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SideCounts {
    /// The cases on the explained side.
    pub(super) inside: usize,
    /// The cases on the other side.
    pub(super) outside: usize,
}

impl SideCounts {
    pub(super) fn all(self) -> usize {
        self.inside + self.outside
    }

    /// Exchanges the sides.
    pub(super) fn turned(self) -> Self {
        Self {
            inside: self.outside,
            outside: self.inside,
        }
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self {
            inside: self.inside - other.inside,
            outside: self.outside - other.outside,
        }
    }
}

/// Tabulated sums and products of logarithms, so that scoring takes a few additions.
pub(super) struct LogarithmTables {
    ln: Vec<f64>,
    k_ln_k: Vec<f64>,
    ln_factorial: Vec<f64>,
}

impl LogarithmTables {
    /// Creates tables for at most `size` cases.
    pub(super) fn new(size: usize) -> Self {
        let mut tables = Self {
            ln: vec![0.0],
            k_ln_k: vec![0.0],
            ln_factorial: vec![0.0],
        };
        let mut sum = 0.0;
        for k in 1..=size {
            let number = k as f64;
            let ln_k = ln(number);
            sum += ln_k;
            tables.ln.push(ln_k);
            tables.k_ln_k.push(number * ln_k);
            tables.ln_factorial.push(sum);
        }
        tables
    }

    /// Returns `N·MI`: the number of cases times the mutual information of "is covered" and "is
    /// explained". 0 if the share of the explained side is not larger among the covered cases.
    ///
    /// (T. M. Cover and J. A. Thomas, *Elements of Information Theory*, 2.28.)
    #[inline]
    pub(super) fn information(&self, population: SideCounts, covered: SideCounts) -> f64 {
        if covered.inside * population.all() <= population.inside * covered.all() {
            return 0.0;
        }
        let f = |k: usize| self.k_ln_k[k];
        let missed = population.inside - covered.inside;
        let spared = population.outside - covered.outside;
        let joint = f(covered.inside) + f(covered.outside) + f(missed) + f(spared);
        let rows = f(covered.all()) + f(missed + spared);
        let columns = f(population.inside) + f(population.outside);
        joint - rows - columns + f(population.all())
    }

    /// Returns the information of the covered cases about themselves: their number times the
    /// divergence of the explained side's share among them from its share among all.
    ///
    /// (S. Kullback and R. A. Leibler, "On information and sufficiency", 1951.)
    pub(super) fn purity(&self, population: SideCounts, covered: SideCounts) -> f64 {
        let f = |k: usize| self.k_ln_k[k];
        let part = |count: usize, of: usize| f(count) - count as f64 * self.ln[of];
        part(covered.inside, population.inside) + part(covered.outside, population.outside)
            - part(covered.all(), population.all())
    }

    /// Returns `−ln p` of Fisher's exact test, one-sided: `p` is the probability that as many cases
    /// drawn at random include at least as many of the explained side.
    ///
    /// (R. A. Fisher, *Statistical Methods for Research Workers*, 21.02.)
    pub(super) fn surprise(&self, population: SideCounts, covered: SideCounts) -> f64 {
        let ln_choose = |n: usize, k: usize| {
            self.ln_factorial[n] - self.ln_factorial[k] - self.ln_factorial[n - k]
        };
        let drawn = covered.all();
        let ln_first = ln_choose(population.inside, covered.inside)
            + ln_choose(population.outside, covered.outside)
            - ln_choose(population.all(), drawn);
        // The probabilities of larger counts, relative to the first: each is the previous one times
        // a ratio.
        let (mut sum, mut term) = (1.0, 1.0);
        let mut inside = covered.inside;
        while inside < population.inside.min(drawn) {
            let outside = drawn - inside;
            let left = (population.inside - inside) * outside;
            let right = (inside + 1) * (population.outside - outside + 1);
            term *= left as f64 / right as f64;
            sum += term;
            if term < sum * f64::EPSILON {
                break;
            }
            inside += 1;
        }
        -(ln_first + ln(sum))
    }
}

/// Returns `−ln p` of a test for more explained cases among the covered ones than by chance. Cases
/// are only compared within their stratum, given by all its cases and its covered ones. 0 if there
/// are not more.
///
/// (N. Mantel and W. Haenszel, "Statistical aspects of the analysis of data from retrospective
/// studies of disease", 1959.)
pub(super) fn stratified_surprise(
    strata: impl IntoIterator<Item = (SideCounts, SideCounts)>,
) -> f64 {
    let (mut excess, mut variance) = (0.0, 0.0);
    for (population, covered) in strata {
        let [all, inside, drawn] =
            [population.all(), population.inside, covered.all()].map(|count| count as f64);
        if all > 1.0 {
            excess += covered.inside as f64 - drawn * inside / all;
            variance += drawn * (all - drawn) * inside * (all - inside) / (all * all * (all - 1.0));
        }
    }
    if excess <= 0.0 || variance <= 0.0 {
        return 0.0;
    }
    // The tail of the normal distribution.
    excess * excess / variance / 2.0 + ln(1.0 + (excess / variance.sqrt()) * 2.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(inside: usize, outside: usize) -> SideCounts {
        SideCounts { inside, outside }
    }

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-9 * right.abs().max(1.0)
    }

    #[test]
    fn a_rule_that_covers_all_of_one_side_alone_has_the_information_of_the_side() {
        let tables = LogarithmTables::new(8);
        let information = tables.information(counts(4, 4), counts(4, 0));
        assert!(close(information, 8.0 * ln(2.0)), "{information}");
    }

    #[test]
    fn a_difference_between_strata_is_not_a_surprise_within_them() {
        // All long lists fail, and more of them contain an element.
        let strata = [(counts(10, 0), counts(8, 0)), (counts(0, 10), counts(0, 2))];
        assert_eq!(stratified_surprise(strata), 0.0);
        let strata = [
            (counts(10, 10), counts(9, 1)),
            (counts(5, 15), counts(5, 1)),
        ];
        assert!(stratified_surprise(strata) > 5.0);
    }

    #[test]
    fn a_rule_without_effect_on_the_share_has_no_information() {
        let tables = LogarithmTables::new(100);
        assert_eq!(tables.information(counts(10, 90), counts(1, 9)), 0.0);
        assert_eq!(tables.information(counts(10, 90), counts(1, 50)), 0.0);
        assert!(tables.information(counts(10, 90), counts(2, 9)) > 0.0);
    }

    /// Fisher's lady: four of four cups right has probability 1/70, three or four 17/70.
    #[test]
    fn the_surprise_matches_fishers_tea_tasting() {
        let tables = LogarithmTables::new(8);
        assert!(close(tables.surprise(counts(4, 4), counts(4, 0)), ln(70.0)));
        assert!(close(
            tables.surprise(counts(4, 4), counts(3, 1)),
            ln(70.0 / 17.0)
        ));
        assert!(close(tables.surprise(counts(4, 4), counts(0, 4)), 0.0));
        assert!(close(tables.surprise(counts(4, 4), counts(4, 4)), 0.0));
    }
}
