//! Claims on benchmarks: two tests must not share one.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tdg_engine::TestId;
use tdg_engine::config::TestPlace;
use tdg_engine::snapshot::BenchmarkFile;
use tdg_report::owner::{Owner, has_package};

use super::Plan;
use crate::runner::error::{Result, RunError};
use crate::runner::stderr::notice;

/// The claimed benchmarks of this process, each with its claimant.
static CLAIMS: Mutex<Option<HashMap<String, String>>> = Mutex::new(None);

/// Claims the test's benchmark for its function. Fails if another function of this process has it.
///
/// Processes of one nextest run find each other in the store.
pub(crate) fn claim(plan: &Plan) -> Result<()> {
    let place = match &plan.file {
        Some(file) => of_file(file),
        None => of_store(&plan.test),
    };
    let mut claims = CLAIMS.lock().unwrap_or_else(PoisonError::into_inner);
    let claims = claims.get_or_insert_default();
    let claimant = claimant(plan);
    let by = claims.entry(place).or_insert_with(|| claimant.clone());
    if *by == claimant {
        return Ok(());
    }
    Err(claimed_twice(plan, by))
}

/// Refuses to record a benchmark next to a temporary source file. It would be deleted with the
/// file, so every run would record anew and pass.
pub(crate) fn check_source(place: &TestPlace) -> Result<()> {
    if !place.is_temporary() {
        return Ok(());
    }
    let hint = match place.is_bundle() {
        true => {
            "begin the code block of this documentation test with ```standalone_crate: rustdoc compiles \
             all others into one temporary file"
        }
        false => "move the test to a source file of its package",
    };
    Err(RunError::new(format!(
        "the source file {} is temporary, and a benchmark next to it would be lost",
        place.source.display()
    ))
    .hint(hint))
}

/// Refuses the benchmark of a test in another binary that has the same snapshot file.
pub(crate) fn check_owner(plan: &Plan, benchmark: &BenchmarkFile) -> Result<()> {
    let recorded = &benchmark.ensemble().name;
    let (
        Some(file),
        TestPlace {
            source, package, ..
        },
    ) = (&plan.file, &plan.place)
    else {
        return Ok(());
    };
    if let Some(other) = benchmark.package()
        && other != plan.test.package
        && plan.place.is_outside()
        && has_package(around(source, package), other)
    {
        return Err(shared_by_packages(plan, other));
    }
    if *recorded == plan.test.name {
        return Ok(());
    }
    if let Some(original) = Owner::original(file, source, package, recorded) {
        notice(&format!(
            "{} was recorded by {recorded}, which has {}: is it a copy?",
            plan.benchmark_place(),
            plan.display_path(&original)
        ));
    }
    match Owner::beside(file, source, package, recorded) {
        Some(other) => {
            let source = plan.display_path(&other.source);
            Err(claimed_twice(plan, &format!("{} in {source}", other.name)))
        }
        None => Ok(()),
    }
}

/// Returns the directory of both the package and a source file, but never the file system's root.
fn around<'p>(source: &Path, package: &'p Path) -> &'p Path {
    let mut around = package.ancestors();
    let nearest = around.find(|directory| source.starts_with(directory));
    let nearest = nearest.filter(|directory| directory.parent().is_some());
    nearest.unwrap_or(package)
}

fn shared_by_packages(plan: &Plan, other: &str) -> RunError {
    let TestId { package, name, .. } = &plan.test;
    let file = plan.benchmark_place();
    RunError::new(format!(
        "the snapshot file {file} is claimed by two tests: {name} of the package {other}, and {name} of \
         {package}, which has the same source file"
    ))
    .hint(
        "name the tests after their packages, as with \
         EnsembleTest::new(concat!(env!(\"CARGO_PKG_NAME\"), \" total\")), or run them in one package",
    )
}

fn claimed_twice(plan: &Plan, by: &str) -> RunError {
    let what = match &plan.file {
        Some(file) => format!("the snapshot file {}", plan.display_path(file)),
        None => "the benchmark".to_owned(),
    };
    let claimant = claimant(plan);
    RunError::new(format!(
        "{what} is claimed by two tests: {by}, and {claimant}"
    ))
    .hint(
        "give one of the two another name: name = \"…\" in the attribute, or EnsembleTest::new(\"…\")",
    )
}

/// Lowercases the path, since `A` and `a` are one file on some file systems.
fn of_file(file: &Path) -> String {
    file.display().to_string().to_lowercase()
}

fn of_store(test: &TestId) -> String {
    format!("{} {} {}", test.package, test.source, test.name)
}

/// Returns true if a test of this process has claimed a snapshot file.
pub(crate) fn is_claimed(file: &Path) -> bool {
    has(&of_file(file))
}

/// Returns true if a test of this process has claimed a benchmark that is only in the store.
pub(crate) fn is_claimed_in_store(test: &TestId) -> bool {
    has(&of_store(test))
}

fn has(place: &str) -> bool {
    let claims = CLAIMS.lock().unwrap_or_else(PoisonError::into_inner);
    claims
        .as_ref()
        .is_some_and(|claims| claims.contains_key(place))
}

/// Returns the function behind a test, with its place for messages.
pub(crate) fn claimant(plan: &Plan) -> String {
    let site = &plan.stated.site;
    match site.function {
        "" => format!("{} at {site}", plan.test.name),
        function => format!("{function} at {site}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_of_documentation_tests_has_no_benchmark() {
        let place = |source: &str| TestPlace {
            root: "/shop".into(),
            package: "/shop".into(),
            source: source.into(),
        };
        let error = check_source(&place("/tmp/x/doctest_bundle_2024.rs")).unwrap_err();
        insta::assert_snapshot!(error.text(), @"
        the source file /tmp/x/doctest_bundle_2024.rs is temporary, and a benchmark next to it would be lost
        begin the code block of this documentation test with ```standalone_crate: rustdoc compiles all others into one temporary file
        ");
        assert!(check_source(&place("/shop/src/lib.rs")).is_ok());
    }
}
