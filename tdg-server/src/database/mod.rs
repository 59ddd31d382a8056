//! The database of the service, as traits. Each method is atomic, and looks objects up by account
//! and identifier: the objects of another account are not found.
//!
//! Arguments have passed the rules of the interface ([`tdg_service::rules`]), which
//! [`operations`](crate::operations) applies.

mod accounts;
mod audit;
mod database;
mod deletion;
mod error;
mod expected;
mod idempotency;
mod keys;
mod large_writes;
mod made;
mod page;
mod postgres;
pub(crate) mod records;
mod row;
mod session;
mod sql;
mod sqlite;
mod tombstone;
mod upkeep;
mod url;

use std::sync::Arc;

use async_trait::async_trait;
use tdg_service::rules::DrawnEnsemble;
use tdg_service::{
    AssertionEntry, Benchmark, Definition, Ensemble, IdempotentRequest, List, NewBenchmark,
    NewDefinition, ObjectPart, Page, Project, Result, ServiceError, Timestamp, Uuid,
};

pub(crate) use self::audit::{AuditFilter, AuditRecord};
pub(crate) use self::database::Database;
pub(crate) use self::expected::ExpectedBenchmark;
use self::made::Made;
use self::records::Records;
pub(crate) use self::sqlite::{ServerLock, copy as copy_sqlite};
pub(crate) use self::upkeep::{Keep, ObjectSpan, PART, Unused};
pub(crate) use self::url::DatabaseUrl;
pub(crate) use crate::account::{Account, AccountSettings, Usage};
use crate::packed_rows::PackedRows;

/// The objects of which each engine has operations of its own.
pub(crate) trait Objects:
    Projects + Definitions + Ensembles + Benchmarks + Assertions + Records
{
}

impl<T> Objects for T where T: Projects + Definitions + Ensembles + Benchmarks + Assertions + Records
{}

#[async_trait]
pub(crate) trait Projects: Send + Sync {
    async fn projects(&self, account: Account, page: Page) -> Result<List<Project>>;
    /// A project with that part of its definitions.
    async fn project(
        &self,
        account: Account,
        project: Uuid,
        page: Page,
    ) -> Result<ObjectPart<Project>>;
    async fn create_project(
        &self,
        account: Account,
        name: String,
        request: Option<IdempotentRequest>,
    ) -> Result<Project>;
    async fn delete_project(&self, account: Account, project: Uuid) -> Result<()>;
}

#[async_trait]
pub(crate) trait Definitions: Send + Sync {
    async fn definitions(&self, account: Account, page: Page) -> Result<List<Definition>>;
    /// A definition with that part of its ensembles.
    async fn definition(
        &self,
        account: Account,
        definition: Uuid,
        page: Page,
    ) -> Result<ObjectPart<Definition>>;
    /// A definition as text: parsing it may take long.
    async fn definition_text(&self, account: Account, definition: Uuid) -> Result<String>;
    async fn create_definition(
        &self,
        account: Account,
        new: NewDefinition,
        request: Option<IdempotentRequest>,
    ) -> Result<Definition>;
    async fn delete_definition(&self, account: Account, definition: Uuid) -> Result<()>;
}

#[async_trait]
pub(crate) trait Ensembles: Send + Sync {
    async fn ensembles(
        &self,
        account: Account,
        definition: Uuid,
        page: Page,
    ) -> Result<List<Ensemble>>;
    /// An ensemble with that part of its benchmarks.
    async fn ensemble(
        &self,
        account: Account,
        ensemble: Uuid,
        page: Page,
    ) -> Result<ObjectPart<Ensemble>>;
    /// The size of an ensemble, which has to be the definition's.
    async fn ensemble_size(
        &self,
        account: Account,
        definition_and_ensemble: (Uuid, Uuid),
    ) -> Result<usize>;
    /// The digest of an ensemble's rows.
    async fn ensemble_digest(&self, account: Account, ensemble: Uuid) -> Result<String>;
    async fn rows(&self, account: Account, ensemble: Uuid) -> Result<PackedRows>;
    async fn create_ensemble(
        &self,
        account: Account,
        definition: Uuid,
        drawn: (DrawnEnsemble, PackedRows),
        request: Option<IdempotentRequest>,
    ) -> Result<Ensemble>;
    async fn delete_ensemble(&self, account: Account, ensemble: Uuid) -> Result<()>;
}

#[async_trait]
pub(crate) trait Benchmarks: Send + Sync {
    /// The benchmarks of an ensemble, which has to be the definition's.
    async fn benchmarks(
        &self,
        account: Account,
        definition_and_ensemble: (Uuid, Uuid),
        page: Page,
    ) -> Result<List<Benchmark>>;
    /// A benchmark; it goes on in its history.
    async fn benchmark(&self, account: Account, benchmark: Uuid) -> Result<ObjectPart<Benchmark>>;
    /// A number that changes with every change of a benchmark's history, if looking it up costs
    /// less than reading the benchmark.
    async fn history_stamp(&self, account: Account, benchmark: Uuid) -> Result<Option<i64>>;
    /// The digest of a benchmark's outputs.
    async fn output_digest(&self, account: Account, benchmark: Uuid) -> Result<String>;
    async fn expected(&self, account: Account, benchmark: Uuid) -> Result<ExpectedBenchmark>;
    /// Creates a benchmark, with the digest of its outputs, of an ensemble, which has to be the
    /// definition's.
    async fn create_benchmark(
        &self,
        account: Account,
        definition_and_ensemble: (Uuid, Uuid),
        new: (NewBenchmark, String),
        request: Option<IdempotentRequest>,
    ) -> Result<Benchmark>;
    async fn delete_benchmark(&self, account: Account, benchmark: Uuid) -> Result<()>;
}

#[async_trait]
pub(crate) trait Assertions: Send + Sync {
    async fn history(
        &self,
        account: Account,
        benchmark: Uuid,
        page: Page,
    ) -> Result<List<AssertionEntry>>;
    async fn create_assertion(
        &self,
        account: Account,
        benchmark: Uuid,
        asserted: bool,
        request: Option<IdempotentRequest>,
    ) -> Result<AssertionEntry>;
}

/// A database that was opened.
pub(crate) struct Opened {
    pub(crate) database: Arc<Database>,
    /// Whether it was empty before; never so for one that servers share.
    pub(crate) new: bool,
}

/// Reserves a database for a server, if only one server may use it.
pub(crate) fn reserve(url: &DatabaseUrl) -> Result<Option<ServerLock>> {
    match url {
        DatabaseUrl::Sqlite(file) => sqlite::lock(file).map(Some),
        DatabaseUrl::Postgres(_) => Ok(None),
    }
}

/// Opens a database with at most `connections` connections, and as many to its replica, and brings
/// its tables up to date.
pub(crate) async fn open(
    url: &DatabaseUrl,
    replica: Option<&DatabaseUrl>,
    connections: usize,
) -> Result<Opened> {
    match (url, replica) {
        (DatabaseUrl::Sqlite(file), None) => sqlite::open(file, connections),
        (DatabaseUrl::Postgres(address), None) => postgres::open(address, None, connections).await,
        (DatabaseUrl::Postgres(address), Some(DatabaseUrl::Postgres(replica))) => {
            postgres::open(address, Some(replica), connections).await
        }
        (_, Some(_)) => Err(ServiceError::unavailable(
            "a replica is PostgreSQL's: omit `replica`, or give `postgres://…` for it and for \
             `database`",
        )),
    }
}

/// An identifier for an assertion. Identifiers are in the order of time, to the microsecond.
fn assertion_uuid(timestamp: Timestamp) -> Uuid {
    // The bits after the milliseconds that hold the microseconds within one.
    const COUNTER_BITS: u8 = 10;
    let micros = timestamp.as_micros().unsigned_abs();
    let (seconds, micros) = (micros / 1_000_000, (micros % 1_000_000) as u32);
    let counter = u128::from(micros % 1_000);
    let time = uuid::Timestamp::from_unix_time(seconds, micros * 1_000, counter, COUNTER_BITS);
    Uuid::new_v7(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_assertions_are_in_the_order_of_their_times() {
        const NOW: i64 = 1_615_241_668_473_646;
        let micros = [
            NOW,
            NOW + 1,
            NOW + 353,
            NOW + 354,
            NOW + 355,
            NOW + 10_000_000,
        ];
        let uuids = micros.map(|micros| assertion_uuid(Timestamp::from_micros(micros)));
        assert!(uuids.is_sorted(), "{uuids:?}");
        for (micros, uuid) in micros.into_iter().zip(uuids) {
            let (seconds, nanos) = uuid.get_timestamp().unwrap().to_unix();
            let millis = seconds * 1_000 + u64::from(nanos / 1_000_000);
            assert_eq!(millis, micros.unsigned_abs() / 1_000);
        }
        assert_ne!(assertion_uuid(Timestamp::from_micros(NOW)), uuids[0]);
    }
}
