//! No store: tdg is built without the feature `sqlite`.

use super::judge::Judgement;
use super::plan::Plan;
use super::rows::Rows;
use tdg_engine::output::Outputs;
use tdg_engine::report::Invalid;
use tdg_engine::snapshot::Snapshot;

/// Nothing: a plan that needs the store was refused before.
pub(super) fn benchmark(_: &Plan) -> Result<Option<Snapshot>, Invalid> {
    Ok(None)
}

/// Keeps nothing.
pub(super) fn commit(_: &Plan, _: &Rows, _: &Outputs, _: &Judgement) -> Result<(), Invalid> {
    Ok(())
}
