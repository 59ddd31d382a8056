//! The report as one page that needs no other file, light and dark.

mod chart;
mod ensemble;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::entry::Entry;
use crate::terminal::counted;

const STYLE: &str = include_str!("style.css");

pub(super) fn text(entries: &[Entry]) -> String {
    let failed = || entries.iter().filter(|entry| !entry.run.verdict.passes());
    let passed = || entries.iter().filter(|entry| entry.run.verdict.passes());
    let cases: usize = entries.iter().map(|entry| entry.run.cases).sum();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "tdg: " (headline(failed().count(), entries.len())) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.brand { "tdg" }
                    h1 { (headline(failed().count(), entries.len())) }
                    p.faint { (counted(cases, "case")) }
                }
                (overview(&failed().chain(passed()).collect::<Vec<_>>()))
                @for entry in failed() { (ensemble::section(entry)) }
                @for entry in passed() { (ensemble::section(entry)) }
            }
        }
    };
    page.into_string() + "\n"
}

fn headline(failed: usize, all: usize) -> String {
    let ensembles = counted(all, "ensemble");
    match failed {
        0 => format!("{ensembles} passed"),
        failed => format!("{failed} of {ensembles} failed"),
    }
}

/// Every ensemble in a line, those that failed first.
fn overview(entries: &[&Entry]) -> Markup {
    html! {
        table.overview {
            thead {
                tr {
                    th { "ensemble" }
                    th { "verdict" }
                    th.number { "changed" }
                    th.number { "cases" }
                    th { "tolerance used" }
                    th { "last runs" }
                }
            }
            tbody {
                @for entry in entries {
                    tr {
                        td { a href={ "#" (ensemble::anchor(entry)) } { (entry.run.test.name) } }
                        td { (ensemble::verdict(entry)) }
                        td.number { @if entry.run.changed > 0 { (entry.run.changed) } }
                        td.number { (entry.run.cases) }
                        td { @if let Some(share) = entry.run.tolerance_use { (chart::gauge(share)) } }
                        td { (chart::runs(&entry.history)) }
                    }
                }
            }
        }
    }
}
