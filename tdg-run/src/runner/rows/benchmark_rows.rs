//! Runs on the benchmark's own rows after the inputs changed.

use std::mem;
use std::sync::Arc;

use tdg_engine::generate::{Pairing, RenamedCategory};
use tdg_engine::output::{Outputs, unbound, unbound_reason};

use super::{ChangedRows, Rows};
use crate::row::Vectors;
use crate::runner::cases::execution::Executed;
use crate::runner::cases::function::Function;
use crate::runner::cases::run_options::{RunOptions, UnboundRows};
use crate::runner::error::{Result, RunError};
use crate::runner::plan::Plan;

/// Keeps the new names of only those categories that the function rejects under their old names.
pub(crate) fn rename_categories(
    plan: &Plan,
    function: &Function<'_>,
    rows: &Rows,
    change: &mut ChangedRows,
) -> Result<()> {
    let categories = mem::take(&mut change.renames.categories);
    let options = skipping(plan);
    let why_unbound = |vectors: &Arc<Vectors>, row: usize| {
        let executed = function.pass(vectors, &[row], &options)?;
        Ok::<_, RunError>(unbound_reason(executed.outputs.get(0)))
    };
    let mut needed = Vec::new();
    for category in &categories {
        let others = categories.iter().filter(|other| *other != category);
        let others: Vec<RenamedCategory> = others.cloned().collect();
        let others = change.migrated(rows, Some(&others)).vectors;
        let pairing = Pairing::new(&others, change.vectors.table(), &rows.takes);
        let Some(row) = (0..others.size()).find(|row| pairing.unpaired(*row).is_some()) else {
            continue;
        };
        let why = why_unbound(&Arc::new(Vectors::new(others)), row)?;
        if why.is_some() && why != why_unbound(&change.vectors, row)? {
            needed.push(category.clone());
        }
    }
    if !categories.is_empty() {
        change.migrate(rows, Some(&needed));
    }
    Ok(())
}

/// Returns options that leave out the output of a row that the function can't take.
fn skipping(plan: &Plan) -> RunOptions {
    RunOptions {
        unbound: UnboundRows::Skip,
        ..plan.options.clone()
    }
}

/// Runs the function on these rows of the benchmark. A row that it can't take has no output.
///
/// The outputs of a batch can depend on all of its rows, so it has all outputs or none.
pub(crate) fn run(
    plan: &Plan,
    function: &Function<'_>,
    change: &ChangedRows,
    recorded: &[usize],
) -> Result<Executed> {
    let first = change.lost.iter().flatten().next();
    if let (Function::Vectors(_), Some(reason)) = (function, first) {
        return Ok(Executed::unbound(recorded.len(), reason));
    }
    let is_there = |row: &usize| change.lost[*row].is_none();
    let rows: Vec<usize> = recorded.iter().copied().filter(is_there).collect();
    let mut executed = function.pass(&change.vectors, &rows, &skipping(plan))?;
    let mut ran = 0;
    let mut outputs = Outputs::with_capacity(recorded.len());
    for row in recorded {
        if let Some(reason) = &change.lost[*row] {
            outputs.push(&unbound(reason));
        } else {
            outputs.push_text(executed.outputs.get(ran));
            ran += 1;
        }
    }
    executed.outputs = outputs;
    Ok(executed)
}

/// Runs the function on all rows of the benchmark, if they differ.
pub(crate) fn all<'r>(
    plan: &Plan,
    function: &Function<'_>,
    rows: &'r Rows,
) -> Result<Option<(&'r ChangedRows, Executed)>> {
    let Some(change) = &rows.change else {
        return Ok(None);
    };
    let all: Vec<usize> = (0..change.vectors.size()).collect();
    let executed = run(plan, function, change, &all)?;
    Ok(Some((change, executed)))
}

/// Pairs the benchmark's rows with the new ones.
pub(crate) fn pairing<'a>(rows: &'a Rows, change: &'a ChangedRows) -> Pairing<'a> {
    let recorded = rows.recorded.as_ref().unwrap_or(&rows.ensemble);
    let recorded = (recorded, change.vectors.table());
    Pairing::of_ensembles(recorded, (&rows.ensemble, rows.table()), &rows.takes)
}
