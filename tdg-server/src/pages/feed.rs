//! The news of a project as an Atom feed (RFC 4287): recent runs that don't pass, and decisions.

use maud::{Markup, PreEscaped, html};
use tdg_engine::text::counted;
use tdg_service::{Timestamp, Uuid};

use super::{PageError, PageRequest, WebFile, format, links, project};
use crate::database::TestSummary;

/// The maximum number of entries.
const ENTRIES: usize = 50;

struct FeedEntry {
    id: Uuid,
    time: Timestamp,
    title: String,
    path: String,
    /// The reason, if one was given.
    summary: Option<String>,
}

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebFile, PageError> {
    let [project] = request.ids()?;
    let name = project::name(request, project).await?;
    let tests = project::tests(request, project).await?;
    let mut entries: Vec<FeedEntry> = tests.iter().flat_map(FeedEntry::all_of).collect();
    entries.sort_by_key(|entry| std::cmp::Reverse((entry.time, entry.id)));
    entries.truncate(ENTRIES);
    let feed = feed(&request.origin, project, &name, &entries);
    Ok(WebFile {
        name: None,
        media_type: "application/atom+xml; charset=utf-8",
        text: tdg_html::visible(feed),
    })
}

impl FeedEntry {
    fn all_of(test: &TestSummary) -> Vec<Self> {
        let failing = test.newest.iter().filter(|run| !run.facts.verdict.passes());
        let failing = failing.map(|run| FeedEntry {
            id: run.uuid,
            time: run.time,
            title: format!(
                "{} {}: {} of {}",
                test.id.name,
                run.facts.verdict,
                run.facts.changed,
                counted(run.facts.cases as usize, "case")
            ),
            path: links::run(test.project, test.uuid, run.uuid),
            summary: None,
        });
        let decisions = test.decisions.iter().map(|it| FeedEntry {
            id: it.uuid,
            time: it.time,
            title: match it.decision.byline() {
                Some(by) => format!("{} {} by {by}", test.id.name, it.decision.kind),
                None => format!("{} {}", test.id.name, it.decision.kind),
            },
            path: links::test(test.project, test.uuid),
            summary: it.decision.reason.clone(),
        });
        failing.chain(decisions).collect()
    }
}

fn feed(origin: &str, project: Uuid, name: &str, entries: &[FeedEntry]) -> Markup {
    let newest = entries.first().map(|entry| entry.time);
    // XML requires that all elements are closed.
    html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"))
        feed xmlns="http://www.w3.org/2005/Atom" {
            id { "urn:uuid:" (project) }
            title { (name) }
            author { name { "tdg" } }
            updated { (moment(newest.unwrap_or(Timestamp::from_micros(0)))) }
            (link(origin, &links::project(project)))
            @for entry in entries {
                entry {
                    id { "urn:uuid:" (entry.id) }
                    title { (entry.title) }
                    updated { (moment(entry.time)) }
                    (link(origin, &entry.path))
                    @if let Some(summary) = &entry.summary { summary { (summary) } }
                }
            }
        }
    }
}

/// Closes an element that HTML leaves open.
fn link(origin: &str, path: &str) -> Markup {
    let address = html! { (origin) (path) };
    PreEscaped(format!("<link href=\"{}\"/>", address.0))
}

fn moment(time: Timestamp) -> String {
    format::text_of(time).replace(' ', "T") + "Z"
}
