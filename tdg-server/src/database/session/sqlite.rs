//! Statements on SQLite.

use parking_lot::ReentrantMutex;
use rusqlite::{Connection, Params, Statement, params_from_iter};

use super::super::error::DatabaseResult;
use super::super::row::DatabaseRow;
use super::super::sql::{SqlColumn, SqlValues};

/// Locked for each statement, since futures move between threads. The thread with a transaction may
/// lock it again.
pub(in crate::database) type SqliteConnection = ReentrantMutex<Connection>;

/// Returns the row of a query that finds at most one.
pub(super) fn first_row<T>(
    connection: &SqliteConnection,
    sql: &str,
    values: SqlValues<'_>,
    read: impl FnOnce(DatabaseRow<'_>) -> DatabaseResult<T>,
) -> DatabaseResult<Option<T>> {
    let connection = connection.lock();
    let mut statement = connection.prepare_cached(sql)?;
    let values = named(&statement, values);
    let mut rows = statement.query(values)?;
    let row = rows.next()?.map(DatabaseRow::Sqlite);
    row.map(read).transpose()
}

/// Returns all rows of a statement, which runs for each row of the columns, or once if empty.
pub(super) fn rows_of_each<T>(
    connection: &SqliteConnection,
    sql: &str,
    values: SqlValues<'_>,
    columns: &[&dyn SqlColumn],
    mut read: impl FnMut(DatabaseRow<'_>) -> DatabaseResult<T>,
) -> DatabaseResult<Vec<T>> {
    let connection = connection.lock();
    let mut statement = connection.prepare_cached(sql)?;
    let most = if columns.is_empty() { 1 } else { usize::MAX };
    let of_row = |row| columns.iter().map(|column| column.value(row)).collect();
    let mut found = Vec::new();
    for last in (0..most).map_while(|row| -> Option<Vec<_>> { of_row(row) }) {
        let values = values.iter().map(|value| value.sqlite()).chain(last);
        let values = params_from_iter(values.take(statement.parameter_count()));
        let mut rows = statement.query(values)?;
        while let Some(row) = rows.next()? {
            found.push(read(DatabaseRow::Sqlite(row))?);
        }
    }
    Ok(found)
}

/// Runs a statement that writes. Returns the number of written rows.
pub(super) fn execute_once(
    connection: &SqliteConnection,
    sql: &str,
    values: SqlValues<'_>,
) -> DatabaseResult<u64> {
    let connection = connection.lock();
    let mut statement = connection.prepare_cached(sql)?;
    let values = named(&statement, values);
    Ok(statement.execute(values)? as u64)
}

/// Returns the values that a statement uses. Only PostgreSQL may use the last of them.
fn named<'v>(statement: &Statement<'_>, values: SqlValues<'v>) -> impl Params + use<'v> {
    let values = values.iter().take(statement.parameter_count());
    params_from_iter(values.map(|value| value.sqlite()))
}
