//! Writing what a run leaves behind: first the backend, then files.

use std::fs;
use std::path::{Path, PathBuf};

use tdg_engine::config::Update;
use tdg_engine::report::{self, Pending};
use tdg_engine::snapshot::{self, Benchmark, SaveError};

use super::backend::Backend;
use super::error::{Result, RunError};
use super::finished::FinishedRun;
use super::judge::Write;
use super::notice::{self, print_line};
use super::plan::Plan;

/// The benchmark of the test, if there is one.
pub(super) fn benchmark(plan: &Plan, backend: &dyn Backend) -> Result<Option<Benchmark>> {
    let Some(file) = &plan.file else {
        return backend.benchmark_without_file(plan);
    };
    let found = Benchmark::read(file, &plan.definition_text);
    let found = found.map_err(|error| plan.unreadable(error))?;
    found
        .map(|found| backend.benchmark(plan, found))
        .transpose()
}

/// Where pending outputs are, as reports show it.
pub(super) fn pending_place(plan: &Plan) -> Result<Pending> {
    if !plan.settings.may_write() {
        let because = plan.settings.update.because.clone();
        return Ok(Pending::Nowhere { because });
    }
    Ok(match pending_file(plan)? {
        Some(file) => Pending::InFile(plan.display_path(&file)),
        None => Pending::InStore,
    })
}

/// The file of outputs that are pending, unless benchmarks are kept in the store alone.
pub(super) fn pending_file(plan: &Plan) -> Result<Option<PathBuf>> {
    let Some(file) = &plan.file else {
        return Ok(None);
    };
    let pending = plan.settings.insta.pending_file(file, &plan.place.root)?;
    Ok(Some(pending))
}

/// Writes what the run leaves behind: first the backend, then files.
///
/// A run that is killed in between leaves the old file, and the store follows the file.
pub(super) fn persist(run: &FinishedRun<'_>, backend: &dyn Backend) -> Result<()> {
    let FinishedRun {
        plan, judgement, ..
    } = run;
    backend.assert(run)?;
    if !plan.settings.may_write() {
        return Ok(());
    }
    let pin = backend.commit(run)?;
    let (Some(file), Some(pending)) = (&plan.file, pending_file(plan)?) else {
        return Ok(());
    };
    let moves = pin.is_some() && run.benchmark.is_some_and(|it| it.pin().is_none());
    let replace = |text: &str| {
        snapshot::replace(file, text)?;
        snapshot::remove(&pending).map(drop)
    };
    let written = match (pin, judgement.write) {
        (Some(pin), _) => replace(&run.pin_text(&pin)),
        (None, Write::Benchmark) => replace(&run.snapshot_text()),
        (None, Write::Pending) => snapshot::replace(&pending, &run.snapshot_text()),
        (None, Write::Nothing) if judgement.passes() => {
            restate_policy(run, file)?;
            snapshot::remove(&pending).map(drop)
        }
        (None, Write::Nothing) => Ok(()),
    };
    written.map_err(unwritten)?;
    if moves {
        notice::of_move(plan, file);
    }
    Ok(())
}

/// Writes the policy of a test that passes into the file, where it has another by which the test
/// passes as well.
fn restate_policy(run: &FinishedRun<'_>, file: &Path) -> Result<()> {
    let plan = run.plan;
    let former = run.benchmark.map(Benchmark::policy);
    let Some(former) = former.filter(|former| **former != plan.policy) else {
        return Ok(());
    };
    if plan.settings.update.mode == Update::New {
        return Ok(());
    }
    let text = fs::read_to_string(file)?;
    if let Some(text) = snapshot::with_policy(&text, former, &plan.policy) {
        snapshot::replace(file, &text).map_err(unwritten)?;
        print_line(&report::policy_line(
            &plan.test.name,
            &plan.display_path(file),
        ));
    }
    Ok(())
}

pub(super) fn unwritten(error: SaveError) -> RunError {
    RunError::from(error).hint(
        "the benchmark is what it was before this run; free some space, or make the directory writable",
    )
}
