//! The outputs of kept rows, beside those that the snapshot file has.
//!
//! A kept row is treated as a benchmark of its own: without a recorded output it is recorded,
//! pending or missing, as the mode says; if its output changed, somebody has to decide.

use tdg_definition::json;
use tdg_engine::compare::DifferingCase;
use tdg_engine::config::Update;
use tdg_engine::report::{Explored, Failure, Unstable, recorded_kept_line};
use tdg_engine::snapshot::{self, KeptCase, Snapshot, compare_kept, with_kept};

use super::error::Result;
use super::notice::print_line;
use super::persist;
use super::plan::Plan;

/// The result of comparing kept rows.
#[derive(Default)]
pub(super) struct Compared {
    /// Why the test fails.
    pub(super) failure: Option<Failure>,
    /// The outputs that somebody has to decide about, as a snapshot file.
    pub(super) undecided: Option<String>,
}

/// Compares the outputs with the recorded ones, and writes what is to be written. `again` runs the
/// rows once more.
///
/// Benchmarks in the store alone have none of kept rows.
pub(super) fn compare(
    plan: &Plan,
    cases: Vec<KeptCase>,
    again: impl FnOnce() -> Result<Vec<KeptCase>>,
) -> Result<Compared> {
    let Some(file) = &plan.file else {
        return Ok(Compared::default());
    };
    let recorded = Snapshot::read(file).map_err(|error| plan.unreadable(error))?;
    let Some(recorded) = recorded else {
        return Ok(Compared::default());
    };
    let changes = compare_kept(&plan.policy, recorded.kept(), &cases)?;
    if changes.is_empty() {
        return Ok(Compared::default());
    }
    let failed = |failure| Compared {
        failure: Some(failure),
        undecided: None,
    };
    let numbers = changes.iter().map(|change| change.number - 1);
    if plan.settings.may_write()
        && let Some(unstable) = unstable(plan, &cases, &again()?, numbers)?
    {
        return Ok(failed(Failure::Unstable(unstable)));
    }
    let text = with_kept(recorded.text(), &cases);
    let is_new = changes.iter().all(|change| change.differences.is_none());
    let mode = plan.settings.update.mode;
    if mode == Update::Always || mode == Update::Auto && is_new {
        snapshot::save(file, &text).map_err(persist::unwritten)?;
        let file = plan.display_path(file);
        print_line(&recorded_kept_line(&plan.test.name, changes.len(), &file));
        return Ok(Compared::default());
    }
    let place = persist::pending_place(plan)?;
    let pending = persist::pending_file(plan)?;
    if let Some(pending) = pending.filter(|_| plan.settings.may_write()) {
        snapshot::save(&pending, &text).map_err(persist::unwritten)?;
    }
    let explored = Explored::of_kept(&changes, cases.len(), &plan.takes(), Some(place));
    Ok(Compared {
        undecided: Some(text),
        ..failed(Failure::Explored(explored))
    })
}

/// The rows of these positions that gave another output when they ran again.
fn unstable(
    plan: &Plan,
    cases: &[KeptCase],
    again: &[KeptCase],
    positions: impl Iterator<Item = usize>,
) -> Result<Option<Unstable>> {
    let (mut differing, mut count) = (Vec::new(), 0);
    for position in positions {
        count += 1;
        let Some(other) = again.get(position) else {
            continue;
        };
        let (first, second) = (&cases[position].output, &other.output);
        let (first, second) = (json::parse(first)?, json::parse(second)?);
        let compared = DifferingCase::compared(&plan.policy, position + 1, first, second);
        if !compared.comparison.is_same() {
            differing.push(compared);
        }
    }
    Ok((!differing.is_empty()).then(|| Unstable::new(count, &differing)))
}
