//! Which of a server's benchmarks a checkout is tested against.

use crate::output::Outputs;

/// What the snapshot file of a benchmark on a server says instead of its cases. Branches with different
/// pins do not disturb each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The UUID of the ensemble.
    pub ensemble: String,
    /// The UUID of the benchmark.
    pub benchmark: String,
    /// What identifies the outputs, as the server has it.
    pub digest: String,
}

impl Pin {
    /// What the outputs are kept under once they were fetched.
    pub fn outputs_key(&self) -> String {
        format!("outputs {}", self.digest)
    }

    /// The outputs in a text that was kept under that key, if they are those that it pins.
    pub fn outputs(&self, text: String) -> Option<Outputs> {
        let outputs = Outputs::from_canonical(text).ok()?;
        (outputs.digest() == self.digest).then_some(outputs)
    }
}
