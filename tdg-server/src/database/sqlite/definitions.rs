//! Definitions.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use tdg_definition::json::{self, Value};
use tdg_service::{
    Definition, IdempotentRequest, Kind, List, NewDefinition, Page, Result, Timestamp, Uuid,
};

use super::Sqlite;
use super::ensembles;
use super::error::{DbError, DbResult};
use super::idempotency::{self, Made};
use super::page::{Range, Stored};
use super::statement::{Id, all, execute, first, require, require_written, time, uuid};
use crate::database::{Account, Definitions};

#[async_trait]
impl Definitions for Sqlite {
    async fn definitions(&self, account: Account, page: Page) -> Result<List<Definition>> {
        self.read_transaction(move |connection| {
            let range = Range::of(&page)?;
            let sql = "SELECT definition.id, definition.uuid, definition.added, project.uuid,
                     definition.text
                 FROM definition JOIN project ON project.id = definition.project
                 WHERE definition.account = ?1 AND definition.id > ?2
                 ORDER BY definition.id LIMIT ?3";
            let params = params![account.0, range.after(), range.query_limit()];
            let rows = all(connection, sql, params, read)?;
            range.list(rows, |row| with_ensembles(connection, row))
        })
        .await
    }

    async fn definition(&self, account: Account, definition: Uuid) -> Result<Definition> {
        self.read_transaction(move |connection| find(connection, account, definition))
            .await
    }

    async fn definition_text(&self, account: Account, definition: Uuid) -> Result<String> {
        self.read_transaction(move |connection| {
            let sql = "SELECT text FROM definition WHERE uuid = ?1 AND account = ?2";
            let params = params![definition.as_bytes(), account.0];
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
                let (uuid, n) = (Uuid::new_v4(), None);
                let (project, now) = (new.project_uuid, Timestamp::now());
                let canonical = new.definition.to_value();
                let sql = "INSERT INTO definition (uuid, project, account, added, text)
                     SELECT ?1, id, account, ?2, ?3 FROM project
                     WHERE uuid = ?4 AND account = ?5";
                let params = params![
                    uuid.as_bytes(),
                    now.as_micros(),
                    canonical.to_string(),
                    project.as_bytes(),
                    account.0
                ];
                let inserted = execute(connection, sql, params)?;
                require_written(inserted, Kind::Project, project)?;
                // Looking it up would parse it again while other writers wait.
                Ok((Made { uuid, n }, object(uuid, project, now, canonical)?))
            };
            idempotency::find_or_make(connection, account, request.as_ref(), find, make)
        })
        .await
    }

    async fn delete_definition(&self, account: Account, definition: Uuid) -> Result<()> {
        self.transaction(move |connection| {
            let sql = "DELETE FROM definition WHERE uuid = ?1 AND account = ?2";
            let deleted = execute(connection, sql, params![definition.as_bytes(), account.0])?;
            require_written(deleted, Kind::Definition, definition)
        })
        .await
    }
}

fn find(connection: &Connection, account: Account, definition: Uuid) -> DbResult<Definition> {
    let sql = "SELECT definition.id, definition.uuid, definition.added, project.uuid,
             definition.text
         FROM definition JOIN project ON project.id = definition.project
         WHERE definition.uuid = ?1 AND definition.account = ?2";
    let params = params![definition.as_bytes(), account.0];
    let found = first(connection, sql, params, read)?;
    with_ensembles(connection, require(found, Kind::Definition, definition)?)
}

/// The first definitions of a project.
pub(super) fn of_project(connection: &Connection, project: Id) -> DbResult<Vec<Definition>> {
    let range = Range::FIRST;
    let sql = "SELECT definition.id, definition.uuid, definition.added, project.uuid,
             definition.text
         FROM definition JOIN project ON project.id = definition.project
         WHERE definition.project = ?1 ORDER BY definition.id LIMIT ?2";
    let rows = all(connection, sql, params![project, range.query_limit()], read)?;
    Ok(range
        .list(rows, |row| with_ensembles(connection, row))?
        .items)
}

/// A definition before its text is parsed.
struct DefinitionRow {
    definition_uuid: Uuid,
    added: Timestamp,
    project_uuid: Uuid,
    text: String,
}

fn read(row: &Row<'_>) -> rusqlite::Result<Stored<DefinitionRow>> {
    Ok(Stored {
        id: row.get(0)?,
        object: DefinitionRow {
            definition_uuid: uuid(row, 1)?,
            added: time(row, 2)?,
            project_uuid: uuid(row, 3)?,
            text: row.get(4)?,
        },
    })
}

fn with_ensembles(connection: &Connection, row: Stored<DefinitionRow>) -> DbResult<Definition> {
    let Stored { id, object: row } = row;
    let canonical =
        json::parse(&row.text).map_err(|error| DbError::corrupt("definition", error))?;
    let definition = object(row.definition_uuid, row.project_uuid, row.added, canonical)?;
    Ok(Definition {
        ensembles: ensembles::of_definition(connection, id)?,
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
