//! An ensemble: its features, its rows by pages, and its benchmarks.

use maud::{Markup, html};
use tdg_engine::Vectors;
use tdg_html::{cases, feature};
use tdg_service::{Ensemble, Page};

use super::table::TableColumn::Text;
use super::table::overview;
use super::{PageError, PageRequest, WebPage, format, links};

/// The number of rows on a page.
const SHOWN: usize = 50;

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let [ensemble] = request.ids()?;
    let account = request.account();
    let found = request
        .database()
        .ensemble(account, ensemble, Page::default());
    let found = found.await?.object;
    let of = (found.definition_uuid, ensemble);
    let from = request.row();
    let work = move |vectors| Ok(contents(&vectors, ensemble, from));
    let contents = request
        .operations
        .on_rows::<PageError, _>(account, of, request.memory, work);
    let contents = contents.await?;
    Ok(WebPage {
        title: found.ensemble_name.clone(),
        above: vec![
            links::above_projects(),
            links::above_definition(found.definition_uuid),
        ],
        body: html! {
            ul.about {
                li { (found.size) " rows" }
                li { "seed " (found.seed) }
                li { "digest " code { (found.digest) } }
            }
            (contents)
            section aria-labelledby="benchmarks" {
                h2 id="benchmarks" { "Benchmarks" }
                (benchmarks(&found))
            }
        },
    })
}

fn contents(vectors: &Vectors, ensemble: tdg_service::Uuid, from: usize) -> Markup {
    let from = from.min(vectors.size().saturating_sub(1));
    let end = (from + SHOWN).min(vectors.size());
    let path = links::ensemble(ensemble);
    html! {
        (feature::all(vectors))
        section aria-labelledby="rows" {
            h2 id="rows" { "Rows" }
            (cases::rows(vectors, from..end, None))
            (format::neighbours(|row| links::from(&path, &[], row), from, SHOWN, vectors.size()))
        }
    }
}

fn benchmarks(ensemble: &Ensemble) -> Markup {
    if ensemble.benchmarks.is_empty() {
        return html! { p { "There are no benchmarks of these rows yet." } };
    }
    let columns = ["benchmark", "since", "newest runs"].map(Text);
    let rows = html! {
        @for benchmark in &ensemble.benchmarks {
            @let failed = benchmark.history.iter().filter(|it| !it.asserted).count();
            tr {
                th scope="row" {
                    a href=(links::benchmark(benchmark.benchmark_uuid)) {
                        code { (benchmark.digest) }
                    }
                }
                td { (format::time(benchmark.added)) }
                td { (failed) " of " (benchmark.history.len()) " failed" }
            }
        }
    };
    overview("Expected outputs of these rows", &columns, &rows)
}
