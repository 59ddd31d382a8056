//! Distributions of integers, each with its most likely parameters.

use tdg_definition::math::{exp, ln};

use crate::candidate::{Candidate, prefer_simple, ranked, rounded, weighted};
use crate::document::Json;
use crate::math::{ln_choose, ln_gamma, peak};
use crate::sample::Sample;

/// Returns the distributions that fit, best first. The values must not all be equal.
pub(crate) fn candidates(sample: &Sample) -> Vec<Candidate> {
    let counts = sample.counts();
    let fits: [FitFunction; 7] = [
        uniform,
        bernoulli,
        poisson,
        binomial,
        negative_binomial,
        geometric,
        zipf,
    ];
    let simple = fits.iter().filter_map(|fit| fit(sample, &counts)).collect();
    let ranges = [4, 8, 16]
        .iter()
        .filter_map(|&number| ranges(sample, number));
    prefer_simple(
        ranked(simple, sample.count),
        ranked(ranges.collect(), sample.count),
        sample.count,
    )
}

/// The distinct values with their counts.
type ValueCounts<'a> = &'a [(f64, f64)];
type FitFunction = fn(&Sample, ValueCounts<'_>) -> Option<Candidate>;

fn sum(counts: ValueCounts<'_>, of: impl Fn(f64) -> f64) -> f64 {
    counts.iter().map(|&(value, count)| count * of(value)).sum()
}

fn uniform(sample: &Sample, _: ValueCounts<'_>) -> Option<Candidate> {
    let ln_likelihood = -sample.count * ln(sample.max - sample.min + 1.0);
    let parameters = [("min", sample.min), ("max", sample.max)];
    Some(Candidate {
        parameters: parameters
            .map(|(key, value)| (key, Json::integer(value as i64)))
            .to_vec(),
        ..Candidate::new("uniform", parameters, ln_likelihood)
    })
}

fn bernoulli(sample: &Sample, _: ValueCounts<'_>) -> Option<Candidate> {
    if (sample.min, sample.max) != (0.0, 1.0) {
        return None;
    }
    let p = sample.mean;
    let ln_likelihood = sample.count * (p * ln(p) + (1.0 - p) * ln(1.0 - p));
    Some(Candidate::new(
        "bernoulli",
        [("p", rounded(p))],
        ln_likelihood,
    ))
}

fn poisson(sample: &Sample, counts: ValueCounts<'_>) -> Option<Candidate> {
    if sample.min < 0.0 {
        return None;
    }
    let rate = sample.mean;
    let ln_likelihood = sum(counts, |k| k * ln(rate) - rate - ln_gamma(k + 1.0));
    Some(Candidate::new(
        "poisson",
        [("rate", rounded(rate))],
        ln_likelihood,
    ))
}

/// Searches for the best `n`, with the best `p` for each.
fn binomial(sample: &Sample, counts: ValueCounts<'_>) -> Option<Candidate> {
    let variance = sample.deviation * sample.deviation;
    if sample.min < 0.0 || variance >= sample.mean {
        return None;
    }
    let likelihood = |n: f64| {
        let p = (sample.mean / n).min(1.0 - 1e-12);
        sum(counts, |k| {
            ln_choose(n, k) + k * ln(p) + (n - k) * ln(1.0 - p)
        })
    };
    let of_moments = sample.mean * sample.mean / (sample.mean - variance);
    let high = (4.0 * of_moments).max(4.0 * sample.max + 10.0);
    let ln_n = peak(ln(sample.max), ln(high), 40, |ln_n| {
        likelihood(exp(ln_n).max(sample.max))
    });
    let near = exp(ln_n).round();
    let tried = [near - 1.0, near, near + 1.0, sample.max];
    let tried = tried.into_iter().filter(|&n| n >= sample.max);
    let (n, ln_likelihood) = tried
        .map(|n| (n, likelihood(n)))
        .max_by(|one, other| one.1.total_cmp(&other.1))?;
    let candidate = Candidate::new(
        "binomial",
        [("n", n), ("p", rounded(sample.mean / n))],
        ln_likelihood,
    );
    Some(candidate)
}

fn negative_binomial(sample: &Sample, counts: ValueCounts<'_>) -> Option<Candidate> {
    let (mean, variance) = (sample.mean, sample.deviation * sample.deviation);
    if sample.min < 0.0 || variance <= mean {
        return None;
    }
    let likelihood = |ln_n: f64| {
        let n = exp(ln_n);
        let (success, failure) = (n * ln(n / (n + mean)), ln(mean / (n + mean)));
        sum(counts, |k| {
            ln_gamma(k + n) - ln_gamma(k + 1.0) + k * failure
        }) + sample.count * (success - ln_gamma(n))
    };
    let of_moments = ln(mean * mean / (variance - mean));
    let ln_n = peak(of_moments - 4.0, of_moments + 4.0, 30, likelihood);
    let n = exp(ln_n);
    let parameters = [("n", rounded(n)), ("p", rounded(n / (n + mean)))];
    Some(Candidate::new(
        "negative_binomial",
        parameters,
        likelihood(ln_n),
    ))
}

fn geometric(sample: &Sample, _: ValueCounts<'_>) -> Option<Candidate> {
    if sample.min < 0.0 {
        return None;
    }
    let p = 1.0 / (1.0 + sample.mean);
    let ln_likelihood = sample.count * (ln(p) + sample.mean * ln(1.0 - p));
    Some(Candidate::new(
        "geometric",
        [("p", rounded(p))],
        ln_likelihood,
    ))
}

/// Fits a Zipf distribution whose ranks end at the largest value.
fn zipf(sample: &Sample, counts: ValueCounts<'_>) -> Option<Candidate> {
    /// The maximum rank. Summing more would take too long.
    const MAX_RANK: f64 = 10_000.0;
    /// The exponent below which a uniform range fits as well.
    const FLAT: f64 = 0.1;
    if sample.min < 1.0 || sample.max > MAX_RANK {
        return None;
    }
    let ranks: Vec<f64> = (1..=sample.max as usize)
        .map(|rank| ln(rank as f64))
        .collect();
    let logarithms = sum(counts, ln);
    let likelihood = |s: f64| {
        let total: f64 = ranks.iter().map(|rank| exp(-s * rank)).sum();
        -s * logarithms - sample.count * ln(total)
    };
    let s = peak(0.0, 8.0, 30, likelihood);
    let parameters = [("n", sample.max), ("s", rounded(s))];
    (s >= FLAT).then(|| Candidate::new("zipf", parameters, likelihood(s)))
}

/// Fits a mixture of uniform ranges with roughly equal counts.
fn ranges(sample: &Sample, number: usize) -> Option<Candidate> {
    let mut bounds: Vec<f64> = (0..number)
        .map(|index| sample.quantile(index as f64 / number as f64))
        .collect();
    bounds.dedup();
    bounds.push(sample.max + 1.0);
    if bounds.len() != number + 1 {
        return None;
    }
    let mut ln_likelihood = 0.0;
    let mut components = Vec::new();
    for pair in bounds.windows(2) {
        let inside = sample
            .values
            .iter()
            .filter(|&&value| (pair[0]..pair[1]).contains(&value));
        let share = inside.count() as f64 / sample.values.len() as f64;
        ln_likelihood += sample.count * share * ln(share / (pair[1] - pair[0]));
        let range = Json::Object(vec![
            ("type", Json::string("uniform")),
            ("min", Json::integer(pair[0] as i64)),
            ("max", Json::integer(pair[1] as i64 - 1)),
        ]);
        components.push(weighted(share, range));
    }
    Some(Candidate {
        name: "mixture",
        parameters: vec![("components", Json::Array(components))],
        fitted: 2 * number,
        listing: 0.0,
        ln_likelihood,
    })
}
