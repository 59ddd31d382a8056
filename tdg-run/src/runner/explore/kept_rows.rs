//! The kept rows: a part of the benchmark outside the ensemble.
//!
//! They run once the cases pass. Rows without a recorded output are recorded, pending or missing,
//! like a test without a benchmark. Changed outputs need a decision.

use tdg_engine::compare::compare;
use tdg_engine::config::Update;
use tdg_engine::snapshot::{KeptCase, KeptComparison, RecordedKept, Snapshot};
use tdg_engine::{Ensemble, Verdict, output};
use tdg_report::{Explored, ExploredRows, FailingRow, Failure, RowFailure};

use super::RowsBeside;
use crate::runner::cases::function::UnderTest;
use crate::runner::error::Result;
use crate::runner::plan::Plan;
use crate::runner::verdict::judgement::Judgement;
use crate::runner::verdict::kept_rows::KeptRows;

/// Runs the kept rows after the cases were judged, and compares the outputs with the recorded ones.
///
/// Benchmarks in the store don't have outputs of kept rows. A row that the test no longer keeps
/// stays in the file until a decision.
pub(crate) fn judge(
    plan: &Plan,
    under_test: &UnderTest<'_>,
    ensemble: &Ensemble,
    judgement: &Judgement,
    has_recorded: bool,
) -> Result<KeptRows> {
    if plan.keep.is_empty() && !has_recorded {
        return Ok(KeptRows::default());
    }
    let benchmark = benchmark(plan, under_test)?;
    let recorded = benchmark.as_ref();
    let recorded = recorded.map_or_else(RecordedKept::default, |it| {
        RecordedKept::new(it.kept(), it.ensemble(), ensemble)
    });
    let as_recorded = |failure| KeptRows {
        failure,
        recorded: recorded.of_rows(&plan.kept_objects()),
        ..KeptRows::default()
    };
    if !judgement.passes() {
        return Ok(as_recorded(None));
    }
    let cases = match run(plan, under_test)? {
        Ok(cases) if plan.file.is_some() => cases,
        Ok(_) => return Ok(KeptRows::default()),
        Err(failing) => return Ok(as_recorded(Some(Failure::Explored(failing)))),
    };
    let recorded_policy = benchmark.as_ref().map_or(&plan.policy, Snapshot::policy);
    let policies = [&plan.policy, recorded_policy];
    let compared = recorded.compare(&policies, &cases)?;
    let changed = compared.changes.len().max(compared.lost.len());
    if changed > 0
        && plan.settings.may_write()
        && let Some(unstable) = unstable(plan, under_test, &compared)?
    {
        return Ok(as_recorded(Some(unstable)));
    }
    let written = match plan.settings.update.mode {
        _ if changed == 0 => None,
        Update::Auto | Update::Always if compared.is_new() => Some((Verdict::Recorded, changed)),
        Update::Always => Some((Verdict::Accepted, changed)),
        _ => {
            let place = plan.pending_place()?;
            let policies = [recorded_policy, &plan.policy];
            let (size, takes) = (cases.len(), plan.takes());
            let explored = Explored::of_kept(&compared, policies, size, &takes, Some(place));
            return Ok(KeptRows {
                pending: Some(compared.accepted),
                ..as_recorded(Some(Failure::Explored(explored)))
            });
        }
    };
    Ok(KeptRows {
        recorded: compared.accepted,
        written,
        ..KeptRows::default()
    })
}

/// Reads the file's benchmark, unless the function is compared with another.
fn benchmark(plan: &Plan, under_test: &UnderTest<'_>) -> Result<Option<Snapshot>> {
    match &plan.file {
        Some(file) if under_test.against.is_none() => {
            Snapshot::read(file).map_err(|error| plan.unreadable(error))
        }
        _ => Ok(None),
    }
}

/// Runs each kept row on its own. Returns the outputs, or the rows that fail regardless of any
/// expected output.
fn run(
    plan: &Plan,
    under_test: &UnderTest<'_>,
) -> Result<std::result::Result<Vec<KeptCase>, Explored>> {
    let beside = RowsBeside::new(plan, under_test);
    let (mut shown, mut cases) = (Vec::new(), Vec::new());
    for (index, values) in plan.keep.iter().enumerate() {
        let (number, row) = (index + 1, beside.row(values)?);
        let judged = beside.judged(&row);
        let judged = judged.map_err(|error| error.within(format!("kept row {number}")))?;
        let (executed, failing) = judged;
        if let Some((_, failure)) = failing.into_iter().next() {
            shown.push(beside.failing_row(number, &row, 0, failure));
        } else if executed.records && under_test.against.is_none() {
            cases.push(KeptCase {
                row: row.table().object(0),
                output: executed.outputs.get(0).to_owned(),
            });
        }
    }
    if shown.is_empty() {
        return Ok(Ok(cases));
    }
    Ok(Err(Explored {
        rows: ExploredRows::Kept,
        size: plan.keep.len(),
        count: shown.len(),
        findings: Vec::new(),
        shown,
        loosened: None,
        pending: None,
    }))
}

/// Runs the changed rows again, and reports those that give another output.
fn unstable(
    plan: &Plan,
    under_test: &UnderTest<'_>,
    compared: &KeptComparison,
) -> Result<Option<Failure>> {
    let again = match run(plan, under_test)? {
        Ok(again) => again,
        Err(failing) => return Ok(Some(Failure::Explored(failing))),
    };
    let mut explored = Explored::of_kept(
        compared,
        [&plan.policy; 2],
        again.len(),
        &plan.takes(),
        None,
    );
    let mut shown = Vec::new();
    for (change, row) in compared.changes.iter().zip(explored.shown) {
        let Some(second) = again.get(change.number - 1) else {
            continue;
        };
        let outputs = [&change.actual, &second.output].map(|it| output::read(it));
        let [first, second] = outputs;
        let differing = compare(&plan.policy, &first?, &second?);
        if !differing.is_same() {
            shown.push(FailingRow {
                failure: RowFailure::Unstable(differing.differences),
                ..row
            });
        }
    }
    (explored.findings, explored.loosened) = (Vec::new(), None);
    (explored.count, explored.shown) = (shown.len(), shown);
    Ok((explored.count > 0).then_some(Failure::Explored(explored)))
}
