//! The section about one ensemble.

use maud::{Markup, html};
use tdg_engine::Vectors;

use super::super::entry::Entry;
use super::{cases, chart, history, plot};
use crate::summary;
use crate::terminal::{counted, duration};

pub(super) fn section(entry: &Entry, head: &Markup, parts: &[Markup]) -> Markup {
    let verdict = entry.run.verdict;
    html! {
        section id=(anchor(entry)) data-verdict=(verdict)
            data-text=(format!("{} {}", entry.run.test, entry.source)) {
            (head)
            @for part in parts { (part) }
        }
    }
}

/// The name, the facts and the report.
pub(super) fn head(entry: &Entry) -> Markup {
    html! {
        h2 { (entry.run.test) " " (verdict(entry)) }
        (facts(entry))
        @if let Some(report) = &entry.run.report { pre { (report.trim_end()) } }
    }
}

/// The parts below, each with the name by which it is counted if it doesn't fit.
pub(super) fn parts(entry: &Entry) -> Vec<(&'static str, Markup)> {
    let mut parts = Vec::new();
    if let Some(vectors) = entry.rows() {
        let (mut failing, did) = entry.failing();
        failing.retain(|case| *case < vectors.size());
        let features = features(vectors, &failing, did);
        parts.push(("features", folded(entry, "Features", &features)));
    }
    if let (Some(compared), Some(change)) = (&entry.compared, &entry.change)
        && !compared.differing.is_empty()
    {
        parts.push(("plots", plot::of_values(compared)));
        parts.push(("plots of arrays", plot::of_arrays(compared, change)));
        parts.push(("changed cases", cases::table(compared)));
    }
    if !entry.history.is_empty() {
        parts.push(("histories", history::part(entry)));
    }
    parts
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
/// The line below its name.
fn facts(entry: &Entry) -> Markup {
    let run = &entry.run;
    html! {
        p.faint {
            (counted(run.cases, "case")) " in " (duration(run.took))
            @if let Some(share) = run.tolerance_use {
                " · " (format!("{:.0} %", share * 100.0)) " of the tolerance used"
            }
            " · "
            @match &entry.source_url {
                Some(url) => a href=(url) { (place(entry)) },
                None => (place(entry)),
            }
            @if let Some(snapshot) = &entry.snapshot { " · " (snapshot) }
            @if let Some(function) = &entry.run.against { " · against " (function) }
        }
    }
}

fn place(entry: &Entry) -> String {
    match entry.run.line {
        0 => entry.source.clone(),
        line => format!("{}:{line}", entry.source),
    }
}

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

/// The distribution of each feature, with the failing cases in it, which `did` something.
fn features(vectors: &Vectors, failing: &[usize], did: &str) -> Markup {
    html! {
        @if !failing.is_empty() {
            p.legend {
                span.swatch.all {} "rows" span.swatch.changed {} (did)
            }
        }
        div.features {
            @for position in 0..vectors.width() {
                @let summary = summary::feature(vectors, position);
                @let bars = summary::bars(&summary, vectors, position, failing);
                figure {
                    figcaption {
                        b { (vectors.name(position)) }
                        span.faint { (vectors.feature_type(position)) }
                    }
                    (chart::distribution(&summary, &bars, did))
                }
            }
        }
    }
}
