//! Definitions.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use tdg_definition::json::{self, Value};
use tdg_service::{
    Definition, IdempotentRequest, List, NewDefinition, ObjectKind, ObjectPart, Page, Result,
    Timestamp, Uuid,
};

use super::ensembles;
use super::error::{SqliteError, SqliteResult};
use super::idempotency;
use super::statement::{Params, execute, first, require, require_written, time, uuid};
use super::{Sqlite, done, session};
use crate::database::deletion::delete;
use crate::database::page::{self, PagePosition, PageRange, Reading, ResponseBudget, bytes};
use crate::database::{Account, Definitions, Made};

#[async_trait]
impl Definitions for Sqlite {
    async fn definitions(&self, account: Account, page: Page) -> Result<List<Definition>> {
        self.read_transaction(account, move |connection| {
            let range = PageRange::of(&page)?;
            let sql = "SELECT uuid, added, project, bytes, text FROM definition
                 WHERE account = ?1 AND (added, uuid) > (?2, ?3)
                 ORDER BY added, uuid LIMIT ?4";
            let (added, uuid) = range.after();
            let params = params![account.0, added, uuid.as_bytes(), range.query_limit()];
            let definitions = (sql, params);
            let reading = read(
                connection,
                account,
                definitions,
                &range,
                &mut ResponseBudget::new(),
            )?;
            Ok(reading.list())
        })
        .await
    }

    async fn definition(
        &self,
        account: Account,
        definition: Uuid,
        page: Page,
    ) -> Result<ObjectPart<Definition>> {
        self.read_transaction(account, move |connection| {
            let range = PageRange::within(&page)?;
            find(connection, account, definition, &range)
        })
        .await
    }

    async fn definition_text(&self, account: Account, definition: Uuid) -> Result<String> {
        self.read_transaction(account, move |connection| {
            let sql = "SELECT text FROM definition WHERE account = ?1 AND uuid = ?2";
            let params = params![account.0, definition.as_bytes()];
            let found = first(connection, sql, params, |row| row.get(0))?;
            require(found, ObjectKind::Definition, definition)
        })
        .await
    }

    async fn create_definition(
        &self,
        account: Account,
        new: NewDefinition,
        request: Option<IdempotentRequest>,
    ) -> Result<Definition> {
        let canonical = new.definition.to_value();
        let text = canonical.to_string();
        self.transaction(account, text.len(), move |connection| {
            let find = |made: Made| {
                let found = find(connection, account, made.uuid, &PageRange::start());
                found.map(|part| part.object)
            };
            let make = || {
                let made = Made::new();
                let (project, now) = (new.project_uuid, Timestamp::now());
                let sql = "INSERT INTO definition (account, uuid, project, added, bytes, text)
                     SELECT account, ?3, uuid, ?4, ?5, ?6 FROM project
                     WHERE account = ?1 AND uuid = ?2";
                let params = params![
                    account.0,
                    project.as_bytes(),
                    made.uuid.as_bytes(),
                    now.as_micros(),
                    text.len() as i64,
                    text
                ];
                let inserted = execute(connection, sql, params)?;
                require_written(inserted, ObjectKind::Project, project)?;
                // Looking it up would parse it again while other writers wait.
                Ok((made, object(made.uuid, project, now, canonical)?))
            };
            idempotency::find_or_make(connection, account, request.as_ref(), find, make)
        })
        .await
    }

    async fn delete_definition(&self, account: Account, definition: Uuid) -> Result<()> {
        self.transaction(account, 0, move |connection| {
            done(delete(
                session(connection),
                account,
                ObjectKind::Definition,
                definition,
            ))
        })
        .await
    }
}

fn find(
    connection: &Connection,
    account: Account,
    definition: Uuid,
    range: &PageRange,
) -> SqliteResult<ObjectPart<Definition>> {
    let sql = "SELECT uuid, added, project, bytes, text FROM definition
         WHERE account = ?1 AND uuid = ?2";
    let params = params![account.0, definition.as_bytes()];
    let mut budget = ResponseBudget::new();
    let found = first(connection, sql, params, |row| {
        budget.show(bytes::definition(row.get(3)?));
        Ok(parse(row))
    })?;
    let mut object = require(found, ObjectKind::Definition, definition)??;
    let (ensembles, rest) =
        ensembles::of_definition(connection, account, definition, range, &mut budget)?;
    object.ensembles = ensembles;
    Ok(ObjectPart {
        object,
        next: page::cursor(&rest),
    })
}

/// That part of the definitions of a project, and where they go on.
pub(super) fn of_project(
    connection: &Connection,
    account: Account,
    project: Uuid,
    range: &PageRange,
    budget: &mut ResponseBudget,
) -> SqliteResult<(Vec<Definition>, Vec<PagePosition>)> {
    let sql = "SELECT uuid, added, project, bytes, text FROM definition
         WHERE account = ?1 AND project = ?2 AND (added, uuid) > (?3, ?4)
         ORDER BY added, uuid LIMIT ?5";
    let (added, uuid) = range.after();
    let params = params![
        account.0,
        project.as_bytes(),
        added,
        uuid.as_bytes(),
        range.query_limit()
    ];
    Ok(read(connection, account, (sql, params), range, budget)?.within())
}

/// Reads as many definitions as fit. The text of the next one stays on the disk.
fn read<'r>(
    connection: &Connection,
    account: Account,
    (sql, params): (&str, Params<'_>),
    range: &'r PageRange,
    budget: &mut ResponseBudget,
) -> SqliteResult<Reading<'r, Definition>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut reading = Reading::new(range);
    while let Some(row) = rows.next()? {
        let (uuid, place) = (uuid(row, 0)?, (row.get(1)?, uuid(row, 0)?));
        if !reading.admits(place, bytes::definition(row.get(3)?), budget) {
            break;
        }
        let mut definition = parse(row)?;
        let within = range.beneath(place);
        let (ensembles, rest) =
            ensembles::of_definition(connection, account, uuid, &within, budget)?;
        definition.ensembles = ensembles;
        reading.push(definition, rest);
    }
    Ok(reading)
}

/// The definition of a row (uuid, added, project, bytes, text), without its ensembles.
fn parse(row: &Row<'_>) -> SqliteResult<Definition> {
    let text = row.get_ref(4)?.as_str().map_err(rusqlite::Error::from)?;
    let canonical = json::parse(text).map_err(|error| SqliteError::corrupt("definition", error))?;
    object(uuid(row, 0)?, uuid(row, 2)?, time(row, 1)?, canonical)
}

/// Without its ensembles.
fn object(
    definition_uuid: Uuid,
    project_uuid: Uuid,
    added: Timestamp,
    canonical: Value,
) -> SqliteResult<Definition> {
    Definition::new(definition_uuid, project_uuid, added, canonical)
        .map_err(|error| SqliteError::corrupt("definition", error))
}
