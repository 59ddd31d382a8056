//! The table of ensembles that ran.

use std::time::Duration;

use tdg_engine::Verdict;

use crate::results::{TestRun, Unclaimed};
use crate::terminal::style::{BAD, FAINT, GOOD, PENDING, STRONG};
use crate::terminal::{StyledCell, TerminalTable, counted, duration};
use crate::test_group::TestGroup;

/// Returns the table and a summary of the verdicts. Of tests that changed by the same cause, the
/// table has the first.
pub(super) fn ensembles(runs: &[TestRun]) -> String {
    if runs.is_empty() {
        return "\nNo ensemble test ran.\n".to_owned();
    }
    let groups = TestGroup::all_of(runs.iter().map(|run| (run.cause.clone(), run)));
    let of_groups = groups.iter().map(|it| it.lines(|run| run.test.to_string()));
    format!(
        "\n{}{}\n{STRONG}{}{STRONG:#}: {}\n",
        table(groups.iter().map(|group| group.first)).text(""),
        of_groups.collect::<String>(),
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

fn table<'r>(runs: impl Iterator<Item = &'r TestRun> + Clone) -> TerminalTable {
    let has_tolerance = runs.clone().any(|run| run.tolerance_use.is_some());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::sample;

    #[test]
    fn of_tests_that_changed_by_one_cause_the_table_has_the_first() {
        let cause = "all changed cases have b > 40, actual = expected + 1";
        let mut runs = vec![sample::run("same", Verdict::Same)];
        runs.extend(["tax", "total"].map(|name| sample::changed_by(name, cause)));
        runs.push(sample::changed_by(
            "other",
            "all cases changed, actual is null",
        ));
        let text = anstream::adapter::strip_str(&ensembles(&runs)).to_string();
        insta::assert_snapshot!(text.trim_start(), @"
        ensemble  verdict  changed  cases  time
        same      same                 10  3 ms
        tax       changed        4     10  3 ms
        other     changed        4     10  3 ms

        2 tests: all changed cases have b > 40, actual = expected + 1
          tax, total

        4 ensembles: 1 same, 3 changed; 40 cases in 12 ms
        ");
    }
}
