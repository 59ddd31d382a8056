//! Statements and columns, as all operations use them.

use deadpool_postgres::GenericClient;
use tdg_service::{ObjectKind, ServiceError, Timestamp, Uuid};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::error::PostgresResult;

pub(super) type Param<'a> = &'a (dyn ToSql + Sync);

/// The row of a query that gives at most one.
pub(super) async fn first(
    client: &impl GenericClient,
    sql: &str,
    params: &[Param<'_>],
) -> PostgresResult<Option<Row>> {
    let statement = client.prepare_cached(sql).await?;
    Ok(client.query_opt(&statement, params).await?)
}

/// All rows of a query.
pub(super) async fn all(
    client: &impl GenericClient,
    sql: &str,
    params: &[Param<'_>],
) -> PostgresResult<Vec<Row>> {
    let statement = client.prepare_cached(sql).await?;
    Ok(client.query(&statement, params).await?)
}

/// Runs a statement that writes; the number of rows that it wrote.
pub(super) async fn execute(
    client: &impl GenericClient,
    sql: &str,
    params: &[Param<'_>],
) -> PostgresResult<u64> {
    let statement = client.prepare_cached(sql).await?;
    Ok(client.execute(&statement, params).await?)
}

/// The object that was looked up, or the error of one that the account does not have.
pub(super) fn require<T>(found: Option<T>, kind: ObjectKind, uuid: Uuid) -> PostgresResult<T> {
    Ok(found.ok_or(ServiceError::NotFound(kind, uuid))?)
}

pub(super) fn time(row: &Row, column: usize) -> PostgresResult<Timestamp> {
    Ok(Timestamp::from_micros(row.try_get(column)?))
}

pub(super) fn size(row: &Row, column: usize) -> PostgresResult<usize> {
    Ok(usize::try_from(row.try_get::<_, i32>(column)?).unwrap_or_default())
}
