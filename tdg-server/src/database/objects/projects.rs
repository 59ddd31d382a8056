//! Projects.

use tdg_service::{
    IdempotentRequest, List, ObjectKind, ObjectPart, Page, Project, Result, Timestamp, Uuid,
};

use super::definitions;
use super::idempotency::{Creation, find_or_make};
use super::page::{self, PageRange, Reading, ResponseBudget, bytes};
use super::prefetch::Ahead;
use super::project_list::project_list;
use crate::account::Account;
use crate::database::error::DatabaseResult;
use crate::database::row::DatabaseRow;
use crate::database::session::DatabaseSession;
use crate::database::sql::{SqlValues, sql};
use crate::database::{Database, Made};
use crate::keys::ProjectLimit;

impl Database {
    /// Returns the projects that a key opens.
    pub(crate) async fn projects(
        &self,
        account: Account,
        limit: ProjectLimit,
        page: Page,
    ) -> Result<List<Project>> {
        let args = (limit, PageRange::from_page(&page)?);
        self.read(account, args, |session, (limit, range)| {
            Box::pin(list(session, limit, range))
        })
        .await
    }

    /// Returns a project with this part of its definitions.
    pub(crate) async fn project(
        &self,
        account: Account,
        project: Uuid,
        page: Page,
    ) -> Result<ObjectPart<Project>> {
        let args = (project, PageRange::within(&page)?);
        self.read(account, args, |session, (project, range)| {
            Box::pin(find(session, *project, range))
        })
        .await
    }

    /// Returns identifiers and names of a part of the projects that a key opens, and its cursor.
    pub(crate) async fn project_names(
        &self,
        account: Account,
        limit: ProjectLimit,
        page: Page,
    ) -> Result<(Vec<(Uuid, String)>, Option<String>)> {
        let args = (limit, PageRange::from_page(&page)?);
        self.read(account, args, |session, (limit, range)| {
            Box::pin(async move {
                let (mut reading, mut budget) = (Reading::new(range), ResponseBudget::new());
                for project in listed(session, limit, range).await? {
                    let place = (project.added.as_micros(), project.project_uuid);
                    let bytes = bytes::project(&project.project_name);
                    if !reading.admits(place, bytes, &mut budget) {
                        break;
                    }
                    reading.push((project.project_uuid, project.project_name), Vec::new());
                }
                let list = reading.list();
                Ok((list.items, list.next))
            })
        })
        .await
    }

    pub(crate) async fn project_name(&self, account: Account, project: Uuid) -> Result<String> {
        let sql = sql!("SELECT name FROM project WHERE account = $1 AND uuid = $2");
        let object = (ObjectKind::Project, project);
        self.column(account, sql, object).await
    }

    pub(crate) async fn create_project(
        &self,
        account: Account,
        name: String,
        request: Option<IdempotentRequest>,
    ) -> Result<Project> {
        self.write(account, 0, ((), name, request), |session, args| {
            Box::pin(create(session, args))
        })
        .await
    }
}

/// Lists the projects of a part without their definitions, and possibly some more.
async fn listed(
    session: DatabaseSession<'_>,
    limit: &ProjectLimit,
    range: &PageRange,
) -> DatabaseResult<Vec<Project>> {
    let list = project_list!(
        "SELECT uuid, added, name FROM project WHERE account = $1 AND (added, uuid) > ($2, $3)",
        "uuid",
        "$5",
        " ORDER BY added, uuid LIMIT $4"
    );
    let place = |project: &Project| (project.added.as_micros(), project.project_uuid);
    list.page(session, limit, range, object, place).await
}

async fn list(
    session: DatabaseSession<'_>,
    limit: &ProjectLimit,
    range: &PageRange,
) -> DatabaseResult<List<Project>> {
    let projects = listed(session, limit, range).await?;
    let (mut reading, mut ahead) = (Reading::new(range), Ahead::new(session));
    for project in &projects {
        ahead.definitions.announce(project.project_uuid);
    }
    for mut project in projects {
        let uuid = project.project_uuid;
        let place = (project.added.as_micros(), uuid);
        if !reading.admits(
            place,
            bytes::project(&project.project_name),
            &mut ahead.budget,
        ) {
            break;
        }
        let within = range.beneath(place);
        let read = definitions::of_project(session, uuid, &within, &mut ahead).await?;
        let (definitions, rest) = read.within();
        project.definitions = definitions;
        reading.push(project, rest);
    }
    Ok(reading.list())
}

async fn create(
    session: DatabaseSession<'_>,
    ((), name, request): &Creation<(), String>,
) -> DatabaseResult<Project> {
    let find = async |made: Made| {
        let found = find(session, made.uuid, &PageRange::start()).await?;
        Ok(found.object)
    };
    let made = Made::new();
    let make = async {
        let sql = sql!("INSERT INTO project (account, uuid, added, name) VALUES ($1, $2, $3, $4)");
        let now = Timestamp::now().as_micros();
        let values: SqlValues<'_> = &[&made.uuid, &now, name];
        session.execute(sql, values).await?;
        find(made).await
    };
    find_or_make(session, request.as_ref(), find, (made, make)).await
}

async fn find(
    session: DatabaseSession<'_>,
    project: Uuid,
    range: &PageRange,
) -> DatabaseResult<ObjectPart<Project>> {
    let sql = sql!("SELECT uuid, added, name FROM project WHERE account = $1 AND uuid = $2");
    let mut object = session
        .find(sql, ObjectKind::Project, project, object)
        .await?;
    let mut ahead = Ahead::new(session);
    ahead.budget.show(bytes::project(&object.project_name));
    let read = definitions::of_project(session, project, range, &mut ahead).await?;
    let (definitions, rest) = read.within();
    object.definitions = definitions;
    Ok(ObjectPart {
        object,
        next: page::cursor(&rest),
    })
}

/// Reads a project without its definitions from a row (uuid, added, name).
fn object(row: DatabaseRow<'_>) -> DatabaseResult<Project> {
    Ok(Project {
        project_uuid: row.get(0)?,
        added: row.time(1)?,
        project_name: row.get(2)?,
        definitions: Vec::new(),
    })
}
