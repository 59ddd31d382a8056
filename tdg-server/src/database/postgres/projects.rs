//! Projects.

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use tdg_service::{
    IdempotentRequest, List, ObjectKind, ObjectPart, Page, Project, Result, Timestamp, Uuid,
};
use tokio_postgres::Row;

use super::ahead::Ahead;
use super::error::PostgresResult;
use super::statement::{Param, all, execute, first, require, time};
use super::{Postgres, definitions};
use crate::database::deletion::delete;
use crate::database::idempotency::find_or_make;
use crate::database::page::{self, PageRange, Reading, bytes};
use crate::database::{Account, Made, Projects};

#[async_trait]
impl Projects for Postgres {
    async fn projects(&self, account: Account, page: Page) -> Result<List<Project>> {
        let range = PageRange::of(&page)?;
        self.pool
            .of(account)
            .await?
            .read_transaction((account, range), |transaction, (account, range)| {
                Box::pin(async move {
                    let sql = "SELECT uuid, added, name FROM project
                         WHERE account = $1 AND (added, uuid) > ($2, $3)
                         ORDER BY added, uuid LIMIT $4";
                    let ((added, uuid), limit) = (range.after(), range.query_limit());
                    let params: [Param<'_>; 4] = [&account.0, &added, &uuid, &limit];
                    let rows = all(transaction, sql, &params).await?;
                    let (mut reading, mut ahead) = (Reading::new(range), Ahead::new());
                    for row in &rows {
                        ahead.definitions.announce(row.try_get(0)?);
                    }
                    for row in &rows {
                        let mut project = object(row)?;
                        let uuid = project.project_uuid;
                        let place = (project.added.as_micros(), uuid);
                        let bytes = bytes::project(&project.project_name);
                        if !reading.admits(place, bytes, &mut ahead.budget) {
                            break;
                        }
                        let within = range.beneath(place);
                        let (definitions, rest) = definitions::of_project(
                            transaction,
                            *account,
                            uuid,
                            &within,
                            &mut ahead,
                        )
                        .await?;
                        project.definitions = definitions;
                        reading.push(project, rest);
                    }
                    Ok(reading.list())
                })
            })
            .await
    }

    async fn project(
        &self,
        account: Account,
        project: Uuid,
        page: Page,
    ) -> Result<ObjectPart<Project>> {
        let args = (account, project, PageRange::within(&page)?);
        self.pool
            .of(account)
            .await?
            .read_transaction(args, |transaction, (account, project, range)| {
                Box::pin(find(transaction, *account, *project, range))
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
            .of(account)
            .await?
            .transaction(args, |transaction, (account, name, request)| {
                Box::pin(async move {
                    let new = Made::new();
                    let find = async |made: Made| {
                        let all = PageRange::start();
                        let found = find(transaction, *account, made.uuid, &all).await?;
                        Ok(found.object)
                    };
                    let make = async {
                        let sql = "INSERT INTO project (account, uuid, added, name)
                             VALUES ($1, $2, $3, $4)";
                        let now = Timestamp::now().as_micros();
                        execute(transaction, sql, &[&account.0, &new.uuid, &now, name]).await?;
                        find(new).await
                    };
                    let request = request.as_ref();
                    find_or_make(transaction.into(), *account, request, find, (new, make)).await
                })
            })
            .await
    }

    async fn delete_project(&self, account: Account, project: Uuid) -> Result<()> {
        self.pool
            .of(account)
            .await?
            .transaction((account, project), |transaction, (account, project)| {
                Box::pin(delete(
                    transaction.into(),
                    *account,
                    ObjectKind::Project,
                    *project,
                ))
            })
            .await
    }
}

async fn find(
    transaction: &Transaction<'_>,
    account: Account,
    project: Uuid,
    range: &PageRange,
) -> PostgresResult<ObjectPart<Project>> {
    let sql = "SELECT uuid, added, name FROM project WHERE account = $1 AND uuid = $2";
    let found = first(transaction, sql, &[&account.0, &project]).await?;
    let mut object = object(&require(found, ObjectKind::Project, project)?)?;
    let mut ahead = Ahead::new();
    ahead.budget.show(bytes::project(&object.project_name));
    let (definitions, rest) =
        definitions::of_project(transaction, account, project, range, &mut ahead).await?;
    object.definitions = definitions;
    Ok(ObjectPart {
        object,
        next: page::cursor(&rest),
    })
}

/// The project of a row (uuid, added, name), without its definitions.
fn object(row: &Row) -> PostgresResult<Project> {
    Ok(Project {
        project_uuid: row.try_get(0)?,
        project_name: row.try_get(2)?,
        added: time(row, 1)?,
        definitions: Vec::new(),
    })
}
