//! Definitions.

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use tdg_definition::json::{self, Value};
use tdg_service::{
    Definition, IdempotentRequest, List, NewDefinition, ObjectKind, ObjectPart, Page, Result,
    Timestamp, Uuid,
};
use tokio::task::block_in_place;
use tokio_postgres::Row;

use super::ahead::{Ahead, Lists, Texts, rows_within};
use super::error::{PostgresError, PostgresResult};
use super::statement::{Param, all, execute, first, require, require_written, time};
use super::{Postgres, ensembles, parse_sized};
use crate::database::deletion::delete;
use crate::database::idempotency::find_or_make;
use crate::database::page::{self, PagePosition, PageRange, Reading, bytes};
use crate::database::{Account, Definitions, Made};

#[async_trait]
impl Definitions for Postgres {
    async fn definitions(&self, account: Account, page: Page) -> Result<List<Definition>> {
        let range = PageRange::of(&page)?;
        self.pool
            .of(account)
            .await?
            .read_transaction((account, range), |transaction, (account, range)| {
                Box::pin(async move {
                    let sql = "SELECT uuid, added, project, bytes FROM definition
                         WHERE account = $1 AND (added, uuid) > ($2, $3)
                         ORDER BY added, uuid LIMIT $4";
                    let ((added, uuid), limit) = (range.after(), range.query_limit());
                    let params: [Param<'_>; 4] = [&account.0, &added, &uuid, &limit];
                    let rows = all(transaction, sql, &params).await?;
                    let mut ahead = Ahead::new();
                    for row in &rows {
                        announce(row, &mut ahead.texts, &mut ahead.ensembles)?;
                    }
                    let reading = read(transaction, *account, &rows, range, &mut ahead).await?;
                    Ok(reading.list())
                })
            })
            .await
    }

    async fn definition(
        &self,
        account: Account,
        definition: Uuid,
        page: Page,
    ) -> Result<ObjectPart<Definition>> {
        let args = (account, definition, PageRange::within(&page)?);
        self.pool
            .of(account)
            .await?
            .read_transaction(args, |transaction, (account, definition, range)| {
                Box::pin(find(transaction, *account, *definition, range))
            })
            .await
    }

    async fn definition_text(&self, account: Account, definition: Uuid) -> Result<String> {
        let sql = "SELECT text FROM definition WHERE account = $1 AND uuid = $2";
        if let Some(text) = self.on_replica(sql, account, definition).await {
            self.pool
                .shared_query((account, definition), |client, (account, definition)| {
                    Box::pin(async move {
                        let sql = "SELECT 1 FROM definition WHERE account = $1 AND uuid = $2";
                        let found = first(client, sql, &[&account.0, definition]).await?;
                        require(found, ObjectKind::Definition, *definition).map(drop)
                    })
                })
                .await?;
            return Ok(text);
        }
        self.pool
            .of(account)
            .await?
            .query((account, definition), |client, (account, definition)| {
                Box::pin(async move {
                    let sql = "SELECT text FROM definition WHERE account = $1 AND uuid = $2";
                    let found = first(client, sql, &[&account.0, definition]).await?;
                    Ok(require(found, ObjectKind::Definition, *definition)?.try_get(0)?)
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
            .of(account)
            .await?
            .transaction(args, |transaction, (account, definition, request)| {
                Box::pin(async move {
                    let new = Made::new();
                    let find = async |made: Made| {
                        let all = PageRange::start();
                        let found = find(transaction, *account, made.uuid, &all).await?;
                        Ok(found.object)
                    };
                    let make = make(transaction, *account, new.uuid, definition);
                    let request = request.as_ref();
                    find_or_make(transaction.into(), *account, request, find, (new, make)).await
                })
            })
            .await
    }

    async fn delete_definition(&self, account: Account, definition: Uuid) -> Result<()> {
        let args = (account, definition);
        self.pool
            .of(account)
            .await?
            .transaction(args, |transaction, (account, definition)| {
                Box::pin(delete(
                    transaction.into(),
                    *account,
                    ObjectKind::Definition,
                    *definition,
                ))
            })
            .await
    }
}

async fn make(
    transaction: &Transaction<'_>,
    account: Account,
    uuid: Uuid,
    new: &NewDefinition,
) -> PostgresResult<Definition> {
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
    require_written(inserted, ObjectKind::Project, project)?;
    // Looking it up would parse it again.
    object(uuid, project, now, canonical)
}

async fn find(
    transaction: &Transaction<'_>,
    account: Account,
    definition: Uuid,
    range: &PageRange,
) -> PostgresResult<ObjectPart<Definition>> {
    let sql = "SELECT uuid, added, project, text FROM definition WHERE account = $1 AND uuid = $2";
    let found = first(transaction, sql, &[&account.0, &definition]).await?;
    let row = require(found, ObjectKind::Definition, definition)?;
    let mut object = parse(&row, row.try_get(3)?)?;
    let mut ahead = Ahead::new();
    let bytes = bytes::definition(row.try_get::<_, &str>(3)?.len() as i64);
    ahead.budget.show(bytes);
    let ensembles = ensembles::read(transaction, account, definition, range, &mut ahead).await?;
    let (ensembles, rest) = ensembles.within();
    object.ensembles = ensembles;
    Ok(ObjectPart {
        object,
        next: page::cursor(&rest),
    })
}

/// That part of the definitions of a project, and where they go on.
pub(super) async fn of_project(
    transaction: &Transaction<'_>,
    account: Account,
    project: Uuid,
    range: &PageRange,
    ahead: &mut Ahead,
) -> PostgresResult<(Vec<Definition>, Vec<PagePosition>)> {
    let sql = concat!(
        "SELECT uuid, added, project, bytes FROM (",
        rows_within!("definition", "project"),
        ") AS definition ORDER BY number, added, uuid"
    );
    if let Some(projects) = ahead.definitions.unread(project, range) {
        let rows = all(transaction, sql, &projects.params(&account.0)).await?;
        let (texts, ensembles) = (&mut ahead.texts, &mut ahead.ensembles);
        let announce = |row: &Row| announce(row, texts, ensembles);
        ahead.definitions.add(projects, rows, false, announce)?;
    }
    let rows = ahead.definitions.take(project);
    let reading = read(transaction, account, &rows, range, ahead).await?;
    Ok(reading.within())
}

/// The response comes to the definition of a row (uuid, added, project, bytes).
fn announce(row: &Row, texts: &mut Texts, ensembles: &mut Lists) -> PostgresResult<()> {
    let uuid = row.try_get(0)?;
    texts.announce(uuid, bytes::definition(row.try_get(3)?));
    ensembles.announce(uuid);
    Ok(())
}

/// Reads as many definitions of rows (uuid, added, project, bytes) as fit.
async fn read<'r>(
    transaction: &Transaction<'_>,
    account: Account,
    rows: &[Row],
    range: &'r PageRange,
    ahead: &mut Ahead,
) -> PostgresResult<Reading<'r, Definition>> {
    let mut reading = Reading::new(range);
    for row in rows {
        let uuid: Uuid = row.try_get(0)?;
        let place = (row.try_get(1)?, uuid);
        let left = ahead.budget.left();
        let bytes = bytes::definition(row.try_get(3)?);
        if !reading.admits(place, bytes, &mut ahead.budget) {
            break;
        }
        if let Some(uuids) = ahead.texts.unread(uuid, left) {
            let sql = "SELECT uuid, text FROM definition WHERE account = $1 AND uuid = ANY($2)";
            let texts = all(transaction, sql, &[&account.0, &uuids]).await?;
            ahead.texts.add(&texts)?;
        }
        let Some(text) = ahead.texts.take(uuid) else {
            continue;
        };
        let mut definition = parse(row, &text)?;
        let within = range.beneath(place);
        let ensembles = ensembles::read(transaction, account, uuid, &within, ahead).await?;
        let (ensembles, rest) = ensembles.within();
        definition.ensembles = ensembles;
        reading.push(definition, rest);
    }
    Ok(reading)
}

/// The definition of a row (uuid, added, project) with that text, without its ensembles.
fn parse(row: &Row, text: &str) -> PostgresResult<Definition> {
    let (uuid, added, project) = (row.try_get(0)?, time(row, 1)?, row.try_get(2)?);
    parse_sized(text.len(), || {
        let canonical =
            json::parse(text).map_err(|error| PostgresError::corrupt("definition", error))?;
        object(uuid, project, added, canonical)
    })
}

/// Without its ensembles.
fn object(
    definition_uuid: Uuid,
    project_uuid: Uuid,
    added: Timestamp,
    canonical: Value,
) -> PostgresResult<Definition> {
    Definition::new(definition_uuid, project_uuid, added, canonical)
        .map_err(|error| PostgresError::corrupt("definition", error))
}
