//! Decides about the change of a run: builds the records of a form.

use std::sync::Arc;

use tdg_definition::Policy;
use tdg_engine::Vectors;
use tdg_engine::output::Outputs;
use tdg_engine::store::{Channel, Decision, DecisionKind, RunFacts};
use tdg_service::record::{BenchmarkRecord, DecisionRecord, Record};
use tdg_service::{Result, ServiceError, Timestamp, Uuid};

use super::decisions::RunDecisions;
use super::form::{ChosenPart, WantedDecision, invalid};
use super::{FoundRun, actual};
use crate::database::{DecidedTest, StoredRun, dated, timed_uuid};
use crate::keys::Scope;
use crate::operations::LoadedExpected;
use crate::pages::change::Change;
use crate::pages::{PageError, PageRequest, WebChange, links};

/// Returns true if the visitor may decide, as with `cargo tdg push`.
pub(super) fn is_allowed(request: &PageRequest<'_>) -> bool {
    request.visitor.key.scopes.allow(Scope::Write)
}

/// A benchmark that replaces another one.
struct Replacement {
    kind: DecisionKind,
    outputs: Outputs,
    /// The digest of the replaced outputs.
    replaces: String,
    /// The identifier of their ensemble, which isn't its identity.
    ensemble: Uuid,
}

impl Replacement {
    fn new(
        facts: &RunFacts,
        vectors: Vectors,
        before: &LoadedExpected,
        chosen: ChosenPart,
    ) -> Result<Self> {
        let after = actual(facts, &before.outputs);
        let exact = Policy::exact();
        let policy = facts.policy.as_ref().or(before.policy.as_ref());
        let policy = policy.unwrap_or(&exact);
        let change = Change::new(vectors, before, &after, Some(policy))?;
        let Some(change) = change.filter(Change::is_of_outputs) else {
            let message = "the run did not keep all outputs of its change; decide where the test \
                           ran, with `cargo tdg review`";
            return Err(ServiceError::Conflict(message.into()));
        };
        let part = chosen.resolve(&change)?;
        let outputs = part.accepted(policy, &before.outputs, &after, &change.rows.differing);
        let outputs = outputs.map_err(|error| invalid("fields", error.to_string()))?;
        if outputs == before.outputs {
            return Err(invalid("cases and fields", "nothing has changed there"));
        }
        Ok(Replacement {
            kind: match outputs == after {
                true => DecisionKind::Accepted,
                false => DecisionKind::AcceptedInPart,
            },
            outputs,
            replaces: before.outputs.digest(),
            ensemble: before.ensemble_uuid,
        })
    }
}

pub(in crate::pages) async fn decide(
    request: &PageRequest<'_>,
) -> std::result::Result<WebChange, PageError> {
    let [project, test, uuid] = request.ids()?;
    let FoundRun { run, .. } = super::find(request).await?;
    let choice = WantedDecision::read(&request.query)?;
    let mut decision = rejection(request, test, &run, choice.reason).await?;
    let (mut records, mut in_use) = (Vec::new(), None);
    if let Some(chosen) = choice.accepted {
        let benchmark = accepted(request, &run, chosen, &mut decision).await?;
        let bytes = benchmark.outputs.as_json().len();
        in_use = Some(request.memory.hold(request.account(), bytes).await?);
        let benchmark = Record::Benchmark(benchmark);
        decision.benchmark = Some(benchmark.uuid());
        records.push(benchmark);
    }
    let mut changed = Vec::new();
    if !is_made(request, &run, &decision).await? {
        records.push(Record::Decision(decision.clone()));
        let about = DecidedTest {
            project,
            test,
            at: run.time,
            checkout: run.facts.checkout.clone(),
        };
        let made = request
            .operations
            .decide(&request.visitor.key, about, records);
        match made.await? {
            Some(made) => changed = made,
            None => drop(is_made(request, &run, &decision).await?),
        }
    }
    drop(in_use);
    let path = links::run(project, test, uuid);
    Ok(WebChange {
        path,
        changed,
        ..WebChange::default()
    })
}

/// Builds the visitor's rejection of a test's change. It applies to the run's branch.
async fn rejection(
    request: &PageRequest<'_>,
    test: Uuid,
    run: &StoredRun,
    reason: Option<String>,
) -> Result<DecisionRecord> {
    // `cargo tdg pull` goes by dates. This one is after the run and all earlier decisions,
    // including ones from clocks that are ahead.
    let decided = request.database().decisions(request.account(), test);
    let decided = decided.await?.into_iter().map(|it| it.uuid);
    let latest = decided.map(dated).fold(dated(run.uuid), Timestamp::max);
    let after = Timestamp::from_micros(latest.as_micros().saturating_add(1));
    let time = Timestamp::now().max(after);
    Ok(DecisionRecord {
        uuid: timed_uuid(time),
        test,
        benchmark: None,
        time,
        decision: Decision {
            reason,
            author: Some(request.visitor.name.clone()),
            checkout: run.facts.checkout.clone(),
            dirty: run.facts.dirty,
            through: Some(Channel::Page),
            ..Decision::new(DecisionKind::Rejected)
        },
        from: None,
    })
}

/// Returns the benchmark after accepting a part. The decision records it as accepted from then on.
async fn accepted(
    request: &PageRequest<'_>,
    run: &StoredRun,
    chosen: ChosenPart,
    record: &mut DecisionRecord,
) -> std::result::Result<BenchmarkRecord, PageError> {
    let (account, operations) = (request.account(), request.operations);
    let facts = run.facts.clone();
    let work = move |vectors, before: Arc<LoadedExpected>| {
        Replacement::new(&facts, vectors, &before, chosen)
    };
    let made = operations.on_outputs::<PageError, _>(account, run.benchmark, request.memory, work);
    let made = made.await?;
    record.decision.kind = made.kind;
    record.decision.replaces = Some(made.replaces);
    let ensemble = request.database().ensemble_identity(account, made.ensemble);
    Ok(BenchmarkRecord {
        ensemble: ensemble.await?,
        added: record.time,
        outputs: made.outputs,
    })
}

/// Returns true if the same decision exists, such as when a browser sends a form twice.
async fn is_made(
    request: &PageRequest<'_>,
    run: &StoredRun,
    decision: &DecisionRecord,
) -> Result<bool> {
    let decisions = RunDecisions::read(request, decision.test, run).await?;
    if decisions.has(decision) {
        return Ok(true);
    }
    match decisions.refusal() {
        Some(refusal) => Err(ServiceError::Conflict(refusal.into())),
        None => Ok(false),
    }
}
