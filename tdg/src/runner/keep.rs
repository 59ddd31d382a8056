//! Where benchmarks are kept: in snapshot files, which the store follows, or in the store alone.

use std::path::{Path, PathBuf};

use super::judge::{Judgement, Write};
use super::plan::Plan;
use super::rows::Rows;
use super::{history, invalid};
use crate::config::Update;
use crate::output::Outputs;
use crate::report::{Invalid, Pending};
use crate::snapshot::{self, Snapshot, SnapshotError, render};

/// The benchmark of the test, if there is one.
pub(super) fn benchmark(plan: &Plan) -> Result<Option<Snapshot>, Invalid> {
    match &plan.file {
        Some(file) => Snapshot::read(file).map_err(|error| unreadable(plan, error)),
        None => history::benchmark(plan),
    }
}

/// A benchmark that can't be read; its file is named as all messages name files.
pub(super) fn unreadable(plan: &Plan, error: SnapshotError) -> Invalid {
    match &plan.file {
        Some(file) => invalid(error.in_file(Path::new(&plan.shown(file))), ""),
        None => invalid(error, ""),
    }
}

/// What reports say of where outputs wait for a decision.
pub(super) fn pending_place(plan: &Plan) -> Result<Pending, Invalid> {
    let mode = &plan.settings.update;
    if mode.update == Update::No {
        let because = mode.because.clone();
        return Ok(Pending::Nowhere { because });
    }
    Ok(match pending_file(plan)? {
        Some(file) => Pending::InFile(plan.shown(&file)),
        None => Pending::InStore,
    })
}

fn pending_file(plan: &Plan) -> Result<Option<PathBuf>, Invalid> {
    let Some(file) = &plan.file else {
        return Ok(None);
    };
    let pending = plan.settings.insta.pending_file(file, &plan.place.root);
    pending.map(Some).map_err(|error| invalid(error, ""))
}

/// Writes what the run is to leave behind: first the store, then files.
///
/// A run that is killed in between leaves the old file, and the store follows the file.
pub(super) fn keep(
    plan: &Plan,
    rows: &Rows,
    outputs: &Outputs,
    judgement: &Judgement,
) -> Result<(), Invalid> {
    if plan.settings.update.update == Update::No {
        return Ok(());
    }
    history::commit(plan, rows, outputs, judgement)?;
    let (Some(file), Some(pending)) = (&plan.file, pending_file(plan)?) else {
        return Ok(());
    };
    let text = || snapshot_text(plan, rows, outputs);
    let written = match judgement.write {
        Write::Benchmark => snapshot::save(file, &text())
            .and_then(|()| snapshot::remove(&pending))
            .map(drop),
        Write::Pending => snapshot::save(&pending, &text()),
        Write::Nothing if judgement.failure.is_none() => snapshot::remove(&pending).map(drop),
        Write::Nothing => Ok(()),
    };
    written.map_err(|error| {
        invalid(
            error,
            "the benchmark is what it was before this run; make room or the directory writable",
        )
    })
}

/// The run as a snapshot file.
pub(super) fn snapshot_text(plan: &Plan, rows: &Rows, outputs: &Outputs) -> String {
    let size = rows.ensemble.size;
    let cases = if size == 1 { "case" } else { "cases" };
    render(
        &plan.test.name,
        &format!("{size} {cases} of {}", plan.definition_name),
        &rows.ensemble,
        |case, text| rows.vectors.write_row(case, text),
        |case, text| text.push_str(outputs.get(case)),
    )
}
