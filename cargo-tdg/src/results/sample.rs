//! Sample runs for tests.

use std::time::Duration;

use tdg_engine::{Takes, TestId, Verdict};

use super::TestRun;

/// Returns a run of 10 cases without a report.
pub(crate) fn run(name: &str, verdict: Verdict) -> TestRun {
    TestRun {
        test: TestId {
            package: "shop".to_owned(),
            source: "tests/<prices>.rs".to_owned(),
            name: name.to_owned(),
        },
        line: 7,
        snapshot: None,
        against: None,
        verdict,
        cases: 10,
        chosen_of: None,
        changed: 0,
        panicked: Vec::new(),
        tolerance_use: None,
        took: Duration::from_millis(3),
        report: None,
        finding: None,
        cause: None,
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

/// Returns a run of a test that changed by this cause.
pub(crate) fn changed_by(name: &str, cause: &str) -> TestRun {
    TestRun {
        changed: 4,
        report: Some(format!("{name}: 4 of 10 cases changed\n")),
        cause: Some(cause.to_owned()),
        ..run(name, Verdict::Changed)
    }
}
