//! The service's database. Every operation is atomic, and looks objects up by account and
//! identifier, so another account's objects aren't found. Operations are written once for both
//! engines, in the file of their object.
//!
//! The caller ([`operations`](crate::operations)) has checked the arguments against the rules of
//! the interface ([`tdg_service::rules`]).

mod access;
mod accounts;
mod deleter;
mod deletion;
mod error;
mod large_writes;
mod objects;
mod overview;
mod parse;
mod pending_operation;
mod postgres;
pub(crate) mod records;
mod row;
mod run_decisions;
mod runs;
mod session;
mod sql;
mod sqlite;
mod tombstone;
mod upkeep;
mod url;
mod webhooks;

use std::sync::Arc;

use tdg_service::{Result, ServiceError, Timestamp, Uuid};

pub(crate) use self::access::Database;
pub(crate) use self::accounts::audit::{AuditFilter, AuditRecord};
pub(crate) use self::accounts::logins::{DeviceLogin, LoginAnswer};
pub(crate) use self::deleter::{Deleter, RecordSender};
pub(crate) use self::deletion::Deletion;
use self::objects::created_object::Made;
pub(crate) use self::objects::expected_outputs::ExpectedBenchmark;
pub(crate) use self::run_decisions::DecidedTest;
pub(crate) use self::runs::{RunRange, StoredRun, TestSummary, dated};
pub(crate) use self::sqlite::{
    COMPANIONS, DatabaseCopy, RESTORING, ServerLock, check as check_sqlite, remove_companions,
    sibling,
};
pub(crate) use self::upkeep::{Keep, ObjectSpan, Owned, PART, Unused};
pub(crate) use self::url::DatabaseUrl;

/// An open database.
pub(crate) struct Opened {
    pub(crate) database: Arc<Database>,
    /// Set if it was empty before; never set for a database that servers share.
    pub(crate) new: bool,
}

/// Locks a database for a server, if only one server may use it.
pub(crate) fn reserve(url: &DatabaseUrl) -> Result<Option<ServerLock>> {
    match url {
        DatabaseUrl::Sqlite(file) => sqlite::lock(file).map(Some),
        DatabaseUrl::Postgres(_) => Ok(None),
    }
}

/// Fails if the database doesn't exist or lacks the tables of a server.
pub(crate) async fn require(url: &DatabaseUrl) -> Result<()> {
    match url {
        DatabaseUrl::Sqlite(file) => sqlite::require(file),
        DatabaseUrl::Postgres(address) => postgres::require(address).await,
    }
}

/// Opens a database with at most `connections` connections, and the same number to its replica, and
/// brings its tables up to date.
pub(crate) async fn open(
    url: &DatabaseUrl,
    replica: Option<&DatabaseUrl>,
    connections: usize,
) -> Result<Opened> {
    let (address, replica) = match (url, replica) {
        (DatabaseUrl::Sqlite(file), None) => {
            let (sqlite, new) = sqlite::open(file, connections)?;
            return Ok(opened(Database::Sqlite(sqlite), new));
        }
        (DatabaseUrl::Postgres(address), None) => (address, None),
        (DatabaseUrl::Postgres(address), Some(DatabaseUrl::Postgres(replica))) => {
            (address, Some(&**replica))
        }
        (_, Some(_)) => {
            return Err(ServiceError::unavailable(
                "a replica is PostgreSQL's: omit `replica`, or give `postgres://…` for it and for \
             `database`",
            ));
        }
    };
    let postgres = postgres::open(address, replica, connections).await?;
    Ok(opened(Database::Postgres(Box::new(postgres)), false))
}

fn opened(database: Database, new: bool) -> Opened {
    let database = Arc::new(database);
    Opened { database, new }
}

/// Generates an identifier for a time. Identifiers sort by time, to the microsecond.
pub(crate) fn timed_uuid(timestamp: Timestamp) -> Uuid {
    // The bits after the milliseconds that hold the microseconds.
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
    fn identifiers_are_in_the_order_of_their_times() {
        const NOW: i64 = 1_615_241_668_473_646;
        let micros = [
            NOW,
            NOW + 1,
            NOW + 353,
            NOW + 354,
            NOW + 355,
            NOW + 10_000_000,
        ];
        let uuids = micros.map(|micros| timed_uuid(Timestamp::from_micros(micros)));
        assert!(uuids.is_sorted(), "{uuids:?}");
        for (micros, uuid) in micros.into_iter().zip(uuids) {
            let (seconds, nanos) = uuid.get_timestamp().unwrap().to_unix();
            let millis = seconds * 1_000 + u64::from(nanos / 1_000_000);
            assert_eq!(millis, micros.unsigned_abs() / 1_000);
        }
        assert_ne!(timed_uuid(Timestamp::from_micros(NOW)), uuids[0]);
    }
}
