//! The store's side of a run: benchmarks that have no file, and the history of all.

use std::sync::Arc;

use super::judge::{ExpectedOutputs, Judgement, Write};
use super::plan::Plan;
use super::rows::Rows;
use super::{claims, invalid, say};
use tdg_engine::output::Outputs;
use tdg_engine::report::Invalid;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{Change, Claim, Expected, Run, Store, StoreError};

/// The benchmark as the snapshot that it would be.
pub(super) fn benchmark(plan: &Plan) -> Result<Option<Snapshot>, Invalid> {
    let store = Store::shared(&plan.settings.directory).map_err(|error| invalid(error, ""))?;
    let kept = store
        .benchmark(&plan.test)
        .map_err(|error| invalid(error, ""))?;
    let Some(kept) = kept else { return Ok(None) };
    kept.to_snapshot()
        .map(Some)
        .map_err(|error| invalid(error.in_file(store.file()), ""))
}

/// Adds the run to the history.
pub(super) fn commit(
    plan: &Plan,
    rows: &Rows,
    outputs: &Outputs,
    judgement: &Judgement,
) -> Result<(), Invalid> {
    match Store::shared(&plan.settings.directory)
        .and_then(|store| write(&store, plan, rows, outputs, judgement).map_err(Arc::new))
    {
        Ok(()) => Ok(()),
        Err(error) if plan.file.is_some() && error.is_unavailable() => {
            notice_once(&error);
            Ok(())
        }
        Err(error) => Err(invalid(error, "")),
    }
}

fn write(
    store: &Store,
    plan: &Plan,
    rows: &Rows,
    outputs: &Outputs,
    judgement: &Judgement,
) -> Result<(), StoreError> {
    // Where a snapshot file holds the rows, the store need not.
    let vectors = plan.file.is_none().then(|| rows.table().to_json());
    let now = Expected {
        ensemble: &rows.ensemble,
        vectors: vectors.as_deref(),
        outputs: outputs.as_json(),
    };
    let before = |outputs| Expected {
        ensemble: rows.recorded.as_ref().unwrap_or(&rows.ensemble),
        vectors: None,
        outputs,
    };
    let benchmark = match (judgement.write, &judgement.expected) {
        (Write::Benchmark, _) => Some(now),
        (_, ExpectedOutputs::Actual) => Some(before(outputs.as_json())),
        (_, ExpectedOutputs::Other(expected)) => Some(before(expected)),
        (_, ExpectedOutputs::Unknown) => None,
    };
    let policy = match judgement.write {
        Write::Pending => plan.policy.to_json().to_string(),
        _ => String::new(),
    };
    store.commit(&Run {
        test: &plan.test,
        claim: Claim {
            function: &claims::claimant(plan),
            run: plan.run_id.as_deref(),
        },
        verdict: judgement.verdict,
        cases: rows.ensemble.size,
        changed: judgement.changed,
        tolerance_use: judgement.tolerance_use,
        benchmark,
        change: match judgement.write {
            Write::Benchmark => Change::Clear,
            Write::Pending => Change::Set {
                outputs: now,
                policy: Some(&policy),
            },
            Write::Nothing if judgement.failure.is_none() => Change::Clear,
            Write::Nothing => Change::Keep,
        },
        reason: None,
    })?;
    Ok(())
}

/// The same in every test of a process: said once.
fn notice_once(error: &StoreError) {
    static SAID: std::sync::Once = std::sync::Once::new();
    SAID.call_once(|| say(&format!("tdg: no history is kept: {error}")));
}
