//! The keys of the account.

use std::collections::{BTreeSet, HashMap};

use maud::{Markup, html};
use tdg_service::{Result, Timestamp, Uuid};

use super::table::TableColumn::Text;
use super::table::overview;
use super::{PageError, PageRequest, WebPage, links, words};
use crate::database::{Account, Database};
use crate::keys::KeyRecord;

pub(super) async fn show(request: &PageRequest<'_>) -> std::result::Result<WebPage, PageError> {
    let (database, account) = (request.database(), request.account());
    let own = &request.visitor.key;
    // The others could be of other projects.
    let keys = match own.projects.projects() {
        Some(_) => vec![own.clone()],
        None => database.keys_of(account).await?,
    };
    let names = KeyProjects::read(database, account, &keys).await?;
    Ok(WebPage {
        title: "Keys".to_owned(),
        above: Vec::new(),
        body: markup(&keys, &names, Timestamp::now()),
    })
}

/// The names of the projects that keys are limited to.
struct KeyProjects(HashMap<Uuid, String>);

impl KeyProjects {
    async fn read(database: &Database, account: Account, keys: &[KeyRecord]) -> Result<Self> {
        let limits = keys.iter().filter_map(|key| key.projects.projects());
        let projects: BTreeSet<Uuid> = limits.flatten().copied().collect();
        let names = match projects.is_empty() {
            true => Vec::new(),
            false => {
                let projects = projects.into_iter().collect();
                database.names_of_projects(account, projects).await?
            }
        };
        Ok(KeyProjects(names.into_iter().collect()))
    }

    /// Links to the projects of a key.
    fn markup(&self, key: &KeyRecord) -> Markup {
        html! {
            @match key.projects.projects() {
                None => "all",
                Some(projects) => {
                    ul {
                        @for project in projects {
                            li {
                                @match self.0.get(project) {
                                    Some(name) => a href=(links::project(*project)) { (name) },
                                    None => { code { (project) } " (deleted)" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn markup(keys: &[KeyRecord], names: &KeyProjects, now: Timestamp) -> Markup {
    let caption = "API keys of the account; only their holders know the rest of each";
    let columns = [
        "key",
        "name",
        "scopes",
        "projects",
        "made",
        "last used",
        "state",
    ];
    let rows = html! {
        @for key in keys {
            tr {
                th scope="row" { code { (key.prefix) "_…" } }
                td { (key.name) }
                td { (key.scopes) }
                td { (names.markup(key)) }
                td { (words::time(key.added)) }
                td { @if let Some(used) = key.used { (words::time(used)) } }
                td { (state(key, now)) }
            }
        }
    };
    html! {
        (overview(caption, &columns.map(Text), &rows))
        p.faint { code { "tdg-server keys create" } " makes a key, " code { "keys revoke" } " ends it." }
        p { a href=(links::LOGIN) { "Let a command line in" } " that shows a code." }
    }
}

fn state(key: &KeyRecord, now: Timestamp) -> Markup {
    match (key.revoked, key.expires) {
        (Some(revoked), _) => html! { "revoked " (words::time(revoked)) },
        (_, Some(expires)) if expires <= now => html! { "expired " (words::time(expires)) },
        (_, Some(expires)) => html! { "valid until " (words::time(expires)) },
        _ => html! { "valid" },
    }
}
