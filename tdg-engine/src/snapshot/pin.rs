//! The pin of a benchmark on a server.

use crate::output::Outputs;

/// The content of a snapshot file, in place of cases, for a benchmark on a server. Branches with
/// different pins don't affect each other.
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
    /// Returns the key of the downloaded outputs in the store.
    pub fn outputs_key(&self) -> String {
        format!("outputs {}", self.digest)
    }

    /// Parses downloaded outputs; `None` if they aren't the pinned ones.
    pub fn outputs(&self, text: String) -> Option<Outputs> {
        let outputs = Outputs::from_canonical(text).ok()?;
        (outputs.digest() == self.digest).then_some(outputs)
    }
}
