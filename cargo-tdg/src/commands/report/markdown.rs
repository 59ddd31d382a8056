//! The report as Markdown, for the summary of a CI job.

use std::borrow::Cow;

use super::headline::headline;
use super::newer::NewerRun;
use crate::record::KeptCause;
use crate::results::{Circumstances, TestRun};
use crate::test_group::{NAMES_WIDTH, TestGroup};

/// GitHub's limit for one step.
const LIMIT: usize = 1024 * 1024;
/// Space for the line about omitted pieces.
const RESERVE: usize = 200;

/// Returns the report, with the causes that `cargo tdg why` found.
pub(super) fn text(
    circumstances: &Circumstances,
    newer: &[NewerRun],
    runs: &[TestRun],
    causes: &[KeptCause],
) -> String {
    let mut text = Bounded::within(LIMIT);
    text.push(&format!("## tdg: {}\n\n", headline(circumstances, runs)));
    let about = circumstances.text();
    if !about.is_empty() {
        text.push(&format!("{}\n\n", escape(&about)));
    }
    for newer in newer {
        text.push(&format!("⚠️ {}\n\n", escape(&newer.text())));
    }
    for remark in &circumstances.remarks {
        let command = remark.command.as_ref();
        let command = command.map_or_else(String::new, |it| format!(": `{it}`"));
        let said = escape(&remark.text);
        text.push(&format!("{} {said}{command}\n\n", remark.mark()));
    }
    if runs.is_empty() {
        return text.finish();
    }
    let (passed, failed): (Vec<&TestRun>, Vec<&TestRun>) =
        runs.iter().partition(|run| run.verdict.passes());
    let (flaky, passed): (Vec<&TestRun>, Vec<&TestRun>) =
        passed.into_iter().partition(|run| run.is_flaky());
    let groups = groups(failed);
    for group in &groups {
        text.push(&cause(group));
    }
    text.push("| ensemble | verdict | changed | cases |\n|---|---|---:|---:|\n");
    let failed: Vec<&TestRun> = groups.iter().map(|group| group.first).collect();
    for run in failed.iter().chain(&flaky).chain(&passed) {
        text.push(&row(run));
    }
    for run in failed.into_iter().chain(flaky) {
        text.push(&details(&report_of(run), run.finding.as_deref(), ""));
    }
    for cause in causes {
        text.push(&details(&format!("cause of {}", cause.text), None, ""));
    }
    text.finish()
}

/// Returns the runs whose report is in the text, or the one of the first test with their cause.
pub(super) fn in_full<'r>(text: &str, runs: &'r [TestRun]) -> Vec<&'r TestRun> {
    let is_in_full = |group: &TestGroup<&TestRun>| {
        let run = group.first;
        let report = run.report.as_deref().unwrap_or_default();
        let details = details(report, run.finding.as_deref(), "");
        text.contains(&details) && text.contains(&cause(group))
    };
    let mut groups = groups(runs);
    groups.retain(is_in_full);
    groups.iter().flat_map(TestGroup::tests).copied().collect()
}

fn groups<'r>(runs: impl IntoIterator<Item = &'r TestRun>) -> Vec<TestGroup<&'r TestRun>> {
    TestGroup::all_of(runs.into_iter().map(|run| (run.cause.clone(), run)))
}

/// Returns the cause and the names of tests that changed by it; nothing for a single test.
fn cause(group: &TestGroup<&TestRun>) -> String {
    let headline = group.headline().map(|headline| {
        let names = group.names(|run| run.test.name.clone(), NAMES_WIDTH);
        format!("**{}**: {}\n\n", escape(&headline), escape(&names))
    });
    headline.unwrap_or_default()
}

/// Text that stays within a limit.
pub(super) struct Bounded {
    text: String,
    limit: usize,
    left_out: usize,
}

impl Bounded {
    pub(super) fn within(limit: usize) -> Self {
        Self {
            text: String::new(),
            limit,
            left_out: 0,
        }
    }

    /// Adds a piece if it fits.
    pub(super) fn push(&mut self, piece: &str) {
        match self.text.len() + piece.len() + RESERVE <= self.limit {
            true => self.text.push_str(piece),
            false => self.left_out += 1,
        }
    }

    /// Returns the text with the number of omitted pieces.
    pub(super) fn finish(self) -> String {
        let (mut text, limit) = (self.text, self.limit / 1024);
        let limit = match limit {
            1024 => "1 MiB".to_owned(),
            limit => format!("{limit} KiB"),
        };
        if self.left_out > 0 {
            let count = self.left_out;
            text.push_str(&format!(
                "\n… and {count} more, left out to stay within {limit}\n"
            ));
        }
        text
    }
}

fn row(run: &TestRun) -> String {
    let mark = match run.verdict.passes() {
        true if run.is_flaky() => "⚠️",
        true => "✅",
        false => "❌",
    };
    let changed = if run.changed == 0 {
        String::new()
    } else {
        run.changed.to_string()
    };
    format!(
        "| {} | {mark} {} | {changed} | {} |\n",
        escape(&run.test.name),
        escape(&run.verdict_text()),
        run.cases_text()
    )
}

/// Returns the last report of a run, which mentions if a later attempt passed.
fn report_of(run: &TestRun) -> Cow<'_, str> {
    let report = run.last_report();
    if !run.is_flaky() {
        return report.into();
    }
    let (name, attempt) = (&run.test.name, run.attempt);
    let before = report.strip_prefix(&format!("{name}: ")).unwrap_or(report);
    format!("{name}: attempt {attempt} passed; before, {before}").into()
}

/// Returns a collapsible report below its headline, its first finding, and some lines of Markdown.
pub(super) fn details(report: &str, finding: Option<&str>, above: &str) -> String {
    let report = report.trim_end();
    let (title, text) = report.split_once('\n').unwrap_or((report, ""));
    // Longer than any fence in the report.
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    let title = match finding {
        Some(finding) => format!("{title}: {finding}"),
        None => title.to_owned(),
    };
    let text = match text.trim_matches('\n') {
        "" => String::new(),
        text => format!("{fence}text\n{text}\n{fence}\n\n"),
    };
    let title = escape(&title);
    format!("\n<details><summary>{title}</summary>\n\n{above}{text}</details>\n")
}

/// Escapes the syntax of Markdown and HTML.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\n' => escaped.push(' '),
            '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '~' | '#' => {
                escaped.push('\\');
                escaped.push(character);
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use tdg_engine::Verdict;

    use super::*;
    use crate::results::sample;

    fn run(name: String, report: Option<String>) -> TestRun {
        let verdict = match report {
            Some(_) => Verdict::Changed,
            None => Verdict::Same,
        };
        TestRun {
            report,
            ..sample::run(&name, verdict)
        }
    }

    #[test]
    fn tests_that_changed_by_one_cause_have_one_line_and_the_first_report() {
        let cause = "all changed cases have b > 40, actual = expected + 1";
        let mut runs: Vec<TestRun> = (0..500)
            .map(|number| sample::changed_by(&format!("t{number:03}"), cause))
            .collect();
        runs.push(sample::changed_by(
            "other",
            "all cases changed, actual is null",
        ));
        let text = text(&Circumstances::default(), &[], &runs, &[]);
        insta::assert_snapshot!(text, @"
        ## tdg: 501 of 501 ensembles failed

        **500 tests: all changed cases have b &gt; 40, actual = expected + 1**: t000, t001, t002, t003, t004, t005, t006, t007, t008, t009, t010, t011, t012, t013 and 486 more tests

        | ensemble | verdict | changed | cases |
        |---|---|---:|---:|
        | t000 | ❌ changed | 4 | 10 |
        | other | ❌ changed | 4 | 10 |

        <details><summary>t000: 4 of 10 cases changed</summary>

        </details>

        <details><summary>other: 4 of 10 cases changed</summary>

        </details>
        ");
        assert_eq!(in_full(&text, &runs).len(), 501);
        // Without its first report, a group is not shown.
        let cut = text.replace("t000: 4", "");
        let names: Vec<&str> = in_full(&cut, &runs)
            .iter()
            .map(|it| it.test.name.as_str())
            .collect();
        assert_eq!(names, ["other"]);
    }

    #[test]
    fn causes_are_below_the_reports() {
        let cause = KeptCause {
            text: "total: 2 of 10 cases changed since HEAD\n\n  exactly those with n = 1\n"
                .to_owned(),
            rules: Vec::new(),
        };
        let runs = [run(
            "total".to_owned(),
            Some("total: 2 of 10 cases changed".to_owned()),
        )];
        let text = text(&Circumstances::default(), &[], &runs, &[cause]);
        let (_, shown) = text.split_once("<details><summary>cause of ").unwrap();
        insta::assert_snapshot!(shown, @"
        total: 2 of 10 cases changed since HEAD</summary>

        ```text
          exactly those with n = 1
        ```

        </details>
        ");
    }

    #[test]
    fn the_limit_holds_whatever_failed_and_what_is_left_out_is_counted() {
        let report = format!("total: 1 of 10 cases changed\n\n{}", "  x\n".repeat(10_000));
        let runs: Vec<_> = (0..40)
            .map(|n| run(format!("t{n}"), Some(report.clone())))
            .collect();
        let text = text(&Circumstances::default(), &[], &runs, &[]);
        assert!(text.len() <= LIMIT, "{}", text.len());
        assert!(
            text.ends_with("… and 14 more, left out to stay within 1 MiB\n"),
            "{}",
            &text[text.len() - 90..]
        );
        assert_eq!(text.matches("<details>").count(), 26);
    }

    #[test]
    fn the_limit_holds_for_the_table_as_well() {
        let runs: Vec<_> = (0..40_000)
            .map(|n| run(format!("a test with a long name {n}"), None))
            .collect();
        assert!(text(&Circumstances::default(), &[], &runs, &[]).len() <= LIMIT);
    }

    #[test]
    fn a_report_can_not_break_out_of_its_fence() {
        let report = "a|b<c>: changed\n\n  ```\n  ````\n".to_owned();
        let text = details(&report, None, "");
        insta::assert_snapshot!(text, @r"

        <details><summary>a\|b&lt;c&gt;: changed</summary>

        `````text
          ```
          ````
        `````

        </details>
        ");
    }
}
