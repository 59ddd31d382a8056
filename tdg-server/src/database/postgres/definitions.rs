//! Definitions.

use std::collections::HashMap;

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use tdg_definition::json::{self, Value};
use tdg_service::{
    Definition, Ensemble, IdempotentRequest, Kind, List, NewDefinition, Page, Result, Timestamp,
    Uuid,
};
use tokio::task::block_in_place;
use tokio_postgres::Row;

use super::error::{DbError, DbResult};
use super::page::Range;
use super::statement::{Param, all, execute, first, require, require_written, time};
use super::{Postgres, ensembles, idempotency, parse_sized};
use crate::database::{Account, Definitions};

#[async_trait]
impl Definitions for Postgres {
    async fn definitions(&self, account: Account, page: Page) -> Result<List<Definition>> {
        let range = Range::of(&page)?;
        self.pool
            .read_transaction((account, range), |transaction, (account, range)| {
                Box::pin(async move {
                    let sql = "SELECT uuid, added, project, text FROM definition
                         WHERE account = $1 AND (added, uuid) > ($2, $3)
                         ORDER BY added, uuid LIMIT $4";
                    let limit = range.query_limit();
                    let params: [Param<'_>; 4] = [&account.0, &range.added, &range.uuid, &limit];
                    let rows = all(transaction, sql, &params).await?;
                    let definitions = with_ensembles(transaction, range.shown(&rows)).await?;
                    let place = |last: &Definition| (last.added, last.definition_uuid);
                    Ok(range.list(definitions, rows.len(), place))
                })
            })
            .await
    }

    async fn definition(&self, account: Account, definition: Uuid) -> Result<Definition> {
        let args = (account, definition);
        self.pool
            .read_transaction(args, |transaction, (account, definition)| {
                Box::pin(find(transaction, *account, *definition))
            })
            .await
    }

    async fn definition_text(&self, account: Account, definition: Uuid) -> Result<String> {
        self.pool
            .query((account, definition), |client, (account, definition)| {
                Box::pin(async move {
                    let sql = "SELECT text FROM definition WHERE uuid = $1 AND account = $2";
                    let found = first(client, sql, &[definition, &account.0]).await?;
                    Ok(require(found, Kind::Definition, *definition)?.try_get(0)?)
                })
            })
            .await
    }

    async fn create_definition(
        &self,
        account: Account,
        new: NewDefinition,
        request: Option<IdempotentRequest>,
    ) -> Result<Definition> {
        let args = (account, new, request);
        self.pool
            .transaction(args, |transaction, (account, definition, request)| {
                Box::pin(async move {
                    let new = Uuid::new_v4();
                    let find = |uuid| find(transaction, *account, uuid);
                    let make = make(transaction, *account, new, definition);
                    let request = request.as_ref();
                    idempotency::find_or_make(transaction, *account, request, find, (new, make))
                        .await
                })
            })
            .await
    }

    async fn delete_definition(&self, account: Account, definition: Uuid) -> Result<()> {
        let args = (account, definition);
        self.pool
            .transaction(args, |transaction, (account, definition)| {
                Box::pin(async move {
                    let assertions = "DELETE FROM assertion WHERE benchmark IN (
                             SELECT benchmark.uuid FROM benchmark
                             JOIN ensemble ON ensemble.uuid = benchmark.ensemble
                             WHERE ensemble.definition = $1 AND ensemble.account = $2)";
                    execute(transaction, assertions, &[definition, &account.0]).await?;
                    let sql = "DELETE FROM definition WHERE uuid = $1 AND account = $2";
                    let deleted = execute(transaction, sql, &[definition, &account.0]).await?;
                    require_written(deleted, Kind::Definition, *definition)
                })
            })
            .await
    }
}

async fn make(
    transaction: &Transaction<'_>,
    account: Account,
    uuid: Uuid,
    new: &NewDefinition,
) -> DbResult<Definition> {
    let sql = "INSERT INTO definition (uuid, project, account, added, text)
         SELECT $1, uuid, account, $2, $3 FROM project WHERE uuid = $4 AND account = $5";
    let (project, now) = (new.project_uuid, Timestamp::now());
    let (canonical, text) = block_in_place(|| {
        let canonical = new.definition.to_value();
        let text = canonical.to_string();
        (canonical, text)
    });
    let params: [Param<'_>; 5] = [&uuid, &now.as_micros(), &text, &project, &account.0];
    let inserted = execute(transaction, sql, &params).await?;
    require_written(inserted, Kind::Project, project)?;
    // Looking it up would parse it again.
    object(uuid, project, now, canonical)
}

async fn find(
    transaction: &Transaction<'_>,
    account: Account,
    definition: Uuid,
) -> DbResult<Definition> {
    let sql = "SELECT uuid, added, project, text FROM definition WHERE uuid = $1 AND account = $2";
    let found = first(transaction, sql, &[&definition, &account.0]).await?;
    let row = require(found, Kind::Definition, definition)?;
    let mut definitions = with_ensembles(transaction, &[row]).await?;
    require(definitions.pop(), Kind::Definition, definition)
}

/// The first definitions of each project, in the order of creation.
pub(super) async fn of_projects(
    transaction: &Transaction<'_>,
    projects: &[Uuid],
) -> DbResult<Vec<Definition>> {
    let sql = "SELECT definition.uuid, definition.added, definition.project, definition.text
         FROM unnest($1::uuid[]) AS parent (uuid) CROSS JOIN LATERAL (
             SELECT uuid, added, project, text FROM definition
             WHERE definition.project = parent.uuid ORDER BY added, uuid LIMIT $2
         ) AS definition ORDER BY definition.added, definition.uuid";
    let rows = all(transaction, sql, &[&projects, &(Page::LIMIT as i64)]).await?;
    with_ensembles(transaction, &rows).await
}

/// The definitions of rows (uuid, added, project, text) with their ensembles.
async fn with_ensembles(transaction: &Transaction<'_>, rows: &[Row]) -> DbResult<Vec<Definition>> {
    let lengths = rows.iter().map(|row| Ok(text(row)?.len()));
    let bytes = lengths.sum::<DbResult<usize>>()?;
    let read = || rows.iter().map(read).collect::<DbResult<Vec<_>>>();
    let mut definitions = parse_sized(bytes, read)?;
    let uuids = definitions
        .iter()
        .map(|definition| definition.definition_uuid);
    let uuids: Vec<Uuid> = uuids.collect();
    let mut ensembles: HashMap<Uuid, Vec<Ensemble>> = HashMap::new();
    for ensemble in ensembles::of_definitions(transaction, &uuids).await? {
        let of_definition = ensembles.entry(ensemble.definition_uuid);
        of_definition.or_default().push(ensemble);
    }
    for definition in &mut definitions {
        let found = ensembles.remove(&definition.definition_uuid);
        definition.ensembles = found.unwrap_or_default();
    }
    Ok(definitions)
}

fn read(row: &Row) -> DbResult<Definition> {
    let (uuid, added, project) = (row.try_get(0)?, time(row, 1)?, row.try_get(2)?);
    let canonical =
        json::parse(text(row)?).map_err(|error| DbError::corrupt("definition", error))?;
    object(uuid, project, added, canonical)
}

fn text(row: &Row) -> DbResult<&str> {
    Ok(row.try_get(3)?)
}

/// Without its ensembles.
fn object(
    definition_uuid: Uuid,
    project_uuid: Uuid,
    added: Timestamp,
    canonical: Value,
) -> DbResult<Definition> {
    Definition::new(definition_uuid, project_uuid, added, canonical)
        .map_err(|error| DbError::corrupt("definition", error))
}
