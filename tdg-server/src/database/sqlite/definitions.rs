//! Definitions.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use tdg_definition::json::{self, Value};
use tdg_service::{
    Definition, IdempotentRequest, Kind, List, NewDefinition, Page, Result, Timestamp, Uuid,
};

use super::Sqlite;
use super::deletion::delete;
use super::ensembles;
use super::error::{DbError, DbResult};
use super::idempotency;
use super::statement::{all, execute, first, require, require_written, time, uuid};
use crate::database::page::Range;
use crate::database::{Account, Definitions, Made};

#[async_trait]
impl Definitions for Sqlite {
    async fn definitions(&self, account: Account, page: Page) -> Result<List<Definition>> {
        self.read_transaction(move |connection| {
            let range = Range::of(&page)?;
            let sql = "SELECT uuid, added, project, text FROM definition
                 WHERE account = ?1 AND (added, uuid) > (?2, ?3)
                 ORDER BY added, uuid LIMIT ?4";
            let (added, uuid) = range.after();
            let params = params![account.0, added, uuid.as_bytes(), range.query_limit()];
            let rows = all(connection, sql, params, read)?;
            list(connection, account, &range, &rows)
        })
        .await
    }

    async fn definition(&self, account: Account, definition: Uuid) -> Result<Definition> {
        self.read_transaction(move |connection| find(connection, account, definition))
            .await
    }

    async fn definition_text(&self, account: Account, definition: Uuid) -> Result<String> {
        self.read_transaction(move |connection| {
            let sql = "SELECT text FROM definition WHERE account = ?1 AND uuid = ?2";
            let params = params![account.0, definition.as_bytes()];
            let found = first(connection, sql, params, |row| row.get(0))?;
            require(found, Kind::Definition, definition)
        })
        .await
    }

    async fn create_definition(
        &self,
        account: Account,
        new: NewDefinition,
        request: Option<IdempotentRequest>,
    ) -> Result<Definition> {
        self.transaction(move |connection| {
            let find = |made: Made| find(connection, account, made.uuid);
            let make = || {
                let made = Made::new();
                let (project, now) = (new.project_uuid, Timestamp::now());
                let canonical = new.definition.to_value();
                let text = canonical.to_string();
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
                require_written(inserted, Kind::Project, project)?;
                // Looking it up would parse it again while other writers wait.
                Ok((made, object(made.uuid, project, now, canonical)?))
            };
            idempotency::find_or_make(connection, account, request.as_ref(), find, make)
        })
        .await
    }

    async fn delete_definition(&self, account: Account, definition: Uuid) -> Result<()> {
        self.transaction(move |connection| {
            delete(connection, account, Kind::Definition, definition)
        })
        .await
    }
}

fn find(connection: &Connection, account: Account, definition: Uuid) -> DbResult<Definition> {
    let sql = "SELECT uuid, added, project, text FROM definition WHERE account = ?1 AND uuid = ?2";
    let params = params![account.0, definition.as_bytes()];
    let found = first(connection, sql, params, read)?;
    let found = require(found, Kind::Definition, definition)?;
    with_ensembles(connection, account, &found)
}

/// The first definitions of a project.
pub(super) fn of_project(
    connection: &Connection,
    account: Account,
    project: Uuid,
) -> DbResult<Vec<Definition>> {
    let range = Range::FIRST;
    let sql = "SELECT uuid, added, project, text FROM definition
         WHERE account = ?1 AND project = ?2 ORDER BY added, uuid LIMIT ?3";
    let params = params![account.0, project.as_bytes(), range.query_limit()];
    let rows = all(connection, sql, params, read)?;
    Ok(list(connection, account, &range, &rows)?.items)
}

fn list(
    connection: &Connection,
    account: Account,
    range: &Range,
    rows: &[DefinitionRow],
) -> DbResult<List<Definition>> {
    let shown = range.shown(rows).iter();
    let definitions = shown.map(|row| with_ensembles(connection, account, row));
    let place = |last: &Definition| (last.added, last.definition_uuid);
    Ok(range.list(definitions.collect::<DbResult<_>>()?, rows.len(), place))
}

/// A definition before its text is parsed.
struct DefinitionRow {
    definition_uuid: Uuid,
    added: Timestamp,
    project_uuid: Uuid,
    text: String,
}

fn read(row: &Row<'_>) -> rusqlite::Result<DefinitionRow> {
    Ok(DefinitionRow {
        definition_uuid: uuid(row, 0)?,
        added: time(row, 1)?,
        project_uuid: uuid(row, 2)?,
        text: row.get(3)?,
    })
}

fn with_ensembles(
    connection: &Connection,
    account: Account,
    row: &DefinitionRow,
) -> DbResult<Definition> {
    let canonical =
        json::parse(&row.text).map_err(|error| DbError::corrupt("definition", error))?;
    let definition = object(row.definition_uuid, row.project_uuid, row.added, canonical)?;
    Ok(Definition {
        ensembles: ensembles::of_definition(connection, account, row.definition_uuid)?,
        ..definition
    })
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
