//! The differences as a self-contained page.

use maud::{Markup, html};
use tdg_html::{document, room};
use tdg_report::Extent;

use super::headline;
use crate::commands::changed_section::{ChangedSection, header};
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
    let mut changed: Vec<_> = sections.iter_mut().map(|it| &mut it.changed).collect();
    ChangedSection::add_parts(&mut changed, &mut room);
    let title = headline(all, differences);
    let about = html! { (all.legend()) };
    document(
        &title,
        &html! {
            (header(&title, &about, room.note("`cargo tdg show NAME --since` has them.")))
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
    difference: &'d BenchmarkDifference<'d>,
    changed: ChangedSection<'d>,
}

impl<'d> DifferenceSection<'d> {
    fn new((number, difference): (usize, &'d BenchmarkDifference<'d>)) -> Self {
        let rows = difference.compared().map(|it| &it.rows);
        Self {
            changed: ChangedSection::new(format!("benchmark-{number}"), rows, |_| None),
            difference,
        }
    }

    /// Returns its line in the table, with its rules.
    fn row(&self) -> Markup {
        let (changed, cases) = self.difference.counts();
        html! {
            tr {
                (self.changed.cell(&self.difference.test))
                td { (self.difference.kind()) }
                td.number { @if let Some(changed) = changed { (changed) } }
                td.number { @if let Some(cases) = cases { (cases) } }
            }
        }
    }

    /// Returns the section with the parts that fit.
    fn section(&self) -> Markup {
        let difference = self.difference;
        let (sections, _) = difference.sections(Extent::SCREEN);
        html! {
            section id=(self.changed.anchor) {
                h2 { (difference.test) }
                p { (difference.summary()) }
                p.faint { (difference.file) }
                @if !difference.decisions.is_empty() {
                    ul.reasons { @for decision in difference.decisions_text() { li { (decision) } } }
                }
                @if let Some(legend) = self.changed.legend() { (legend) }
                @for finding in self.changed.parts.findings() { (finding) }
                @for part in self.changed.parts.others() { (part) }
                @if !sections.trim().is_empty() {
                    details open[!self.changed.is_explained()] {
                        summary { "Report" }
                        pre { (sections.trim_matches('\n')) }
                    }
                }
            }
        }
    }
}
