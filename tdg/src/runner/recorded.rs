//! A run on the benchmark's own rows, where the inputs changed.

use tdg_engine::generate::Pairing;
use tdg_engine::output::{Outputs, unbound, unbound_reason};

use super::cases::{self, Executed, Function, UnboundRows};
use super::error::Result;
use super::plan::Plan;
use super::rows::{ChangedRows, Rows};

/// Runs the function on the rows of the benchmark.
///
/// A row that is not what the function takes has no output; nor has any if the function takes a
/// feature that was not recorded.
pub(super) fn run(
    plan: &Plan,
    function: &Function<'_>,
    rows: &Rows,
    change: &ChangedRows,
) -> Result<Executed> {
    let all: Vec<usize> = (0..change.vectors.size()).collect();
    let new = pairing(rows, change).new_features();
    if let Some(feature) = new.first() {
        return Ok(Executed::unbound(
            all.len(),
            &format!("`{feature}` was not recorded"),
        ));
    }
    let options = cases::RunOptions {
        unbound: UnboundRows::Skip,
        ..plan.options
    };
    cases::run(function, &change.vectors, &all, options)
}

/// Gives recorded rows without an output that of the new row of the same number, where they are
/// equal apart from new features.
pub(super) fn pair(rows: &Rows, change: &ChangedRows, recorded: &mut Executed, new: &Executed) {
    let pairing = pairing(rows, change);
    let mut outputs = Outputs::with_capacity(recorded.outputs.len());
    for row in 0..recorded.outputs.len() {
        let output = recorded.outputs.get(row);
        match unbound_reason(output).map(|_| pairing.unpaired(row)) {
            Some(None) => outputs.push_text(new.outputs.get(row)),
            Some(Some(reason)) if !pairing.new_features().is_empty() => {
                outputs.push(&unbound(&reason));
            }
            _ => outputs.push_text(output),
        }
    }
    recorded.outputs = outputs;
}

/// The benchmark's rows beside the new ones.
pub(super) fn pairing<'a>(rows: &'a Rows, change: &'a ChangedRows) -> Pairing<'a> {
    Pairing::of(change.vectors.table(), rows.table(), &rows.takes)
}
