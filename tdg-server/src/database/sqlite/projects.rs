//! Projects.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use tdg_service::{IdempotentRequest, Kind, List, Page, Project, Result, Timestamp, Uuid};

use super::Sqlite;
use super::definitions;
use super::deletion::delete;
use super::error::DbResult;
use super::idempotency;
use super::statement::{all, execute, first, require, time, uuid};
use crate::database::page::Range;
use crate::database::{Account, Made, Projects};

#[async_trait]
impl Projects for Sqlite {
    async fn projects(&self, account: Account, page: Page) -> Result<List<Project>> {
        self.read_transaction(move |connection| {
            let range = Range::of(&page)?;
            let sql = "SELECT uuid, added, name FROM project
                 WHERE account = ?1 AND (added, uuid) > (?2, ?3)
                 ORDER BY added, uuid LIMIT ?4";
            let (added, uuid) = range.after();
            let params = params![account.0, added, uuid.as_bytes(), range.query_limit()];
            let rows = all(connection, sql, params, read)?;
            let fill = |row: &Project| with_definitions(connection, account, row.clone());
            let projects = range.shown(&rows).iter().map(fill);
            let place = |last: &Project| (last.added, last.project_uuid);
            Ok(range.list(projects.collect::<DbResult<_>>()?, rows.len(), place))
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
                let made = Made::new();
                let now = Timestamp::now().as_micros();
                let sql =
                    "INSERT INTO project (account, uuid, added, name) VALUES (?1, ?2, ?3, ?4)";
                let params = params![account.0, made.uuid.as_bytes(), now, name];
                execute(connection, sql, params)?;
                Ok((made, find(made)?))
            };
            idempotency::find_or_make(connection, account, request.as_ref(), find, make)
        })
        .await
    }

    async fn delete_project(&self, account: Account, project: Uuid) -> Result<()> {
        self.transaction(move |connection| delete(connection, account, Kind::Project, project))
            .await
    }
}

fn find(connection: &Connection, account: Account, project: Uuid) -> DbResult<Project> {
    let sql = "SELECT uuid, added, name FROM project WHERE account = ?1 AND uuid = ?2";
    let params = params![account.0, project.as_bytes()];
    let found = first(connection, sql, params, read)?;
    let found = require(found, Kind::Project, project)?;
    with_definitions(connection, account, found)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Project> {
    Ok(Project {
        project_uuid: uuid(row, 0)?,
        added: time(row, 1)?,
        project_name: row.get(2)?,
        definitions: Vec::new(),
    })
}

fn with_definitions(
    connection: &Connection,
    account: Account,
    project: Project,
) -> DbResult<Project> {
    Ok(Project {
        definitions: definitions::of_project(connection, account, project.project_uuid)?,
        ..project
    })
}
