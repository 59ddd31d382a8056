//! Second runs of the cases that decide the verdict. A function whose outputs differ the second
//! time can't have expected ones.

use std::sync::Arc;

use tdg_engine::output::{Outputs, unbound_reason};
use tdg_report::{Unstable, WhichRows};

use super::addresses;
use super::comparison::Compared;
use super::executed_run::ExecutedRun;
use crate::row::Vectors;
use crate::runner::cases::execution::Executed;
use crate::runner::cases::run_options::{RunOptions, UnboundRows};
use crate::runner::error::Result;

/// Runs the differing cases again, or all cases if the outputs would be recorded.
pub(crate) fn run(
    ran: &ExecutedRun<'_>,
    compared: Option<&Compared<'_>>,
) -> Result<Option<(WhichRows, Unstable)>> {
    let has_panicked = !ran.executed.panics.is_empty();
    if has_panicked && (compared.is_none() || ran.recorded.is_some()) {
        return Ok(None);
    }
    let on_new = |cases: &[usize]| {
        let unstable = on_new_rows(ran, cases)?;
        Ok(unstable.map(|unstable| (WhichRows::New, unstable)))
    };
    let all: Vec<usize> = (0..ran.rows.vectors.size()).collect();
    match (compared, ran.recorded) {
        (None, _) if ran.executed.records && ran.plan.settings.may_write() => {
            Ok(on_new(&all)?.or(in_another_process(ran, &all)?))
        }
        (None, _) => Ok(None),
        (Some(compared), None) => on_new(&compared.cases()),
        (Some(compared), Some((change, recorded))) => {
            let unstable = on_new(&all)?;
            if unstable.is_some() || !recorded.panics.is_empty() {
                return Ok(unstable);
            }
            let unstable = on_rows(ran, &change.vectors, recorded, &compared.cases())?;
            Ok(unstable.map(|unstable| (WhichRows::Recorded, unstable)))
        }
    }
}

/// Finds outputs that another process would give differently, because they contain addresses.
fn in_another_process(
    ran: &ExecutedRun<'_>,
    cases: &[usize],
) -> Result<Option<(WhichRows, Unstable)>> {
    let outputs = &ran.executed.outputs;
    let other = |case: &usize| {
        let output = outputs.get(*case);
        Some((*case, output, addresses::in_another_process(output)?))
    };
    let others: Vec<_> = cases.iter().filter_map(other).collect();
    let both = others
        .iter()
        .map(|(case, output, other)| (*case, *output, other.as_str()));
    let unstable = Unstable::between(&ran.plan.policy, cases.len(), both)?;
    Ok(unstable.map(|unstable| (WhichRows::New, unstable)))
}

/// Runs the function again, and the other one if there is one.
fn on_new_rows(ran: &ExecutedRun<'_>, cases: &[usize]) -> Result<Option<Unstable>> {
    let vectors = &ran.rows.vectors;
    let unstable = on_rows(ran, vectors, ran.executed, cases)?;
    let Some((other, executed)) = ran.other.filter(|_| !cases.is_empty()) else {
        return Ok(unstable);
    };
    let (function, unstable) = match unstable {
        Some(unstable) => (ran.plan.function_name(), Some(unstable)),
        None => {
            let again = other.pass(vectors, cases, &ran.plan.options)?;
            (other.name, between(ran, executed, cases, &again.outputs)?)
        }
    };
    Ok(unstable.map(|unstable| Unstable {
        function: Some(function.to_owned()),
        ..unstable
    }))
}

fn on_rows(
    ran: &ExecutedRun<'_>,
    vectors: &Arc<Vectors>,
    executed: &Executed,
    cases: &[usize],
) -> Result<Option<Unstable>> {
    if cases.is_empty() {
        return Ok(None);
    }
    let options = RunOptions {
        unbound: UnboundRows::Skip,
        are_new: ran.rows.are_new(vectors),
        ..ran.plan.options.clone()
    };
    let again = ran.function.pass(vectors, cases, &options)?;
    between(ran, executed, cases, &again.outputs)
}

fn between(
    ran: &ExecutedRun<'_>,
    executed: &Executed,
    cases: &[usize],
    again: &Outputs,
) -> Result<Option<Unstable>> {
    let outputs = cases.iter().enumerate().map(|(index, &case)| {
        let (first, second) = (executed.outputs.get(case), again.get(index));
        (case, first, second)
    });
    let outputs = outputs.filter(|(_, _, second)| unbound_reason(second).is_none());
    Ok(Unstable::between(&ran.plan.policy, cases.len(), outputs)?)
}
