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

use super::deletion::delete;
use super::error::{DbError, DbResult};
use super::statement::{Param, all, execute, first, require, require_written, time};
use super::{Postgres, ensembles, idempotency, parse_sized};
use crate::database::page::Range;
use crate::database::{Account, Definitions, Made};

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
                    let ((added, uuid), limit) = (range.after(), range.query_limit());
                    let params: [Param<'_>; 4] = [&account.0, &added, &uuid, &limit];
                    let rows = all(transaction, sql, &params).await?;
                    let shown = range.shown(&rows);
                    let definitions = with_ensembles(transaction, *account, shown).await?;
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
                    let sql = "SELECT text FROM definition WHERE account = $1 AND uuid = $2";
                    let found = first(client, sql, &[&account.0, definition]).await?;
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
                    let new = Made::new();
                    let find = |made: Made| find(transaction, *account, made.uuid);
                    let make = make(transaction, *account, new.uuid, definition);
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
                Box::pin(delete(transaction, *account, Kind::Definition, *definition))
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
    let sql = "INSERT INTO definition (account, uuid, project, added, bytes, text)
         SELECT account, $3, uuid, $4, $5, $6 FROM project WHERE account = $1 AND uuid = $2";
    let (project, now) = (new.project_uuid, Timestamp::now());
    let (canonical, text) = block_in_place(|| {
        let canonical = new.definition.to_value();
        let text = canonical.to_string();
        (canonical, text)
    });
    let params: [Param<'_>; 6] = [
        &account.0,
        &project,
        &uuid,
        &now.as_micros(),
        &(text.len() as i64),
        &text,
    ];
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
    let sql = "SELECT uuid, added, project, text FROM definition WHERE account = $1 AND uuid = $2";
    let found = first(transaction, sql, &[&account.0, &definition]).await?;
    let row = require(found, Kind::Definition, definition)?;
    let mut definitions = with_ensembles(transaction, account, &[row]).await?;
    require(definitions.pop(), Kind::Definition, definition)
}

/// The first definitions of each project, in the order of creation.
pub(super) async fn of_projects(
    transaction: &Transaction<'_>,
    account: Account,
    projects: &[Uuid],
) -> DbResult<Vec<Definition>> {
    let sql = "SELECT definition.uuid, definition.added, definition.project, definition.text
         FROM unnest($2::uuid[]) AS parent (uuid) CROSS JOIN LATERAL (
             SELECT uuid, added, project, text FROM definition
             WHERE definition.account = $1 AND definition.project = parent.uuid
             ORDER BY added, uuid LIMIT $3
         ) AS definition ORDER BY definition.added, definition.uuid";
    let params: [Param<'_>; 3] = [&account.0, &projects, &(Page::LIMIT as i64)];
    let rows = all(transaction, sql, &params).await?;
    with_ensembles(transaction, account, &rows).await
}

/// The definitions of rows (uuid, added, project, text) with their ensembles.
async fn with_ensembles(
    transaction: &Transaction<'_>,
    account: Account,
    rows: &[Row],
) -> DbResult<Vec<Definition>> {
    let lengths = rows.iter().map(|row| Ok(text(row)?.len()));
    let bytes = lengths.sum::<DbResult<usize>>()?;
    let read = || rows.iter().map(read).collect::<DbResult<Vec<_>>>();
    let mut definitions = parse_sized(bytes, read)?;
    let uuids = definitions
        .iter()
        .map(|definition| definition.definition_uuid);
    let uuids: Vec<Uuid> = uuids.collect();
    let mut ensembles: HashMap<Uuid, Vec<Ensemble>> = HashMap::new();
    for ensemble in ensembles::of_definitions(transaction, account, &uuids).await? {
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
