//! Lists, and what stands within an object, in the order of creation.

use std::collections::HashMap;

use crate::database::Account;
use deadpool_postgres::Transaction;
use tdg_service::{
    AssertionEntry, Benchmark, Definition, Ensemble, Kind, List, Page, Project, Result, Timestamp,
    Uuid, rules,
};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::failure::Outcome;
use super::find::{all, ensemble_size, first, missing};
use super::row;
use super::tree::{self, benchmarks_of, ensembles_of};

pub(super) async fn projects(
    view: &Transaction<'_>,
    account: Account,
    page: &Page,
) -> Outcome<List<Project>> {
    let part = Part::of(page)?;
    let sql = "SELECT uuid, added, name FROM project
         WHERE account = $1 AND (added, uuid) > ($2, $3) ORDER BY added, uuid LIMIT $4";
    let rows = all(
        view,
        sql,
        &[&account.0, &part.added, &part.uuid, &part.ask()],
    )
    .await?;
    let projects = with_definitions(view, part.shown(&rows)).await?;
    let place = |last: &Project| (last.added, last.project_uuid);
    Ok(part.list(projects, rows.len(), place))
}

pub(super) async fn definitions(
    view: &Transaction<'_>,
    account: Account,
    page: &Page,
) -> Outcome<List<Definition>> {
    let part = Part::of(page)?;
    let sql = "SELECT uuid, added, project, text FROM definition
         WHERE account = $1 AND (added, uuid) > ($2, $3) ORDER BY added, uuid LIMIT $4";
    let rows = all(
        view,
        sql,
        &[&account.0, &part.added, &part.uuid, &part.ask()],
    )
    .await?;
    let definitions = with_ensembles(view, part.shown(&rows)).await?;
    let place = |last: &Definition| (last.added, last.definition_uuid);
    Ok(part.list(definitions, rows.len(), place))
}

pub(super) async fn ensembles(
    view: &Transaction<'_>,
    account: Account,
    definition: Uuid,
    page: &Page,
) -> Outcome<List<Ensemble>> {
    let part = Part::of(page)?;
    let parent = "SELECT 1 FROM definition WHERE uuid = $1 AND account = $2";
    let found = first(view, parent, &[&definition, &account.0]).await?;
    missing(found, Kind::Definition, definition)?;
    let sql = ensembles_of!(
        "SELECT * FROM ensemble WHERE definition = $3 AND (added, uuid) > ($4, $5)
         ORDER BY added, uuid LIMIT $6"
    );
    let (history, benchmarks) = tree::WITHIN;
    let (added, uuid, ask) = (part.added, part.uuid, part.ask());
    let params: [&(dyn ToSql + Sync); 6] =
        [&history, &benchmarks, &definition, &added, &uuid, &ask];
    let ensembles = tree::ensembles(&all(view, sql, &params).await?)?;
    let found = ensembles.len();
    Ok(part.list(ensembles, found, |last| (last.added, last.ensemble_uuid)))
}

pub(super) async fn benchmarks(
    view: &Transaction<'_>,
    account: Account,
    (definition, ensemble): (Uuid, Uuid),
    page: &Page,
) -> Outcome<List<Benchmark>> {
    let part = Part::of(page)?;
    ensemble_size(view, account, (definition, ensemble)).await?;
    let sql = concat!(
        benchmarks_of!(
            "SELECT * FROM benchmark WHERE ensemble = $2 AND (added, uuid) > ($3, $4)
             ORDER BY added, uuid LIMIT $5"
        ),
        " ORDER BY added, uuid"
    );
    let (history, _) = tree::WITHIN;
    let rows = all(
        view,
        sql,
        &[&history, &ensemble, &part.added, &part.uuid, &part.ask()],
    )
    .await?;
    let benchmarks = rows.iter().map(|row| tree::benchmark(row, 0));
    let benchmarks: Vec<Benchmark> = benchmarks.collect::<Outcome<_>>()?;
    let found = benchmarks.len();
    Ok(part.list(benchmarks, found, |last| (last.added, last.benchmark_uuid)))
}

pub(super) async fn history(
    view: &Transaction<'_>,
    account: Account,
    benchmark: Uuid,
    page: &Page,
) -> Outcome<List<AssertionEntry>> {
    let limit = rules::page_limit(page)?;
    let before = match &page.cursor {
        None => Uuid::max(),
        Some(cursor) => Uuid::try_parse(cursor).map_err(|_| rules::unknown_cursor())?,
    };
    let parent = "SELECT 1 FROM benchmark WHERE uuid = $1 AND account = $2";
    let found = first(view, parent, &[&benchmark, &account.0]).await?;
    missing(found, Kind::Benchmark, benchmark)?;
    let sql = "SELECT uuid, timestamp, asserted FROM assertion
         WHERE benchmark = $1 AND uuid < $2 ORDER BY uuid DESC LIMIT $3";
    let rows = all(view, sql, &[&benchmark, &before, &(limit as i64 + 1)]).await?;
    let entries = rows.iter().take(limit).map(row::entry);
    let items: Vec<AssertionEntry> = entries.collect::<Outcome<_>>()?;
    let last = items.last().map(|last| last.assertion_uuid.to_string());
    Ok(List {
        items,
        next: last.filter(|_| rows.len() > limit),
    })
}

/// Projects (uuid, added, name) with what belongs to them.
pub(super) async fn with_definitions(
    view: &Transaction<'_>,
    rows: &[Row],
) -> Outcome<Vec<Project>> {
    let mut projects = Vec::with_capacity(rows.len());
    for row in rows {
        projects.push(Project {
            project_uuid: row.try_get(0)?,
            project_name: row.try_get(2)?,
            added: row::time(row, 1)?,
            definitions: Vec::new(),
        });
    }
    let parents: Vec<Uuid> = projects
        .iter()
        .map(|project| project.project_uuid)
        .collect();
    let sql = "SELECT definition.uuid, definition.added, definition.project, definition.text
         FROM unnest($1::uuid[]) AS parent (uuid) CROSS JOIN LATERAL (
             SELECT uuid, added, project, text FROM definition
             WHERE definition.project = parent.uuid ORDER BY added, uuid LIMIT $2
         ) AS definition ORDER BY definition.added, definition.uuid";
    let rows = all(view, sql, &[&parents, &(Page::LIMIT as i64)]).await?;
    let mut children: HashMap<Uuid, Vec<Definition>> = HashMap::new();
    for definition in with_ensembles(view, &rows).await? {
        children
            .entry(definition.project_uuid)
            .or_default()
            .push(definition);
    }
    for project in &mut projects {
        project.definitions = children.remove(&project.project_uuid).unwrap_or_default();
    }
    Ok(projects)
}

/// Definitions (uuid, added, project, text) with what belongs to them.
pub(super) async fn with_ensembles(
    view: &Transaction<'_>,
    rows: &[Row],
) -> Outcome<Vec<Definition>> {
    let mut definitions = row::definitions(rows)?;
    let parents: Vec<Uuid> = definitions
        .iter()
        .map(|definition| definition.definition_uuid)
        .collect();
    let sql = ensembles_of!(
        "SELECT ensemble.* FROM unnest($3::uuid[]) AS parent (uuid) CROSS JOIN LATERAL (
             SELECT * FROM ensemble WHERE ensemble.definition = parent.uuid
             ORDER BY added, uuid LIMIT $2
         ) AS ensemble"
    );
    let (history, benchmarks) = tree::WITHIN;
    let rows = all(view, sql, &[&history, &benchmarks, &parents]).await?;
    let mut children: HashMap<Uuid, Vec<Ensemble>> = HashMap::new();
    for ensemble in tree::ensembles(&rows)? {
        children
            .entry(ensemble.definition_uuid)
            .or_default()
            .push(ensemble);
    }
    for definition in &mut definitions {
        definition.ensembles = children
            .remove(&definition.definition_uuid)
            .unwrap_or_default();
    }
    Ok(definitions)
}

/// A part of a list: what comes after some element.
struct Part {
    added: i64,
    uuid: Uuid,
    limit: usize,
}

impl Part {
    fn of(page: &Page) -> Result<Part> {
        let limit = rules::page_limit(page)?;
        let (added, uuid) = match &page.cursor {
            None => (i64::MIN, Uuid::nil()),
            Some(cursor) => place(cursor).ok_or_else(rules::unknown_cursor)?,
        };
        Ok(Part { added, uuid, limit })
    }

    /// One more than is shown tells whether there are more.
    fn ask(&self) -> i64 {
        self.limit as i64 + 1
    }

    fn shown<'a>(&self, rows: &'a [Row]) -> &'a [Row] {
        &rows[..rows.len().min(self.limit)]
    }

    fn list<T>(
        &self,
        mut items: Vec<T>,
        found: usize,
        place: impl Fn(&T) -> (Timestamp, Uuid),
    ) -> List<T> {
        items.truncate(self.limit);
        let last = items.last().map(place).filter(|_| found > self.limit);
        let next = last.map(|(added, uuid)| format!("{}.{uuid}", added.as_micros()));
        List { items, next }
    }
}

/// Where an element stands, from its cursor.
fn place(cursor: &str) -> Option<(i64, Uuid)> {
    let (added, uuid) = cursor.split_once('.')?;
    Some((added.parse().ok()?, Uuid::try_parse(uuid).ok()?))
}
