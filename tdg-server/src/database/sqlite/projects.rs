//! Projects.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use tdg_service::{IdempotentRequest, Kind, List, Page, Project, Result, Timestamp, Uuid};

use super::Sqlite;
use super::definitions;
use super::error::DbResult;
use super::idempotency::{self, Made};
use super::page::{Range, Stored};
use super::statement::{all, execute, first, require, require_written, time, uuid};
use crate::database::{Account, Projects};

#[async_trait]
impl Projects for Sqlite {
    async fn projects(&self, account: Account, page: Page) -> Result<List<Project>> {
        self.read_transaction(move |connection| {
            let range = Range::of(&page)?;
            let sql = "SELECT id, uuid, added, name FROM project
                 WHERE account = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
            let params = params![account.0, range.after(), range.query_limit()];
            let rows = all(connection, sql, params, read)?;
            range.list(rows, |row| with_definitions(connection, row))
        })
        .await
    }

    async fn project(&self, account: Account, project: Uuid) -> Result<Project> {
        self.read_transaction(move |connection| find(connection, account, project))
            .await
    }

    async fn create_project(
        &self,
        account: Account,
        name: String,
        request: Option<IdempotentRequest>,
    ) -> Result<Project> {
        self.transaction(move |connection| {
            let find = |made: Made| find(connection, account, made.uuid);
            let make = || {
                let (uuid, n) = (Uuid::new_v4(), None);
                let now = Timestamp::now().as_micros();
                let sql =
                    "INSERT INTO project (uuid, account, added, name) VALUES (?1, ?2, ?3, ?4)";
                execute(
                    connection,
                    sql,
                    params![uuid.as_bytes(), account.0, now, name],
                )?;
                let made = Made { uuid, n };
                Ok((made, find(made)?))
            };
            idempotency::find_or_make(connection, account, request.as_ref(), find, make)
        })
        .await
    }

    async fn delete_project(&self, account: Account, project: Uuid) -> Result<()> {
        self.transaction(move |connection| {
            let sql = "DELETE FROM project WHERE uuid = ?1 AND account = ?2";
            let deleted = execute(connection, sql, params![project.as_bytes(), account.0])?;
            require_written(deleted, Kind::Project, project)
        })
        .await
    }
}

fn find(connection: &Connection, account: Account, project: Uuid) -> DbResult<Project> {
    let sql = "SELECT id, uuid, added, name FROM project WHERE uuid = ?1 AND account = ?2";
    let found = first(
        connection,
        sql,
        params![project.as_bytes(), account.0],
        read,
    )?;
    with_definitions(connection, require(found, Kind::Project, project)?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Stored<Project>> {
    Ok(Stored {
        id: row.get(0)?,
        object: Project {
            project_uuid: uuid(row, 1)?,
            added: time(row, 2)?,
            project_name: row.get(3)?,
            definitions: Vec::new(),
        },
    })
}

fn with_definitions(connection: &Connection, row: Stored<Project>) -> DbResult<Project> {
    Ok(Project {
        definitions: definitions::of_project(connection, row.id)?,
        ..row.object
    })
}
