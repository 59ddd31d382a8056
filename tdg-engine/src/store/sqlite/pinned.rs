//! What a benchmark on a server has here.

use rusqlite::params;

use super::rows::{find_test, first};
use super::{Store, StoreError};
use crate::output::Outputs;
use crate::snapshot::Snapshot;
use crate::test_id::TestId;

impl Store {
    /// The pinned benchmark with its outputs, if a run has downloaded them.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
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

    /// The policy of the last run of a test that was compared here, as
    /// [JSON](tdg_definition::Policy::to_json).
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn policy(&self, test: &TestId) -> Result<Option<String>, StoreError> {
        self.read(|connection| {
            let Some(id) = find_test(connection, test)? else {
                return Ok(None);
            };
            let policy = "SELECT policy FROM test WHERE id = ?1";
            let found = first(connection, policy, params![id], |row| row.get(0))?;
            Ok(found.flatten())
        })
    }
}
