//! Details of how a run compared outputs.

use std::sync::Arc;

use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_engine::Takes;
use tdg_engine::output::RecordedOutputs;

/// The policy and features with which a run compared outputs.
#[derive(Debug)]
pub(crate) struct RunDetails {
    pub(crate) policy: Policy,
    /// The features that the function takes.
    pub(crate) takes: Takes,
    /// The outputs for the benchmark's rows, if the inputs changed and the outputs are known.
    pub(crate) recorded_outputs: Option<RecordedOutputs>,
    /// The numbers and texts in the package's sources, in order.
    pub(crate) constants: Arc<[Value]>,
}

impl Default for RunDetails {
    fn default() -> Self {
        Self {
            policy: Policy::exact(),
            takes: Takes::All,
            recorded_outputs: None,
            constants: Arc::default(),
        }
    }
}
