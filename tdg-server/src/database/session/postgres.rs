//! Statements on PostgreSQL.

use deadpool_postgres::StatementCache;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Row};

use super::super::sql::{SqlColumn, SqlValues};

#[derive(Clone, Copy)]
pub(in crate::database) struct PostgresConnection<'a> {
    pub(in crate::database) client: &'a Client,
    /// The prepared statements, or `None` behind a pooler, where another client may have left
    /// statements with the same names.
    pub(in crate::database) prepared: Option<&'a StatementCache>,
}

impl PostgresConnection<'_> {
    /// Returns the rows of a statement whose last parameters are arrays.
    pub(super) async fn rows(
        self,
        sql: &str,
        values: SqlValues<'_>,
        columns: &[&dyn SqlColumn],
    ) -> Result<Vec<Row>, Error> {
        let Some(prepared) = self.prepared else {
            let values = typed(values, columns);
            return self.client.query_typed(sql, &values).await;
        };
        let statement = prepared.prepare(self.client, sql).await?;
        let columns = columns.iter().map(|it| *it as &(dyn ToSql + Sync));
        let values: Vec<_> = values
            .iter()
            .map(|it| it.postgres())
            .chain(columns)
            .collect();
        self.client.query(&statement, &values).await
    }

    /// Runs a statement that writes. Returns the number of written rows.
    pub(super) async fn execute(self, sql: &str, values: SqlValues<'_>) -> Result<u64, Error> {
        let Some(prepared) = self.prepared else {
            return self.client.execute_typed(sql, &typed(values, &[])).await;
        };
        let statement = prepared.prepare(self.client, sql).await?;
        let values: Vec<_> = values.iter().map(|it| it.postgres()).collect();
        self.client.execute(&statement, &values).await
    }
}

/// Returns the values of an unnamed statement, which needs their types.
fn typed<'v>(
    values: SqlValues<'v>,
    columns: &[&'v dyn SqlColumn],
) -> Vec<(&'v (dyn ToSql + Sync), Type)> {
    let values = values.iter().map(|it| (it.postgres(), it.postgres_type()));
    let columns = columns.iter().map(|it| (*it as _, it.postgres_type()));
    values.chain(columns).collect()
}
