//! Measures how well rows drawn from a definition match its table.

use std::collections::HashMap;

use tdg_definition::{Cells, Column, FeatureType};

use crate::categories::distinct;
use crate::feature::FittedFeature;
use crate::numbers::{null_share, numbers, strings};
use crate::scores::scores;

/// A fitted feature, with the match between its drawn values and its column.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FeatureMatch {
    /// The feature's name in the definition.
    pub name: String,
    /// The type of its values.
    pub feature_type: FeatureType,
    /// The name of its distribution.
    pub distribution: &'static str,
    /// The distribution with its parameters, in one line.
    pub summary: String,
    /// The measure behind `score`.
    pub measure: MatchMeasure,
    /// 1 if both have the same distribution, 0 if they have nothing in common.
    pub score: f64,
    /// The share of the table's range or categories that drawn values reach, if it has either.
    pub range: Option<f64>,
    /// The share of nulls in the table.
    pub nulls: f64,
    /// The share of nulls in the drawn rows.
    pub drawn_nulls: f64,
}

/// A measure behind [`FeatureMatch::score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatchMeasure {
    /// 1 − the Kolmogorov–Smirnov distance: the largest difference of the shares below a value.
    Ks,
    /// 1 − the total variation distance, which is half the sum of the differences of all shares.
    Tv,
    /// Like [`Self::Ks`], but of the lengths of strings that hardly ever repeat.
    KsOfLengths,
    /// No measure, because all values are null, or there is only one.
    None,
}

// The names in reports.
tdg_definition::names!(MatchMeasure::name {
    Ks = "KS", Tv = "TV", KsOfLengths = "KS of lengths", None = "",
});

/// The correlation of two features in the table and in the drawn rows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CorrelationMatch {
    /// The names of the features.
    pub features: [String; 2],
    /// The correlation in the table.
    pub correlation: f64,
    /// The correlation in the drawn rows.
    pub drawn: f64,
}

impl CorrelationMatch {
    /// Returns the distance between the two correlations.
    #[must_use]
    pub fn difference(&self) -> f64 {
        (self.correlation - self.drawn).abs()
    }
}

/// Compares a column with a column drawn for its feature.
pub(crate) fn compare(feature: &FittedFeature, column: &Column, drawn: &Column) -> FeatureMatch {
    let (measure, score, range) = compare_values(column, drawn, feature.has_categories());
    FeatureMatch {
        name: feature.name.clone(),
        feature_type: feature.feature_type,
        distribution: feature.distribution.name,
        summary: feature.summary(),
        measure,
        score,
        range,
        nulls: null_share(column),
        drawn_nulls: null_share(drawn),
    }
}

fn compare_values(
    column: &Column,
    drawn: &Column,
    is_category: bool,
) -> (MatchMeasure, f64, Option<f64>) {
    if let (Some(one), Some(other)) = (present_numbers(column), present_numbers(drawn)) {
        return if is_category {
            let bits = |value: f64| (value + 0.0).to_bits();
            of_categories(one.into_iter().map(bits), other.into_iter().map(bits))
        } else {
            of_numbers(one, other)
        };
    }
    if let (Some(one), Some(other)) = (strings(column), strings(drawn)) {
        if is_category && distinct(one.iter().copied()).is_some() {
            return of_categories(one.into_iter(), other.into_iter());
        }
        let lengths = |strings: Vec<&str>| -> Vec<f64> {
            strings.iter().map(|it| it.chars().count() as f64).collect()
        };
        return match of_numbers(lengths(one), lengths(other)) {
            (MatchMeasure::Ks, score, range) => (MatchMeasure::KsOfLengths, score, range),
            nothing => nothing,
        };
    }
    of_categories(booleans(column).into_iter(), booleans(drawn).into_iter())
}

fn booleans(column: &Column) -> Vec<bool> {
    let Cells::Boolean(values) = column.cells() else {
        return Vec::new();
    };
    let present = |(row, &value): (usize, &bool)| (!column.is_null(row)).then_some(value);
    values.iter().enumerate().filter_map(present).collect()
}

fn present_numbers(column: &Column) -> Option<Vec<f64>> {
    let mut numbers = numbers(column)?;
    numbers.retain(|number| !number.is_nan());
    Some(numbers)
}

fn of_numbers(mut one: Vec<f64>, mut other: Vec<f64>) -> (MatchMeasure, f64, Option<f64>) {
    one.sort_unstable_by(f64::total_cmp);
    other.sort_unstable_by(f64::total_cmp);
    let ends = |values: &[f64]| Some((*values.first()?, *values.last()?));
    let (Some((least, greatest)), Some((low, high))) = (ends(&one), ends(&other)) else {
        return (MatchMeasure::None, 1.0, None);
    };
    let range = if greatest > least {
        ((high.min(greatest) - low.max(least)) / (greatest - least)).max(0.0)
    } else {
        f64::from(low <= least && least <= high)
    };
    (
        MatchMeasure::Ks,
        1.0 - kolmogorov_smirnov(&one, &other),
        Some(range),
    )
}

/// Returns the largest difference between the shares of two sorted samples up to any number.
fn kolmogorov_smirnov(one: &[f64], other: &[f64]) -> f64 {
    let (mut i, mut j, mut largest) = (0, 0, 0.0_f64);
    while i < one.len() && j < other.len() {
        let value = one[i].min(other[j]);
        while i < one.len() && one[i] <= value {
            i += 1;
        }
        while j < other.len() && other[j] <= value {
            j += 1;
        }
        let difference = i as f64 / one.len() as f64 - j as f64 / other.len() as f64;
        largest = largest.max(difference.abs());
    }
    largest
}

fn of_categories<T: Eq + std::hash::Hash>(
    one: impl Iterator<Item = T>,
    other: impl Iterator<Item = T>,
) -> (MatchMeasure, f64, Option<f64>) {
    let mut counts: HashMap<T, (f64, f64)> = HashMap::new();
    let (mut total, mut drawn_total) = (0.0, 0.0);
    for value in one {
        counts.entry(value).or_default().0 += 1.0;
        total += 1.0;
    }
    for value in other {
        counts.entry(value).or_default().1 += 1.0;
        drawn_total += 1.0;
    }
    if total == 0.0 || drawn_total == 0.0 {
        return (MatchMeasure::None, 1.0, None);
    }
    // In a fixed order, so that the sum always has the same bits.
    let mut pairs: Vec<(f64, f64)> = counts.into_values().collect();
    pairs.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    let difference = |&(count, drawn): &(f64, f64)| (count / total - drawn / drawn_total).abs();
    let distance = pairs.iter().map(difference).sum::<f64>() / 2.0;
    let there = pairs.iter().filter(|(count, _)| *count > 0.0);
    let reached = there.clone().filter(|(_, drawn)| *drawn > 0.0).count();
    (
        MatchMeasure::Tv,
        1.0 - distance,
        Some(reached as f64 / there.count() as f64),
    )
}

/// Returns the correlations that are strong enough in the table or in the drawn rows, worst match
/// first. The table's columns are given as numbers.
pub(crate) fn correlations(
    features: &[FittedFeature],
    table: &[Option<Vec<f64>>],
    drawn_columns: &[&Column],
    strength: f64,
) -> Vec<CorrelationMatch> {
    let mut names = Vec::new();
    let (mut columns, mut drawn) = (Vec::new(), Vec::new());
    for (position, column) in table.iter().enumerate() {
        if let (Some(column), Some(numbers)) = (column, numbers(drawn_columns[position])) {
            names.push(&features[position].name);
            columns.push(column.clone());
            drawn.push(numbers);
        }
    }
    let (columns, drawn) = (scores(&columns), scores(&drawn));
    let mut found = Vec::new();
    for other in 0..names.len() {
        for one in 0..other {
            let correlation = columns[one].correlation(&columns[other]).0;
            let drawn = drawn[one].correlation(&drawn[other]).0;
            if correlation.abs().max(drawn.abs()) >= strength {
                found.push(CorrelationMatch {
                    features: [names[one].clone(), names[other].clone()],
                    correlation,
                    drawn,
                });
            }
        }
    }
    found.sort_by(|one, other| other.difference().total_cmp(&one.difference()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_of_kolmogorov_and_smirnov() {
        assert_eq!(kolmogorov_smirnov(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]), 0.0);
        assert_eq!(kolmogorov_smirnov(&[1.0, 2.0], &[3.0, 4.0]), 1.0);
        assert_eq!(
            kolmogorov_smirnov(&[1.0, 1.0, 2.0, 2.0], &[1.0, 2.0, 2.0, 2.0]),
            0.25
        );
    }

    #[test]
    fn ranges_and_categories_are_covered_in_part() {
        let (_, _, range) = of_numbers(vec![0.0, 10.0], vec![2.0, 7.0]);
        assert_eq!(range, Some(0.5));
        let (measure, score, range) = of_categories("aabc".chars(), "aabb".chars());
        assert_eq!((measure, score), (MatchMeasure::Tv, 0.75));
        assert_eq!(range, Some(2.0 / 3.0));
    }
}
