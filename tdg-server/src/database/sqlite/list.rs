//! Lists, and what stands within an object, in the order of creation.

use rusqlite::{Connection, Row, params};
use tdg_definition::json;
use uuid::Uuid;

use super::error::DbResult;
use super::find::{
    self, BenchmarkRow, DefinitionRow, Stored, benchmark_of, corrupt, definition_of, ensemble_of,
    project_of,
};
use super::statement::uuid;
use super::statement::{Id, Params, first};
use crate::database::Account;
use tdg_engine::output::Outputs;
use tdg_service::{
    self as service, AssertionEntry, Benchmark, Definition, Ensemble, Kind, List, Page, Project,
    ServiceError, rules,
};

/// The projects of an account.
///
/// # Errors
///
/// [`Invalid`](ServiceError::Invalid) for a page that can't be, and when the database fails; so it is for
/// all of them.
pub(super) fn projects(
    connection: &Connection,
    account: Account,
    page: &Page,
) -> DbResult<List<Project>> {
    let part = Part::of(page)?;
    let sql = "SELECT id, uuid, added, name FROM project WHERE account = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
    let found = all(
        connection,
        sql,
        params![account.0, part.after, part.ask()],
        project_of,
    )?;
    part.list(connection, found, fill_project)
}

/// The definitions of an account.
pub(super) fn definitions(
    connection: &Connection,
    account: Account,
    page: &Page,
) -> DbResult<List<Definition>> {
    let part = Part::of(page)?;
    let sql =
        "SELECT definition.id, definition.uuid, definition.added, project.uuid, definition.text
         FROM project JOIN definition ON definition.project = project.id
         WHERE project.account = ?1 AND definition.id > ?2 ORDER BY definition.id LIMIT ?3";
    let found = all(
        connection,
        sql,
        params![account.0, part.after, part.ask()],
        definition_of,
    )?;
    part.list(connection, found, fill_definition)
}

/// The ensembles of a definition.
pub(super) fn ensembles(
    connection: &Connection,
    account: Account,
    definition: Uuid,
    page: &Page,
) -> DbResult<List<Ensemble>> {
    let part = Part::of(page)?;
    let sql = "SELECT definition.id FROM definition JOIN project ON project.id = definition.project
         WHERE definition.uuid = ?1 AND project.account = ?2";
    let id = first(
        connection,
        sql,
        params![definition.as_bytes(), account.0],
        |row| row.get(0),
    )?;
    let id = id.ok_or(ServiceError::NotFound(Kind::Definition, definition))?;
    let found = ensembles_of(connection, id, &part)?;
    part.list(connection, found, fill_ensemble)
}

/// The benchmarks of an ensemble, which has to be the definition's.
pub(super) fn benchmarks(
    connection: &Connection,
    account: Account,
    definition: Uuid,
    ensemble: Uuid,
    page: &Page,
) -> DbResult<List<Benchmark>> {
    let part = Part::of(page)?;
    let (id, _) = find::ensemble_id(connection, account, definition, ensemble)?;
    let found = benchmarks_of(connection, id, &part)?;
    part.list(connection, found, fill_listed_benchmark)
}

/// The assertions of a benchmark, newest first.
pub(super) fn history(
    connection: &Connection,
    account: Account,
    benchmark: Uuid,
    page: &Page,
) -> DbResult<List<AssertionEntry>> {
    let part = Part::of(page)?;
    let before = if page.cursor.is_some() {
        part.after
    } else {
        i64::MAX
    };
    let sql = "SELECT benchmark.id FROM benchmark JOIN ensemble ON ensemble.id = benchmark.ensemble
         JOIN definition ON definition.id = ensemble.definition
         JOIN project ON project.id = definition.project
         WHERE benchmark.uuid = ?1 AND project.account = ?2";
    let id = first(
        connection,
        sql,
        params![benchmark.as_bytes(), account.0],
        |row| row.get(0),
    )?;
    let id: Id = id.ok_or(ServiceError::NotFound(Kind::Benchmark, benchmark))?;
    let found = entries(connection, id, before, part.ask())?;
    part.list(connection, found, |_, stored| Ok(stored.object))
}

/// A part of a list, in terms of rows' numbers.
struct Part {
    after: Id,
    limit: usize,
}

impl Part {
    const FIRST: Part = Part {
        after: 0,
        limit: Page::LIMIT,
    };

    fn of(page: &Page) -> service::Result<Part> {
        let limit = rules::page_limit(page)?;
        let after = match &page.cursor {
            None => 0,
            Some(cursor) => cursor.parse().map_err(|_| rules::unknown_cursor())?,
        };
        Ok(Part { after, limit })
    }

    /// One more than is shown tells whether there are more.
    fn ask(&self) -> i64 {
        self.limit as i64 + 1
    }

    fn list<R, T>(
        &self,
        connection: &Connection,
        mut found: Vec<Stored<R>>,
        fill: impl Fn(&Connection, Stored<R>) -> DbResult<T>,
    ) -> DbResult<List<T>> {
        let more = found.len() > self.limit;
        found.truncate(self.limit);
        let last = found.last().map(|stored| stored.id.to_string());
        let fill = |stored| fill(connection, stored);
        Ok(List {
            items: found.into_iter().map(fill).collect::<DbResult<_>>()?,
            next: last.filter(|_| more),
        })
    }
}

pub(super) fn fill_project(connection: &Connection, stored: Stored<Project>) -> DbResult<Project> {
    let sql = "SELECT definition.id, definition.uuid, definition.added, ?4, definition.text
         FROM definition WHERE project = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
    let part = Part::FIRST;
    let mut project = stored.object;
    let of = project.project_uuid.as_bytes();
    let found = all(
        connection,
        sql,
        params![stored.id, part.after, part.ask(), of],
        definition_of,
    )?;
    project.definitions = part.list(connection, found, fill_definition)?.items;
    Ok(project)
}

pub(super) fn fill_definition(
    connection: &Connection,
    stored: Stored<DefinitionRow>,
) -> DbResult<Definition> {
    let row = stored.object;
    let canonical = json::parse(&row.text).map_err(|error| corrupt("definition", error))?;
    let (uuid, project, added) = (row.definition_uuid, row.project_uuid, row.added);
    let mut definition = find::shown_definition(uuid, project, added, canonical)?;
    let found = ensembles_of(connection, stored.id, &Part::FIRST)?;
    definition.ensembles = Part::FIRST.list(connection, found, fill_ensemble)?.items;
    Ok(definition)
}

fn ensembles_of(
    connection: &Connection,
    definition: Id,
    part: &Part,
) -> DbResult<Vec<Stored<Ensemble>>> {
    let sql = "SELECT ensemble.id, ensemble.uuid, ensemble.added, definition.uuid, ensemble.name,
             ensemble.size, ensemble.seed, ensemble.sampler_version, ensemble.digest
         FROM ensemble JOIN definition ON definition.id = ensemble.definition
         WHERE ensemble.definition = ?1 AND ensemble.id > ?2 ORDER BY ensemble.id LIMIT ?3";
    all(
        connection,
        sql,
        params![definition, part.after, part.ask()],
        ensemble_of,
    )
}

pub(super) fn fill_ensemble(
    connection: &Connection,
    stored: Stored<Ensemble>,
) -> DbResult<Ensemble> {
    let mut ensemble = stored.object;
    let found = benchmarks_of(connection, stored.id, &Part::FIRST)?;
    ensemble.benchmarks = Part::FIRST
        .list(connection, found, fill_listed_benchmark)?
        .items;
    Ok(ensemble)
}

fn benchmarks_of(
    connection: &Connection,
    ensemble: Id,
    part: &Part,
) -> DbResult<Vec<Stored<BenchmarkRow>>> {
    let sql =
        "SELECT benchmark.id, benchmark.uuid, benchmark.added, ensemble.uuid, definition.uuid,
             benchmark.policy, benchmark.digest
         FROM benchmark JOIN ensemble ON ensemble.id = benchmark.ensemble
         JOIN definition ON definition.id = ensemble.definition
         WHERE benchmark.ensemble = ?1 AND benchmark.id > ?2 ORDER BY benchmark.id LIMIT ?3";
    all(
        connection,
        sql,
        params![ensemble, part.after, part.ask()],
        benchmark_of,
    )
}

fn fill_listed_benchmark(
    connection: &Connection,
    stored: Stored<BenchmarkRow>,
) -> DbResult<Benchmark> {
    fill_benchmark(connection, stored, Benchmark::HISTORY_IN_LIST)
}

pub(super) fn fill_benchmark(
    connection: &Connection,
    stored: Stored<BenchmarkRow>,
    history: usize,
) -> DbResult<Benchmark> {
    let row = stored.object;
    let mut benchmark = row.benchmark;
    benchmark.policy = find::parse_policy(row.policy)?;
    benchmark.digest = match row.digest {
        Some(digest) => digest,
        None => digest_of(connection, stored.id)?,
    };
    let entries = entries(connection, stored.id, i64::MAX, history as i64)?;
    benchmark.history = entries.into_iter().map(|entry| entry.object).collect();
    Ok(benchmark)
}

fn digest_of(connection: &Connection, benchmark: Id) -> DbResult<String> {
    let sql = "SELECT outputs FROM benchmark WHERE id = ?1";
    let outputs: Option<String> = first(connection, sql, params![benchmark], |row| row.get(0))?;
    let outputs = Outputs::from_canonical(outputs.unwrap_or_default());
    let outputs = outputs.map_err(|error| corrupt("benchmark", error))?;
    Ok(rules::output_digest(&outputs))
}

/// Assertions below that number, the newest first.
fn entries(
    connection: &Connection,
    benchmark: Id,
    before: i64,
    limit: i64,
) -> DbResult<Vec<Stored<AssertionEntry>>> {
    let sql = "SELECT n, uuid, timestamp, asserted FROM assertion
         WHERE benchmark = ?1 AND n < ?2 ORDER BY n DESC LIMIT ?3";
    all(connection, sql, params![benchmark, before, limit], |row| {
        Ok(Stored {
            id: row.get(0)?,
            object: AssertionEntry {
                assertion_uuid: uuid(row, 1)?,
                timestamp: find::time(row, 2)?,
                asserted: row.get(3)?,
            },
        })
    })
}

fn all<T>(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> DbResult<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params, read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
