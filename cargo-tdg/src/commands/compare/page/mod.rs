//! The answer as a self-contained page: a summary of all functions, then each changed function with
//! its findings, an example and its rows.

use anstream::adapter::strip_str;
use maud::{Markup, html};

use super::answer::{CASE, PackageAnswer, example, remark};
use super::calls::{CallVerdict, ChangedCall, ComparedFunction};
use super::ensembles::EnsembleAnswer;
use super::test_calls::TestCallsAnswer;
use crate::commands::changed_section::{ChangedSection, header};
use tdg_html::{PageRoom, document, room};

pub(super) fn page(
    then: &str,
    rows: usize,
    answers: &[&PackageAnswer],
    ensembles: &[EnsembleAnswer],
    calls: &[Vec<&TestCallsAnswer>; 2],
) -> String {
    let mut room = room();
    let mut packages = Vec::new();
    for (number, answer) in answers.iter().enumerate() {
        let functions = FunctionSection::all_of(answer, number);
        let lists = FunctionLists::default();
        if room.take("packages", lists.section(answer, rows)).is_some() {
            let lists = FunctionLists::new(answer, &functions, &mut room);
            packages.push((lists.section(answer, rows), functions));
        }
    }
    let [first, others] = calls.each_ref().map(|it| calls_sections(it, &mut room));
    let ensembles = ensembles.iter().map(|it| {
        let title = format!("Ensemble tests of {}", it.package);
        tests_section(&title, &it.text())
    });
    let ensembles = ensembles.filter_map(|it| room.take("ensemble tests", it));
    let ensembles: Vec<Markup> = ensembles.collect();
    let uncalled: Vec<Markup> = answers.iter().map(|it| uncalled(it, &mut room)).collect();
    for (_, functions) in &mut packages {
        functions.retain(|it| room.take("changed functions", it.section()).is_some());
    }
    let functions = packages.iter_mut().flat_map(|(_, functions)| functions);
    let mut shown: Vec<_> = functions.map(|it| &mut it.shown).collect();
    ChangedSection::add_parts(&mut shown, &mut room);
    let title = format!("compared with {then}");
    let about = html! { "Expected is the output of " (then) ", actual is the output now." };
    document(
        &title,
        &html! {
            (header(&title, &about, room.note("`--only FUNCTION` leaves them more room.")))
            @for calls in &first { (calls) }
            @for (package, functions) in &packages {
                (package)
                @for function in functions { (function.section()) }
            }
            @for calls in &others { (calls) }
            @for tests in &ensembles { (tests) }
            @for uncalled in &uncalled { (uncalled) }
        },
    )
}

/// Returns the list of a package's public items that no call shows, cut if it is long.
fn uncalled(answer: &PackageAnswer, room: &mut PageRoom) -> Markup {
    let lines = answer.uncalled_items();
    let lines = lines.map(|(name, kind)| html! { li { code { (name) } " (" (kind) ")" } });
    let lines = lines.filter_map(|it| room.take("items that no call shows", it));
    let lines: Vec<Markup> = lines.collect();
    let title = format!("Not looked at in {}", answer.package);
    html! { @if !lines.is_empty() { section { (folded(&title, &lines)) } } }
}

/// Returns the sections of calls that fit.
fn calls_sections(calls: &[&TestCallsAnswer], room: &mut PageRoom) -> Vec<Markup> {
    let sections = calls.iter().map(|it| {
        let title = format!("Calls of the tests of {}", it.package);
        tests_section(&title, &it.text(false))
    });
    let fitting = sections.filter_map(|it| room.take("calls of tests", it));
    fitting.collect()
}

/// Returns a section with terminal output about tests.
fn tests_section(title: &str, text: &str) -> Markup {
    html! {
        section {
            h2 { (title) }
            pre { (strip_str(text)) }
        }
    }
}

/// The functions of a package, grouped by result.
#[derive(Default)]
struct FunctionLists {
    changed: Vec<Markup>,
    /// Functions that neither changed nor were the same on all rows.
    others: Vec<Markup>,
    skipped: Vec<Markup>,
    added: Vec<Markup>,
}

impl FunctionLists {
    /// Collects the lines that fit on the page.
    fn new(answer: &PackageAnswer, changed: &[FunctionSection<'_>], room: &mut PageRoom) -> Self {
        let mut fitting = |lines: &mut dyn Iterator<Item = Markup>| -> Vec<Markup> {
            lines
                .filter_map(|line| room.take("lines about functions", line))
                .collect()
        };
        let line = |name: &str, text: &str| html! { li { code { (name) } (text) } };
        let is_other = |it: &&ComparedFunction| !it.is_changed();
        let others = answer.compared.iter().filter(is_other);
        let others =
            others.filter_map(|it| Some(line(&it.function, &format!(": {}", remark(it, CASE)?))));
        let signatures = answer.changed_signatures();
        let signatures = signatures.map(|(name, what)| line(name, &format!(" {what}")));
        let skipped = answer.functions.skipped.iter();
        let mut skipped = skipped.map(|(name, reason)| line(name, &format!(": {reason}")));
        Self {
            changed: fitting(&mut changed.iter().map(FunctionSection::line)),
            others: fitting(&mut others.chain(signatures)),
            skipped: fitting(&mut skipped),
            added: fitting(&mut answer.functions.added.iter().map(|name| line(name, ""))),
        }
    }

    fn section(&self, answer: &PackageAnswer, rows: usize) -> Markup {
        html! {
            section {
                h2 { (answer.package) }
                p.faint { (answer.headline(rows)) }
                @if !self.changed.is_empty() {
                    div.wide {
                        table.overview.sortable {
                            thead {
                                tr {
                                    th { "function" }
                                    th.number { "changed" }
                                    th.number { "rows" }
                                }
                            }
                            tbody { @for line in &self.changed { (line) } }
                        }
                    }
                }
                @if !self.others.is_empty() {
                    ul.reasons { @for line in &self.others { (line) } }
                }
                @if let Some(same) = answer.same() { p { (same) } }
                @for line in [answer.callers(), answer.one_sided(), answer.unseen()].iter().flatten() {
                    p { (line) }
                }
                (folded("Not compared", &self.skipped))
                (folded("New", &self.added))
            }
        }
    }
}

fn folded(title: &str, lines: &[Markup]) -> Markup {
    html! {
        @if !lines.is_empty() {
            details {
                summary { (title) " " span.faint { (lines.len()) } }
                ul.reasons { @for line in lines { (line) } }
            }
        }
    }
}

struct FunctionSection<'a> {
    compared: &'a ComparedFunction,
    changed: &'a ChangedCall,
    shown: ChangedSection<'a>,
}

impl<'a> FunctionSection<'a> {
    fn all_of(answer: &'a PackageAnswer, number: usize) -> Vec<Self> {
        let functions = answer.shown().enumerate();
        let changed = functions.filter_map(|(at, compared)| match &compared.verdict {
            CallVerdict::Changed(changed) => Some(Self {
                shown: ChangedSection::new(
                    format!("function-{number}-{at}"),
                    changed.rows.as_ref(),
                    |part| changed.causes.verified(part),
                ),
                compared,
                changed,
            }),
            _ => None,
        });
        changed.collect()
    }

    /// Returns its line in the table, with its rules.
    fn line(&self) -> Markup {
        html! {
            tr {
                (self.shown.cell(&self.compared.function))
                td.number { (self.changed.differing) }
                td.number { (self.compared.rows) }
            }
        }
    }

    /// Returns the section with the parts that fit.
    fn section(&self) -> Markup {
        let findings: Vec<_> = self.shown.parts.findings().collect();
        let name = &self.compared.function;
        let legend = self.shown.legend().filter(|_| !findings.is_empty());
        html! {
            section id=(self.shown.anchor) {
                h2 { (name) " " span.verdict.bad { "changed" } }
                @if let Some(remark) = remark(self.compared, CASE) { p.faint { (remark) } }
                @if let Some(legend) = legend { (legend) }
                @for finding in &findings { (finding) }
                pre { (example(self.changed, name)) }
                (self.sentences(findings.len()))
                @for part in self.shown.parts.others() { (part) }
            }
        }
    }

    /// Returns the findings as in the terminal, collapsed if charts show all of them.
    fn sentences(&self, pictured: usize) -> Markup {
        let is_told = pictured == self.shown.findings.len() && self.shown.is_explained();
        html! {
            @if !self.changed.findings.is_empty() {
                details open[!is_told] {
                    summary { "Findings as text" }
                    pre { @for finding in &self.changed.findings { (finding) "\n" } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
