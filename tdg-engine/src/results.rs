//! The results of runs, as tests report them to the `cargo tdg test` of the same version.
//!
//! Each run adds a line of JSON to a file in a shared directory, and a snapshot file of its outputs
//! if they are pending, or would be if writing were allowed.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::config::process_environment;
use crate::feature_selection::Takes;
use crate::temporary::is_number;
use crate::test_id::TestId;
use crate::verdict::Verdict;
use crate::{process_id, snapshot};
use tdg_definition::Policy;
use tdg_definition::json::Value;

/// The environment variable with the directory for results.
pub const VARIABLE: &str = "TDG_RESULTS";

/// The file in that directory with a line of JSON for each run.
pub const RUNS: &str = "runs.jsonl";

/// The result of one run of an ensemble test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestRun {
    /// The test.
    pub test: TestId,
    /// The line of the test in its source file; 0 if unknown.
    pub line: u32,
    /// The snapshot file of the test, which may not exist.
    pub snapshot: Option<PathBuf>,
    /// The function that gives the expected outputs in place of a benchmark.
    pub against: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// The number of cases.
    pub cases: usize,
    /// The number of cases in the ensemble, if `TDG_CASES` selected some of them.
    pub chosen_of: Option<usize>,
    /// The number of cases that differ from the benchmark.
    pub changed: usize,
    /// The cases in which the function panicked.
    pub panicked: Vec<usize>,
    /// The largest share of a tolerance that was used.
    pub tolerance_use: Option<f64>,
    /// The duration.
    pub took: Duration,
    /// The report of a failing test.
    pub report: Option<String>,
    /// The first finding in the last report.
    pub finding: Option<String>,
    /// The cause of the change, if it explains every changed case: equal in all tests that changed
    /// by it.
    pub cause: Option<String>,
    /// The report of the last failed attempt before this one. Runs don't write it; it is filled in
    /// once the runs of all attempts are read.
    pub failed_before: Option<String>,
    /// The policy of the test, if the run got that far.
    pub policy: Option<Policy>,
    /// The outputs as a snapshot file in the directory, if there is something to decide.
    pub actual: Option<PathBuf>,
    /// The outputs on the benchmark's own rows as a file in the directory, if the inputs changed.
    pub recorded_outputs: Option<PathBuf>,
    /// The features that the function takes.
    pub takes: Takes,
    /// The rows of another seed or size, if any ran.
    pub explored: Option<ExploredRun>,
    /// 1, or more for a retry of nextest. This run then replaces the earlier attempts.
    pub attempt: usize,
    /// True if this is the final result. A run is added when it starts, as if its process had died.
    pub has_ended: bool,
}

/// The rows of another seed or size that ran in addition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExploredRun {
    /// The number of rows.
    pub rows: usize,
    /// The seed of the rows.
    pub seed: u64,
    /// The simplest failing row as a JSON object, if one fails.
    pub keep: Option<String>,
}

/// Returns the directory for results, if `TDG_RESULTS` is set.
pub fn directory() -> Option<PathBuf> {
    process_environment(VARIABLE)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// Writes `text` to a file with a unique name in the directory.
pub fn save(directory: &Path, text: &str) -> io::Result<PathBuf> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let file = directory.join(format!("{}-{count}.snap", process_id()));
    snapshot::save(&file, text).map_err(io::Error::other)?;
    Ok(file)
}

/// Returns true if [`save`] generates names like this one.
pub fn is_outputs(name: &str) -> bool {
    let numbers = name.strip_suffix(".snap").and_then(|it| it.split_once('-'));
    numbers.is_some_and(|(process, count)| is_number(process) && is_number(count))
}

impl TestRun {
    /// Returns `200`, or `1 of 200` if `TDG_CASES` selected some.
    pub fn cases_text(&self) -> String {
        match self.chosen_of {
            Some(all) => format!("{} of {all}", self.cases),
            None => self.cases.to_string(),
        }
    }

    /// Returns `same`, `same, attempt 2` or `same, against old::total`.
    pub fn verdict_text(&self) -> String {
        let mut text = self.verdict.to_string();
        if self.attempt > 1 {
            text.push_str(&format!(", attempt {}", self.attempt));
        }
        if let Some(function) = &self.against {
            text.push_str(&format!(", against {function}"));
        }
        text
    }

    /// Returns the report, or the previous attempt's report if this one passed.
    pub fn last_report(&self) -> &str {
        let report = self.report.as_ref().or(self.failed_before.as_ref());
        report.map(String::as_str).unwrap_or_default()
    }

    /// Returns true if the test passed after a failed attempt.
    pub fn is_flaky(&self) -> bool {
        self.verdict.passes() && self.attempt > 1
    }

    /// Adds the run to the directory.
    pub fn add_to(&self, directory: &Path) -> io::Result<()> {
        // One write: tests of many processes append to this file.
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(directory.join(RUNS))?
            .write_all(format!("{}\n", self.to_value()).as_bytes())
    }

    fn to_value(&self) -> Value {
        let (snapshot, panicked) = (self.snapshot.as_ref(), self.panicked.iter());
        let name = |file: &Option<PathBuf>| {
            let name = file.as_ref()?.file_name()?;
            Some(name.to_string_lossy().into_owned())
        };
        Value::object([
            ("package", Value::from(self.test.package.as_str())),
            ("source", Value::from(self.test.source.as_str())),
            ("test", Value::from(self.test.name.as_str())),
            ("line", Value::from(u64::from(self.line))),
            (
                "snapshot",
                Value::from(snapshot.map(|path| path.display().to_string())),
            ),
            ("against", Value::from(self.against.clone())),
            ("verdict", Value::from(self.verdict.as_str())),
            ("cases", Value::from(self.cases as u64)),
            ("chosen_of", Value::from(self.chosen_of.map(|it| it as u64))),
            ("changed", Value::from(self.changed as u64)),
            (
                "panicked",
                panicked.map(|case| Value::from(*case as u64)).collect(),
            ),
            ("tolerance_use", Value::from(self.tolerance_use)),
            ("microseconds", Value::from(self.took.as_micros())),
            ("report", Value::from(self.report.clone())),
            ("finding", Value::from(self.finding.clone())),
            ("cause", Value::from(self.cause.clone())),
            (
                "policy",
                Value::from(self.policy.as_ref().map(Policy::to_json)),
            ),
            ("actual", Value::from(name(&self.actual))),
            (
                "recorded_outputs",
                Value::from(name(&self.recorded_outputs)),
            ),
            ("takes", Value::from(self.takes.to_json())),
            (
                "explored",
                Value::from(self.explored.as_ref().map(ExploredRun::to_value)),
            ),
            ("attempt", Value::from(self.attempt as u64)),
            ("has_ended", Value::from(self.has_ended)),
        ])
    }

    /// Reads a line of [`RUNS`] in that directory; `None` if another version wrote it.
    #[must_use]
    pub fn from_value(line: &Value, directory: &Path) -> Option<Self> {
        let text = |key: &str| line.get(key)?.as_str().map(str::to_owned);
        let count = |key: &str| usize::try_from(line.get(key)?.as_u64()?).ok();
        Some(Self {
            test: TestId {
                package: text("package")?,
                source: text("source")?,
                name: text("test")?,
            },
            line: count("line")?.try_into().ok()?,
            snapshot: text("snapshot").map(PathBuf::from),
            against: text("against"),
            verdict: text("verdict")?.parse().ok()?,
            cases: count("cases")?,
            chosen_of: count("chosen_of"),
            changed: count("changed")?,
            panicked: line
                .get("panicked")?
                .as_array()?
                .iter()
                .map(|case| usize::try_from(case.as_u64()?).ok())
                .collect::<Option<_>>()?,
            tolerance_use: line.get("tolerance_use")?.as_f64(),
            took: Duration::from_micros(line.get("microseconds")?.as_u64()?),
            report: text("report"),
            finding: text("finding"),
            cause: text("cause"),
            failed_before: None,
            policy: match line.get("policy")? {
                Value::Null => None,
                policy => Some(Policy::from_json(policy).ok()?),
            },
            actual: text("actual").map(|name| directory.join(name)),
            recorded_outputs: text("recorded_outputs").map(|name| directory.join(name)),
            takes: Takes::from_json(text("takes").as_deref()),
            explored: match line.get("explored")? {
                Value::Null => None,
                explored => Some(ExploredRun::from_value(explored)?),
            },
            attempt: count("attempt")?,
            has_ended: line.get("has_ended")?.as_bool()?,
        })
    }
}

impl ExploredRun {
    fn to_value(&self) -> Value {
        Value::object([
            ("rows", Value::from(self.rows as u64)),
            ("seed", Value::from(self.seed)),
            ("keep", Value::from(self.keep.clone())),
        ])
    }

    fn from_value(value: &Value) -> Option<Self> {
        Some(Self {
            rows: value.get("rows")?.as_u64()?.try_into().ok()?,
            seed: value.get("seed")?.as_u64()?,
            keep: value.get("keep")?.as_str().map(str::to_owned),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::{Tolerance, json};

    fn unplanned() -> TestRun {
        TestRun {
            test: TestId {
                package: "shop".to_owned(),
                source: "tests/pricing.rs".to_owned(),
                name: "total".to_owned(),
            },
            line: 12,
            snapshot: None,
            against: None,
            verdict: Verdict::Invalid,
            cases: 500,
            chosen_of: None,
            changed: 0,
            panicked: vec![3, 12],
            tolerance_use: None,
            took: Duration::from_micros(1250),
            report: Some("total: invalid".to_owned()),
            finding: Some("all 2 have day = 15".to_owned()),
            cause: Some("all changed cases have day = 15, actual = expected + 1".to_owned()),
            failed_before: None,
            policy: None,
            actual: None,
            recorded_outputs: None,
            takes: Takes::All,
            explored: None,
            attempt: 1,
            has_ended: true,
        }
    }

    #[test]
    fn a_line_is_read_as_the_run_that_wrote_it() {
        let directory = Path::new("results");
        let changed = TestRun {
            snapshot: Some("tests/snapshots/pricing__total.snap".into()),
            verdict: Verdict::Changed,
            changed: 37,
            tolerance_use: Some(0.25),
            policy: Some(Policy::exact().tolerance(Tolerance::abs(0.5)).unwrap()),
            actual: Some(directory.join("4711-0.snap")),
            recorded_outputs: Some(directory.join("4711-1.snap")),
            takes: Takes::Named(vec!["amount".to_owned()]),
            explored: Some(ExploredRun {
                rows: 10_000,
                seed: 1234,
                keep: Some(r#"{"amount":0.0}"#.to_owned()),
            }),
            attempt: 2,
            has_ended: false,
            ..unplanned()
        };
        let against = TestRun {
            against: Some("old::total".to_owned()),
            ..unplanned()
        };
        for run in [unplanned(), changed, against] {
            let line = json::parse(&run.to_value().to_string()).unwrap();
            assert_eq!(TestRun::from_value(&line, directory), Some(run));
        }
    }

    #[test]
    fn a_line_of_another_version_is_skipped() {
        let line = json::parse(r#"{"test":"total"}"#).unwrap();
        assert_eq!(TestRun::from_value(&line, Path::new("")), None);
    }
}
