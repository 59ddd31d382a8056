//! The projects of the account.

use maud::{Markup, html};
use tdg_service::{Page, Uuid};

use super::table::TableColumn::{Number, Text};
use super::table::list;
use super::test_status::TestStanding;
use super::{PageError, PageRequest, WebPage, format, links};
use crate::database::TestSummary;

/// The number of projects on a page.
const SHOWN: usize = 50;

struct Projects {
    projects: Vec<ProjectLine>,
    /// The place where the list continues.
    next: Option<String>,
}

struct ProjectLine {
    uuid: Uuid,
    name: String,
    tests: Vec<TestSummary>,
}

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let after = request.query.get("after");
    let projects = Projects::read(request, after).await?;
    Ok(WebPage {
        title: "Projects".to_owned(),
        above: Vec::new(),
        body: projects.markup(),
    })
}

impl Projects {
    async fn read(request: &PageRequest<'_>, after: Option<&str>) -> Result<Self, PageError> {
        let page = Page {
            limit: Some(SHOWN),
            cursor: after.map(str::to_owned),
        };
        let (account, database) = (request.account(), request.database());
        let limit = request.visitor.key.projects.clone();
        let (names, next) = database.project_names(account, limit, page).await?;
        let uuids = names.iter().map(|(uuid, _)| *uuid).collect();
        let mut tests = database.tests(account, uuids, None).await?;
        let projects = names.into_iter().map(|(uuid, name)| {
            let (own, others) = std::mem::take(&mut tests)
                .into_iter()
                .partition(|test| test.project == uuid);
            tests = others;
            ProjectLine {
                uuid,
                name,
                tests: own,
            }
        });
        let projects = projects.collect();
        Ok(Projects { projects, next })
    }

    fn markup(&self) -> Markup {
        let counts = TestStanding::ALL.map(|standing| Number(standing.name()));
        let columns = [&[Text("project")], &counts[..], &[Text("last run")]].concat();
        let rows = html! { @for project in &self.projects { (project.markup()) } };
        html! {
            @if self.projects.is_empty() {
                p { "There are no projects yet; " code { "cargo tdg push" } " adds one." }
            } @else {
                (list(&columns, &rows))
            }
            @if let Some(next) = &self.next {
                p { a href=(links::with(links::HOME, &[("after", Some(next))])) { "More projects" } }
            }
        }
    }
}

impl ProjectLine {
    fn markup(&self) -> Markup {
        let path = links::project(self.uuid);
        let runs = self.tests.iter().filter_map(|test| test.newest.as_ref());
        html! {
            tr {
                th scope="row" { a href=(path) { (self.name) } }
                @for standing in TestStanding::ALL {
                    @let count = standing.count(&self.tests);
                    @let filter = [("standing", Some(standing.name()))];
                    td.number {
                        @if count > 0 { a href=(links::with(&path, &filter)) { (count) } }
                        @else { span.faint { "0" } }
                    }
                }
                td {
                    @if let Some(last) = runs.map(|run| run.time).max() { (format::time(last)) }
                }
            }
        }
    }
}
