//! The downloaded outputs of benchmarks on a server.

use super::{Store, StoreError};
use crate::output::Outputs;
use crate::snapshot::Snapshot;

impl Store {
    /// Returns the pinned benchmark with its outputs, if a run has downloaded them.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn pinned(&self, file: &Snapshot) -> Result<Option<Snapshot>, StoreError> {
        let Some(pin) = file.pin() else {
            return Ok(None);
        };
        let text = self.downloaded(&pin.outputs_key())?;
        let outputs = text.and_then(|text| pin.outputs(text));
        let fits = |outputs: &Outputs| outputs.len() == file.ensemble().size;
        let outputs = outputs.filter(fits);
        Ok(outputs.map(|outputs| file.with_outputs(&outputs)))
    }
}
