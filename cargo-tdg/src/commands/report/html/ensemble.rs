//! The section about one ensemble.

use maud::{Markup, html};
use tdg_engine::Vectors;

use super::super::entry::Entry;
use super::finding::{Finding, findings};
use super::{cases, commands, feature, history, output, overview};
use crate::record::OfferedPart;
use crate::summary::Told;

/// The name of the parts that come before the report.
const FINDINGS: &str = "findings";

/// An ensemble with what there is to say about it.
pub(super) struct Ensemble<'e> {
    pub(super) entry: &'e Entry,
    pub(super) findings: Vec<Finding>,
    /// The parts that can be accepted by themselves.
    offered: Vec<OfferedPart>,
}

impl<'e> Ensemble<'e> {
    pub(super) fn of(entry: &'e Entry) -> Self {
        Self {
            entry,
            findings: findings(entry),
            offered: entry
                .compared
                .as_ref()
                .map(|it| it.parts())
                .unwrap_or_default(),
        }
    }

    /// The section with these of its parts.
    pub(super) fn section(&self, parts: &[(&str, Markup)]) -> Markup {
        let run = &self.entry.run;
        let (findings, others): (Vec<_>, Vec<_>) =
            parts.iter().partition(|(name, _)| *name == FINDINGS);
        html! {
            section id=(anchor(self.entry)) data-verdict=(run.verdict)
                data-text=(format!("{} {}", run.test, self.entry.source)) {
                h2 { (run.test) " " (verdict(self.entry)) }
                (overview::facts(self.entry))
                @for (_, finding) in findings { (finding) }
                (self.report())
                @for (_, part) in others { (part) }
            }
        }
    }

    /// The commands and the report, which is folded if the findings say it.
    fn report(&self) -> Markup {
        let report = self.entry.run.report.as_deref().unwrap_or_default();
        let (report, hints) = commands::split(report);
        let is_told = !self.findings.is_empty() && self.findings.iter().all(Finding::is_explained);
        html! {
            @if !hints.is_empty() {
                ul.commands { @for hint in hints { (commands::command(hint)) } }
            }
            @if !report.is_empty() {
                details open[!is_told] {
                    summary { "Report" }
                    pre { (report) }
                }
            }
        }
    }

    /// The parts below, each with the name by which it is counted if it doesn't fit.
    pub(super) fn parts(&self) -> Vec<(&'static str, Markup)> {
        let entry = self.entry;
        let mut parts = Vec::new();
        if let Some(vectors) = entry.rows() {
            for (index, finding) in self.findings.iter().enumerate() {
                let is_new = !self.findings[..index].iter().any(|it| it.is_like(finding));
                let markup = finding.markup(entry, vectors, &self.offered, is_new);
                parts.push((FINDINGS, markup));
            }
            parts.push(("features", self.other_features(vectors)));
        }
        if let (Some(compared), Some(change)) = (&entry.compared, &entry.change)
            && !compared.differing.is_empty()
        {
            parts.push(("plots of arrays", output::of_arrays(compared, change)));
            parts.push(("changed cases", cases::table(compared, &self.offered)));
        }
        if !entry.history.is_empty() {
            parts.push(("histories", history::part(entry)));
        }
        parts
    }

    /// The features that no rule is about, folded unless there is nothing else to look at.
    fn other_features(&self, vectors: &Vectors) -> Markup {
        let (mut failing, did) = self.entry.failing();
        failing.retain(|case| *case < vectors.size());
        let told = Told {
            chosen: &failing,
            covered: None,
        };
        let is_named = |name: &str| {
            let findings = self.findings.iter();
            findings.flat_map(Finding::features).any(|it| it == name)
        };
        let (named, others): (Vec<usize>, Vec<usize>) =
            (0..vectors.width()).partition(|position| is_named(vectors.name(*position)));
        let title = match named.is_empty() {
            true => "Features",
            false => "Other features",
        };
        html! {
            @if !others.is_empty() {
                details open[named.is_empty() && !failing.is_empty()] {
                    summary { (title) " " span.faint { (others.len()) } }
                    @if !failing.is_empty() {
                        p.legend {
                            span.swatch.all {} "rows" span.swatch.changed {} (did)
                        }
                    }
                    div.features {
                        @for position in others {
                            (feature::figure(vectors, position, did, told))
                        }
                    }
                }
            }
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
