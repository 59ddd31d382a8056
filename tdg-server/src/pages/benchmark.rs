//! A benchmark: its expected outputs, and the other benchmarks of its rows to compare it with.

use std::sync::Arc;

use maud::{Markup, html};
use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;
use tdg_html::{cases, summary};
use tdg_service::{Benchmark, Page, ServiceError, Uuid};

use super::table::{fact, facts};
use super::{PageError, PageRequest, WebPage, format, links};
use crate::operations::LoadedExpected;

/// The number of cases on a page.
const SHOWN: usize = 50;
/// The maximum number of fields with a shown distribution.
const FIELDS: usize = 60;

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let [benchmark] = request.ids()?;
    let (account, database) = (request.account(), request.database());
    let found = database.benchmark(account, benchmark).await?.object;
    let ensemble = database.ensemble(account, found.ensemble_uuid, Page::default());
    let ensemble = ensemble.await?.object;
    let from = request.row();
    let work = move |vectors, expected| contents(&vectors, &expected, benchmark, from);
    let contents =
        request
            .operations
            .on_outputs::<PageError, _>(account, benchmark, request.memory, work);
    let contents = contents.await?;
    Ok(WebPage {
        title: format!("Benchmark {}", found.digest.get(..8).unwrap_or_default()),
        above: vec![
            links::above_projects(),
            links::above_definition(found.definition_uuid),
            (
                links::ensemble(found.ensemble_uuid),
                ensemble.ensemble_name.clone(),
            ),
        ],
        body: html! {
            ul.about {
                li { "since " (format::time(found.added)) }
                li { "digest " code { (found.digest) } }
            }
            @if let Some(policy) = &found.policy { p { "compared by " code { (policy.to_json()) } } }
            (others(&found, &ensemble.benchmarks))
            (contents)
        },
    })
}

/// The other benchmarks of the same rows.
fn others(benchmark: &Benchmark, all: &[Benchmark]) -> Markup {
    let is_other = |it: &&Benchmark| it.benchmark_uuid != benchmark.benchmark_uuid;
    let others: Vec<&Benchmark> = all.iter().filter(is_other).collect();
    html! {
        @if !others.is_empty() {
            p { "Compare with another benchmark of the same rows:" }
            ul {
                @for other in others {
                    li {
                        a href=(links::comparison(benchmark.benchmark_uuid, other.benchmark_uuid)) {
                            code { (other.digest) }
                        }
                        span.faint { " since " (format::time(other.added)) }
                    }
                }
            }
        }
    }
}

fn contents(
    vectors: &Vectors,
    expected: &Arc<LoadedExpected>,
    benchmark: Uuid,
    from: usize,
) -> Result<Markup, ServiceError> {
    let outputs = values(expected)?;
    let size = vectors.size().min(outputs.len());
    let from = from.min(size.saturating_sub(1));
    let end = (from + SHOWN).min(size);
    let path = links::benchmark(benchmark);
    let fields = html! {
        @for (field, summary) in summary::fields(&outputs).iter().take(FIELDS) {
            (fact(if field.is_empty() { "output" } else { field }, summary.line()))
        }
    };
    Ok(html! {
        (facts("Fields of the outputs, and the distribution of each", &fields))
        section aria-labelledby="cases" {
            h2 id="cases" { "Cases" }
            (cases::rows(vectors, from..end, Some(&outputs)))
            (format::neighbours(|row| links::from(&path, &[], row), from, SHOWN, size))
        }
    })
}

/// Returns the outputs of a benchmark.
pub(super) fn values(expected: &LoadedExpected) -> Result<Vec<Value>, ServiceError> {
    let outputs = &expected.outputs;
    let value = |case| {
        json::parse(outputs.get(case)).map_err(|error| {
            let message = format!("an output of the benchmark can't be read: {error}");
            ServiceError::unexpected(message).caused_by(error)
        })
    };
    (0..outputs.len()).map(value).collect()
}
