//! The outputs that a benchmark expects.

use tdg_definition::Policy;
use tdg_engine::output::Outputs;
use tdg_service::Uuid;

/// A benchmark with everything that comparing outputs needs.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedBenchmark {
    /// The ensemble of the benchmark.
    pub(crate) ensemble_uuid: Uuid,
    /// The definition of that ensemble.
    pub(crate) definition_uuid: Uuid,
    /// The number of rows.
    pub(crate) size: usize,
    /// The rules of comparison, or `None` to compare exactly.
    pub(crate) policy: Option<Policy>,
    pub(crate) outputs: Outputs,
}
