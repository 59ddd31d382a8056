//! How the outputs of a run differ from a benchmark's.

use tdg_definition::Policy;
use tdg_engine::report::RecordedRows;
use tdg_engine::snapshot::{Benchmark, Differing};

use super::error::Result;
use super::executed::Executed;
use super::ran::Ran;
use super::recorded;

/// How the outputs of a run differ from a benchmark's.
pub(super) struct Compared<'p> {
    pub(super) differing: Differing,
    /// The policy by which they do: the recorded one, where they pass by the test's alone. So a
    /// looser one is accepted like a change.
    pub(super) policy: &'p Policy,
    /// The benchmark's rows beside the new ones, where the inputs changed.
    pub(super) rows: Option<RecordedRows>,
}

impl<'p> Compared<'p> {
    /// Compares the outputs on the rows of the benchmark.
    pub(super) fn of(ran: &Ran<'p>, benchmark: &'p Benchmark) -> Result<Self> {
        let executed = ran.recorded.map_or(ran.executed, |(_, executed)| executed);
        let (differing, policy) = differing(ran, benchmark, executed)?;
        let rows = ran.recorded.map(|(change, _)| {
            let pairing = recorded::pairing(ran.rows, change);
            RecordedRows::of(&pairing, &change.renames, &differing)
        });
        Ok(Self {
            differing,
            policy,
            rows,
        })
    }

    /// The cases that differ.
    pub(super) fn cases(&self) -> Vec<usize> {
        self.differing.cases.iter().map(|it| it.case).collect()
    }
}

fn differing<'p>(
    ran: &Ran<'p>,
    benchmark: &'p Benchmark,
    executed: &Executed,
) -> Result<(Differing, &'p Policy)> {
    let by = |policy| {
        let differing = benchmark.differing(&executed.outputs, policy);
        differing.map_err(|error| ran.plan.unreadable(error))
    };
    let (own, recorded) = (&ran.plan.policy, benchmark.policy());
    let differing = by(own)?;
    let passes = |differing: &Differing, policy: &Policy| {
        let compared = executed.outputs.len() - differing.unbound.len();
        differing.passes(policy, compared)
    };
    // Only a file has the policy.
    let is_recorded = ran.other.is_none() && ran.plan.file.is_some();
    if !is_recorded || own == recorded || differing.is_identical || !passes(&differing, own) {
        return Ok((differing, own));
    }
    let by_recorded = by(recorded)?;
    Ok(match passes(&by_recorded, recorded) {
        true => (differing, own),
        false => (by_recorded, recorded),
    })
}
