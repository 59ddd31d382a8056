//! The chart of a feature, highlighting the chosen rows.

use maud::{Markup, html};
use tdg_definition::{Cells, Column};
use tdg_engine::Vectors;

use super::chart::{Band, Guide, PlottedPoint, axis, bins, points, rows};
use super::subjects::Pair;
use crate::summary::{self, Bar, Numbers, Scale, Shape, Told, number};

/// The length from which texts get a logarithmic scale, so that long ones don't squeeze the rest.
const LONG: f64 = 64.0;

/// Renders the features that no rule mentions, each with the chosen rows. They are folded if any
/// rule exists.
pub fn others(
    vectors: &Vectors,
    is_named: impl Fn(&str) -> bool,
    chosen: &[usize],
    did: &str,
) -> Markup {
    let told = Told {
        chosen,
        covered: None,
    };
    let (named, others): (Vec<usize>, Vec<usize>) =
        (0..vectors.width()).partition(|position| is_named(vectors.name(*position)));
    let title = match named.is_empty() {
        true => "Features",
        false => "Other features",
    };
    html! {
        @if !others.is_empty() {
            details open[named.is_empty() && (1..vectors.size()).contains(&chosen.len())] {
                summary { (title) " " span.faint { (others.len()) } }
                @if !chosen.is_empty() { (legend(did, false)) }
                div.features {
                    @for position in others { (figure(vectors, position, did, told)) }
                }
            }
        }
    }
}

/// Renders the distributions of all features, if the page has room for them.
#[must_use]
pub fn all(vectors: &Vectors) -> Markup {
    /// The maximum number of features with a chart.
    const SHOWN: usize = 60;
    let told = Told {
        chosen: &[],
        covered: None,
    };
    let more = vectors.width().saturating_sub(SHOWN);
    html! {
        div.features {
            @for position in 0..vectors.width().min(SHOWN) { (figure(vectors, position, "", told)) }
        }
        @if more > 0 { p.faint { "… and " (more) " more features" } }
    }
}

/// Renders the legend of the charts, including a rule's colours.
pub fn legend(did: &str, has_rules: bool) -> Markup {
    html! {
        p.legend {
            span.swatch.all {} "rows" span.swatch.changed {} (did)
            @if has_rules { span.swatch.strip {} "share of each bar that " (did) }
        }
    }
}

/// Renders the distribution of a feature, highlighting the chosen rows. A list also gets the
/// distribution of its elements.
pub(super) fn figure(vectors: &Vectors, position: usize, did: &str, told: Told<'_>) -> Markup {
    let (name, column) = (vectors.name(position), vectors.column(position));
    html! {
        figure {
            figcaption {
                b { (name) }
                span.faint { (vectors.feature_type(position)) }
            }
            (Chart { name, column, each: "rows", did, told }.markup())
            @if let Cells::List(lists) = column.cells() {
                @let pooled = |rows: &[usize]| -> Vec<usize> {
                    rows.iter().flat_map(|row| lists.range(*row)).collect()
                };
                @let (chosen, covered) = (pooled(told.chosen), told.covered.map(pooled));
                @let told = Told { chosen: &chosen, covered: covered.as_deref() };
                @let did = format!("in rows that {did}");
                @for (name, column) in parts("an element", lists.elements()) {
                    p.faint { (name) }
                    (Chart { name: &name, column, each: "elements", did: &did, told }.markup())
                }
            }
        }
    }
}

/// Returns the members of an object with their paths, or any other column unchanged.
fn parts<'a>(name: &str, column: &'a Column) -> Vec<(String, &'a Column)> {
    match column.cells() {
        // If the object is null, its members have hidden values.
        Cells::Object(objects) if column.nulls().is_none() => objects
            .members()
            .flat_map(|(member, column)| parts(&format!("{name}/{member}"), column))
            .collect(),
        _ => vec![(name.to_owned(), column)],
    }
}

/// Plots the rows by two numeric features.
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
    // Draw changed points last, so that the others don't hide them.
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

/// Renders the rows that a rule covers, and the others.
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

/// The chart of a column.
struct Chart<'a> {
    name: &'a str,
    column: &'a Column,
    /// The plural of the things that its values belong to.
    each: &'static str,
    did: &'a str,
    told: Told<'a>,
}

impl Chart<'_> {
    fn markup(&self) -> Markup {
        let summary = summary::feature(self.column);
        let bars = summary::bars(&summary, self.column, self.told);
        html! {
            @if let Shape::Numbers(numbers) = &summary.shape {
                // Nulls can't be placed among numbers, and would squeeze the other bars.
                @let (bars, nulls) = bars.split_at(bars.len() - usize::from(summary.nulls > 0));
                @match numbers.scale {
                    Scale::Length => (self.texts(numbers, bars)),
                    _ => (self.numbers(numbers, bars)),
                }
                @if !nulls.is_empty() { (rows(nulls, summary.count, summary.count, self.did)) }
            } @else {
                @let widest = bars.iter().map(|bar| bar.count).max().unwrap_or_default();
                (rows(&bars, widest, summary.count, self.did))
            }
        }
    }

    fn numbers(&self, numbers: &Numbers, bars: &[Bar]) -> Markup {
        html! {
            (bins(bars, self.did, self.band(numbers), &self.label()))
            (axis(&numbers.ends()))
        }
    }

    /// Renders mostly distinct texts: the repeated ones, and the lengths of all.
    fn texts(&self, numbers: &Numbers, bars: &[Bar]) -> Markup {
        let repeated = self.repeated();
        let most = repeated
            .iter()
            .map(|bar| bar.count)
            .max()
            .unwrap_or_default();
        html! {
            @if !repeated.is_empty() { (rows(&repeated, most, self.column.cells().len(), self.did)) }
            @if numbers.histogram.most > LONG {
                p.faint { "lengths, each bar twice as wide" }
                @let lengths = (0..self.column.cells().len())
                    .filter_map(|row| Some((row, number(self.column, row)? as usize)));
                @let bars = summary::doublings(lengths, self.told);
                (bins(&bars, self.did, self.band_of(&bars), &self.label()))
            } @else {
                p.faint { "lengths" }
                (bins(bars, self.did, self.band(numbers), &self.label()))
            }
            (axis(&numbers.ends()))
        }
    }

    /// Returns bars for values that occur in several rows.
    fn repeated(&self) -> Vec<Bar> {
        /// Enough next to a histogram.
        const SHOWN: usize = 3;
        let summary = summary::texts_by_value(self.column);
        let Shape::Categories { most, .. } = &summary.shape else {
            return Vec::new();
        };
        let mut bars = summary::bars(&summary, self.column, self.told);
        bars.retain(|bar| bar.count > 1 && most.iter().any(|(label, _)| *label == bar.label));
        bars.truncate(SHOWN);
        bars
    }

    /// Returns the part of the axis that the rule covers.
    fn band(&self, numbers: &Numbers) -> Option<Band> {
        let covered = self.told.covered?.iter();
        let [from, to] = numbers.extent(covered.filter_map(|row| number(self.column, *row)));
        // If the rule has no bound, its rows end near the end of the axis only by chance.
        let bin = 1.0 / numbers.histogram.counts.len() as f64;
        Some(Band {
            from: if from < bin * 0.99 { 0.0 } else { from },
            to: if to > 1.0 - bin * 0.99 { 1.0 } else { to },
        })
        .filter(|band| band.from < band.to)
    }

    /// Like [`band`](Self::band), but rounded to the ends of the bars.
    fn band_of(&self, bars: &[Bar]) -> Option<Band> {
        self.told.covered?;
        let from = bars.iter().position(|bar| bar.is_covered)?;
        let to = bars.iter().rposition(|bar| bar.is_covered)? + 1;
        let [from, to] = [from, to].map(|at| at as f64 / bars.len() as f64);
        Some(Band { from, to })
    }

    /// Describes the chart in words.
    fn label(&self) -> String {
        format!(
            "{}: {} of {} {} {}",
            self.name,
            self.told.chosen.len(),
            self.column.cells().len(),
            self.each,
            self.did
        )
    }
}

#[cfg(test)]
mod tests {
    use tdg_definition::Definition;
    use tdg_tests::page::seen;

    use super::*;

    /// Renders the chart of the only feature, with no chosen rows.
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
    fn a_list_has_a_chart_of_its_length_and_of_each_member_of_its_elements() {
        let chart = chart(
            r#""type":"LIST","distribution":{"type":"list","length":{"min":0,"max":3},
            "element":{"type":"OBJECT","distribution":{"type":"object","features":[
                {"feature_name":"n","type":"INTEGER","distribution":{"type":"uniform","min":1,"max":9}},
                {"feature_name":"is","type":"BOOLEAN","distribution":{"type":"constant","value":true}}]}}}"#,
        );
        let words: Vec<String> = seen(&chart).split_whitespace().map(str::to_owned).collect();
        insta::assert_snapshot!(words.join(" "), @"it LIST 0 3 elements an element/n 1 9 an element/is true 100 %");
    }

    #[test]
    fn texts_have_their_repeated_values_and_lengths_by_doublings() {
        let chart = chart(
            r#""type":"STRING","distribution":{"type":"pattern","regex":"[a-z]{90}|[a-z]{6,9}|[ab]?"}"#,
        );
        let words: Vec<String> = seen(&chart).split_whitespace().map(str::to_owned).collect();
        insta::assert_snapshot!(words.join(" "), @r#"it STRING "" 18 % "a" 7 % "b" 7 % lengths, each bar twice as wide 0 90 characters"#);
        let bars: Vec<&str> = chart.split("<title>").skip(1).collect();
        let labels: Vec<&str> = bars.iter().filter_map(|it| it.split(':').next()).collect();
        insta::assert_snapshot!(labels.join(", "), @"0, 1, 2 … 3, 4 … 7, 8 … 15, 16 … 31, 32 … 63, 64 … 127");
    }
}
