//! The section about one ensemble.

use maud::{Markup, html};
use tdg_definition::json::Pointer;
use tdg_engine::Vectors;
use tdg_engine::report::quoted;

use super::super::entry::ReportEntry;
use super::finding::{Finding, findings};
use super::{cases, commands, feature, history, output};
use crate::record::OfferedPart;
use crate::summary::Told;
use crate::terminal::{counted, duration};

/// The name of the parts that come before the report.
const FINDINGS: &str = "findings";
/// The command that a report names if its change is pending.
const REVIEW: &str = "cargo tdg review";

/// An ensemble with what there is to say about it.
pub(super) struct EnsembleSection<'e> {
    pub(super) entry: &'e ReportEntry,
    pub(super) findings: Vec<Finding>,
    /// The parts that can be accepted by themselves.
    offered: Vec<OfferedPart>,
}

impl<'e> EnsembleSection<'e> {
    pub(super) fn of(entry: &'e ReportEntry) -> Self {
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
                (facts(self.entry))
                @if self.rule_features().next().is_some() { (legend(self.entry.failing().1, true)) }
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

    /// The names of the features that rules are about.
    fn rule_features(&self) -> impl Iterator<Item = &str> {
        self.findings.iter().flat_map(Finding::features)
    }

    /// The command that accepts these cases of these fields, if they are a part of the change that
    /// is pending.
    fn accept(&self, cases: &[usize], fields: &[Pointer]) -> Markup {
        let is_this = |OfferedPart { part, .. }: &OfferedPart| {
            let is_of_fields = part.fields.is_empty() || part.fields == fields;
            part.cases.as_deref() == Some(cases) && is_of_fields
        };
        let report = self.entry.run.report.as_deref().unwrap_or_default();
        let at = self.offered.iter().position(is_this);
        let name = quoted(&self.entry.run.test.to_string());
        let line = |at| {
            format!(
                "accept this part: cargo tdg accept {name} --rule {}",
                at + 1
            )
        };
        html! {
            @if let Some(at) = at.filter(|_| report.contains(REVIEW)) {
                ul.commands { (commands::command(&line(at))) }
            }
        }
    }

    /// The parts below, each with the name by which it is counted if it doesn't fit.
    pub(super) fn parts(&self) -> Vec<(&'static str, Markup)> {
        let entry = self.entry;
        let mut parts = Vec::new();
        if let Some(vectors) = entry.rows() {
            for finding in &self.findings {
                let accept = |cases: &[usize], fields: &[Pointer]| self.accept(cases, fields);
                parts.push((FINDINGS, finding.markup(vectors, accept)));
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

    /// The features that no rule is about, folded unless there is no rule to look at.
    fn other_features(&self, vectors: &Vectors) -> Markup {
        let (mut failing, did) = self.entry.failing();
        failing.retain(|case| *case < vectors.size());
        let told = Told {
            chosen: &failing,
            covered: None,
        };
        let is_named = |name: &str| self.rule_features().any(|it| it == name);
        let (named, others): (Vec<usize>, Vec<usize>) =
            (0..vectors.width()).partition(|position| is_named(vectors.name(*position)));
        let title = match named.is_empty() {
            true => "Features",
            false => "Other features",
        };
        html! {
            @if !others.is_empty() {
                details open[named.is_empty() && (1..vectors.size()).contains(&failing.len())] {
                    summary { (title) " " span.faint { (others.len()) } }
                    @if !failing.is_empty() { (legend(did, false)) }
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

/// The colours of charts, with those of a rule.
fn legend(did: &str, has_rules: bool) -> Markup {
    html! {
        p.legend {
            span.swatch.all {} "rows" span.swatch.changed {} (did)
            @if has_rules { span.swatch.strip {} "share of each bar that " (did) }
        }
    }
}

/// An anchor that is unique, unlike the test's name.
pub(super) fn anchor(entry: &ReportEntry) -> String {
    format!("ensemble-{}", entry.number)
}

pub(super) fn verdict(entry: &ReportEntry) -> Markup {
    let verdict = entry.run.verdict;
    let class = if verdict.passes() {
        "verdict good"
    } else {
        "verdict bad"
    };
    html! { span class=(class) { (verdict) } }
}

/// The line below an ensemble's name.
fn facts(entry: &ReportEntry) -> Markup {
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

fn place(entry: &ReportEntry) -> String {
    match entry.run.line {
        0 => entry.source.clone(),
        line => format!("{}:{line}", entry.source),
    }
}
