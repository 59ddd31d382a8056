//! A test: its runs as a strip and a table, and the decisions about it.

use std::collections::BTreeSet;

use maud::{Markup, html};
use tdg_engine::TestId;
use tdg_engine::store::DecisionKind;
use tdg_engine::text::counted;
use tdg_html::chart::lines;
use tdg_report::quoted;
use tdg_service::record::DecisionRecord;
use tdg_service::{Timestamp, Uuid};

use super::table::TableColumn::{Number, Text};
use super::table::{head, overview};
use super::{PageError, PageRequest, WebPage, format, links, project};
use crate::database::{RunRange, StoredRun};

/// The number of runs in the strip, and of those in the table.
const STRIP: usize = 120;
const SHOWN: usize = 30;

struct TestPage {
    project: Uuid,
    test: Uuid,
    id: TestId,
    /// The runs, newest first.
    runs: Vec<StoredRun>,
    /// Set if the first run is the test's newest.
    is_newest: bool,
    decisions: Vec<DecisionRecord>,
}

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let [project, test] = request.ids()?;
    let name = project::name(request, project).await?;
    let page = TestPage::read(request, project, test).await?;
    Ok(WebPage {
        title: page.id.name.clone(),
        above: vec![links::above_projects(), (links::project(project), name)],
        body: page.markup(),
    })
}

/// Returns a test of a project.
pub(super) async fn id(
    request: &PageRequest<'_>,
    project: Uuid,
    test: Uuid,
) -> Result<TestId, PageError> {
    let found = request.database().test(request.account(), project, test);
    found.await?.ok_or(PageError::Nothing)
}

impl TestPage {
    async fn read(request: &PageRequest<'_>, project: Uuid, test: Uuid) -> Result<Self, PageError> {
        let (account, database) = (request.account(), request.database());
        let id = id(request, project, test).await?;
        let newest = RunRange::newest(STRIP as i64);
        let before = request.query.get("before").and_then(parse_place);
        let range = RunRange {
            before: before.unwrap_or(newest.before),
            ..newest
        };
        let runs = database.runs(account, test, range).await?;
        Ok(TestPage {
            project,
            test,
            id,
            runs,
            is_newest: before.is_none(),
            decisions: database.decisions(account, test).await?,
        })
    }

    fn markup(&self) -> Markup {
        let show = format!("cargo tdg show {} --changed", quoted(&self.id.to_string()));
        html! {
            ul.about {
                li { "package " (self.id.package) }
                li { code { (self.id.source) } }
                @if let Some(newest) = self.runs.first() {
                    li { a href=(links::benchmark(newest.benchmark)) { "benchmark" } }
                }
            }
            ul.commands {
                li { "see its cases: " code { (show) } " " button data-copy="" hidden { "Copy" } }
            }
            section aria-labelledby="runs" {
                h2 id="runs" { "Runs" }
                @if self.runs.is_empty() { p { "No runs of this test were synchronised." } }
                @else { (self.strip()) (self.tolerance()) (self.table()) }
            }
            @if !self.decisions.is_empty() {
                section aria-labelledby="decisions" {
                    h2 id="decisions" { "Decisions" }
                    (disagreement(self.about_benchmark()))
                    (decisions(&self.decisions, &self.runs))
                }
            }
        }
    }

    /// Returns the decisions since runs are compared with the newest run's benchmark.
    fn about_benchmark(&self) -> impl Iterator<Item = &DecisionRecord> {
        let newest = self.runs.first().filter(|_| self.is_newest);
        let has_its_benchmark =
            |run: &&StoredRun| newest.is_some_and(|newest| newest.benchmark == run.benchmark);
        let first = self.runs.iter().take_while(has_its_benchmark).last();
        let is_about = move |it: &&DecisionRecord| first.is_some_and(|first| it.time > first.time);
        self.decisions.iter().filter(is_about)
    }

    fn link(&self, run: &StoredRun) -> String {
        links::run(self.project, self.test, run.uuid)
    }

    /// Renders the runs in chronological order.
    fn strip(&self) -> Markup {
        html! {
            p.faint { "The last " (counted(self.runs.len(), "run")) ", the newest on the right" }
            div.runs {
                @for run in self.runs.iter().rev() {
                    @let class = if run.facts.verdict.passes() { "good" } else { "bad" };
                    @let label = format!("{}: {}", format::text_of(run.time), run.facts.verdict);
                    a class=(class) href=(self.link(run)) title=(label) aria-label=(label) {}
                }
            }
        }
    }

    /// Renders the used share of the tolerance, over the runs that report it.
    fn tolerance(&self) -> Markup {
        let shares = self
            .runs
            .iter()
            .rev()
            .filter_map(|it| it.facts.tolerance_use);
        let percents: Vec<f64> = shares.map(|share| share * 100.0).collect();
        let label = "Percent of the tolerance used, by run";
        let ends = ["oldest".to_owned(), "newest".to_owned()];
        html! {
            @if percents.len() > 1 {
                figure {
                    figcaption { (label) }
                    (lines(label, &[("actual", &percents)], &ends))
                }
            }
        }
    }

    fn table(&self) -> Markup {
        let shown = &self.runs[..self.runs.len().min(SHOWN)];
        let columns = [
            Text("run"),
            Text("verdict"),
            Number("changed"),
            Number("tolerance used"),
            Text("branch and commit"),
            Text("platform"),
        ];
        let rows = html! { @for run in shown { (self.line(run)) } };
        html! {
            (overview("Newest first", &columns, &rows))
            @if let (true, Some(last)) = (self.runs.len() > shown.len(), shown.last()) {
                @let place = place(last.time, last.uuid);
                @let path = links::test(self.project, self.test);
                p.pages { a href=(links::with(&path, &[("before", Some(&place))])) { "Older runs" } }
            }
        }
    }

    fn line(&self, run: &StoredRun) -> Markup {
        let facts = &run.facts;
        html! {
            tr {
                th scope="row" { a href=(self.link(run)) { (format::time(run.time)) } }
                td { (format::verdict(facts.verdict)) }
                td.number { (facts.changed) " of " (facts.cases) }
                td.number {
                    @if let Some(share) = facts.tolerance_use { (format!("{:.0} %", share * 100.0)) }
                }
                td { (format::checkout(&facts.checkout, facts.dirty)) }
                td { @if let Some((os, arch)) = &facts.platform { (os) " " (arch) } }
            }
        }
    }
}

/// Renders decisions as a table, newest first, with links to their changes of the benchmarks.
pub(super) fn decisions(decisions: &[DecisionRecord], runs: &[StoredRun]) -> Markup {
    html! {
        div.wide {
            table {
                caption { "Newest first" }
                (head(&["at", "decision", "by", "reason", "branch and commit"].map(Text)))
                tbody {
                    @for record in decisions {
                        @let decision = &record.decision;
                        tr {
                            th scope="row" { (format::time(record.time)) }
                            td {
                                @match comparison(record, runs) {
                                    Some(path) => a href=(path) { (decision.kind) },
                                    None => (decision.kind),
                                }
                            }
                            td { @if let Some(by) = decision.byline() { (by) } }
                            td { @if let Some(reason) = &decision.reason { (reason) } }
                            td { (format::checkout(&decision.checkout, decision.dirty)) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the page that compares the benchmark before a decision with the decision's.
fn comparison(decision: &DecisionRecord, runs: &[StoredRun]) -> Option<String> {
    let before = runs.iter().find(|run| run.is_before(decision))?.benchmark;
    let made = decision.benchmark.filter(|made| *made != before)?;
    Some(links::comparison(before, made))
}

/// Renders a remark if users have decided differently about the same change.
pub(super) fn disagreement<'d>(decisions: impl Iterator<Item = &'d DecisionRecord>) -> Markup {
    let decisions = decisions.filter(|it| it.decision.kind != DecisionKind::Renamed);
    let (authors, outcomes): (BTreeSet<_>, BTreeSet<_>) = decisions
        .map(|it| (&it.decision.author, it.benchmark))
        .unzip();
    html! {
        @if authors.len() > 1 && outcomes.len() > 1 {
            p.note {
                "There are different decisions about this change. All of them are kept; the \
                 committed snapshot file shows which one applies."
            }
        }
    }
}

/// Formats a place in the history as a value of an address.
fn place(time: Timestamp, uuid: Uuid) -> String {
    format!("{}.{uuid}", time.as_micros())
}

fn parse_place(text: &str) -> Option<(Timestamp, Uuid)> {
    let (micros, uuid) = text.split_once('.')?;
    let time = Timestamp::from_micros(micros.parse().ok()?);
    Some((time, Uuid::try_parse(uuid).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_from_its_text() {
        let at = (Timestamp::from_micros(-7), Uuid::max());
        assert_eq!(parse_place(&place(at.0, at.1)), Some(at));
        for text in ["", "1", "1.x", "x.00000000-0000-0000-0000-000000000000"] {
            assert_eq!(parse_place(text), None, "{text}");
        }
    }
}
