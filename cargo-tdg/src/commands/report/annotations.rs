//! Commands by which GitHub Actions annotates source files in a pull request.

use crate::results::TestRun;
use crate::workspace::Workspace;

/// The most errors that GitHub shows for a step.
const MOST: usize = 10;

pub(super) fn text(workspace: &Workspace, runs: &[TestRun]) -> String {
    let failed: Vec<&TestRun> = runs.iter().filter(|run| !run.verdict.passes()).collect();
    // The last one counts those that don't fit.
    let shown = if failed.len() > MOST {
        MOST - 1
    } else {
        failed.len()
    };
    let mut text: String = failed[..shown]
        .iter()
        .map(|run| annotation(workspace, run))
        .collect();
    if failed.len() > shown {
        let names: Vec<&str> = failed[shown..]
            .iter()
            .map(|run| run.test.name.as_str())
            .collect();
        let message = format!(
            "{} more ensembles failed: {}",
            names.len(),
            names.join(", ")
        );
        text.push_str(&format!("::error title=tdg::{}\n", data(&message)));
    }
    text
}

fn annotation(workspace: &Workspace, run: &TestRun) -> String {
    let package = workspace.package(&run.test.package).ok();
    let source =
        package.map(|package| workspace.display_path(&package.directory.join(&run.test.source)));
    let report = run.report.as_deref().unwrap_or_default();
    let (title, message) = report.split_once('\n').unwrap_or((report, ""));
    let line = match run.line {
        0 => String::new(),
        line => format!(",line={line}"),
    };
    format!(
        "::error file={}{line},title={}::{}\n",
        property(&source.unwrap_or_default()),
        property(title),
        data(message.trim_matches('\n'))
    )
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
