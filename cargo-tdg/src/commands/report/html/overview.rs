//! The table of all ensembles.

use maud::{Markup, html};
use tdg_engine::Verdict;

use super::super::entry::Entry;
use super::{chart, ensemble, history};
use crate::terminal::duration;

/// The table with these rows, to be sorted and filtered.
pub(super) fn table(entries: &[&Entry], rows: &[Markup]) -> Markup {
    html! {
        @if entries.len() > 1 { (controls(entries)) }
        div.wide {
            table.overview.sortable {
                thead {
                    tr {
                        th { "ensemble" }
                        th { "verdict" }
                        th.number { "changed" }
                        th.number { "cases" }
                        th.number { "time" }
                        th { "tolerance used" }
                        th data-unsorted="" { "last runs" }
                    }
                }
                tbody { @for row in rows { (row) } }
            }
        }
    }
}

fn controls(entries: &[&Entry]) -> Markup {
    html! {
        div.controls hidden {
            label { "Find " input type="search" data-find="ensemble" placeholder="name or file"; }
            label {
                "Verdict "
                select data-find="verdict" {
                    option value="" { "all " (entries.len()) }
                    @for (verdict, count) in verdicts(entries) {
                        option value=(verdict) { (verdict) " " (count) }
                    }
                }
            }
            span.faint data-count="" {}
        }
    }
}

fn verdicts(entries: &[&Entry]) -> Vec<(Verdict, usize)> {
    let count = |verdict: &Verdict| {
        let is = |entry: &&&Entry| entry.run.verdict == *verdict;
        (*verdict, entries.iter().filter(is).count())
    };
    let counts = Verdict::ALL.iter().map(count);
    counts.filter(|(_, count)| *count > 0).collect()
}

pub(super) fn row(entry: &Entry) -> Markup {
    let run = &entry.run;
    html! {
        tr data-ensemble=(ensemble::anchor(entry)) {
            td { a href={ "#" (ensemble::anchor(entry)) } { (run.test) } }
            td { (ensemble::verdict(entry)) }
            td.number { @if run.changed > 0 { (run.changed) } }
            td.number { (run.cases) }
            td.number data-key=(run.took.as_micros()) { (duration(run.took)) }
            td data-key=(run.tolerance_use.unwrap_or(-1.0)) {
                @if let Some(share) = run.tolerance_use { (chart::gauge(share)) }
            }
            td { (history::marks(&entry.history)) }
        }
    }
}
