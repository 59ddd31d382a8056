//! The tests of a project, filtered by state, branch, age and name.

use maud::{Markup, html};
use tdg_engine::text::counted;
use tdg_service::{Timestamp, Uuid};

use super::table::TableColumn::Text;
use super::table::list;
use super::test_status::TestStanding;
use super::{PageError, PageRequest, Query, WebPage, format, links};
use crate::database::TestSummary;
use crate::keys::FeedToken;

/// The number of tests on a page.
const SHOWN: usize = 100;
/// The maximum number of branches to choose from.
const BRANCHES: usize = 50;

struct ProjectTests {
    project: Uuid,
    filter: Filter,
    branches: Vec<String>,
    all: usize,
    /// The tests that the filter matches, ordered by name.
    found: Vec<TestSummary>,
    /// The number of them on earlier pages.
    before: usize,
    /// The addresses of the feed and the badge.
    feeds: [String; 2],
}

/// The criteria of the list.
struct Filter {
    standing: Option<String>,
    /// The branch of the runs that determine the tests' states.
    branch: Option<String>,
    name: Option<String>,
    /// The maximum age in days.
    days: Option<u32>,
}

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let [project] = request.ids()?;
    let name = name(request, project).await?;
    let tests = ProjectTests::read(request, project).await?;
    Ok(WebPage {
        title: name,
        above: vec![links::above_projects()],
        body: tests.markup(),
    })
}

/// Returns the name of a project of the account.
pub(super) async fn name(request: &PageRequest<'_>, project: Uuid) -> Result<String, PageError> {
    let name = request.database().project_name(request.account(), project);
    Ok(name.await?)
}

/// Returns the tests of a project with their newest runs, on the branch in the address if it has
/// one.
pub(super) async fn tests(
    request: &PageRequest<'_>,
    project: Uuid,
) -> Result<Vec<TestSummary>, PageError> {
    let branch = request.query.get("branch").map(str::to_owned);
    let is_of_branch = branch.is_some();
    let tests = request
        .database()
        .tests(request.account(), vec![project], branch);
    let mut tests = tests.await?;
    tests.retain(|test| !is_of_branch || test.newest.is_some());
    Ok(tests)
}

impl ProjectTests {
    async fn read(request: &PageRequest<'_>, project: Uuid) -> Result<Self, PageError> {
        let filter = Filter::from_query(&request.query);
        let tests = request
            .database()
            .tests(request.account(), vec![project], None);
        let mut found = tests.await?;
        let all = found.len();
        let branch = |test: &TestSummary| test.newest.as_ref()?.facts.checkout.branch.clone();
        let mut branches: Vec<String> = found.iter().filter_map(branch).collect();
        branches.sort();
        branches.dedup();
        branches.truncate(BRANCHES);
        if filter.branch.is_some() {
            found = self::tests(request, project).await?;
        }
        let now = Timestamp::now();
        found.retain(|test| filter.finds(test, now));
        found.sort_by(|one, other| {
            let key = |test: &TestSummary| (test.id.package.clone(), test.id.name.clone());
            key(one).cmp(&key(other))
        });
        Ok(ProjectTests {
            project,
            filter,
            branches,
            all,
            before: request.row().min(found.len()),
            feeds: links::feeds(project, &FeedToken::new(&request.visitor.key, project)),
            found,
        })
    }

    fn markup(&self) -> Markup {
        let shown = self.found.iter().skip(self.before).take(SHOWN);
        let columns = ["test", "package", "status", "newest run", "at", "branch"];
        let rows = html! { @for test in shown { (self.line(test)) } };
        html! {
            (self.form())
            p.faint { (self.found.len()) " of " (counted(self.all, "test")) }
            @if !self.found.is_empty() {
                (list(&columns.map(Text), &rows))
                (self.pages())
            }
            (self.subscription())
        }
    }

    fn subscription(&self) -> Markup {
        let [feed, badge] = &self.feeds;
        html! {
            details {
                summary { "Feed and badge" }
                p {
                    a href=(feed) { "Atom feed" } " of failing runs and decisions; "
                    a href=(badge) { "badge" } " of all branches, or of one with " code { "&branch=main" }
                }
                p.faint {
                    "Anyone with these addresses can see that, and nothing else, until the key of \
                     this session expires or is revoked."
                }
            }
        }
    }

    fn line(&self, test: &TestSummary) -> Markup {
        let standing = TestStanding::from_summary(test);
        html! {
            tr {
                th scope="row" { a href=(links::test(self.project, test.uuid)) { (test.id.name) } }
                td { (test.id.package) }
                td { (format::badge(standing.name(), standing.class())) }
                @if let Some(run) = &test.newest {
                    td {
                        a href=(links::run(self.project, test.uuid, run.uuid)) {
                            (run.facts.verdict)
                        }
                        @if run.facts.changed > 0 {
                            span.faint { " " (run.facts.changed) " of " (run.facts.cases) }
                        }
                    }
                    td { (format::time(run.time)) }
                    td { (format::checkout(&run.facts.checkout, run.facts.dirty)) }
                } @else { td colspan="3" {} }
            }
        }
    }

    /// Renders the filter as a form that works without a script.
    fn form(&self) -> Markup {
        let Filter {
            standing,
            branch,
            name,
            days,
        } = &self.filter;
        let standings = TestStanding::ALL.map(|standing| (standing.name(), standing.name()));
        let ages = [("1", "a day"), ("7", "7 days"), ("30", "30 days")];
        let days = days.map(|days| days.to_string());
        html! {
            form.controls method="get" {
                label { "Name " input type="search" name="name" value=[name.as_deref()]; }
                (choice("Status", "standing", standing.as_deref(), standings))
                label {
                    "Branch "
                    input type="search" name="branch" value=[branch.as_deref()] list="branches"
                        placeholder="all";
                    datalist id="branches" {
                        @for branch in &self.branches { option value=(branch) {} }
                    }
                }
                (choice("Run within", "days", days.as_deref(), ages))
                button type="submit" { "Filter" }
            }
        }
    }

    fn pages(&self) -> Markup {
        let path = links::project(self.project);
        let values = self.filter.values();
        let link = |row| links::from(&path, &values, row);
        format::neighbours(link, self.before, SHOWN, self.found.len())
    }
}

/// Renders a choice among named values, or all.
fn choice<'a>(
    label: &str,
    name: &str,
    chosen: Option<&str>,
    values: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Markup {
    html! {
        label {
            (label) " "
            select name=(name) {
                option value="" { "all" }
                @for (value, text) in values {
                    option value=(value) selected[chosen == Some(value)] { (text) }
                }
            }
        }
    }
}

impl Filter {
    fn from_query(query: &Query) -> Self {
        let owned = |name| query.get(name).map(str::to_owned);
        Filter {
            standing: owned("standing"),
            branch: owned("branch"),
            name: owned("name"),
            days: query.get("days").and_then(|days| days.parse().ok()),
        }
    }

    fn finds(&self, test: &TestSummary, now: Timestamp) -> bool {
        const DAY: i64 = 24 * 60 * 60 * 1_000_000;
        let run = test.newest.as_ref();
        let stands = |standing: &String| TestStanding::from_summary(test).name() == standing;
        let is_named = |part: &String| {
            let name = format!("{} {}", test.id.package, test.id.name).to_lowercase();
            name.contains(&part.to_lowercase())
        };
        let is_recent = |days: u32| {
            let oldest = now.as_micros().saturating_sub(i64::from(days) * DAY);
            run.is_some_and(|run| run.time.as_micros() >= oldest)
        };
        self.standing.as_ref().is_none_or(stands)
            && self.name.as_ref().is_none_or(is_named)
            && self.days.is_none_or(is_recent)
    }

    /// Returns the filter as values of an address.
    fn values(&self) -> [(&str, Option<&str>); 4] {
        let days = match self.days {
            Some(1) => Some("1"),
            Some(7) => Some("7"),
            Some(30) => Some("30"),
            _ => None,
        };
        [
            ("standing", self.standing.as_deref()),
            ("branch", self.branch.as_deref()),
            ("name", self.name.as_deref()),
            ("days", days),
        ]
    }
}
