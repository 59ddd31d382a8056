//! The differences between a run's outputs and a benchmark's.

use tdg_definition::Policy;
use tdg_engine::snapshot::{BenchmarkFile, Differing};
use tdg_report::RecordedRows;

use super::executed_run::ExecutedRun;
use crate::runner::cases::execution::{Executed, PANICKED};
use crate::runner::error::Result;
use crate::runner::rows::benchmark_rows;

/// The differences between a run's outputs and a benchmark's.
pub(crate) struct Compared<'p> {
    pub(crate) differing: Differing,
    /// The policy of the comparison. This is the recorded one if the outputs pass only by the
    /// test's, so that a looser policy is accepted like a change.
    pub(crate) policy: &'p Policy,
    /// The benchmark's rows next to the new ones, if the inputs changed.
    pub(crate) rows: Option<RecordedRows>,
    /// The cases without an output to compare, in order, including those that panicked.
    pub(crate) uncompared: Vec<usize>,
}

impl<'p> Compared<'p> {
    /// Compares the outputs on the rows of the benchmark.
    pub(crate) fn new(ran: &ExecutedRun<'p>, benchmark: &'p BenchmarkFile) -> Result<Self> {
        let executed = ran.recorded.map_or(ran.executed, |(_, executed)| executed);
        let (mut differing, policy) = differing(ran, benchmark, executed)?;
        let uncompared = differing.uncompared();
        // Reports count panics separately.
        differing.unbound.retain(|(_, reason)| reason != PANICKED);
        let rows = ran.recorded.map(|(change, _)| {
            let pairing = benchmark_rows::pairing(ran.rows, change);
            RecordedRows::new(&pairing, &change.renames, &differing)
        });
        Ok(Self {
            differing,
            policy,
            rows,
            uncompared,
        })
    }

    /// Returns true if the outputs of `cases` cases pass by the policy.
    pub(crate) fn passes(&self, cases: usize) -> bool {
        self.differing
            .passes(self.policy, cases - self.uncompared.len())
    }

    /// The cases that differ.
    pub(crate) fn cases(&self) -> Vec<usize> {
        self.differing.cases.iter().map(|it| it.case).collect()
    }
}

fn differing<'p>(
    ran: &ExecutedRun<'p>,
    benchmark: &'p BenchmarkFile,
    executed: &Executed,
) -> Result<(Differing, &'p Policy)> {
    let (outputs, own) = (executed.outputs_or_reasons(), &ran.plan.policy);
    let judged = match ran.other {
        Some(_) => benchmark.differing(&outputs, own).map(|it| (it, own)),
        None => benchmark.judge(&outputs, own),
    };
    judged.map_err(|error| ran.plan.unreadable(error))
}
