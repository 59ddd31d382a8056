//! The values that a maker returns for the row that a failing report shows first.

use tdg_report::{Failure, MadeInputs, WhichRows};

use crate::maker;
use crate::runner::cases::function::Function;
use crate::runner::cases::run_options::{RunOptions, UnboundRows};
use crate::runner::plan::Plan;
use crate::runner::rows::Rows;
use crate::test_options::Panics;

/// Calls the function once more on that row, if a maker takes part.
pub(crate) fn collect(
    plan: &Plan,
    function: &Function<'_>,
    rows: &Rows,
    failure: Option<&Failure>,
) -> Option<MadeInputs> {
    let failure = failure?;
    let (of, case) = failure.worst_case()?;
    // A batch makes the values of all rows.
    if !maker::has_made() || matches!(function, Function::Vectors(_)) {
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
    let values = maker::shown_in(|| drop(function.pass(vectors, &[case], &options)));
    (!values.is_empty()).then_some(MadeInputs { case, values })
}
