//! Projects.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use tdg_service::{
    IdempotentRequest, List, ObjectKind, ObjectPart, Page, Project, Result, Timestamp, Uuid,
};

use super::definitions;
use super::error::SqliteResult;
use super::idempotency;
use super::statement::{execute, first, require, time, uuid};
use super::{Sqlite, done, session};
use crate::database::deletion::delete;
use crate::database::page::{self, PageRange, Reading, ResponseBudget, bytes};
use crate::database::{Account, Made, Projects};

#[async_trait]
impl Projects for Sqlite {
    async fn projects(&self, account: Account, page: Page) -> Result<List<Project>> {
        self.read_transaction(account, move |connection| {
            let range = PageRange::of(&page)?;
            let sql = "SELECT uuid, added, name FROM project
                 WHERE account = ?1 AND (added, uuid) > (?2, ?3)
                 ORDER BY added, uuid LIMIT ?4";
            let (added, uuid) = range.after();
            let params = params![account.0, added, uuid.as_bytes(), range.query_limit()];
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query(params)?;
            let (mut reading, mut budget) = (Reading::new(&range), ResponseBudget::new());
            while let Some(row) = rows.next()? {
                let mut project = read(row)?;
                let place = (project.added.as_micros(), project.project_uuid);
                let bytes = bytes::project(&project.project_name);
                if !reading.admits(place, bytes, &mut budget) {
                    break;
                }
                let within = range.beneath(place);
                let uuid = project.project_uuid;
                let (definitions, rest) =
                    definitions::of_project(connection, account, uuid, &within, &mut budget)?;
                project.definitions = definitions;
                reading.push(project, rest);
            }
            Ok(reading.list())
        })
        .await
    }

    async fn project(
        &self,
        account: Account,
        project: Uuid,
        page: Page,
    ) -> Result<ObjectPart<Project>> {
        self.read_transaction(account, move |connection| {
            let range = PageRange::within(&page)?;
            find(connection, account, project, &range)
        })
        .await
    }

    async fn create_project(
        &self,
        account: Account,
        name: String,
        request: Option<IdempotentRequest>,
    ) -> Result<Project> {
        self.transaction(account, 0, move |connection| {
            let find = |made: Made| {
                let found = find(connection, account, made.uuid, &PageRange::start());
                found.map(|part| part.object)
            };
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
        self.transaction(account, 0, move |connection| {
            done(delete(
                session(connection),
                account,
                ObjectKind::Project,
                project,
            ))
        })
        .await
    }
}

fn find(
    connection: &Connection,
    account: Account,
    project: Uuid,
    range: &PageRange,
) -> SqliteResult<ObjectPart<Project>> {
    let sql = "SELECT uuid, added, name FROM project WHERE account = ?1 AND uuid = ?2";
    let params = params![account.0, project.as_bytes()];
    let found = first(connection, sql, params, read)?;
    let mut object = require(found, ObjectKind::Project, project)?;
    let mut budget = ResponseBudget::new();
    budget.show(bytes::project(&object.project_name));
    let (definitions, rest) =
        definitions::of_project(connection, account, project, range, &mut budget)?;
    object.definitions = definitions;
    Ok(ObjectPart {
        object,
        next: page::cursor(&rest),
    })
}

fn read(row: &Row<'_>) -> rusqlite::Result<Project> {
    Ok(Project {
        project_uuid: uuid(row, 0)?,
        added: time(row, 1)?,
        project_name: row.get(2)?,
        definitions: Vec::new(),
    })
}
