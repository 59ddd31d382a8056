//! Comparing outputs with a benchmark: what goes in, and what comes out.

use tdg_definition::Policy;
use tdg_engine::output::Outputs;
use tdg_service::Uuid;

/// What outputs are compared with.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    /// The ensemble of the benchmark.
    pub(crate) ensemble_uuid: Uuid,
    /// The definition of that ensemble.
    pub(crate) definition_uuid: Uuid,
    /// How many rows it has.
    pub(crate) size: usize,
    /// How outputs are compared; exactly if there is none.
    pub(crate) policy: Option<Policy>,
    /// The outputs.
    pub(crate) outputs: Outputs,
}

/// What a comparison came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    /// The number of rows.
    pub(crate) size: usize,
    /// How many of them differ; none if the outputs are as expected.
    pub(crate) changed: Option<usize>,
}
