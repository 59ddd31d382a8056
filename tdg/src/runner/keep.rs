//! Where benchmarks are kept: in snapshot files, which the store follows, or in the store alone.

use std::path::{Path, PathBuf};

use super::judge::{Judgement, Write};
use super::plan::Plan;
use super::rows::Rows;
use super::{history, invalid};
use tdg_engine::output::Outputs;
use tdg_engine::report::{Invalid, Pending, counted};
use tdg_engine::snapshot::{self, Pin, SaveError, Snapshot, SnapshotError, render, render_pin};

/// The benchmark of the test, if there is one.
pub(super) fn benchmark(plan: &Plan) -> Result<Option<Snapshot>, Invalid> {
    let Some(file) = &plan.file else {
        return history::benchmark(plan);
    };
    let found = Snapshot::read(file).map_err(|error| unreadable(plan, error))?;
    match (found, &plan.remote) {
        (Some(pinned), Some(remote)) => remote.follow(plan, pinned).map(Some),
        (Some(pinned), None) if pinned.pin().is_some() => Err(invalid(
            format!("{} pins a benchmark on a server", plan.shown(file)),
            "add store = \"remote\" to the test or set TDG_STORE=remote; or delete the file to record here",
        )),
        (found, _) => Ok(found),
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
    if !plan.settings.may_write() {
        let because = plan.settings.update.because.clone();
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
    benchmark: Option<&Snapshot>,
) -> Result<(), Invalid> {
    if let Some(remote) = &plan.remote {
        remote.assert(plan, outputs, judgement, benchmark)?;
    }
    if !plan.settings.may_write() {
        return Ok(());
    }
    let pin = match &plan.remote {
        Some(remote) => remote.record(plan, rows, outputs, judgement, benchmark)?,
        None => history::commit(plan, rows, outputs, judgement).map(|()| None)?,
    };
    let (Some(file), Some(pending)) = (&plan.file, pending_file(plan)?) else {
        return Ok(());
    };
    let text = || snapshot_text(plan, rows, outputs);
    if let Some(pin) = pin {
        let text = pin_text(plan, rows, &pin);
        let written = snapshot::save(file, &text).and_then(|()| snapshot::remove(&pending));
        return written.map(drop).map_err(unwritten);
    }
    let written = match judgement.write {
        Write::Benchmark => snapshot::save(file, &text())
            .and_then(|()| snapshot::remove(&pending))
            .map(drop),
        Write::Pending => snapshot::save(&pending, &text()),
        Write::Nothing if judgement.failure.is_none() => snapshot::remove(&pending).map(drop),
        Write::Nothing => Ok(()),
    };
    written.map_err(unwritten)
}

fn unwritten(error: SaveError) -> Invalid {
    let fix = "the benchmark is what it was before this run; make room or the directory writable";
    invalid(error, fix)
}

/// What reviewers read above the cases.
fn description(plan: &Plan, rows: &Rows) -> String {
    let cases = counted(rows.ensemble.size, "case");
    format!("{cases} of {}", plan.definition_name)
}

/// The benchmark on a server as a snapshot file.
fn pin_text(plan: &Plan, rows: &Rows, pin: &Pin) -> String {
    let description = description(plan, rows);
    render_pin(&plan.test.name, &description, &rows.ensemble, pin)
}

/// The run as a snapshot file.
pub(super) fn snapshot_text(plan: &Plan, rows: &Rows, outputs: &Outputs) -> String {
    render(
        &plan.test.name,
        &description(plan, rows),
        &rows.ensemble,
        |case, text| rows.table().write_row(case, text),
        |case, text| text.push_str(outputs.get(case)),
    )
}
