//! The section about one ensemble.

use maud::{Markup, html};
use tdg_definition::control::escape;
use tdg_definition::json::Value;
use tdg_engine::Vectors;

use super::super::entry::Entry;
use super::chart;
use crate::record::ComparedChange;
use crate::summary;
use crate::terminal::{counted, time};

/// The most changed cases that are shown.
const CASES: usize = 200;

pub(super) fn section(entry: &Entry) -> Markup {
    let changed = entry.changed();
    html! {
        section id=(anchor(entry)) {
            h2 { (entry.run.test.name) " " (verdict(entry)) }
            p.faint {
                (counted(entry.run.cases, "case")) " · "
                (entry.run.test.package) "/" (entry.run.test.source)
                @if let Some(snapshot) = &entry.snapshot { " · " (snapshot) }
            }
            @if let Some(report) = &entry.run.report { pre { (report.trim_end()) } }
            @if let Some(vectors) = entry.rows() {
                (folded(entry, "Features", &features(vectors, &changed)))
            }
            @if let Some(compared) = &entry.compared {
                @if !compared.differing.is_empty() {
                    (chart::errors(compared))
                    details { summary { "Changed cases" } (cases(compared)) }
                }
            }
            @if !entry.history.is_empty() { (history(entry)) }
        }
    }
}

/// Content that is folded if the ensemble passed.
fn folded(entry: &Entry, title: &str, content: &Markup) -> Markup {
    html! {
        details open[!entry.run.verdict.passes()] {
            summary { (title) }
            (content)
        }
    }
}

/// An anchor that is unique, unlike the test's name.
pub(super) fn anchor(entry: &Entry) -> String {
    format!("ensemble-{}", entry.number)
}

pub(super) fn verdict(entry: &Entry) -> Markup {
    let verdict = entry.run.verdict;
    let class = if verdict.passes() {
        "verdict good"
    } else {
        "verdict bad"
    };
    html! { span class=(class) { (verdict) } }
}

/// The distribution of each feature, with the changed cases in it.
fn features(vectors: &Vectors, changed: &[usize]) -> Markup {
    html! {
        @if !changed.is_empty() {
            p.legend {
                span.swatch.all {} "rows" span.swatch.changed {} "changed"
            }
        }
        div.features {
            @for position in 0..vectors.width() {
                @let summary = summary::feature(vectors, position);
                @let bars = summary::bars(&summary, vectors, position, changed);
                figure {
                    figcaption {
                        b { (vectors.name(position)) }
                        span.faint { (vectors.feature_type(position)) }
                    }
                    (chart::distribution(&summary, &bars))
                }
            }
        }
    }
}

fn cases(compared: &ComparedChange) -> Markup {
    let names: Vec<&str> = compared.vectors.names().collect();
    let differences = compared.differing.iter().flat_map(|(case, comparison)| {
        comparison
            .differences
            .iter()
            .map(move |difference| (*case, difference))
    });
    let side = |value: &Option<Value>| {
        value
            .as_ref()
            .map_or_else(|| "–".to_owned(), Value::to_string)
    };
    let shown = compared.differing.len().min(CASES);
    html! {
        div.wide {
            table.cases {
                thead {
                    tr {
                        th.number { "case" }
                        @for name in &names { th { (name) } }
                        th { "field" } th { "expected" } th { "actual" } th.number { "error" }
                    }
                }
                tbody {
                    @for (case, difference) in differences.take(CASES) {
                        tr {
                            td.number { (case) }
                            @for cell in compared.vectors.cells(case) { td { (cell) } }
                            td { (difference.pointer) }
                            td { (side(&difference.expected)) }
                            td.actual { (side(&difference.actual)) }
                            td.number {
                                @if let Some(error) = difference.relative_error() {
                                    (format!("{:+.2} %", error * 100.0).replace('-', "−"))
                                }
                            }
                        }
                    }
                }
            }
        }
        @if shown < compared.differing.len() {
            p.faint { "… and " (counted(compared.differing.len() - shown, "more case")) }
        }
    }
}

fn history(entry: &Entry) -> Markup {
    let reasons = || {
        entry
            .decisions
            .iter()
            .filter(|record| record.decision.reason.is_some())
    };
    html! {
        h3 { "History" }
        (chart::history(&entry.history))
        @if reasons().next().is_some() {
            ul.reasons {
                @for record in reasons() {
                    li {
                        span.faint { (time(record.time)) } " "
                        (escape(record.decision.reason.as_deref().unwrap_or_default()))
                    }
                }
            }
        }
    }
}
