//! The report as JUnit XML.

use std::ffi::OsStr;
use std::path::Path;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestRerun, TestSuite};
use tdg_engine::{TestId, Verdict};

use crate::error::Result;
use crate::results::{Circumstances, Remark, TestRun};
use crate::terminal::counted;

/// Formats a suite per package, a test case per ensemble, and a suite of other failures.
pub(super) fn text(circumstances: &Circumstances, runs: &[TestRun]) -> Result<String> {
    let mut report = Report::new("cargo tdg test");
    // Runs are sorted by package.
    for package in runs.chunk_by(|one, other| one.test.package == other.test.package) {
        let mut suite = TestSuite::new(package[0].test.package.as_str());
        suite.add_test_cases(package.iter().map(case));
        report.add_test_suite(suite);
    }
    let failing: Vec<&Remark> = circumstances.remarks.iter().filter(|it| it.fails).collect();
    if !failing.is_empty() {
        let mut suite = TestSuite::new("cargo tdg test");
        suite.add_test_cases(failing.into_iter().map(remark));
        report.add_test_suite(suite);
    }
    Ok(report.to_string()? + "\n")
}

fn remark(remark: &Remark) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(remark.text.as_str());
    status.set_description(remark.command.as_deref().unwrap_or(&remark.text));
    TestCase::new(remark.file.as_deref().unwrap_or("cargo test"), status)
}

fn case(run: &TestRun) -> TestCase {
    let mut status = match &run.report {
        None => TestCaseStatus::success(),
        Some(text) => {
            // In JUnit, a failure is an unmet expectation, and an error is anything else.
            let kind = match run.verdict {
                Verdict::Panicked | Verdict::Unstable | Verdict::Invalid => NonSuccessKind::Error,
                _ => NonSuccessKind::Failure,
            };
            let mut status = TestCaseStatus::non_success(kind);
            status.set_type(run.verdict.as_str());
            status.set_message(text.lines().next().unwrap_or_default());
            status.set_description(text.as_str());
            status
        }
    };
    if let Some(before) = &run.failed_before {
        let mut rerun = TestRerun::new(NonSuccessKind::Failure);
        rerun.set_message(before.lines().next().unwrap_or_default());
        rerun.set_description(before.as_str());
        status.add_rerun(rerun);
    }
    let mut case = TestCase::new(run.test.name.as_str(), status);
    case.set_classname(binary(&run.test));
    case.set_time(run.took);
    if run.verdict == Verdict::Accepted {
        let (changed, cases) = (run.changed, counted(run.cases, "case"));
        case.set_system_out(format!("{}, {changed} of {cases} changed", run.verdict));
    }
    case
}

/// Returns a test's binary, named as in nextest: `shop::pricing` for `tests/pricing.rs`.
fn binary(test: &TestId) -> String {
    let mut parts = Path::new(&test.source).iter();
    let folder = parts.next().and_then(OsStr::to_str);
    let name = parts.next().map(|name| Path::new(name).with_extension(""));
    match (folder, name) {
        (Some("tests" | "benches" | "examples"), Some(name)) => {
            format!("{}::{}", test.package, name.display())
        }
        _ => test.package.clone(),
    }
}
