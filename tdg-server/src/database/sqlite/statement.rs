//! Statements and columns, as all operations use them.

use rusqlite::{Connection, OptionalExtension, Row, ToSql};
use tdg_service::{ObjectKind, ServiceError, Timestamp, Uuid};

use super::error::SqliteResult;

/// What `params!` gives. With tuples, each statement would compile a copy of these functions.
pub(super) type Params<'a> = &'a [&'a dyn ToSql];

/// The first row of a query.
pub(super) fn first<T>(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> SqliteResult<Option<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row(params, read).optional()?)
}

/// All rows of a query.
pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> SqliteResult<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params, read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Runs a statement that writes; the number of rows that it wrote.
pub(super) fn execute(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
) -> SqliteResult<usize> {
    Ok(connection.prepare_cached(sql)?.execute(params)?)
}

/// The object that was looked up, or the error of one that the account does not have.
pub(super) fn require<T>(found: Option<T>, kind: ObjectKind, uuid: Uuid) -> SqliteResult<T> {
    Ok(found.ok_or(ServiceError::NotFound(kind, uuid))?)
}

pub(super) fn uuid(row: &Row<'_>, column: usize) -> rusqlite::Result<Uuid> {
    Ok(Uuid::from_bytes(row.get(column)?))
}

pub(super) fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    Ok(Timestamp::from_micros(row.get(column)?))
}

pub(super) fn size(row: &Row<'_>, column: usize) -> rusqlite::Result<usize> {
    Ok(usize::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
}
