//! The table of the ensembles that ran.

use std::path::Path;
use std::time::Duration;

use tdg_engine::Verdict;
use tdg_engine::config::display_path;
use tdg_engine::report::rename_command;

use crate::results::{TestRun, Unclaimed, UnclaimedBenchmark};
use crate::terminal::style::{BAD, FAINT, GOOD, PENDING, STRONG};
use crate::terminal::{StyledCell, TerminalTable, counted, duration};

/// The table, and how the tests ended.
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

/// The reports of the tests whose process ended before them; nobody else has printed them.
pub(super) fn unfinished(runs: &[TestRun]) -> String {
    let unfinished = runs.iter().filter(|run| !run.has_ended);
    let reports = unfinished.filter_map(|run| run.report.as_deref());
    reports.map(|report| format!("\n{report}\n")).collect()
}

/// The number of pending changes.
pub(super) fn pending(count: usize) -> String {
    let verb = match count {
        0 => return String::new(),
        1 => "is",
        _ => "are",
    };
    let count = counted(count, "change");
    format!("{PENDING}{count} {verb} pending{PENDING:#}: cargo tdg review\n")
}

/// The benchmarks that no test claims.
pub(super) fn unclaimed(unclaimed: &Unclaimed<'_>) -> String {
    if unclaimed.benchmarks.is_empty() {
        return String::new();
    }
    let mut text = if unclaimed.is_full_run {
        "No test used these snapshot files: orphaned?\n".to_owned()
    } else {
        "The tests of these snapshot files are gone: orphaned?\n".to_owned()
    };
    for UnclaimedBenchmark { record, renamed_to } in &unclaimed.benchmarks {
        let place = match record.file() {
            Some(_) => record.location(),
            None => format!("{}, {}", record.test, record.location()),
        };
        text.push_str(&format!("  {place}\n"));
        if let Some(run) = renamed_to {
            let (old, new) = (record.test.to_string(), run.test.to_string());
            let file = run.snapshot.as_deref().unwrap_or(Path::new(&new));
            let file = display_path(&record.package.root, file);
            let command = rename_command((&old, &place), (&new, &file));
            text.push_str(&format!("    renamed? {STRONG}{command}{STRONG:#}\n"));
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
        let style = if run.verdict.passes() { GOOD } else { BAD };
        let used = run
            .tolerance_use
            .map(|share| format!("{:.0} %", share * 100.0));
        table.row([
            run.test.name.as_str().into(),
            StyledCell::styled(verdict(run), style),
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

/// `same`, `same, attempt 2`, `same, against old::total`.
fn verdict(run: &TestRun) -> String {
    let mut verdict = run.verdict.to_string();
    if run.attempt > 1 {
        verdict.push_str(&format!(", attempt {}", run.attempt));
    }
    if let Some(function) = &run.against {
        verdict.push_str(&format!(", against {function}"));
    }
    verdict
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
        duration(took)
    )
}
