//! Statements, as all operations use them.

use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, Row, ToSql};
use tdg_service::Uuid;

use super::error::Problem;

/// A row's `id`, in whichever table.
pub(super) type Id = i64;

/// What `params!` gives. Tuples would have every statement of its own compiled.
pub(super) type Params<'a> = &'a [&'a dyn ToSql];

/// Milliseconds since 1970 UTC.
pub(super) fn now() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(_) => 0,
    }
}

/// The first row of a query.
pub(super) fn first<T>(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, Problem> {
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row(params, read).optional()?)
}

/// Runs a statement that writes.
pub(super) fn execute(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
) -> Result<usize, Problem> {
    Ok(connection.prepare_cached(sql)?.execute(params)?)
}

pub(super) fn count(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn uuid(row: &Row<'_>, column: usize) -> rusqlite::Result<Uuid> {
    Ok(Uuid::from_bytes(row.get(column)?))
}
