//! What `cargo tdg test` hears of the runs that it started: the two of one version understand each other.
//!
//! A directory, to which every run adds a line of JSON, and its outputs as the snapshot file that they would
//! be, where they wait for a decision or would if anything might be written.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::config::process_environment;
use crate::snapshot;
use crate::test_id::TestId;
use crate::verdict::Verdict;
use tdg_definition::Policy;
use tdg_definition::json::Value;

/// The variable by which test processes are told where to add their results.
pub const VARIABLE: &str = "TDG_RESULTS";

/// The file in that directory with a line of JSON for each run.
pub const RUNS: &str = "runs.jsonl";

/// What one run of an ensemble test came to.
#[derive(Clone, Debug, PartialEq)]
pub struct TestRun {
    /// The test.
    pub test: TestId,
    /// The snapshot file that it claims, there or not.
    pub snapshot: Option<PathBuf>,
    /// What it came to.
    pub verdict: Verdict,
    /// How many cases it has.
    pub cases: usize,
    /// How many of them differ from the benchmark.
    pub changed: usize,
    /// The largest share of a tolerance that was used.
    pub tolerance_use: Option<f64>,
    /// How long it took.
    pub took: Duration,
    /// What the failing test said.
    pub report: Option<String>,
    /// How the test compares outputs, where it got so far.
    pub policy: Option<Policy>,
    /// The outputs as a snapshot file in the directory, where somebody has to decide about them.
    pub actual: Option<PathBuf>,
}

/// Where somebody wants to hear of runs.
pub fn directory() -> Option<PathBuf> {
    process_environment(VARIABLE).map(PathBuf::from)
}

/// Writes the text of a snapshot file into the directory, under a name that no other run takes.
pub fn save_actual(directory: &Path, text: &str) -> io::Result<PathBuf> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let file = directory.join(format!("{}-{count}.snap", process::id()));
    snapshot::save(&file, text).map_err(io::Error::other)?;
    Ok(file)
}

impl TestRun {
    /// Adds the run to those that are in the directory.
    pub fn add_to(&self, directory: &Path) -> io::Result<()> {
        // One write: tests of many processes append to this file.
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(directory.join(RUNS))?
            .write_all(format!("{}\n", self.to_value()).as_bytes())
    }

    fn to_value(&self) -> Value {
        let optional = |text: Option<String>| text.map(Value::from).unwrap_or_default();
        let snapshot = self.snapshot.as_ref();
        let actual = self.actual.as_ref().and_then(|file| file.file_name());
        Value::object([
            ("package", Value::from(self.test.package.as_str())),
            ("source", Value::from(self.test.source.as_str())),
            ("test", Value::from(self.test.name.as_str())),
            (
                "snapshot",
                optional(snapshot.map(|path| path.display().to_string())),
            ),
            ("verdict", Value::from(self.verdict.as_str())),
            ("cases", Value::from(self.cases as u64)),
            ("changed", Value::from(self.changed as u64)),
            (
                "tolerance_use",
                self.tolerance_use.map(Value::from).unwrap_or_default(),
            ),
            ("microseconds", Value::from(self.took.as_micros())),
            ("report", optional(self.report.clone())),
            (
                "policy",
                self.policy
                    .as_ref()
                    .map(Policy::to_json)
                    .unwrap_or_default(),
            ),
            (
                "actual",
                optional(actual.map(|name| name.to_string_lossy().into_owned())),
            ),
        ])
    }

    /// Reads a line of the runs in that directory; `None` if another version has written it.
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
            snapshot: text("snapshot").map(PathBuf::from),
            verdict: text("verdict")?.parse().ok()?,
            cases: count("cases")?,
            changed: count("changed")?,
            tolerance_use: line.get("tolerance_use")?.as_f64(),
            took: Duration::from_micros(line.get("microseconds")?.as_u64()?),
            report: text("report"),
            policy: match line.get("policy")? {
                Value::Null => None,
                policy => Some(Policy::from_json(policy).ok()?),
            },
            actual: text("actual").map(|name| directory.join(name)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::Tolerance;
    use tdg_definition::json;

    fn unplanned() -> TestRun {
        TestRun {
            test: TestId {
                package: "shop".to_owned(),
                source: "tests/pricing.rs".to_owned(),
                name: "total".to_owned(),
            },
            snapshot: None,
            verdict: Verdict::Invalid,
            cases: 500,
            changed: 0,
            tolerance_use: None,
            took: Duration::from_micros(1250),
            report: Some("total: invalid".to_owned()),
            policy: None,
            actual: None,
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
            ..unplanned()
        };
        for run in [unplanned(), changed] {
            let line = json::parse(&run.to_value().to_string()).unwrap();
            assert_eq!(TestRun::from_value(&line, directory), Some(run));
        }
    }

    #[test]
    fn a_line_of_another_version_is_no_run() {
        let line = json::parse(r#"{"test":"total"}"#).unwrap();
        assert_eq!(TestRun::from_value(&line, Path::new("")), None);
    }
}
