//! The report as JSON, for programs.

use tdg_definition::json::Value;

use super::newer::NewerRun;
use crate::record::json_members;
use crate::results::{Circumstances, Remark, TestRun};
use crate::terminal::date_time;
use crate::workspace::Workspace;

pub(super) fn text(
    workspace: &Workspace,
    circumstances: &Circumstances,
    newer: &[NewerRun],
    runs: &[TestRun],
) -> String {
    let failed = runs.iter().filter(|run| !run.verdict.passes()).count();
    let document = Value::object([
        (
            "runs",
            runs.iter().map(|run| value(workspace, run)).collect(),
        ),
        ("failed", Value::from(failed as u64)),
        (
            "cases",
            Value::from(runs.iter().map(|run| run.cases as u64).sum::<u64>()),
        ),
        (
            "when",
            Value::from(circumstances.time.map(|time| date_time(time * 1000))),
        ),
        ("commit", Value::from(circumstances.checkout.commit.clone())),
        ("branch", Value::from(circumstances.checkout.branch.clone())),
        ("newer", newer.iter().map(newer_run).collect()),
        (
            "remarks",
            circumstances.remarks.iter().map(Remark::to_value).collect(),
        ),
    ]);
    format!("{document}\n")
}

/// Formats a run that is newer than the report.
fn newer_run(newer: &NewerRun) -> Value {
    Value::object([
        ("package", Value::from(newer.test.package.as_str())),
        ("source", Value::from(newer.test.source.as_str())),
        ("test", Value::from(newer.test.name.as_str())),
        ("when", Value::from(date_time(newer.time))),
        ("verdict", Value::from(newer.verdict)),
        ("changed", Value::from(newer.changed)),
        ("cases", Value::from(newer.cases)),
    ])
}

fn value(workspace: &Workspace, run: &TestRun) -> Value {
    let snapshot = run
        .snapshot
        .as_ref()
        .map(|path| workspace.display_path(path));
    let results = [
        ("against", Value::from(run.against.clone())),
        ("verdict", Value::from(run.verdict.as_str())),
        ("passes", Value::from(run.verdict.passes())),
        ("cases", Value::from(run.cases as u64)),
        ("chosen_of", Value::from(run.chosen_of.map(|it| it as u64))),
        ("changed", Value::from(run.changed as u64)),
        ("cause", Value::from(run.cause.clone())),
        ("tolerance_use", Value::from(run.tolerance_use)),
        ("seconds", Value::from(run.took.as_secs_f64())),
        ("report", Value::from(run.report.clone())),
        ("attempt", Value::from(run.attempt as u64)),
        ("failed_before", Value::from(run.failed_before.clone())),
    ];
    Value::object(json_members(&run.test, snapshot).chain(results))
}
