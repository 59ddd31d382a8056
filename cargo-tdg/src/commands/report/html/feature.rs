//! The chart of a feature, with the rows that did something.

use maud::{Markup, html};
use tdg_engine::Vectors;

use super::chart::{Band, Guide, PlottedPoint, axis, bins, points, rows};
use super::subjects::Pair;
use crate::summary::{self, Bar, Numbers, Scale, Shape, Told, number};

/// With longer texts, lengths have a logarithmic scale: one long text would squeeze the others.
const LONG: f64 = 64.0;

/// The distribution of a feature, and in it the rows that `did` something.
pub(super) fn figure(vectors: &Vectors, position: usize, did: &str, told: Told<'_>) -> Markup {
    let summary = summary::feature(vectors, position);
    let bars = summary::bars(&summary, vectors, position, told);
    let chart = Chart {
        vectors,
        position,
        did,
        told,
    };
    html! {
        figure {
            figcaption {
                b { (vectors.name(position)) }
                span.faint { (vectors.feature_type(position)) }
            }
            @if let Shape::Numbers(numbers) = &summary.shape {
                // Nulls have no place among numbers, and would squeeze the other bars.
                @let (bars, nulls) = bars.split_at(bars.len() - usize::from(summary.nulls > 0));
                @match numbers.scale {
                    Scale::Length => (chart.texts(numbers, bars)),
                    _ => (chart.numbers(numbers, bars)),
                }
                @if !nulls.is_empty() { (rows(nulls, summary.count, summary.count, did)) }
            } @else {
                @let widest = bars.iter().map(|bar| bar.count).max().unwrap_or_default();
                (rows(&bars, widest, summary.count, did))
            }
        }
    }
}

/// The rows by two features that have numbers.
pub(super) fn plane(vectors: &Vectors, pair: &Pair, told: Told<'_>) -> Markup {
    let columns = pair.positions.map(|position| vectors.column(position));
    let point = |row: usize| {
        let [x, y] = columns.map(|column| number(column, row).filter(|it| it.is_finite()));
        Some(PlottedPoint {
            x: x?,
            y: y?,
            is_changed: told.chosen.binary_search(&row).is_ok(),
            tip: format!("case {row}"),
        })
    };
    let mut all: Vec<PlottedPoint> = (0..vectors.size()).filter_map(point).collect();
    // The others must not hide them.
    all.sort_by_key(|point| point.is_changed);
    let [x, y] = pair.positions.map(|position| vectors.name(position));
    let guide = match pair.is_comparison {
        true => Guide::Equal,
        false => Guide::None,
    };
    html! {
        figure {
            figcaption { b { (y) } span.faint { "over " (x) } }
            (points(&all, guide, &format!("{y} over {x}")))
        }
    }
}

/// The rows that a rule covers, and the others.
pub(super) fn split(size: usize, did: &str, told: Told<'_>) -> Markup {
    let covered = told.covered.unwrap_or_default();
    let is_covered = |row: &&usize| covered.binary_search(row).is_ok();
    let chosen = told.chosen.iter().filter(is_covered).count();
    let bar = |label: &str, count, chosen, is_covered| Bar {
        label: label.to_owned(),
        count,
        chosen,
        is_covered,
    };
    let bars = [
        bar("such cases", covered.len(), chosen, true),
        bar(
            "the others",
            size - covered.len(),
            told.chosen.len() - chosen,
            false,
        ),
    ];
    let widest = bars[0].count.max(bars[1].count);
    html! {
        figure {
            figcaption { b { "the rule" } }
            (rows(&bars, widest, size, did))
        }
    }
}

struct Chart<'a> {
    vectors: &'a Vectors,
    position: usize,
    did: &'a str,
    told: Told<'a>,
}

impl Chart<'_> {
    fn numbers(&self, numbers: &Numbers, bars: &[Bar]) -> Markup {
        html! {
            (bins(bars, self.did, self.band(numbers), &self.label()))
            (axis(&numbers.ends()))
        }
    }

    /// Texts that are mostly different: those that are not, and the lengths of all.
    fn texts(&self, numbers: &Numbers, bars: &[Bar]) -> Markup {
        let repeated = self.repeated();
        let most = repeated
            .iter()
            .map(|bar| bar.count)
            .max()
            .unwrap_or_default();
        html! {
            @if !repeated.is_empty() { (rows(&repeated, most, self.vectors.size(), self.did)) }
            @if numbers.histogram.most > LONG {
                p.faint { "lengths, each bar twice as long" }
                @let column = self.vectors.column(self.position);
                @let lengths = (0..self.vectors.size())
                    .filter_map(|row| Some((row, number(column, row)? as usize)));
                @let bars = summary::doublings(lengths, self.told);
                (bins(&bars, self.did, self.band_of(&bars), &self.label()))
            } @else {
                p.faint { "lengths" }
                (bins(bars, self.did, self.band(numbers), &self.label()))
            }
            (axis(&numbers.ends()))
        }
    }

    /// The values that several rows have.
    fn repeated(&self) -> Vec<Bar> {
        /// Enough beside a histogram.
        const SHOWN: usize = 3;
        let summary = summary::texts_by_value(self.vectors, self.position);
        let Shape::Categories { most, .. } = &summary.shape else {
            return Vec::new();
        };
        let mut bars = summary::bars(&summary, self.vectors, self.position, self.told);
        bars.retain(|bar| bar.count > 1 && most.iter().any(|(label, _)| *label == bar.label));
        bars.truncate(SHOWN);
        bars
    }

    /// The part of the axis that the rule covers.
    fn band(&self, numbers: &Numbers) -> Option<Band> {
        let column = self.vectors.column(self.position);
        let covered = self.told.covered?.iter();
        let [from, to] = numbers.extent(covered.filter_map(|row| number(column, *row)));
        // Where the rule has no bound, its rows end near that of the axis by chance.
        let bin = 1.0 / numbers.histogram.counts.len() as f64;
        Some(Band {
            from: if from < bin * 0.99 { 0.0 } else { from },
            to: if to > 1.0 - bin * 0.99 { 1.0 } else { to },
        })
        .filter(|band| band.from < band.to)
    }

    /// The same to the ends of the bars.
    fn band_of(&self, bars: &[Bar]) -> Option<Band> {
        self.told.covered?;
        let from = bars.iter().position(|bar| bar.is_covered)?;
        let to = bars.iter().rposition(|bar| bar.is_covered)? + 1;
        let [from, to] = [from, to].map(|at| at as f64 / bars.len() as f64);
        Some(Band { from, to })
    }

    /// The chart in words.
    fn label(&self) -> String {
        format!(
            "{}: {} of {} rows {}",
            self.vectors.name(self.position),
            self.told.chosen.len(),
            self.vectors.size(),
            self.did
        )
    }
}

#[cfg(test)]
mod tests {
    use tdg_definition::Definition;

    use super::super::seen;
    use super::*;

    /// The chart of the only feature, of which no row did anything.
    fn chart(feature: &str) -> String {
        let definition = format!(r#"{{"features":[{{"feature_name":"it",{feature}}}]}}"#);
        let vectors = Vectors::generate(&Definition::parse(&definition).unwrap(), 0, 500);
        let told = Told {
            chosen: &[],
            covered: None,
        };
        figure(&vectors, 0, "changed", told).0
    }

    #[test]
    fn nulls_have_a_named_bar_of_their_own() {
        let chart = chart(
            r#""type":"INTEGER","null_probability":0.3,"distribution":{"type":"uniform","min":100,"max":19999}"#,
        );
        assert!(seen(&chart).contains("null"), "seen: {}", seen(&chart));
        let (bins, _) = chart.split_once("</svg>").unwrap();
        assert!(!bins.contains("null"), "among the bins");
    }

    #[test]
    fn texts_have_their_repeated_values_and_lengths_by_doublings() {
        let chart = chart(
            r#""type":"STRING","distribution":{"type":"pattern","regex":"[a-z]{90}|[a-z]{6,9}|[ab]?"}"#,
        );
        let words: Vec<String> = seen(&chart).split_whitespace().map(str::to_owned).collect();
        insta::assert_snapshot!(words.join(" "), @r#"it STRING "" 18 % "a" 7 % "b" 7 % lengths, each bar twice as long 0 90 characters"#);
        let bars: Vec<&str> = chart.split("<title>").skip(1).collect();
        let labels: Vec<&str> = bars.iter().filter_map(|it| it.split(':').next()).collect();
        insta::assert_snapshot!(labels.join(", "), @"0, 1, 2 … 3, 4 … 7, 8 … 15, 16 … 31, 32 … 63, 64 … 127");
    }
}
