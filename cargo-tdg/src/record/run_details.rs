//! How a run compared outputs.

use tdg_definition::Policy;
use tdg_engine::Takes;
use tdg_engine::output::RecordedOutputs;

/// How a run compared outputs.
#[derive(Debug)]
pub(crate) struct RunDetails {
    pub(crate) policy: Policy,
    /// The features that the function takes.
    pub(crate) takes: Takes,
    /// The outputs on the benchmark's own rows, if the inputs changed and they are known.
    pub(crate) recorded_outputs: Option<RecordedOutputs>,
}

impl Default for RunDetails {
    fn default() -> Self {
        Self {
            policy: Policy::exact(),
            takes: Takes::All,
            recorded_outputs: None,
        }
    }
}
