//! The pin of a benchmark on a server.

use crate::output::Outputs;

/// What the snapshot file of a benchmark on a server has instead of cases. Branches with different
/// pins do not affect each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The UUID of the ensemble.
    pub ensemble: String,
    /// The UUID of the benchmark.
    pub benchmark: String,
    /// The digest of the outputs on the server.
    pub digest: String,
}

impl Pin {
    /// The key of the downloaded outputs in the store.
    pub fn outputs_key(&self) -> String {
        format!("outputs {}", self.digest)
    }

    /// The outputs in a downloaded text, if they are the pinned ones.
    pub fn outputs(&self, text: String) -> Option<Outputs> {
        let outputs = Outputs::from_canonical(text).ok()?;
        (outputs.digest() == self.digest).then_some(outputs)
    }
}
