//! The keys of the account.

use maud::{Markup, html};
use tdg_service::Timestamp;

use super::{PageError, PageRequest, WebPage, words};
use crate::keys::KeyRecord;

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let keys = request.database().keys_of(request.account()).await?;
    Ok(WebPage {
        title: "Keys".to_owned(),
        above: Vec::new(),
        body: markup(&keys, Timestamp::now()),
    })
}

fn markup(keys: &[KeyRecord], now: Timestamp) -> Markup {
    html! {
        div.wide {
            table.overview {
                caption { "API keys of the account; only their holders know the rest of each" }
                thead {
                    tr {
                        th scope="col" { "key" }
                        th scope="col" { "name" }
                        th scope="col" { "scopes" }
                        th scope="col" { "made" }
                        th scope="col" { "last used" }
                        th scope="col" { "state" }
                    }
                }
                tbody {
                    @for key in keys {
                        tr {
                            th scope="row" { code { (key.prefix) "_…" } }
                            td { (key.name) }
                            td { (key.scopes) }
                            td { (words::time(key.added)) }
                            td { @if let Some(used) = key.used { (words::time(used)) } }
                            td { (state(key, now)) }
                        }
                    }
                }
            }
        }
        p.faint { code { "tdg-server keys create" } " makes a key, " code { "keys revoke" } " ends it." }
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
