//! The section for one ensemble.

use std::mem;

use maud::{Markup, html};
use tdg_definition::json::Pointer;
use tdg_engine::compare::Part;
use tdg_engine::store::VerifiedRule;
use tdg_explain::OfferedPart;
use tdg_html::cases::CasePart;
use tdg_html::{Finding, NamedPart, PageRoom, Round, SectionParts, feature};
use tdg_report::quoted;

use super::super::entry::ReportEntry;
use super::{commands, history};
use crate::record::ComparedChange;
use crate::terminal::{counted, duration};

/// The command in a report whose change is pending.
const REVIEW: &str = "cargo tdg review";

/// An ensemble with its findings.
pub(super) struct EnsembleSection<'e> {
    pub(super) entry: &'e ReportEntry,
    pub(super) findings: Vec<Finding>,
    /// The parts that can be accepted separately.
    offered: Vec<CasePart>,
    /// The parts that fit on the page.
    pub(super) parts: SectionParts,
}

impl<'e> EnsembleSection<'e> {
    pub(super) fn new(entry: &'e ReportEntry) -> Self {
        Self {
            entry,
            findings: findings(entry),
            offered: offered(entry),
            parts: SectionParts::default(),
        }
    }

    /// Returns the section with the parts that fit.
    pub(super) fn section(&self) -> Markup {
        let run = &self.entry.run;
        html! {
            section id=(anchor(self.entry)) data-verdict=(run.verdict)
                data-text=(format!("{} {}", run.test, self.entry.source)) {
                h2 { (run.test) " " (verdict(self.entry)) }
                (facts(self.entry))
                @if self.rule_features().next().is_some() { (feature::legend(self.entry.failing().1, true)) }
                @for finding in self.parts.findings() { (finding) }
                (self.report())
                @for part in self.parts.others() { (part) }
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
            @if let Some(cause) = &self.entry.cause {
                details {
                    summary { "Found by " code { "cargo tdg why" } }
                    pre { (cause.text) }
                }
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

    /// Adds the parts of a round that fit.
    pub(super) fn add_parts(&mut self, round: Round, room: &mut PageRoom) {
        let others = self.others(round);
        let mut parts = mem::take(&mut self.parts);
        let accept = |cases: &[usize], fields: &[Pointer]| self.accept(cases, fields);
        let markup = |finding: &Finding, has_charts: bool| {
            let vectors = self.entry.rows();
            html! {
                @if let Some(vectors) = vectors { (finding.markup(vectors, has_charts, accept)) }
            }
        };
        parts.add(round, room, &self.findings, markup, others);
        self.parts = parts;
    }

    /// Returns the parts of a round below the findings.
    fn others(&self, round: Round) -> Vec<NamedPart> {
        let entry = self.entry;
        let mut parts = match (&entry.compared, entry.rows()) {
            (Some(ComparedChange { rows, .. }), _) if !rows.differing.is_empty() => {
                rows.parts_of(round, &self.findings, &self.offered)
            }
            (_, Some(vectors)) if round == Round::Charts => {
                let (mut failing, did) = entry.failing();
                failing.retain(|case| *case < vectors.size());
                let is_named = |name: &str| self.rule_features().any(|it| it == name);
                let others = feature::others(vectors, is_named, &failing, did);
                vec![("features", others)]
            }
            _ => Vec::new(),
        };
        if round == Round::Charts && !entry.history.is_empty() {
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
    let changed = compared.flat_map(|compared| Finding::all_of(&compared.rows));
    let rule = |part: &Part| VerifiedRule::of_part(&entry.cause.as_ref()?.rules, part);
    findings.extend(changed.map(|it| it.verified_by(rule)));
    findings
}
