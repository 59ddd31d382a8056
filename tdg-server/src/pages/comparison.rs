//! Two benchmarks of the same rows, compared and explained as a run's outputs are.

use maud::{Markup, html};
use tdg_definition::Policy;
use tdg_engine::Vectors;
use tdg_engine::compare::{DistributionChange, changed_forms};
use tdg_engine::output::Outputs;
use tdg_engine::report::{counted, finding_of_distribution};
use tdg_explain::OfferedPart;
use tdg_html::{ComparedRows, Finding, cases, feature, output};
use tdg_service::rules::{self, JudgedDifferences};
use tdg_service::{ServiceError, Uuid};

use super::benchmark::values;
use super::{PageError, PageRequest, WebPage, links};
use crate::operations::LoadedExpected;

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let [one, other] = request.ids()?;
    let (account, operations) = (request.account(), request.operations);
    request.database().output_digest(account, one).await?;
    let (before, in_use) = operations
        .expected::<PageError>(account, one, request.memory)
        .await?;
    let work = move |vectors, after: std::sync::Arc<LoadedExpected>| {
        let _in_use = in_use;
        if before.ensemble_uuid != after.ensemble_uuid {
            return Ok(html! { p { "They are of different rows, which can't be compared." } });
        }
        let policy = before.policy.as_ref();
        Ok(ChangeReport::new(vectors, &before, &after.outputs, policy)?.markup)
    };
    let body = operations.on_outputs::<PageError, _>(account, other, request.memory, work);
    Ok(WebPage {
        title: "Two benchmarks compared".to_owned(),
        above: vec![
            (links::HOME.to_owned(), "Projects".to_owned()),
            (links::benchmark(one), named("expected", one)),
            (links::benchmark(other), named("actual", other)),
        ],
        body: body.await?,
    })
}

fn named(role: &str, benchmark: Uuid) -> String {
    format!("{role}: benchmark {}", super::definition::short(benchmark))
}

/// The report of rows whose outputs differ.
pub(super) struct ChangeReport {
    pub(super) markup: Markup,
    /// What the rows have in common, and what happened to their outputs: a sentence each.
    pub(super) findings: Vec<String>,
    /// The parts of the change, if outputs of single rows are all of it, in the form that they had.
    pub(super) parts: Option<Vec<OfferedPart>>,
}

/// Whether the outputs of single rows, in the form that they had, are all that changed.
pub(super) fn is_of_outputs(differing: &JudgedDifferences) -> bool {
    differing.distributions.is_empty() && changed_forms(&differing.rows).is_none()
}

impl ChangeReport {
    pub(super) fn new(
        vectors: Vectors,
        before: &LoadedExpected,
        after: &Outputs,
        policy: Option<&Policy>,
    ) -> Result<Self, ServiceError> {
        let Some(differing) = rules::differing(&before.outputs, after, policy)? else {
            return Ok(ChangeReport {
                markup: html! { p { "All outputs are the same." } },
                findings: Vec::new(),
                parts: None,
            });
        };
        let is_of_outputs = is_of_outputs(&differing);
        let rows = ComparedRows::new(vectors, Vec::new(), Some(values(before)?), differing.rows);
        Ok(ChangeReport {
            markup: markup(&rows, &differing.distributions),
            findings: rows.findings(),
            parts: is_of_outputs.then(|| rows.parts()),
        })
    }
}

fn markup(rows: &ComparedRows, distributions: &[DistributionChange]) -> Markup {
    let (changed, size) = (rows.differing.len(), rows.compared());
    let findings = Finding::all_of(rows);
    let is_named = |name: &str| findings.iter().any(|it| it.features().any(|of| of == name));
    html! {
        p { (changed) " of " (counted(size, "case")) " changed" }
        @for distribution in distributions {
            p { (finding_of_distribution(distribution)) }
        }
        @if findings.iter().any(|it| it.features().next().is_some()) {
            (feature::legend("changed", true))
        }
        section {
            @for finding in &findings { (finding.markup(&rows.vectors, |_, _| html! {})) }
            (feature::others(&rows.vectors, is_named, &rows.cases(), "changed"))
            (output::of_arrays(rows))
            @if changed > 0 { (cases::table(rows, &[])) }
        }
    }
}
