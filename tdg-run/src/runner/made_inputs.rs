//! The values that a maker returns for the row that a failing report shows first.

use tdg_report::{Failure, MadeInputs, WhichRows};

use super::function::Function;
use super::plan::Plan;
use super::rows::Rows;
use super::run_options::{RunOptions, UnboundRows};
use crate::made;
use crate::test_options::Panics;

/// Calls the function once more on that row, if a maker takes part.
pub(super) fn of(
    plan: &Plan,
    function: &Function<'_>,
    rows: &Rows,
    failure: Option<&Failure>,
) -> Option<MadeInputs> {
    let failure = failure?;
    let (of, case) = failure.worst_case()?;
    // A batch makes the values of all rows.
    if !made::has_made() || matches!(function, Function::Vectors(_)) {
        return None;
    }
    let is_chosen = !matches!(failure, Failure::InputsChanged(_));
    let vectors = match &rows.change {
        Some(change) if is_chosen || of == WhichRows::Recorded => &change.vectors,
        _ => &rows.vectors,
    };
    let options = RunOptions {
        threads: 1,
        panics: Panics::Record,
        unbound: UnboundRows::Skip,
        ..plan.options.clone()
    };
    // The result is dropped, since this failure is already reported.
    let values = made::shown_in(|| drop(function.pass(vectors, &[case], &options)));
    (!values.is_empty()).then_some(MadeInputs { case, values })
}
