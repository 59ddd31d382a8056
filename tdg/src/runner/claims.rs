//! Two tests must not share a benchmark.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

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
    let what = match &plan.file {
        Some(file) => format!("the snapshot file {}", plan.display_path(file)),
        None => "the benchmark".to_owned(),
    };
    Err(RunError::new(format!(
        "{what} is claimed by two tests: {by}, and {claimant}"
    ))
    .hint(
        "give one of the two another name: name = \"…\" in the attribute, or EnsembleTest::new(\"…\")",
    ))
}

/// The function behind a test, in words that find it.
pub(super) fn claimant(plan: &Plan) -> String {
    let site = &plan.site;
    match site.function {
        "" => format!("{} at {site}", plan.test.name),
        function => format!("{function} at {site}"),
    }
}
