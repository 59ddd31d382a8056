//! Content of pages that is computed from rows, on the threads for long work.

use std::sync::Arc;

use tdg_engine::Vectors;
use tdg_service::{Result, ServiceError, Uuid};

use super::{LoadedExpected, Operations, unpacked};
use crate::account::Account;
use crate::memory::{Memory, OutOfMemory};

impl Operations {
    /// Returns the result of `work` on the rows of an ensemble.
    pub(crate) async fn on_rows<E, T>(
        &self,
        account: Account,
        (definition, ensemble): (Uuid, Uuid),
        memory: &Memory,
        work: impl FnOnce(Vectors) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, E>
    where
        E: From<ServiceError> + From<OutOfMemory>,
        T: Send + 'static,
    {
        let definition = self.database.definition_text(account, definition).await?;
        let (packed, in_use) = self.rows::<E>(account, ensemble, memory).await?;
        let length = packed.length();
        // The rows as text, and about as much as values.
        let held = memory.hold(account, 2 * length).await?;
        let read = move || {
            let _held = (held, in_use);
            work(unpacked(&definition, &packed)?)
        };
        Ok(self.workers.run(account, length, read).await?)
    }

    /// Returns the result of `work` on the outputs of a benchmark and their rows.
    pub(crate) async fn on_outputs<E, T>(
        &self,
        account: Account,
        benchmark: Uuid,
        memory: &Memory,
        work: impl FnOnce(Vectors, Arc<LoadedExpected>) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, E>
    where
        E: From<ServiceError> + From<OutOfMemory>,
        T: Send + 'static,
    {
        // They may be cached: a deleted benchmark has none.
        self.database.output_digest(account, benchmark).await?;
        let (expected, in_use) = self.expected::<E>(account, benchmark, memory).await?;
        let of = (expected.definition_uuid, expected.ensemble_uuid);
        let work = move |vectors| {
            let _in_use = in_use;
            work(vectors, expected)
        };
        self.on_rows(account, of, memory, work).await
    }
}
