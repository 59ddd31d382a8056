//! Two tests must not share a benchmark.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tdg_engine::config::Place;
use tdg_engine::owner::Owner;
use tdg_engine::snapshot::Benchmark;

use super::error::{Result, RunError};
use super::plan::Plan;

/// Claims the test's benchmark for its function; another function of this process may have it.
///
/// Processes of one nextest run notice each other in the store.
pub(super) fn claim(plan: &Plan) -> Result<()> {
    static CLAIMS: Mutex<Option<HashMap<String, String>>> = Mutex::new(None);
    let place = match &plan.file {
        // There are file systems on which `A` and `a` are one file.
        Some(file) => file.display().to_string().to_lowercase(),
        None => format!(
            "{} {} {}",
            plan.test.package, plan.test.source, plan.test.name
        ),
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

/// Refuses the benchmark of a test in another binary that has the same snapshot file.
pub(super) fn check_owner(plan: &Plan, benchmark: &Benchmark) -> Result<()> {
    let recorded = &benchmark.ensemble().name;
    let (
        Some(file),
        Place {
            source, package, ..
        },
    ) = (&plan.file, &plan.place)
    else {
        return Ok(());
    };
    if *recorded == plan.test.name {
        return Ok(());
    }
    match Owner::beside(file, source, package, recorded) {
        Some(other) => {
            let source = plan.display_path(&other.source);
            Err(claimed_twice(plan, &format!("{} in {source}", other.name)))
        }
        None => Ok(()),
    }
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

/// The function behind a test, in words that find it.
pub(super) fn claimant(plan: &Plan) -> String {
    let site = &plan.site;
    match site.function {
        "" => format!("{} at {site}", plan.test.name),
        function => format!("{function} at {site}"),
    }
}
