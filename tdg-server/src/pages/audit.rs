//! The audit log of the account.

use maud::{Markup, html};

use super::table::TableColumn::{Number, Text};
use super::table::overview;
use super::{PageError, PageRequest, WebPage, format};
use crate::database::AuditRecord;

/// The number of records on the page.
const SHOWN: usize = 200;

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let key = &request.visitor.key;
    // The log has no projects: a limited key sees the records of its own requests.
    let own = key.projects.projects().map(|_| key.prefix.clone());
    let is_own = own.is_some();
    let records = request
        .database()
        .audit_of(request.account(), own, SHOWN)
        .await?;
    Ok(WebPage {
        title: "Audit log".to_owned(),
        above: Vec::new(),
        body: markup(&records, is_own),
    })
}

fn markup(records: &[AuditRecord], is_own: bool) -> Markup {
    let caption = format!("The newest {SHOWN} changes and refusals, newest first");
    let columns = ["at", "key", "person", "address", "action", "object"].map(Text);
    let columns = [&columns[..], &[Number("status")]].concat();
    let rows = html! {
        @for record in records {
            tr {
                th scope="row" { (format::time(record.at)) }
                td { @if let Some(key) = &record.key { code { (key) } } }
                td { @if let Some(person) = &record.person { (person) } }
                td { @if let Some(address) = &record.address { (address) } }
                td { (record.action) }
                td {
                    @if let Some(kind) = &record.kind { (kind) " " }
                    @if let Some(object) = record.object { code { (object) } }
                }
                td.number { (record.status) }
            }
        }
    };
    html! {
        @if is_own { p { "Only the records of your key, which is limited to projects." } }
        @if records.is_empty() {
            p { "There are no changes or refusals yet." }
        } @else {
            (overview(caption, &columns, &rows))
            p.faint { code { "tdg-server audit" } " prints older ones." }
        }
    }
}
