//! Removing objects that were deleted elsewhere.

use rusqlite::params;
use uuid::Uuid;

use super::super::StoreError;
use super::super::rows::{execute, exists};
use super::{Id, Tables};

impl Tables<'_> {
    /// Removes a row of a benchmark with its history and the decisions that led to it, unless it is
    /// the current benchmark of a test.
    pub fn remove_benchmark(&self, id: Id) -> Result<(), StoreError> {
        self.try_to(|it| {
            let current = "SELECT id FROM test WHERE benchmark = ?1";
            if exists(it, current, params![id])? {
                return Ok(());
            }
            for sql in [
                "DELETE FROM decision WHERE benchmark = ?1",
                "DELETE FROM benchmark WHERE id = ?1",
            ] {
                execute(it, sql, params![id])?;
            }
            Ok(())
        })
    }

    /// Removes an ensemble, unless it is in use.
    pub fn remove_ensemble(&self, id: Id) -> Result<(), StoreError> {
        let remove = "DELETE FROM ensemble WHERE id = ?1
                      AND NOT EXISTS (SELECT 1 FROM benchmark WHERE ensemble = ?1)
                      AND NOT EXISTS (SELECT 1 FROM pending WHERE ensemble = ?1)";
        self.execute(remove, params![id])
    }

    /// Removes a definition, unless it is in use.
    pub fn remove_definition(&self, id: Id) -> Result<(), StoreError> {
        let remove = "DELETE FROM definition WHERE id = ?1
                      AND NOT EXISTS (SELECT 1 FROM ensemble WHERE definition = ?1)";
        self.execute(remove, params![id])
    }

    /// Removes a decision.
    pub fn remove_decision(&self, test: Id, time: i64, uuid: Uuid) -> Result<(), StoreError> {
        let remove = "DELETE FROM decision WHERE test = ?1 AND time = ?2 AND uuid = ?3";
        self.execute(remove, params![test, time, uuid.as_bytes()])
    }
}
