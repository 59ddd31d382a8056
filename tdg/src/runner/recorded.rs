//! A run on the benchmark's own rows, where the inputs changed.

use std::mem;
use std::sync::Arc;

use tdg_engine::generate::{Pairing, RenamedCategory, Renames};
use tdg_engine::output::{Outputs, unbound, unbound_reason};

use super::error::{Result, RunError};
use super::executed::{Executed, PANICKED};
use super::function::Function;
use super::plan::Plan;
use super::rows::{ChangedRows, Rows};
use super::run_options::{RunOptions, UnboundRows};
use crate::row::Vectors;

/// Renames the categories of recorded rows that the function takes only under their new names.
pub(super) fn rename_categories(
    plan: &Plan,
    function: &Function<'_>,
    change: &mut ChangedRows,
) -> Result<()> {
    let categories = mem::take(&mut change.new_categories);
    let table = change.vectors.table();
    let under = |categories: Vec<RenamedCategory>| {
        let renames = Renames {
            categories,
            ..Renames::default()
        };
        Arc::new(Vectors::of(renames.apply(table)))
    };
    let options = skipping(plan);
    let why_unbound = |vectors: &Arc<Vectors>, row: usize| {
        let executed = function.pass(vectors, &[row], &options)?;
        Ok::<_, RunError>(unbound_reason(executed.outputs.get(0)))
    };
    let all = under(categories.clone());
    let mut needed = Vec::new();
    for category in &categories {
        let Some(row) = category.first_row(table) else {
            continue;
        };
        let others = categories.iter().filter(|other| *other != category);
        let why = why_unbound(&under(others.cloned().collect()), row)?;
        if why.is_some() && why != why_unbound(&all, row)? {
            needed.push(category.clone());
        }
    }
    change.vectors = under(needed.clone());
    change.renames.categories = needed;
    Ok(())
}

/// Rows that are not what the function takes have no output.
fn skipping(plan: &Plan) -> RunOptions {
    RunOptions {
        unbound: UnboundRows::Skip,
        ..plan.options.clone()
    }
}

/// Runs the function on these rows of the benchmark.
///
/// A row that is not what the function takes has no output; nor has any if the function takes a
/// feature that was not recorded.
pub(super) fn run(
    plan: &Plan,
    function: &Function<'_>,
    rows: &Rows,
    change: &ChangedRows,
    recorded: &[usize],
) -> Result<Executed> {
    let new = pairing(rows, change).new_features();
    if let Some(feature) = new.first() {
        return Ok(Executed::unbound(
            recorded.len(),
            &format!("`{feature}` was not recorded"),
        ));
    }
    function.pass(&change.vectors, recorded, &skipping(plan))
}

/// Runs the function on all rows of the benchmark, if they are others.
pub(super) fn all<'r>(
    plan: &Plan,
    function: &Function<'_>,
    rows: &'r Rows,
) -> Result<Option<(&'r ChangedRows, Executed)>> {
    let Some(change) = &rows.change else {
        return Ok(None);
    };
    let all: Vec<usize> = (0..change.vectors.size()).collect();
    let executed = run(plan, function, rows, change, &all)?;
    Ok(Some((change, executed)))
}

/// Gives recorded rows without an output that of the new row that each is paired with, where they
/// are equal apart from new features. `run_new` runs the function on new rows, in that order.
///
/// Outputs of a batch can depend on all of its rows, so they are paired all or not at all.
pub(super) fn pair(
    function: &Function<'_>,
    rows: &Rows,
    change: &ChangedRows,
    recorded: &[usize],
    executed: &mut Executed,
    run_new: impl FnOnce(&[usize]) -> Result<Vec<Option<String>>>,
) -> Result<()> {
    let pairing = pairing(rows, change);
    let has_new_features = !pairing.new_features().is_empty();
    let why = |index: usize| unbound_reason(executed.outputs.get(index));
    let unpaired: Vec<Option<String>> = (0..recorded.len())
        .map(|index| why(index).and_then(|_| pairing.unpaired(recorded[index])))
        .collect();
    let pairs = match function {
        Function::Rows(_) => true,
        Function::Vectors(_) => pairing.is_whole(),
    };
    let is_paired = |index: &usize| pairs && why(*index).is_some() && unpaired[*index].is_none();
    let paired: Vec<usize> = (0..recorded.len()).filter(is_paired).collect();
    let partner = |index: &usize| pairing.partner(recorded[*index]);
    let new_rows: Vec<usize> = paired.iter().filter_map(partner).collect();
    let mut new = paired.iter().zip(run_new(&new_rows)?).peekable();
    let mut outputs = Outputs::with_capacity(recorded.len());
    for (index, unpaired) in unpaired.iter().enumerate() {
        match (new.next_if(|(paired, _)| **paired == index), unpaired) {
            (Some((_, Some(output))), _) => outputs.push_text(&output),
            (Some((_, None)), _) => outputs.push(&unbound(PANICKED)),
            (None, Some(reason)) if has_new_features => outputs.push(&unbound(reason)),
            (None, _) => outputs.push_text(executed.outputs.get(index)),
        }
    }
    executed.outputs = outputs;
    Ok(())
}

/// The same for all rows of the benchmark, beside a run on all new ones.
pub(super) fn pair_with(
    function: &Function<'_>,
    rows: &Rows,
    change: &ChangedRows,
    recorded: &mut Executed,
    now: &Executed,
) -> Result<()> {
    let all: Vec<usize> = (0..change.vectors.size()).collect();
    let outputs = |new: &[usize]| Ok(new.iter().map(|row| now.output(*row, *row)).collect());
    pair(function, rows, change, &all, recorded, outputs)
}

/// The benchmark's rows beside the new ones.
pub(super) fn pairing<'a>(rows: &'a Rows, change: &'a ChangedRows) -> Pairing<'a> {
    let recorded = rows.recorded.as_ref().unwrap_or(&rows.ensemble);
    let recorded = (recorded, change.vectors.table());
    Pairing::of_ensembles(recorded, (&rows.ensemble, rows.table()), &rows.takes)
}
