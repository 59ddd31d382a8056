//! Writing the results of a run: first the backend, then files.

use std::fs;
use std::path::Path;

use tdg_engine::snapshot::{self, SaveError};
use tdg_engine::text::counted;
use tdg_report as report;

use super::backend::Backend;
use super::error::{Result, RunError};
use super::plan::Plan;
use super::stderr::{notice, print_line};
use super::verdict::finished_run::FinishedRun;
use super::verdict::judgement::Write;
use super::verdict::kept_rows::KeptRows;

/// Writes the results of the run, first to the backend, then to files.
///
/// If a run is killed in between, the old file remains, and the store follows the file.
pub(super) fn persist(run: &FinishedRun<'_>, backend: &dyn Backend) -> Result<()> {
    let FinishedRun {
        plan, judgement, ..
    } = run;
    backend.assert(run)?;
    if !plan.settings.may_write() {
        return Ok(());
    }
    let pin = backend.commit(run)?;
    let (Some(file), Some(pending)) = (&plan.file, plan.pending_file()?) else {
        return Ok(());
    };
    let moves = pin.is_some() && run.benchmark.is_some_and(|it| it.pin().is_none());
    match (pin, judgement.write) {
        (Some(pin), _) => snapshot::replace(file, &run.pin_text(&pin)).map_err(unwritten)?,
        (None, Write::Benchmark) => {
            snapshot::replace(file, &run.snapshot_text()).map_err(unwritten)?;
        }
        (None, Write::Pending) => {
            return snapshot::replace(&pending, &run.snapshot_text()).map_err(unwritten);
        }
        (None, Write::Nothing) if judgement.passes() => restate(run, file)?,
        (None, Write::Nothing) => return Ok(()),
    }
    let written = match kept_pending_text(plan, run.kept)? {
        Some(text) => snapshot::replace(&pending, &text),
        None => snapshot::remove(&pending).map(drop),
    };
    written.map_err(unwritten)?;
    if moves {
        notice_move(plan, file);
    }
    Ok(())
}

/// Updates the file of a passing test with a new policy and the kept rows.
///
/// If only the policy is new, a file that can't be written doesn't fail the test.
fn restate(run: &FinishedRun<'_>, file: &Path) -> Result<()> {
    let (plan, kept, former) = (run.plan, run.kept, run.former_policy());
    if former.is_none() && kept.written.is_none() {
        return Ok(());
    }
    let mut text = fs::read_to_string(file)?;
    let restated = former.and_then(|former| snapshot::with_policy(&text, former, &plan.policy));
    let has_policy = restated.is_some();
    text = restated.unwrap_or(text);
    if kept.written.is_some() {
        text = snapshot::with_kept(&text, &kept.recorded);
    } else if !has_policy {
        return Ok(());
    }
    match snapshot::replace(file, &text) {
        Err(error) if kept.written.is_none() => {
            let name = &plan.test.name;
            notice(&format!("the policy of {name} is not in its file: {error}"));
            return Ok(());
        }
        written => written.map_err(unwritten)?,
    }
    if has_policy {
        let file = plan.display_path(file);
        print_line(&report::policy_line(&plan.test.name, &file));
    }
    Ok(())
}

/// Returns the file with the outputs of kept rows that need a decision.
pub(super) fn kept_pending_text(plan: &Plan, kept: &KeptRows) -> Result<Option<String>> {
    let (Some(file), Some(pending)) = (&plan.file, &kept.pending) else {
        return Ok(None);
    };
    let text = fs::read_to_string(file)?;
    Ok(Some(snapshot::with_kept(&text, pending)))
}

pub(super) fn unwritten(error: SaveError) -> RunError {
    RunError::from(error)
        .hint("the benchmark is unchanged; free some space, or make the directory writable")
}

/// Prints that an accepted change is now a benchmark on the server.
fn notice_move(plan: &Plan, file: &Path) {
    let (name, file) = (&plan.test.name, plan.display_path(file));
    let cases = counted(plan.size, "case");
    let url = plan.settings.url.as_deref().unwrap_or_default();
    notice(&format!(
        "{name}: {file} now pins the accepted change, {cases}, on the server at {url}; commit it"
    ));
}
