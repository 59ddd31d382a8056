//! The table of the ensembles that ran.

use std::path::PathBuf;
use std::time::Duration;

use tdg_engine::Verdict;

use crate::results::TestRun;
use crate::terminal::style::{BAD, FAINT, GOOD, PENDING, STRONG};
use crate::terminal::{Cell, Table, counted};
use crate::workspace::Workspace;

pub(super) fn text(
    workspace: &Workspace,
    runs: &[TestRun],
    pending: usize,
    unused: &[PathBuf],
) -> String {
    let mut text = String::from("\n");
    if runs.is_empty() {
        text.push_str("No ensemble test ran.\n");
    } else {
        text.push_str(&table(runs).text(""));
        text.push_str(&format!(
            "\n{STRONG}{}{STRONG:#}: {}\n",
            counted(runs.len(), "ensemble"),
            verdicts(runs)
        ));
    }
    match pending {
        0 => {}
        1 => text.push_str(&format!(
            "{PENDING}1 change is pending{PENDING:#}: cargo tdg review\n"
        )),
        _ => text.push_str(&format!(
            "{PENDING}{pending} changes are pending{PENDING:#}: cargo tdg review\n"
        )),
    }
    if !unused.is_empty() {
        text.push_str("No test used these snapshot files; are they left over?\n");
        for file in unused {
            text.push_str(&format!("  {}\n", workspace.display_path(file)));
        }
    }
    text
}

fn table(runs: &[TestRun]) -> Table {
    let has_tolerance = runs.iter().any(|run| run.tolerance_use.is_some());
    let tolerance = has_tolerance.then_some("tolerance used");
    let header = ["ensemble", "verdict", "changed", "cases", "time"];
    let mut table = Table::new(header.into_iter().chain(tolerance));
    for run in runs {
        let style = if run.verdict.passes() { GOOD } else { BAD };
        let used = run
            .tolerance_use
            .map(|share| format!("{:.0} %", share * 100.0));
        table.row([
            run.test.name.as_str().into(),
            Cell::styled(verdict(run), style),
            Cell::from(if run.changed == 0 {
                String::new()
            } else {
                run.changed.to_string()
            }),
            run.cases.to_string().into(),
            Cell::styled(time(run.took), FAINT),
            used.unwrap_or_default().into(),
        ]);
    }
    table
}

/// `same`, or `same, attempt 2`.
fn verdict(run: &TestRun) -> String {
    match run.attempt {
        1 => run.verdict.to_string(),
        attempt => format!("{}, attempt {attempt}", run.verdict),
    }
}

/// `3 same, 1 changed; 2200 cases in 14 ms`
fn verdicts(runs: &[TestRun]) -> String {
    let counts = Verdict::ALL.iter().filter_map(|verdict| {
        let count = runs.iter().filter(|run| run.verdict == *verdict).count();
        (count > 0).then(|| format!("{count} {verdict}"))
    });
    let cases: usize = runs.iter().map(|run| run.cases).sum();
    let took: Duration = runs.iter().map(|run| run.took).sum();
    let counts: Vec<String> = counts.collect();
    format!(
        "{}; {} in {}",
        counts.join(", "),
        counted(cases, "case"),
        time(took)
    )
}

fn time(duration: Duration) -> String {
    match duration.as_millis() {
        0 => "< 1 ms".to_owned(),
        milliseconds @ 1..10_000 => format!("{milliseconds} ms"),
        milliseconds => format!("{} s", milliseconds / 1000),
    }
}
