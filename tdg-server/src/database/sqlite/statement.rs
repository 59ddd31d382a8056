//! Statements and columns, as all operations use them.

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params_from_iter};
use tdg_service::{ObjectKind, ServiceError, Timestamp, Uuid};

use super::SqliteConnection;
use super::error::SqliteResult;
use crate::database::row::DatabaseRow;
use crate::database::sql::{SqlColumn, SqlValues};

/// The row of a query that gives at most one.
pub(in crate::database) fn first_row<T>(
    connection: &SqliteConnection,
    sql: &str,
    values: SqlValues<'_>,
    read: impl FnOnce(DatabaseRow<'_>) -> SqliteResult<T>,
) -> SqliteResult<Option<T>> {
    let connection = connection.lock();
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(of_sqlite(values))?;
    let row = rows.next()?.map(DatabaseRow::Sqlite);
    row.map(read).transpose()
}

/// All rows of a query.
pub(in crate::database) fn all_rows<T>(
    connection: &SqliteConnection,
    sql: &str,
    values: SqlValues<'_>,
    mut read: impl FnMut(DatabaseRow<'_>) -> SqliteResult<T>,
) -> SqliteResult<Vec<T>> {
    let connection = connection.lock();
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(of_sqlite(values))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(DatabaseRow::Sqlite(row))?);
    }
    Ok(found)
}

/// All rows of a query with each value of its last parameter.
pub(in crate::database) fn all_rows_of<T>(
    connection: &SqliteConnection,
    sql: &str,
    values: SqlValues<'_>,
    last: &dyn SqlColumn,
    mut read: impl FnMut(DatabaseRow<'_>) -> SqliteResult<T>,
) -> SqliteResult<Vec<T>> {
    let connection = connection.lock();
    let mut statement = connection.prepare_cached(sql)?;
    let mut found = Vec::new();
    for last in (0..).map_while(|row| last.value(row)) {
        let values = values.iter().map(|value| value.sqlite());
        let mut rows = statement.query(params_from_iter(values.chain([last])))?;
        while let Some(row) = rows.next()? {
            found.push(read(DatabaseRow::Sqlite(row))?);
        }
    }
    Ok(found)
}

/// Runs a statement that writes; the number of rows that it wrote.
pub(in crate::database) fn execute_once(
    connection: &SqliteConnection,
    sql: &str,
    values: SqlValues<'_>,
) -> SqliteResult<u64> {
    let connection = connection.lock();
    let written = connection.prepare_cached(sql)?.execute(of_sqlite(values))?;
    Ok(written as u64)
}

fn of_sqlite(values: SqlValues<'_>) -> impl rusqlite::Params {
    params_from_iter(values.iter().map(|value| value.sqlite()))
}

/// Runs it for each row of the columns.
pub(in crate::database) fn execute_each(
    connection: &SqliteConnection,
    sql: &str,
    columns: &[&dyn SqlColumn],
) -> SqliteResult<()> {
    let connection = connection.lock();
    let mut statement = connection.prepare_cached(sql)?;
    let row = |row: usize| columns.iter().map(|column| column.value(row)).collect();
    let rows = (0..).map_while(|number| -> Option<Vec<_>> { row(number) });
    for values in rows {
        statement.execute(params_from_iter(values))?;
    }
    Ok(())
}

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
