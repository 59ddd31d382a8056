//! The table of all ensembles.

use maud::{Markup, html};
use tdg_engine::Verdict;
use tdg_engine::text::shorten;

use super::super::entry::ReportEntry;
use super::ensemble::{self, EnsembleSection};
use super::history;
use crate::terminal::duration;
use crate::test_group::{NAMES_WIDTH, TestGroup};
use tdg_html::Finding;
use tdg_html::chart::short;

/// Returns the sortable and filterable table with these rows.
pub(super) fn table(ensembles: &[EnsembleSection<'_>], rows: &[Markup]) -> Markup {
    html! {
        @if ensembles.len() > 1 { (controls(ensembles)) }
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

fn controls(ensembles: &[EnsembleSection<'_>]) -> Markup {
    html! {
        div.controls hidden {
            label { "Find " input type="search" data-find="ensemble" placeholder="name or file"; }
            label {
                "Verdict "
                select data-find="verdict" {
                    option value="" { "all " (ensembles.len()) }
                    @for (verdict, count) in verdicts(ensembles) {
                        option value=(verdict) { (verdict) " " (count) }
                    }
                }
            }
            span.faint data-count="" {}
        }
    }
}

fn verdicts(ensembles: &[EnsembleSection<'_>]) -> Vec<(Verdict, usize)> {
    let count = |verdict: &Verdict| {
        let is = |ensemble: &&EnsembleSection<'_>| ensemble.entry.run.verdict == *verdict;
        (*verdict, ensembles.iter().filter(is).count())
    };
    let counts = Verdict::ALL.iter().map(count);
    counts.filter(|(_, count)| *count > 0).collect()
}

/// Returns the cause and the names of tests that changed by it; nothing for a single test.
pub(super) fn cause(group: &TestGroup<&ReportEntry>) -> Markup {
    html! {
        @if let Some(headline) = group.headline() {
            p.note {
                b { (headline) } br;
                (group.names(|entry| entry.run.test.to_string(), NAMES_WIDTH)) "; in full below: "
                a href={ "#" (ensemble::anchor(group.first)) } { (group.first.run.test) }
            }
        }
    }
}

/// Returns the line of an ensemble, with the rules of its change if it is the first of its group.
pub(super) fn row(ensemble: &EnsembleSection<'_>, is_first: bool) -> Markup {
    /// The maximum number of rules.
    const PARTS: usize = 3;
    let entry = ensemble.entry;
    let run = &entry.run;
    let headlines = ensemble.findings.iter().filter(|_| is_first);
    let headlines = headlines.map(Finding::headline);
    let headlines: Vec<String> = headlines.take(PARTS).collect();
    // The rules aren't part of the sort key.
    let key = (!headlines.is_empty()).then(|| run.test.to_string());
    html! {
        tr data-ensemble=(ensemble::anchor(entry)) {
            td data-key=[key] {
                a href={ "#" (ensemble::anchor(entry)) } { (run.test) }
                @for headline in &headlines {
                    p.rule { (shorten(headline, 100)) }
                }
            }
            td { (ensemble::verdict(entry)) }
            td.number { @if run.changed > 0 { (run.changed) } }
            td.number { (run.cases_text()) }
            td.number data-key=(run.took.as_micros()) { (duration(run.took)) }
            td data-key=(run.tolerance_use.unwrap_or(-1.0)) {
                @if let Some(share) = run.tolerance_use { (gauge(share)) }
            }
            td { (history::marks(&entry.history)) }
        }
    }
}

/// Returns `40 %` with a bar.
fn gauge(share: f64) -> Markup {
    let class = if share > 0.8 { "gauge near" } else { "gauge" };
    html! {
        span class=(class) title="largest share of a tolerance that a case used" {
            i style=(format!("width:{}%", short(100.0 * share.min(1.0)))) {}
        }
        (format!("{:.0} %", share * 100.0))
    }
}
