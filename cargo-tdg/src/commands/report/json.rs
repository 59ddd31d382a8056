//! The report as JSON, for programs.

use tdg_definition::json::Value;

use crate::record::json_members;
use crate::results::TestRun;
use crate::workspace::Workspace;

pub(super) fn text(workspace: &Workspace, runs: &[TestRun]) -> String {
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
    ]);
    format!("{document}\n")
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
        ("changed", Value::from(run.changed as u64)),
        ("tolerance_use", Value::from(run.tolerance_use)),
        ("seconds", Value::from(run.took.as_secs_f64())),
        ("report", Value::from(run.report.clone())),
    ];
    Value::object(json_members(&run.test, snapshot).chain(results))
}
