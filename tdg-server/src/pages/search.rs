//! A search over the names of projects and tests.

use maud::{Markup, html};
use tdg_engine::TestId;
use tdg_service::{Page, Uuid};

use super::{PageError, PageRequest, WebPage, links};

/// The maximum number of results of each kind.
const SHOWN: usize = 100;

struct FoundNames {
    sought: String,
    projects: Vec<(Uuid, String)>,
    /// The tests with their projects.
    tests: Vec<(Uuid, Uuid, TestId)>,
}

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let sought = request.query.get("for").unwrap_or_default().to_owned();
    let found = FoundNames::read(request, sought).await?;
    Ok(WebPage {
        title: "Search".to_owned(),
        above: Vec::new(),
        body: found.markup(),
    })
}

impl FoundNames {
    async fn read(request: &PageRequest<'_>, sought: String) -> Result<Self, PageError> {
        let (mut projects, mut tests) = (Vec::new(), Vec::new());
        if !sought.is_empty() {
            let (account, database) = (request.account(), request.database());
            let limit = &request.visitor.key.projects;
            let part = sought.to_lowercase();
            let is_sought = |name: &str| name.to_lowercase().contains(&part);
            let named = database.project_names(account, limit.clone(), Page::default());
            projects = named.await?.0;
            projects.retain(|(_, name)| is_sought(name));
            tests = database.test_names(account, limit.clone()).await?;
            tests.retain(|(.., id)| is_sought(&format!("{} {}", id.package, id.name)));
        }
        projects.truncate(SHOWN);
        tests.truncate(SHOWN);
        Ok(FoundNames {
            sought,
            projects,
            tests,
        })
    }

    fn markup(&self) -> Markup {
        html! {
            @if self.sought.is_empty() { p { "Search for projects and tests by name." } }
            @else if self.projects.is_empty() && self.tests.is_empty() {
                p { "No name contains “" (self.sought) "”." }
            }
            @if !self.projects.is_empty() {
                h2 { "Projects" }
                ul {
                    @for (uuid, name) in &self.projects {
                        li { a href=(links::project(*uuid)) { (name) } }
                    }
                }
            }
            @if !self.tests.is_empty() {
                h2 { "Tests" }
                ul {
                    @for (project, uuid, id) in &self.tests {
                        li {
                            a href=(links::test(*project, *uuid)) { (id.name) }
                            span.faint { " of " (id.package) }
                        }
                    }
                }
            }
        }
    }
}
