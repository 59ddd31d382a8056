//! Commands that make GitHub Actions annotate source files in a pull request.

use crate::results::{Circumstances, Remark, TestRun};
use crate::workspace::Workspace;

/// GitHub shows at most this many errors per step, and this many warnings.
const MOST: usize = 10;

pub(super) fn text(
    workspace: &Workspace,
    circumstances: &Circumstances,
    runs: &[TestRun],
) -> String {
    let remarks = |fails| {
        let remarks = circumstances.remarks.iter();
        let remarks = remarks.filter(move |remark| remark.fails == fails);
        remarks.map(|it| (it.file.as_ref().unwrap_or(&it.text).clone(), remark(it)))
    };
    let of_runs = |is_one: fn(&TestRun) -> bool| {
        let runs = runs.iter().filter(move |run| is_one(run));
        runs.map(|run| (run.test.name.clone(), annotation(workspace, run)))
    };
    let failed = of_runs(|run| !run.verdict.passes());
    let errors = some("error", "failed", remarks(true).chain(failed).collect());
    let warnings = of_runs(TestRun::is_flaky).chain(remarks(false));
    errors + &some("warning", "have a warning", warnings.collect())
}

/// Returns as many annotations as GitHub shows. The last one lists the remaining names.
fn some(kind: &str, what: &str, all: Vec<(String, String)>) -> String {
    let shown = if all.len() > MOST {
        MOST - 1
    } else {
        all.len()
    };
    let (shown, rest) = all.split_at(shown);
    let mut text: String = shown.iter().map(|(_, text)| text.as_str()).collect();
    if !rest.is_empty() {
        let names: Vec<&str> = rest.iter().map(|(name, _)| name.as_str()).collect();
        let message = format!("{} more {what}: {}", names.len(), names.join(", "));
        text.push_str(&format!("::{kind} title=tdg::{}\n", data(&message)));
    }
    text
}

fn annotation(workspace: &Workspace, run: &TestRun) -> String {
    let package = workspace.package(&run.test.package).ok();
    let source =
        package.map(|package| workspace.display_path(&package.directory.join(&run.test.source)));
    let report = run.last_report();
    let (title, message) = report.split_once('\n').unwrap_or((report, ""));
    let (kind, title) = match run.is_flaky() {
        true => {
            let (name, verdict) = (&run.test.name, run.verdict_text());
            let before = title.strip_prefix(&format!("{name}: "));
            let before = before.unwrap_or(title);
            ("warning", format!("{name}: {verdict}; before, {before}"))
        }
        false => ("error", title.to_owned()),
    };
    let line = match run.line {
        0 => String::new(),
        line => format!(",line={line}"),
    };
    format!(
        "::{kind} file={}{line},title={}::{}\n",
        property(&source.unwrap_or_default()),
        property(&title),
        data(message.trim_matches('\n'))
    )
}

fn remark(remark: &Remark) -> String {
    let kind = if remark.fails { "error" } else { "warning" };
    let file = remark.file.as_ref();
    let file = file.map_or_else(String::new, |file| format!("file={},", property(file)));
    let command = remark.command.as_ref();
    let command = command.map_or_else(String::new, |command| format!(": {command}"));
    let message = data(&format!("{}{command}", remark.text));
    format!("::{kind} {file}title=tdg::{message}\n")
}

/// Escapes a message.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property, which precedes the message.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
