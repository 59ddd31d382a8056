//! A definition: charts of its distributions, and its ensembles.

use maud::{Markup, html};
use tdg_engine::Vectors;
use tdg_engine::text::counted;
use tdg_html::feature;
use tdg_service::{Ensemble, Page, Uuid, rules};

use super::table::TableColumn::{Number, Text};
use super::table::overview;
use super::{PageError, PageRequest, WebPage, format, links};

/// The number of rows that are drawn for display, and the maximum work of drawing them.
const ROWS: usize = 500;
const WORK: u64 = 30_000_000;
/// The number of ensembles on the page.
const ENSEMBLES: usize = 50;

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let [definition] = request.ids()?;
    let (account, database) = (request.account(), request.database());
    let text = database.definition_text(account, definition).await?;
    let page = Page {
        limit: Some(ENSEMBLES),
        cursor: None,
    };
    let ensembles = database.ensembles(account, definition, page).await?.items;
    let length = text.len();
    let draw = move || Ok(drawn(&rules::stored_definition(&text)?));
    let charts = request
        .operations
        .workers
        .run(account, length, draw)
        .await?;
    Ok(WebPage {
        title: format!("Definition {}", short(definition)),
        above: vec![links::above_projects()],
        body: html! {
            (charts)
            section aria-labelledby="ensembles" {
                h2 id="ensembles" { "Ensembles" }
                (table(&ensembles))
            }
        },
    })
}

/// Draws some rows, limited by the work that they take.
fn drawn(definition: &tdg_definition::Definition) -> Markup {
    let sizes = [ROWS, ROWS / 5, ROWS / 50, 1].into_iter();
    let size = sizes.filter(|size| definition.work(*size) <= WORK).max();
    let vectors = size.map(|size| Vectors::generate(definition, 0, size));
    html! {
        @match &vectors {
            Some(vectors) => {
                p.faint { (counted(vectors.size(), "row")) " drawn with seed 0" }
                (feature::all(vectors))
            }
            None => p { "Drawing a row takes too long for a page." },
        }
        details { summary { "As JSON" } pre { (definition.to_value()) } }
    }
}

fn table(ensembles: &[Ensemble]) -> Markup {
    let [rows, seed, benchmarks] = ["rows", "seed", "benchmarks"].map(Number);
    let columns = [Text("ensemble"), rows, seed, benchmarks, Text("since")];
    let rows = html! {
        @for ensemble in ensembles {
            tr {
                th scope="row" {
                    a href=(links::ensemble(ensemble.ensemble_uuid)) { (ensemble.ensemble_name) }
                }
                td.number { (ensemble.size) }
                td.number { (ensemble.seed) }
                td.number { (ensemble.benchmarks.len()) }
                td { (format::time(ensemble.added)) }
            }
        }
    };
    overview("Ensembles drawn from it", &columns, &rows)
}

/// Returns the beginning of an identifier, for titles.
pub(super) fn short(uuid: Uuid) -> String {
    let mut text = uuid.to_string();
    text.truncate(8);
    text
}
