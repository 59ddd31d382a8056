//! Several operations in one transaction.

use rusqlite::Connection;

use super::error::DbResult;

/// All of `operation`, or, if it fails, nothing of it, within a transaction that goes on.
pub(super) fn savepoint<T>(
    connection: &Connection,
    operation: impl FnOnce(&Connection) -> DbResult<T>,
) -> DbResult<T> {
    let run = |sql| connection.prepare_cached(sql)?.execute([]);
    run("SAVEPOINT operation")?;
    let outcome = operation(connection);
    if outcome.is_err() {
        run("ROLLBACK TO operation")?;
    }
    run("RELEASE operation")?;
    outcome
}
