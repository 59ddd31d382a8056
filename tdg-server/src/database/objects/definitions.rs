//! Definitions.

use tdg_definition::json::{self, Value};
use tdg_service::{
    Definition, IdempotentRequest, List, NewDefinition, ObjectKind, ObjectPart, Page, Result,
    Timestamp, Uuid,
};

use super::ensembles;
use super::idempotency::{Creation, find_or_make};
use super::page::{self, PageRange, Reading, bytes};
use super::parents::require_definition;
use super::prefetch::{Ahead, ListedDefinition, ListedEnsemble, Lists, Texts, lists_within};
use super::project_list::project_list;
use crate::account::Account;
use crate::database::error::{DatabaseError, DatabaseResult};
use crate::database::parse::parse_sized;
use crate::database::row::DatabaseRow;
use crate::database::session::{DatabaseSession, require_written};
use crate::database::sql::{Sql, SqlValues, sql};
use crate::database::{Database, Made};
use crate::keys::ProjectLimit;

impl Database {
    /// Returns the definitions of the projects that a key opens.
    pub(crate) async fn definitions(
        &self,
        account: Account,
        limit: ProjectLimit,
        page: Page,
    ) -> Result<List<Definition>> {
        let args = (limit, PageRange::from_page(&page)?);
        self.read(account, args, |session, (limit, range)| {
            Box::pin(async move {
                let list = project_list!(
                    "SELECT uuid, added, project, bytes FROM definition
                     WHERE account = $1 AND (added, uuid) > ($2, $3)",
                    "project",
                    "$5",
                    " ORDER BY added, uuid LIMIT $4"
                );
                let place = |it: &ListedDefinition| (it.added.as_micros(), it.uuid);
                let found = list.page(session, limit, range, listed, place).await?;
                let mut ahead = Ahead::new(session);
                for definition in &found {
                    announce(definition, &mut ahead.texts, &mut ahead.ensembles);
                }
                Ok(read(session, found, range, &mut ahead).await?.list())
            })
        })
        .await
    }

    /// Returns a definition with this part of its ensembles.
    pub(crate) async fn definition(
        &self,
        account: Account,
        definition: Uuid,
        page: Page,
    ) -> Result<ObjectPart<Definition>> {
        let args = (definition, PageRange::within(&page)?);
        self.read(account, args, |session, (definition, range)| {
            Box::pin(find(session, *definition, range))
        })
        .await
    }

    /// Returns a definition as text, since parsing it may take long.
    pub(crate) async fn definition_text(
        &self,
        account: Account,
        definition: Uuid,
    ) -> Result<String> {
        const TEXT: Sql = sql!("SELECT text FROM definition WHERE account = $1 AND uuid = $2");
        if let Some(text) = self.on_replica(TEXT, account, definition).await {
            let is_there = self.look_up(account, definition, |session, definition| {
                Box::pin(require_definition(session, *definition))
            });
            is_there.await?;
            return Ok(text);
        }
        self.query(account, definition, |session, definition| {
            Box::pin(async move {
                let read = |row: DatabaseRow<'_>| row.get(0);
                session
                    .find(TEXT, ObjectKind::Definition, *definition, read)
                    .await
            })
        })
        .await
    }

    pub(crate) async fn create_definition(
        &self,
        account: Account,
        new: NewDefinition,
        request: Option<IdempotentRequest>,
    ) -> Result<Definition> {
        let canonical = new.definition.to_value();
        let text = canonical.to_string();
        let bytes = text.len();
        let args = (new.project_uuid, (canonical, text), request);
        self.write(account, bytes, args, |session, args| {
            Box::pin(create(session, args))
        })
        .await
    }
}

async fn create(
    session: DatabaseSession<'_>,
    (project, (canonical, text), request): &Creation<Uuid, (Value, String)>,
) -> DatabaseResult<Definition> {
    let find = async |made: Made| {
        let found = find(session, made.uuid, &PageRange::start()).await?;
        Ok(found.object)
    };
    let made = Made::new();
    let make = async {
        let sql = sql!(
            "INSERT INTO definition (account, uuid, project, added, bytes, text)
             SELECT account, $3, uuid, $4, $5, $6 FROM project
             WHERE account = $1 AND uuid = $2"
        );
        let now = Timestamp::now();
        let values: SqlValues<'_> = &[
            project,
            &made.uuid,
            &now.as_micros(),
            &(text.len() as i64),
            text,
        ];
        let inserted = session.execute(sql, values).await?;
        require_written(inserted, ObjectKind::Project, *project)?;
        // Looking it up would parse it again, on SQLite while other writers wait.
        object(made.uuid, *project, now, canonical.clone())
    };
    find_or_make(session, request.as_ref(), find, (made, make)).await
}

async fn find(
    session: DatabaseSession<'_>,
    definition: Uuid,
    range: &PageRange,
) -> DatabaseResult<ObjectPart<Definition>> {
    let sql = sql!(
        "SELECT uuid, added, project, bytes, text FROM definition
         WHERE account = $1 AND uuid = $2"
    );
    let read = |row: DatabaseRow<'_>| {
        let listed = listed(row)?;
        Ok((parse(&listed, row.text(4)?)?, listed.bytes))
    };
    let kind = ObjectKind::Definition;
    let (mut object, bytes) = session.find(sql, kind, definition, read).await?;
    let mut ahead = Ahead::new(session);
    ahead.budget.show(bytes);
    let read = ensembles::read(session, definition, range, &mut ahead).await?;
    let (ensembles, rest) = read.within();
    object.ensembles = ensembles;
    Ok(ObjectPart {
        object,
        next: page::cursor(&rest),
    })
}

/// Reads this part of a project's definitions.
pub(crate) async fn of_project<'r>(
    session: DatabaseSession<'_>,
    project: Uuid,
    range: &'r PageRange,
    ahead: &mut Ahead,
) -> DatabaseResult<Reading<'r, Definition>> {
    const SQL: Sql = lists_within!("definition", "project", "uuid, added, project, bytes");
    if let Some(projects) = ahead.definitions.unread(project, range) {
        let read =
            |row: DatabaseRow<'_>| listed(row).map(|definition| (definition.project, definition));
        let found = session.all(SQL, &projects.values(), read).await?;
        let (texts, ensembles) = (&mut ahead.texts, &mut ahead.ensembles);
        let announce = |definition: &_| announce(definition, texts, ensembles);
        ahead.definitions.add(projects, found, false, announce);
    }
    let found = ahead.definitions.take(project);
    read(session, found, range, ahead).await
}

/// Announces that the response will need a definition's text and ensembles.
fn announce(it: &ListedDefinition, texts: &mut Texts, ensembles: &mut Lists<ListedEnsemble>) {
    texts.announce(it.uuid, it.bytes);
    ensembles.announce(it.uuid);
}

/// Reads as many of these definitions as fit. The text of the first that doesn't isn't read.
async fn read<'r>(
    session: DatabaseSession<'_>,
    found: Vec<ListedDefinition>,
    range: &'r PageRange,
    ahead: &mut Ahead,
) -> DatabaseResult<Reading<'r, Definition>> {
    let sql = sql!("SELECT uuid, text FROM definition WHERE account = $1 AND uuid", any "$2");
    let mut reading = Reading::new(range);
    for listed in found {
        let (uuid, place) = (listed.uuid, (listed.added.as_micros(), listed.uuid));
        let left = ahead.budget.left();
        if !reading.admits(place, listed.bytes, &mut ahead.budget) {
            break;
        }
        if let Some(uuids) = ahead.texts.unread(uuid, left) {
            let text = |row: DatabaseRow<'_>| Ok((row.get(0)?, row.get(1)?));
            ahead
                .texts
                .add(session.each(sql, &[], &[&uuids], text).await?);
        }
        let Some(text) = ahead.texts.take(uuid) else {
            continue;
        };
        let mut definition = parse(&listed, &text)?;
        let within = range.beneath(place);
        let read = ensembles::read(session, uuid, &within, ahead).await?;
        let (ensembles, rest) = read.within();
        definition.ensembles = ensembles;
        reading.push(definition, rest);
    }
    Ok(reading)
}

/// Reads a definition from a row (uuid, added, project, bytes).
fn listed(row: DatabaseRow<'_>) -> DatabaseResult<ListedDefinition> {
    Ok(ListedDefinition {
        uuid: row.get(0)?,
        added: row.time(1)?,
        project: row.get(2)?,
        bytes: bytes::definition(row.get(3)?),
    })
}

/// Parses a definition's text. The result has no ensembles.
fn parse(listed: &ListedDefinition, text: &str) -> DatabaseResult<Definition> {
    parse_sized(text.len(), || {
        let canonical = json::parse(text);
        let canonical = canonical.map_err(|error| DatabaseError::corrupt("definition", error))?;
        object(listed.uuid, listed.project, listed.added, canonical)
    })
}

/// Builds a definition without its ensembles.
fn object(
    definition_uuid: Uuid,
    project_uuid: Uuid,
    added: Timestamp,
    canonical: Value,
) -> DatabaseResult<Definition> {
    Definition::new(definition_uuid, project_uuid, added, canonical)
        .map_err(|error| DatabaseError::corrupt("definition", error))
}
