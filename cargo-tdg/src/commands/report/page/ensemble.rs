//! The section for one ensemble.

use maud::{Markup, html};
use tdg_definition::json::Pointer;
use tdg_explain::OfferedPart;
use tdg_html::cases::CasePart;
use tdg_html::{Finding, cases, feature, output};
use tdg_report::quoted;

use super::super::entry::ReportEntry;
use super::{commands, history};
use crate::record::ComparedChange;
use crate::terminal::{counted, duration};

/// The name of parts that come before the report.
const FINDINGS: &str = "findings";
/// The command in a report whose change is pending.
const REVIEW: &str = "cargo tdg review";

/// An ensemble with its findings.
pub(super) struct EnsembleSection<'e> {
    pub(super) entry: &'e ReportEntry,
    pub(super) findings: Vec<Finding>,
    /// The parts that can be accepted separately.
    offered: Vec<CasePart>,
}

impl<'e> EnsembleSection<'e> {
    pub(super) fn new(entry: &'e ReportEntry) -> Self {
        Self {
            entry,
            findings: findings(entry),
            offered: offered(entry),
        }
    }

    /// Returns the section with these parts.
    pub(super) fn section(&self, parts: &[(&str, Markup)]) -> Markup {
        let run = &self.entry.run;
        let (findings, others): (Vec<_>, Vec<_>) =
            parts.iter().partition(|(name, _)| *name == FINDINGS);
        html! {
            section id=(anchor(self.entry)) data-verdict=(run.verdict)
                data-text=(format!("{} {}", run.test, self.entry.source)) {
                h2 { (run.test) " " (verdict(self.entry)) }
                (facts(self.entry))
                @if self.rule_features().next().is_some() { (feature::legend(self.entry.failing().1, true)) }
                @for (_, finding) in findings { (finding) }
                (self.report())
                @for (_, part) in others { (part) }
            }
        }
    }

    /// Returns the commands and the report, which is collapsed if the findings cover it.
    fn report(&self) -> Markup {
        let run = &self.entry.run;
        let (report, hints) = commands::split(run.last_report());
        let is_told = !self.findings.is_empty() && self.findings.iter().all(Finding::is_explained);
        html! {
            @if !hints.is_empty() {
                ul.commands { @for hint in hints { (commands::command(hint)) } }
            }
            @if !report.is_empty() {
                details open[!is_told] {
                    summary {
                        @if run.is_flaky() { "Report of the previous attempt" } @else { "Report" }
                    }
                    pre { (report) }
                }
            }
        }
    }

    /// Returns the names of the features in rules.
    fn rule_features(&self) -> impl Iterator<Item = &str> {
        self.findings.iter().flat_map(Finding::features)
    }

    /// Returns the command that accepts these cases and fields, if they are a part of the pending
    /// change.
    fn accept(&self, cases: &[usize], fields: &[Pointer]) -> Markup {
        let is_this = |part: &CasePart| {
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

    /// Returns the parts, each with the name for counting it if it doesn't fit.
    pub(super) fn parts(&self) -> Vec<(&'static str, Markup)> {
        let entry = self.entry;
        let mut parts = Vec::new();
        if let Some(vectors) = entry.rows() {
            for finding in &self.findings {
                let accept = |cases: &[usize], fields: &[Pointer]| self.accept(cases, fields);
                parts.push((FINDINGS, finding.markup(vectors, accept)));
            }
            let (mut failing, did) = entry.failing();
            failing.retain(|case| *case < vectors.size());
            let is_named = |name: &str| self.rule_features().any(|it| it == name);
            let others = feature::others(vectors, is_named, &failing, did);
            parts.push(("features", others));
        }
        if let Some(ComparedChange { rows, .. }) = &entry.compared
            && !rows.differing.is_empty()
        {
            parts.push(("plots of arrays", output::of_arrays(rows)));
            parts.push(("changed cases", cases::table(rows, &self.offered)));
        }
        if !entry.history.is_empty() {
            parts.push(("histories", history::part(entry)));
        }
        parts
    }
}

/// Returns a unique anchor. The test's name need not be unique.
pub(super) fn anchor(entry: &ReportEntry) -> String {
    format!("ensemble-{}", entry.number)
}

pub(super) fn verdict(entry: &ReportEntry) -> Markup {
    let run = &entry.run;
    let class = match run.verdict.passes() {
        true if run.is_flaky() => "verdict near",
        true => "verdict good",
        false => "verdict bad",
    };
    html! {
        span class=(class) {
            (run.verdict)
            @if run.attempt > 1 { ", attempt " (run.attempt) }
        }
    }
}

/// Returns the line below an ensemble's name.
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

/// Returns the parts of the change that can be accepted separately.
fn offered(entry: &ReportEntry) -> Vec<CasePart> {
    let parts = entry.compared.iter().flat_map(ComparedChange::parts);
    let case_part = |OfferedPart { text, part, .. }| CasePart {
        text,
        cases: part.cases,
        fields: part.fields,
    };
    parts.map(case_part).collect()
}

/// Returns the findings about rows that changed or panicked.
fn findings(entry: &ReportEntry) -> Vec<Finding> {
    let Some(vectors) = entry.rows() else {
        return Vec::new();
    };
    let mut panicked = entry.run.panicked.clone();
    panicked.retain(|case| *case < vectors.size());
    let mut findings = Vec::new();
    if !panicked.is_empty() {
        findings.push(Finding::of_panics(vectors, panicked));
    }
    let compared = entry.compared.iter();
    findings.extend(compared.flat_map(|compared| Finding::all_of(&compared.rows)));
    findings
}
