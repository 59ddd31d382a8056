//! A run: the data of its record, and the cases that it changed.

mod cases;
mod decide;
mod decisions;
mod form;

use std::sync::Arc;

use maud::{Markup, html};
use tdg_definition::json::Value;
use tdg_engine::output::Outputs;
use tdg_engine::store::RunFacts;
use tdg_engine::{TestId, Vectors};
use tdg_report::quoted;

pub(super) use self::cases::{csv, json};
pub(super) use self::decide::decide;
use self::decisions::RunDecisions;
use super::change::{Change, ChangeReport, ShownCases};
use super::table::{self, fact};
use super::{PageError, PageRequest, WebPage, format, links, project, test};
use crate::database::StoredRun;
use crate::operations::LoadedExpected;
use tdg_service::ServiceError;

/// A run with its test and project.
struct FoundRun {
    project: String,
    test: TestId,
    run: StoredRun,
}

async fn find(request: &PageRequest<'_>) -> Result<FoundRun, PageError> {
    let [project, test, run] = request.ids()?;
    let run = request.database().run(request.account(), test, run);
    Ok(FoundRun {
        project: project::name(request, project).await?,
        test: test::id(request, project, test).await?,
        run: run.await?.ok_or(PageError::Nothing)?,
    })
}

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let [project, test, uuid] = request.ids()?;
    let found = find(request).await?;
    let run = &found.run;
    let path = links::run(project, test, uuid);
    let shown = Arc::new(ShownCases::from_request(request, path.clone()));
    let report = match run.facts.changed_outputs.is_empty() {
        true => None,
        false => Some(report(request, run, shown.clone()).await?),
    };
    let decisions = RunDecisions::read(request, test, run).await?;
    let form = report.as_ref().and_then(|report| {
        let may_decide = decisions.refusal().is_none() && decide::is_allowed(request);
        let is_offered = report.is_acceptable && may_decide;
        is_offered.then(|| form::markup(&path, run, &report.parts))
    });
    Ok(WebPage {
        title: format!("Run of {}", format::text_of(run.time)),
        above: vec![
            links::above_projects(),
            (links::project(project), found.project),
            (links::test(project, test), found.test.name.clone()),
        ],
        body: html! {
            (markup(&found.test, run, &shown, report.as_ref()))
            (decisions.markup(run))
            @if let Some(form) = form { (form) }
        },
    })
}

/// Returns the changed cases in order, each once, without those that a benchmark of this size
/// doesn't have: a synchronized record may have others.
fn changed(outputs: &[(usize, Value)], size: usize) -> impl Iterator<Item = (usize, &Value)> {
    let mut next = 0;
    let outputs = outputs.iter().map(|(case, output)| (*case, output));
    outputs.take_while(move |(case, _)| {
        let fits = (next..size).contains(case);
        next = case.saturating_add(1);
        fits
    })
}

/// Returns the outputs of the run, which default to the expected ones.
fn actual(facts: &RunFacts, expected: &Outputs) -> Outputs {
    let size = expected.len();
    let mut changed = changed(&facts.changed_outputs, size).peekable();
    let mut actual = Outputs::with_capacity(size);
    for case in 0..size {
        match changed.next_if(|(it, _)| *it == case) {
            Some((_, output)) => actual.push(output),
            None => actual.push_text(expected.get(case)),
        }
    }
    actual
}

/// Compares the outputs that the run kept with its benchmark's.
fn change(
    facts: &RunFacts,
    vectors: Vectors,
    before: &LoadedExpected,
) -> Result<Option<Change>, ServiceError> {
    let after = actual(facts, &before.outputs);
    let policy = facts.policy.as_ref().or(before.policy.as_ref());
    Change::new(vectors, before, &after, policy)
}

async fn report(
    request: &PageRequest<'_>,
    run: &StoredRun,
    shown: Arc<ShownCases>,
) -> Result<ChangeReport, PageError> {
    let facts = run.facts.clone();
    let work = move |vectors, before: Arc<LoadedExpected>| {
        let change = change(&facts, vectors, &before)?;
        Ok(ChangeReport::new(change, &shown, &facts.verified_rules))
    };
    let (account, operations) = (request.account(), request.operations);
    operations
        .on_outputs::<PageError, _>(account, run.benchmark, request.memory, work)
        .await
}

/// Formats the run for a pull request, or for the developer who fixes it.
fn markdown(id: &TestId, run: &StoredRun, findings: &[String], command: &str) -> String {
    let rules = run.facts.verified_rules.iter();
    let rules = rules.map(|it| format!("{}, verified on {}", it.rule, it.evidence));
    let findings = rules.chain(findings.iter().cloned());
    let findings = findings.map(|it| format!("- {it}\n"));
    format!(
        "**{}** of {}: {} of {} cases changed\n\n{}\n`{command}`\n",
        id.name,
        id.package,
        run.facts.changed,
        run.facts.cases,
        findings.collect::<String>()
    )
}

fn markup(
    id: &TestId,
    run: &StoredRun,
    shown: &ShownCases,
    report: Option<&ChangeReport>,
) -> Markup {
    let facts = &run.facts;
    let show = format!("cargo tdg show {} --changed", quoted(&id.to_string()));
    html! {
        p { (format::verdict(facts.verdict)) }
        @if let Some(report) = report {
            (report.markup)
            p {
                "These cases as "
                a href=(shown.file("csv", &report.parts)) { "CSV" } " or "
                a href=(shown.file("json", &report.parts)) { "JSON" }
            }
            details {
                summary { "As Markdown" }
                textarea readonly rows="10" aria-label="The run as Markdown" {
                    (markdown(id, run, &report.findings, &show))
                }
            }
        }
        (told(id, run))
        @if facts.changed > 0 && report.is_none() {
            p {
                "The run kept no outputs, or too many to show. See them where the test ran: "
                code { (show) } "."
            }
        } @else if facts.changed > 0 {
            p { "Where the test ran, " code { (show) } " shows them too." }
        }
    }
}

/// Renders the data of the run's record.
fn told(id: &TestId, run: &StoredRun) -> Markup {
    let facts = &run.facts;
    let passed = facts.cases.saturating_sub(facts.changed);
    let rows = html! {
        (fact("test", html! { (id.name) " of " (id.package) ", " code { (id.source) } }))
        (fact("time", format::time(run.time)))
        (fact("as expected", html! { (passed) " of " (facts.cases) " cases" }))
        (fact("changed", html! { (facts.changed) " cases" }))
        @if let Some(share) = facts.tolerance_use {
            (fact("tolerance used", html! { (format!("{:.0} %", share * 100.0)) }))
        }
        @if facts.checkout.branch.is_some() || facts.checkout.commit.is_some() {
            (fact("branch and commit", format::checkout(&facts.checkout, facts.dirty)))
        }
        @if let Some((os, arch)) = &facts.platform {
            (fact("platform", html! { (os) " " (arch) }))
        }
        @if let Some(policy) = &facts.policy {
            (fact("policy", html! { code { (policy.to_json()) } }))
        }
        (fact("compared with", html! {
            a href=(links::benchmark(run.benchmark)) { "benchmark " code { (run.benchmark) } }
            p.faint { "which the snapshot file of that checkout pinned" }
        }))
    };
    table::facts("Run details", &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_case_comes_once_whatever_the_record_has() {
        let of = |cases: &[usize]| -> Vec<usize> {
            let outputs: Vec<_> = cases.iter().map(|case| (*case, Value::Null)).collect();
            changed(&outputs, 5).map(|(case, _)| case).collect()
        };
        assert_eq!(of(&[0, 3, 4]), [0, 3, 4]);
        assert_eq!(of(&[1, 1, 2]), [1]);
        assert_eq!(of(&[2, 0, 3]), [2]);
        assert_eq!(of(&[1, usize::MAX, 2]), [1]);
    }
}
