//! `TDG_RESULTS`: what `cargo tdg test` hears of the runs that it started.
//!
//! A directory, to which every run adds a line of JSON in `runs.jsonl`, and its outputs as the
//! snapshot file that they would be, where they wait for a decision or would if anything might be
//! written. Internal: the two of one version understand each other.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::compare::Policy;
use crate::config::process_environment;
use crate::json::Value;
use crate::report::Report;
use crate::snapshot;
use crate::test::Test;
use crate::verdict::Verdict;

/// A run that has ended.
pub(super) struct TestRun<'a> {
    pub(super) test: &'a Test,
    /// The snapshot file, whether it is there or not.
    pub(super) snapshot: Option<&'a Path>,
    pub(super) verdict: Verdict,
    pub(super) cases: usize,
    pub(super) changed: usize,
    pub(super) tolerance_use: Option<f64>,
    pub(super) took: Duration,
    pub(super) report: Option<&'a Report>,
    /// How the test compares outputs, where it got so far.
    pub(super) policy: Option<&'a Policy>,
    /// The outputs as a snapshot file.
    pub(super) actual: Option<&'a str>,
}

/// Where somebody wants to hear of runs.
pub(super) fn directory() -> Option<PathBuf> {
    process_environment("TDG_RESULTS").map(PathBuf::from)
}

impl TestRun<'_> {
    /// Adds the run to those that are in the directory.
    pub(super) fn add_to(&self, directory: &Path) -> io::Result<()> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let actual = match self.actual {
            Some(text) => {
                let count = COUNTER.fetch_add(1, Ordering::Relaxed);
                let name = format!("{}-{count}.snap", process::id());
                snapshot::save(&directory.join(&name), text).map_err(io::Error::other)?;
                Some(name)
            }
            None => None,
        };
        // One write: tests of many processes append to this file.
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(directory.join("runs.jsonl"))?
            .write_all(format!("{}\n", self.to_value(actual)).as_bytes())
    }

    fn to_value(&self, actual: Option<String>) -> Value {
        let optional = |text: Option<String>| text.map(Value::from).unwrap_or_default();
        let snapshot = self.snapshot.map(|path| path.display().to_string());
        Value::object([
            ("package", Value::from(self.test.package.as_str())),
            ("source", Value::from(self.test.source.as_str())),
            ("test", Value::from(self.test.name.as_str())),
            ("snapshot", optional(snapshot)),
            ("verdict", Value::from(self.verdict.word())),
            ("cases", Value::from(self.cases as u64)),
            ("changed", Value::from(self.changed as u64)),
            (
                "tolerance_use",
                self.tolerance_use.map(Value::from).unwrap_or_default(),
            ),
            ("microseconds", Value::from(self.took.as_micros())),
            ("report", optional(self.report.map(ToString::to_string))),
            (
                "policy",
                self.policy.map(Policy::to_json).unwrap_or_default(),
            ),
            ("actual", optional(actual)),
        ])
    }
}
