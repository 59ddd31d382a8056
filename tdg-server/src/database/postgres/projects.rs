//! Projects.

use std::collections::HashMap;

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use tdg_service::{
    Definition, IdempotentRequest, Kind, List, Page, Project, Result, Timestamp, Uuid,
};
use tokio_postgres::Row;

use super::error::DbResult;
use super::page::Range;
use super::statement::{Param, all, execute, first, require, require_written, time};
use super::{Postgres, definitions, idempotency};
use crate::database::{Account, Projects};

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
                    let limit = range.query_limit();
                    let params: [Param<'_>; 4] = [&account.0, &range.added, &range.uuid, &limit];
                    let rows = all(transaction, sql, &params).await?;
                    let projects = with_definitions(transaction, range.shown(&rows)).await?;
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
                    let new = Uuid::new_v4();
                    let find = |uuid| find(transaction, *account, uuid);
                    let make = async {
                        let sql = "INSERT INTO project (uuid, account, added, name)
                             VALUES ($1, $2, $3, $4)";
                        let now = Timestamp::now().as_micros();
                        execute(transaction, sql, &[&new, &account.0, &now, name]).await?;
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
                Box::pin(async move {
                    let assertions = "DELETE FROM assertion WHERE benchmark IN (
                             SELECT benchmark.uuid FROM benchmark
                             JOIN ensemble ON ensemble.uuid = benchmark.ensemble
                             JOIN definition ON definition.uuid = ensemble.definition
                             WHERE definition.project = $1 AND definition.account = $2)";
                    execute(transaction, assertions, &[project, &account.0]).await?;
                    let sql = "DELETE FROM project WHERE uuid = $1 AND account = $2";
                    let deleted = execute(transaction, sql, &[project, &account.0]).await?;
                    require_written(deleted, Kind::Project, *project)
                })
            })
            .await
    }
}

async fn find(transaction: &Transaction<'_>, account: Account, project: Uuid) -> DbResult<Project> {
    let sql = "SELECT uuid, added, name FROM project WHERE uuid = $1 AND account = $2";
    let found = first(transaction, sql, &[&project, &account.0]).await?;
    let row = require(found, Kind::Project, project)?;
    let mut projects = with_definitions(transaction, &[row]).await?;
    require(projects.pop(), Kind::Project, project)
}

/// The projects of rows (uuid, added, name) with their definitions.
async fn with_definitions(transaction: &Transaction<'_>, rows: &[Row]) -> DbResult<Vec<Project>> {
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
    for definition in definitions::of_projects(transaction, &uuids).await? {
        let of_project = definitions.entry(definition.project_uuid);
        of_project.or_default().push(definition);
    }
    for project in &mut projects {
        let found = definitions.remove(&project.project_uuid);
        project.definitions = found.unwrap_or_default();
    }
    Ok(projects)
}
