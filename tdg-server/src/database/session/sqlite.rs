//! Statements on SQLite.

use parking_lot::ReentrantMutex;
use rusqlite::{Connection, Params, Statement, params_from_iter};

use super::super::error::DatabaseResult;
use super::super::row::DatabaseRow;
use super::super::sql::{SqlColumn, SqlValues};

/// Locked for each statement, since futures move from thread to thread; by the thread that has a
/// transaction, again.
pub(in crate::database) type SqliteConnection = ReentrantMutex<Connection>;

/// The row of a query that gives at most one.
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

/// All rows of a query.
pub(super) fn all_rows<T>(
    connection: &SqliteConnection,
    sql: &str,
    values: SqlValues<'_>,
    mut read: impl FnMut(DatabaseRow<'_>) -> DatabaseResult<T>,
) -> DatabaseResult<Vec<T>> {
    let connection = connection.lock();
    let mut statement = connection.prepare_cached(sql)?;
    let values = named(&statement, values);
    let mut rows = statement.query(values)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(DatabaseRow::Sqlite(row))?);
    }
    Ok(found)
}

/// All rows of a query with each value of its last parameter.
pub(super) fn all_rows_of<T>(
    connection: &SqliteConnection,
    sql: &str,
    values: SqlValues<'_>,
    last: &dyn SqlColumn,
    mut read: impl FnMut(DatabaseRow<'_>) -> DatabaseResult<T>,
) -> DatabaseResult<Vec<T>> {
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

/// The values that a statement names: the last of them may be PostgreSQL's alone.
fn named<'v>(statement: &Statement<'_>, values: SqlValues<'v>) -> impl Params + use<'v> {
    let values = values.iter().take(statement.parameter_count());
    params_from_iter(values.map(|value| value.sqlite()))
}

/// Runs it for each row of the columns.
pub(super) fn execute_each(
    connection: &SqliteConnection,
    sql: &str,
    columns: &[&dyn SqlColumn],
) -> DatabaseResult<()> {
    let connection = connection.lock();
    let mut statement = connection.prepare_cached(sql)?;
    let row = |row: usize| columns.iter().map(|column| column.value(row)).collect();
    let rows = (0..).map_while(|number| -> Option<Vec<_>> { row(number) });
    for values in rows {
        statement.execute(params_from_iter(values))?;
    }
    Ok(())
}
