//! The differences as a self-contained page.

use maud::{Markup, html};
use tdg_engine::text::shorten;
use tdg_html::{Finding, NamedPart, document, feature, room};
use tdg_report::Extent;

use super::headline;
use crate::commands::differences::{BenchmarkDifference, BenchmarkDifferences};

pub(super) fn page(
    all: &BenchmarkDifferences<'_>,
    differences: &[BenchmarkDifference<'_>],
) -> String {
    let mut room = room();
    let sections = differences.iter().enumerate();
    let mut sections: Vec<_> = sections.map(DifferenceSection::new).collect();
    let rows = sections.iter();
    let rows = rows.filter_map(|it| room.take("lines of the table", it.row()));
    let rows: Vec<Markup> = rows.collect();
    sections.retain(|it| room.take("benchmarks", it.section()).is_some());
    // The findings of all benchmarks come before the cases of any.
    for parts in [DifferenceSection::findings, DifferenceSection::rows] {
        for section in &mut sections {
            let parts = room.fitting(parts(section));
            section.parts.extend(parts);
        }
    }
    let title = headline(all, differences);
    document(
        &title,
        &html! {
            header {
                p.brand { "tdg" }
                h1 { (title) }
                p.faint { (all.legend()) }
                @if let Some(note) = room.note("`cargo tdg show NAME --since` has them.") {
                    p.note { (note) }
                }
            }
            @if !rows.is_empty() {
                div.wide {
                    table.overview.sortable {
                        thead {
                            tr {
                                th { "benchmark" }
                                th { "difference" }
                                th.number { "changed" }
                                th.number { "cases" }
                            }
                        }
                        tbody { @for row in &rows { (row) } }
                    }
                }
            }
            @for section in &sections { (section.section()) }
        },
    )
}

/// A benchmark and its difference.
struct DifferenceSection<'d> {
    anchor: String,
    difference: &'d BenchmarkDifference<'d>,
    findings: Vec<Finding>,
    /// The parts that fit on the page.
    parts: Vec<NamedPart>,
}

impl<'d> DifferenceSection<'d> {
    fn new((number, difference): (usize, &'d BenchmarkDifference<'d>)) -> Self {
        let compared = difference.compared();
        Self {
            anchor: format!("benchmark-{number}"),
            findings: compared.map_or_else(Vec::new, |it| Finding::all_of(&it.rows)),
            difference,
            parts: Vec::new(),
        }
    }

    /// Returns its line in the table, with its rules.
    fn row(&self) -> Markup {
        /// The maximum number of rules.
        const RULES: usize = 3;
        let (test, (changed, cases)) = (&self.difference.test, self.difference.counts());
        html! {
            tr {
                td data-key=(test) {
                    a href={ "#" (self.anchor) } { (test) }
                    @for finding in self.findings.iter().take(RULES) {
                        p.rule { (shorten(&finding.headline(), 100)) }
                    }
                }
                td { (self.difference.kind()) }
                td.number { @if let Some(changed) = changed { (changed) } }
                td.number { @if let Some(cases) = cases { (cases) } }
            }
        }
    }

    /// Returns the section with the parts that fit.
    fn section(&self) -> Markup {
        let difference = self.difference;
        let sections = difference.sections(Extent::SCREEN);
        let is_explained = self.findings.iter().all(Finding::is_explained);
        let is_told = !self.findings.is_empty() && is_explained;
        html! {
            section id=(self.anchor) {
                h2 { (difference.test) }
                p { (difference.summary()) }
                p.faint { (difference.file) }
                @if !difference.decisions.is_empty() {
                    ul.reasons { @for decision in difference.decisions_text() { li { (decision) } } }
                }
                @if self.findings.iter().flat_map(Finding::features).next().is_some() {
                    (feature::legend("changed", true))
                }
                @for (_, part) in &self.parts { (part) }
                @if !sections.trim().is_empty() {
                    details open[!is_told] {
                        summary { "Report" }
                        pre { (sections.trim_matches('\n')) }
                    }
                }
            }
        }
    }

    fn findings(&self) -> Vec<NamedPart> {
        let compared = self.difference.compared();
        compared.map_or_else(Vec::new, |it| it.rows.finding_parts(&self.findings))
    }

    fn rows(&self) -> Vec<NamedPart> {
        let compared = self.difference.compared();
        compared.map_or_else(Vec::new, |it| it.rows.row_parts(&self.findings))
    }
}
