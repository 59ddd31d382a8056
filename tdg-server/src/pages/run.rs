//! A run: what its record has.

use maud::{Markup, html};
use tdg_engine::TestId;
use tdg_engine::report::quoted;

use super::{PageError, PageRequest, WebPage, links, project, test, words};
use crate::database::StoredRun;

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let [project, test, run] = request.ids()?;
    let name = project::name(request, project).await?;
    let id = test::id(request, project, test).await?;
    let found = request.database().run(request.account(), test, run);
    let found = found.await?.ok_or(PageError::Nothing)?;
    Ok(WebPage {
        title: format!("Run of {}", words::text_of(found.time)),
        above: vec![
            (links::HOME.to_owned(), "Projects".to_owned()),
            (links::project(project), name),
            (links::test(project, test), id.name.clone()),
        ],
        body: markup(&id, &found),
    })
}

fn markup(id: &TestId, run: &StoredRun) -> Markup {
    let facts = &run.facts;
    let passed = facts.cases.saturating_sub(facts.changed);
    let show = format!("cargo tdg show {} --changed", quoted(&id.to_string()));
    html! {
        p { (words::verdict(facts.verdict)) }
        div.wide {
            table.facts {
                caption { "What the run told" }
                tbody {
                    (fact("test", html! { (id.name) " of " (id.package) ", " code { (id.source) } }))
                    (fact("time", words::time(run.time)))
                    (fact("as expected", html! { (passed) " of " (facts.cases) " cases" }))
                    (fact("changed", html! { (facts.changed) " cases" }))
                    @if let Some(share) = facts.tolerance_use {
                        (fact("tolerance used", html! { (format!("{:.0} %", share * 100.0)) }))
                    }
                    @if facts.checkout.branch.is_some() || facts.checkout.commit.is_some() {
                        (fact("branch and commit", words::checkout(&facts.checkout)))
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
                }
            }
        }
        @if facts.changed > 0 {
            p { "The outputs are where the test ran: " code { (show) } "." }
        }
    }
}

fn fact(name: &str, value: Markup) -> Markup {
    html! { tr { th scope="row" { (name) } td { (value) } } }
}
