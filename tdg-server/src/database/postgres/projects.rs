//! Projects.

use std::collections::HashMap;

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use tdg_service::{
    Definition, IdempotentRequest, Kind, List, Page, Project, Result, Timestamp, Uuid,
};
use tokio_postgres::Row;

use super::deletion::delete;
use super::error::DbResult;
use super::statement::{Param, all, execute, first, require, time};
use super::{Postgres, definitions, idempotency};
use crate::database::page::Range;
use crate::database::{Account, Made, Projects};

#[async_trait]
impl Projects for Postgres {
    async fn projects(&self, account: Account, page: Page) -> Result<List<Project>> {
        let range = Range::of(&page)?;
        self.pool
            .read_transaction((account, range), |transaction, (account, range)| {
                Box::pin(async move {
                    let sql = "SELECT uuid, added, name FROM project
                         WHERE account = $1 AND (added, uuid) > ($2, $3)
                         ORDER BY added, uuid LIMIT $4";
                    let ((added, uuid), limit) = (range.after(), range.query_limit());
                    let params: [Param<'_>; 4] = [&account.0, &added, &uuid, &limit];
                    let rows = all(transaction, sql, &params).await?;
                    let shown = range.shown(&rows);
                    let projects = with_definitions(transaction, *account, shown).await?;
                    let place = |last: &Project| (last.added, last.project_uuid);
                    Ok(range.list(projects, rows.len(), place))
                })
            })
            .await
    }

    async fn project(&self, account: Account, project: Uuid) -> Result<Project> {
        self.pool
            .read_transaction((account, project), |transaction, (account, project)| {
                Box::pin(find(transaction, *account, *project))
            })
            .await
    }

    async fn create_project(
        &self,
        account: Account,
        name: String,
        request: Option<IdempotentRequest>,
    ) -> Result<Project> {
        let args = (account, name, request);
        self.pool
            .transaction(args, |transaction, (account, name, request)| {
                Box::pin(async move {
                    let new = Made::new();
                    let find = |made: Made| find(transaction, *account, made.uuid);
                    let make = async {
                        let sql = "INSERT INTO project (account, uuid, added, name)
                             VALUES ($1, $2, $3, $4)";
                        let now = Timestamp::now().as_micros();
                        execute(transaction, sql, &[&account.0, &new.uuid, &now, name]).await?;
                        find(new).await
                    };
                    let request = request.as_ref();
                    idempotency::find_or_make(transaction, *account, request, find, (new, make))
                        .await
                })
            })
            .await
    }

    async fn delete_project(&self, account: Account, project: Uuid) -> Result<()> {
        self.pool
            .transaction((account, project), |transaction, (account, project)| {
                Box::pin(delete(transaction, *account, Kind::Project, *project))
            })
            .await
    }
}

async fn find(transaction: &Transaction<'_>, account: Account, project: Uuid) -> DbResult<Project> {
    let sql = "SELECT uuid, added, name FROM project WHERE account = $1 AND uuid = $2";
    let found = first(transaction, sql, &[&account.0, &project]).await?;
    let row = require(found, Kind::Project, project)?;
    let mut projects = with_definitions(transaction, account, &[row]).await?;
    require(projects.pop(), Kind::Project, project)
}

/// The projects of rows (uuid, added, name) with their definitions.
async fn with_definitions(
    transaction: &Transaction<'_>,
    account: Account,
    rows: &[Row],
) -> DbResult<Vec<Project>> {
    let mut projects = Vec::with_capacity(rows.len());
    for row in rows {
        projects.push(Project {
            project_uuid: row.try_get(0)?,
            project_name: row.try_get(2)?,
            added: time(row, 1)?,
            definitions: Vec::new(),
        });
    }
    let uuids = projects.iter().map(|project| project.project_uuid);
    let uuids: Vec<Uuid> = uuids.collect();
    let mut definitions: HashMap<Uuid, Vec<Definition>> = HashMap::new();
    for definition in definitions::of_projects(transaction, account, &uuids).await? {
        let of_project = definitions.entry(definition.project_uuid);
        of_project.or_default().push(definition);
    }
    for project in &mut projects {
        let found = definitions.remove(&project.project_uuid);
        project.definitions = found.unwrap_or_default();
    }
    Ok(projects)
}
