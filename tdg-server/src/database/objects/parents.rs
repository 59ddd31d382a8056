//! Checks that the parents of an object exist.

use tdg_service::{ObjectKind, Uuid};

use crate::database::error::DatabaseResult;
use crate::database::session::{DatabaseSession, require};
use crate::database::sql::{SqlValues, sql};

/// Fails if the account doesn't have the definition.
pub(super) async fn require_definition(
    session: DatabaseSession<'_>,
    definition: Uuid,
) -> DatabaseResult<()> {
    let sql = sql!("SELECT 1 FROM definition WHERE account = $1 AND uuid = $2");
    session
        .find(sql, ObjectKind::Definition, definition, |_| Ok(()))
        .await
}

/// Returns the size of an ensemble, which must belong to the definition.
pub(super) async fn ensemble_size(
    session: DatabaseSession<'_>,
    (definition, ensemble): (Uuid, Uuid),
) -> DatabaseResult<usize> {
    let sql =
        sql!("SELECT size FROM ensemble WHERE account = $1 AND uuid = $2 AND definition = $3");
    let values: SqlValues<'_> = &[&ensemble, &definition];
    let found = session.first(sql, values, |row| row.size(0)).await?;
    require(found, ObjectKind::Ensemble, ensemble)
}
