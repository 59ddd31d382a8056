//! Writing what a run leaves behind: first the backend, then files.

use std::path::{Path, PathBuf};

use tdg_engine::output::Outputs;
use tdg_engine::report::{Pending, counted};
use tdg_engine::snapshot::{self, Pin, SaveError, Snapshot, SnapshotError, render, render_pin};

use super::error::{Result, RunError};
use super::judge::{Judgement, Write};
use super::plan::Plan;
use super::rows::Rows;

/// A run whose cases have all been run and judged.
#[derive(Clone, Copy)]
pub(super) struct FinishedRun<'a> {
    pub(super) plan: &'a Plan,
    pub(super) rows: &'a Rows,
    pub(super) outputs: &'a Outputs,
    pub(super) judgement: &'a Judgement,
    /// The benchmark that the outputs were compared with.
    pub(super) benchmark: Option<&'a Snapshot>,
}

/// The benchmark of the test, if there is one.
pub(super) fn benchmark(plan: &Plan) -> Result<Option<Snapshot>> {
    let Some(file) = &plan.file else {
        return plan.backend.benchmark_without_file(plan);
    };
    let found = Snapshot::read(file).map_err(|error| unreadable(plan, error))?;
    found
        .map(|found| plan.backend.benchmark(plan, found))
        .transpose()
}

/// A benchmark that can't be read; its file is named as all messages name files.
pub(super) fn unreadable(plan: &Plan, error: SnapshotError) -> RunError {
    match &plan.file {
        Some(file) => error.in_file(Path::new(&plan.display_path(file))).into(),
        None => error.into(),
    }
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

fn pending_file(plan: &Plan) -> Result<Option<PathBuf>> {
    let Some(file) = &plan.file else {
        return Ok(None);
    };
    let pending = plan.settings.insta.pending_file(file, &plan.place.root)?;
    Ok(Some(pending))
}

/// Writes what the run leaves behind: first the backend, then files.
///
/// A run that is killed in between leaves the old file, and the store follows the file.
pub(super) fn persist(run: &FinishedRun<'_>) -> Result<()> {
    let FinishedRun {
        plan, judgement, ..
    } = run;
    plan.backend.assert(run)?;
    if !plan.settings.may_write() {
        return Ok(());
    }
    let pin = plan.backend.commit(run)?;
    let (Some(file), Some(pending)) = (&plan.file, pending_file(plan)?) else {
        return Ok(());
    };
    let replace = |text: &str| {
        snapshot::save(file, text)?;
        snapshot::remove(&pending).map(drop)
    };
    let written = match (pin, judgement.write) {
        (Some(pin), _) => replace(&run.pin_text(&pin)),
        (None, Write::Benchmark) => replace(&run.snapshot_text()),
        (None, Write::Pending) => snapshot::save(&pending, &run.snapshot_text()),
        (None, Write::Nothing) if judgement.passes() => snapshot::remove(&pending).map(drop),
        (None, Write::Nothing) => Ok(()),
    };
    written.map_err(unwritten)
}

fn unwritten(error: SaveError) -> RunError {
    RunError::from(error).hint(
        "the benchmark is what it was before this run; free some space, or make the directory writable",
    )
}

impl FinishedRun<'_> {
    /// The run as a snapshot file.
    pub(super) fn snapshot_text(&self) -> String {
        render(
            &self.plan.test.name,
            &self.description(),
            &self.rows.ensemble,
            |case, text| self.rows.table().write_row(case, text),
            |case, text| text.push_str(self.outputs.get(case)),
        )
    }

    /// The benchmark on a server as a snapshot file.
    fn pin_text(&self, pin: &Pin) -> String {
        let name = &self.plan.test.name;
        render_pin(name, &self.description(), &self.rows.ensemble, pin)
    }

    /// The line that reviewers read above the cases.
    fn description(&self) -> String {
        let cases = counted(self.rows.ensemble.size, "case");
        format!("{cases} of {}", self.plan.definition_name)
    }
}
