//! The keys of the account, and the form for revoking keys that a visitor's key let in.

use std::collections::{BTreeSet, HashMap, HashSet};

use maud::{Markup, html};
use tdg_engine::text::counted;
use tdg_service::{Result, Timestamp, Uuid};

use super::table::TableColumn::Text;
use super::table::overview;
use super::{PageError, PageRequest, WebChange, WebPage, format, links};
use crate::account::Account;
use crate::database::Database;
use crate::keys::{KeyRecord, Prefix, Scope, descendants};

pub(super) async fn show(request: &PageRequest<'_>) -> std::result::Result<WebPage, PageError> {
    let (database, account) = (request.database(), request.account());
    let own = &request.visitor.key;
    let mut keys = database.keys_of(account).await?;
    let revocable = revocable(own, &keys);
    // The other keys could belong to other projects.
    if own.projects.projects().is_some() {
        keys.retain(|key| key.prefix == own.prefix || revocable.contains(&key.prefix));
    }
    let names = KeyProjects::read(database, account, &keys).await?;
    Ok(WebPage {
        title: "Keys".to_owned(),
        above: Vec::new(),
        body: markup(&keys, &names, &revocable, Timestamp::now()),
    })
}

/// Returns the keys that a visitor's key let in, and the key itself unless it only reads.
fn revocable(own: &KeyRecord, keys: &[KeyRecord]) -> HashSet<Prefix> {
    let let_in = descendants(&own.prefix, keys).into_iter();
    let own = own.scopes.allow(Scope::Write).then_some(own);
    let_in.chain(own).map(|key| key.prefix.clone()).collect()
}

/// Revokes one of these keys.
pub(super) async fn revoke(request: &PageRequest<'_>) -> std::result::Result<WebChange, PageError> {
    let (database, query) = (request.database(), &request.query);
    let keys = database.keys_of(request.account()).await?;
    let revocable = revocable(&request.visitor.key, &keys);
    let key = query.get("key").and_then(Prefix::parse);
    let key = key.filter(|key| revocable.contains(key));
    let key = key.ok_or(PageError::Nothing)?;
    let revoked = database.revoke_key(&key, query.get("children").is_some());
    let revoked = revoked.await?.into_iter();
    Ok(WebChange {
        path: links::KEYS.to_owned(),
        of_keys: revoked.map(|key| ("revoke".to_owned(), key)).collect(),
        ..WebChange::default()
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

fn markup(
    keys: &[KeyRecord],
    names: &KeyProjects,
    revocable: &HashSet<Prefix>,
    now: Timestamp,
) -> Markup {
    let caption = "API keys of the account, shown by their prefixes";
    let columns = [
        "key",
        "name",
        "scopes",
        "projects",
        "authorized by",
        "created",
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
                td { @if let Some(by) = &key.let_in_by { code { (by) } } }
                td { (format::time(key.added)) }
                td { @if let Some(used) = key.used { (format::time(used)) } }
                td {
                    (state(key, now))
                    @if revocable.contains(&key.prefix) { (revocation(key, keys, now)) }
                }
            }
        }
    };
    html! {
        (overview(caption, &columns.map(Text), &rows))
        p.faint {
            code { "tdg-server keys create" } " creates a key, " code { "keys revoke" }
            " revokes it, and with " code { "--with-children" } " also the keys that it authorized."
        }
        p { a href=(links::LOGIN) { "Authorize a command-line login" } }
    }
}

/// A form that revokes a key, or the keys that it let in.
fn revocation(key: &KeyRecord, keys: &[KeyRecord], now: Timestamp) -> Markup {
    let let_in = descendants(&key.prefix, keys);
    let children = let_in.iter().filter(|key| key.is_valid(now)).count();
    html! {
        @if key.is_valid(now) || children > 0 {
            details {
                summary { "Revoke" }
                form method="post" action=(links::KEYS) {
                    input type="hidden" name="key" value=(key.prefix);
                    @if children > 0 {
                        label {
                            input type="checkbox" name="children" checked;
                            " with " (counted(children, "key")) " that it authorized"
                        }
                    }
                    button type="submit" { "Revoke permanently" }
                }
            }
        }
    }
}

fn state(key: &KeyRecord, now: Timestamp) -> Markup {
    match (key.revoked, key.expires) {
        (Some(revoked), _) => html! { "revoked " (format::time(revoked)) },
        (_, Some(expires)) if expires <= now => html! { "expired " (format::time(expires)) },
        (_, Some(expires)) => html! { "valid until " (format::time(expires)) },
        _ => html! { "valid" },
    }
}
