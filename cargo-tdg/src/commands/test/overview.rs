//! The table of ensembles that ran.

use std::time::Duration;

use tdg_engine::Verdict;

use crate::results::{TestRun, Unclaimed};
use crate::terminal::style::{BAD, FAINT, GOOD, PENDING, STRONG};
use crate::terminal::{StyledCell, TerminalTable, counted, duration};

/// Returns the table and a summary of the verdicts.
pub(super) fn ensembles(runs: &[TestRun]) -> String {
    if runs.is_empty() {
        return "\nNo ensemble test ran.\n".to_owned();
    }
    format!(
        "\n{}\n{STRONG}{}{STRONG:#}: {}\n",
        table(runs).text(""),
        counted(runs.len(), "ensemble"),
        verdicts(runs)
    )
}

/// Returns the reports of tests whose process ended early, since they haven't been printed.
pub(super) fn unfinished(runs: &[TestRun]) -> String {
    let unfinished = runs.iter().filter(|run| !run.has_ended);
    let reports = unfinished.filter_map(|run| run.report.as_deref());
    reports.map(|report| format!("\n{report}\n")).collect()
}

/// Returns the number of pending changes.
pub(super) fn pending(count: usize) -> String {
    let verb = match count {
        0 => return String::new(),
        1 => "is",
        _ => "are",
    };
    let count = counted(count, "change");
    format!("{PENDING}{count} {verb} pending{PENDING:#}: cargo tdg review\n")
}

/// Lists the benchmarks that no test claims.
pub(super) fn unclaimed(unclaimed: &Unclaimed<'_>) -> String {
    if unclaimed.benchmarks.is_empty() {
        return String::new();
    }
    let mut text = if unclaimed.is_full_run {
        "No test used these snapshot files:\n".to_owned()
    } else {
        "The tests of these snapshot files no longer exist:\n".to_owned()
    };
    for benchmark in &unclaimed.benchmarks {
        text.push_str(&format!("  {}\n", benchmark.place()));
        if let (question, Some(command)) = benchmark.fix() {
            text.push_str(&format!("    {question} {STRONG}{command}{STRONG:#}\n"));
        }
    }
    text
}

fn table(runs: &[TestRun]) -> TerminalTable {
    let has_tolerance = runs.iter().any(|run| run.tolerance_use.is_some());
    let tolerance = has_tolerance.then_some("tolerance used");
    let header = ["ensemble", "verdict", "changed", "cases", "time"];
    let mut table = TerminalTable::new(header.into_iter().chain(tolerance));
    for run in runs {
        let style = match run.verdict.passes() {
            true if run.is_flaky() => PENDING,
            true => GOOD,
            false => BAD,
        };
        let used = run
            .tolerance_use
            .map(|share| format!("{:.0} %", share * 100.0));
        table.row([
            run.test.name.as_str().into(),
            StyledCell::styled(run.verdict_text(), style),
            StyledCell::from(if run.changed == 0 {
                String::new()
            } else {
                run.changed.to_string()
            }),
            run.cases_text().into(),
            StyledCell::styled(duration(run.took), FAINT),
            used.unwrap_or_default().into(),
        ]);
    }
    table
}

/// Returns `3 same, 1 changed; 2200 cases in 14 ms`.
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
        duration(took)
    )
}
