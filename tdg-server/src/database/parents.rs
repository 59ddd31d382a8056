//! Whether the objects are there that another is in.

use tdg_service::{ObjectKind, Uuid};

use super::Account;
use super::error::DatabaseResult;
use super::session::{DatabaseSession, require};
use super::sql::{SqlValues, sql};

/// That the account has the definition.
pub(super) async fn require_definition(
    session: DatabaseSession<'_>,
    account: Account,
    definition: Uuid,
) -> DatabaseResult<()> {
    let sql = sql!("SELECT 1 FROM definition WHERE account = $1 AND uuid = $2");
    let found = session
        .first(sql, &[&account.0, &definition], |_| Ok(()))
        .await?;
    require(found, ObjectKind::Definition, definition)
}

/// The size of an ensemble, which has to be the definition's.
pub(super) async fn ensemble_size(
    session: DatabaseSession<'_>,
    account: Account,
    (definition, ensemble): (Uuid, Uuid),
) -> DatabaseResult<usize> {
    let sql =
        sql!("SELECT size FROM ensemble WHERE account = $1 AND uuid = $2 AND definition = $3");
    let values: SqlValues<'_> = &[&account.0, &ensemble, &definition];
    let found = session.first(sql, values, |row| row.size(0)).await?;
    require(found, ObjectKind::Ensemble, ensemble)
}
