//! Two benchmarks of the same rows, compared and explained like the outputs of a run.

use std::sync::Arc;

use maud::html;
use tdg_service::Uuid;

use super::change::{Change, ChangeReport, ShownCases};
use super::{PageError, PageRequest, WebPage, links};
use crate::operations::LoadedExpected;

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let [one, other] = request.ids()?;
    let (account, operations) = (request.account(), request.operations);
    request.database().output_digest(account, one).await?;
    let (before, in_use) = operations
        .expected::<PageError>(account, one, request.memory)
        .await?;
    let shown = ShownCases::from_request(request, links::comparison(one, other));
    let work = move |vectors, after: Arc<LoadedExpected>| {
        let _in_use = in_use;
        if before.ensemble_uuid != after.ensemble_uuid {
            return Ok(html! { p { "They have different rows, so they can't be compared." } });
        }
        let policy = before.policy.as_ref();
        let change = Change::new(vectors, &before, &after.outputs, policy)?;
        Ok(ChangeReport::new(change, &shown, &[]).markup)
    };
    let body = operations.on_outputs::<PageError, _>(account, other, request.memory, work);
    Ok(WebPage {
        title: "Two benchmarks compared".to_owned(),
        above: vec![
            links::above_projects(),
            (links::benchmark(one), named("expected", one)),
            (links::benchmark(other), named("actual", other)),
        ],
        body: body.await?,
    })
}

fn named(role: &str, benchmark: Uuid) -> String {
    format!("{role}: benchmark {}", super::definition::short(benchmark))
}
