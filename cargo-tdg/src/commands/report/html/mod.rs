//! The report as a self-contained page, light and dark.

mod chart;
mod ensemble;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::entry::Entry;
use super::headline::headline;
use crate::terminal::counted;

const STYLE: &str = include_str!("style.css");

pub(super) fn text(entries: &[Entry]) -> String {
    let failed = || entries.iter().filter(|entry| !entry.run.verdict.passes());
    let passed = || entries.iter().filter(|entry| entry.run.verdict.passes());
    let cases: usize = entries.iter().map(|entry| entry.run.cases).sum();
    let headline = headline(entries.iter().map(|entry| &entry.run));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "tdg: " (headline) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.brand { "tdg" }
                    h1 { (headline) }
                    p.faint { (counted(cases, "case")) }
                }
                div.wide { (overview(&failed().chain(passed()).collect::<Vec<_>>())) }
                @for entry in failed() { (ensemble::section(entry)) }
                @for entry in passed() { (ensemble::section(entry)) }
            }
        }
    };
    page.into_string() + "\n"
}

/// A row for each ensemble, failed ones first.
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
