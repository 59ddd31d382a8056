//! Looking something up: one query by account and identifier each, so that what belongs to somebody else
//! is as unknown as what there never was.

use rusqlite::{Connection, Row, params};
use tdg_definition::Definition;
use tdg_definition::json::Value;
use uuid::Uuid;

use super::error::DbResult;
use super::error::Problem;
use super::list;
use super::statement::uuid;
use super::statement::{Id, first};
use crate::database::Account;
use crate::database::Expected;
use tdg_definition::Policy;
use tdg_engine::output::Outputs;
use tdg_service::{self as service, Benchmark, Ensemble, Kind, Project, ServiceError, Timestamp};

/// A project with its definitions.
///
/// # Errors
///
/// [`NotFound`](ServiceError::NotFound), and when the database fails; so it is for all of them.
pub(super) fn project(
    connection: &Connection,
    account: Account,
    project: Uuid,
) -> DbResult<Project> {
    let sql = "SELECT id, uuid, added, name FROM project WHERE uuid = ?1 AND account = ?2";
    let found = by_uuid(connection, sql, project, account, project_of)?;
    list::fill_project(
        connection,
        found.ok_or(ServiceError::NotFound(Kind::Project, project))?,
    )
}

/// A definition with its features and ensembles.
pub(super) fn definition(
    connection: &Connection,
    account: Account,
    definition: Uuid,
) -> DbResult<service::Definition> {
    let sql =
        "SELECT definition.id, definition.uuid, definition.added, project.uuid, definition.text
         FROM definition JOIN project ON project.id = definition.project
         WHERE definition.uuid = ?1 AND project.account = ?2";
    let found = by_uuid(connection, sql, definition, account, definition_of)?;
    let missing = ServiceError::NotFound(Kind::Definition, definition);
    list::fill_definition(connection, found.ok_or(missing)?)
}

/// A definition as text, for [`rules::stored_definition`](service::rules::stored_definition).
pub(super) fn definition_text(
    connection: &Connection,
    account: Account,
    definition: Uuid,
) -> DbResult<String> {
    let sql = "SELECT definition.text
         FROM definition JOIN project ON project.id = definition.project
         WHERE definition.uuid = ?1 AND project.account = ?2";
    let found = by_uuid(connection, sql, definition, account, |row| row.get(0))?;
    Ok(found.ok_or(ServiceError::NotFound(Kind::Definition, definition))?)
}

/// The ensemble with that identifier, of that account, for which `$so` holds besides.
macro_rules! ensembles {
    ($so:literal) => {
        concat!(
            "SELECT ensemble.id, ensemble.uuid, ensemble.added, definition.uuid,
                 ensemble.name, ensemble.size, ensemble.seed, ensemble.sampler_version, ensemble.digest
             FROM ensemble JOIN definition ON definition.id = ensemble.definition
             JOIN project ON project.id = definition.project
             WHERE ensemble.uuid = ?1 AND project.account = ?2",
            $so
        )
    };
}

/// An ensemble with its benchmarks.
pub(super) fn ensemble(
    connection: &Connection,
    account: Account,
    ensemble: Uuid,
) -> DbResult<Ensemble> {
    let found = by_uuid(connection, ensembles!(""), ensemble, account, ensemble_of)?;
    let missing = ServiceError::NotFound(Kind::Ensemble, ensemble);
    list::fill_ensemble(connection, found.ok_or(missing)?)
}

/// An ensemble that has no benchmarks, by a single statement; nothing if it has some, or if it isn't there.
pub(super) fn ensemble_without_benchmarks(
    connection: &Connection,
    account: Account,
    ensemble: Uuid,
) -> DbResult<Option<Ensemble>> {
    let sql = ensembles!(
        " AND NOT EXISTS (SELECT 1 FROM benchmark WHERE benchmark.ensemble = ensemble.id)"
    );
    let found = by_uuid(connection, sql, ensemble, account, ensemble_of)?;
    Ok(found.map(|found| found.object))
}

/// The rows of an ensemble as JSON. Those that a test run has left in its snapshot file are drawn again.
pub(super) fn vectors(
    connection: &Connection,
    account: Account,
    ensemble: Uuid,
) -> DbResult<String> {
    let sql =
        "SELECT ensemble.vectors, ensemble.seed, ensemble.size, ensemble.digest, definition.text
         FROM ensemble JOIN definition ON definition.id = ensemble.definition
         JOIN project ON project.id = definition.project
         WHERE ensemble.uuid = ?1 AND project.account = ?2";
    let found = by_uuid(connection, sql, ensemble, account, |row| {
        Ok(match row.get(0)? {
            Some(vectors) => Ok(vectors),
            None => Err(Undrawn {
                seed: row.get::<_, i64>(1)?.cast_unsigned(),
                size: size(row, 2)?,
                digest: row.get(3)?,
                definition: row.get(4)?,
            }),
        })
    })?;
    match found.ok_or(ServiceError::NotFound(Kind::Ensemble, ensemble))? {
        Ok(vectors) => Ok(vectors),
        Err(undrawn) => undrawn.draw(),
    }
}

/// Rows that were not stored.
struct Undrawn {
    seed: u64,
    size: usize,
    digest: String,
    definition: String,
}

impl Undrawn {
    fn draw(self) -> DbResult<String> {
        let definition = parse_definition(&self.definition)?;
        let vectors = tdg_engine::Vectors::generate(&definition, self.seed, self.size);
        if vectors.digest() == self.digest {
            return Ok(vectors.to_json());
        }
        let gone =
            "the rows of this ensemble are in a test's snapshot file and can't be drawn again";
        Err(ServiceError::Unexpected(gone.to_owned()).into())
    }
}

/// The size of an ensemble, which has to be the definition's: what outputs are checked against.
pub(super) fn ensemble_size(
    connection: &Connection,
    account: Account,
    definition: Uuid,
    ensemble: Uuid,
) -> DbResult<usize> {
    ensemble_id(connection, account, definition, ensemble).map(|(_, size)| size)
}

pub(super) fn ensemble_id(
    connection: &Connection,
    account: Account,
    definition: Uuid,
    ensemble: Uuid,
) -> DbResult<(Id, usize)> {
    let found = first(
        connection,
        "SELECT ensemble.id, ensemble.size
         FROM ensemble JOIN definition ON definition.id = ensemble.definition
         JOIN project ON project.id = definition.project
         WHERE ensemble.uuid = ?1 AND definition.uuid = ?2 AND project.account = ?3",
        params![ensemble.as_bytes(), definition.as_bytes(), account.0],
        |row| Ok((row.get(0)?, size(row, 1)?)),
    )?;
    Ok(found.ok_or(ServiceError::NotFound(Kind::Ensemble, ensemble))?)
}

/// A benchmark with its history.
pub(super) fn benchmark(
    connection: &Connection,
    account: Account,
    benchmark: Uuid,
) -> DbResult<Benchmark> {
    let sql = "SELECT benchmark.id, benchmark.uuid, benchmark.added, ensemble.uuid,
         definition.uuid, benchmark.policy, benchmark.digest
     FROM benchmark JOIN ensemble ON ensemble.id = benchmark.ensemble
     JOIN definition ON definition.id = ensemble.definition
     JOIN project ON project.id = definition.project
     WHERE benchmark.uuid = ?1 AND project.account = ?2";
    let found = by_uuid(connection, sql, benchmark, account, benchmark_of)?;
    let missing = ServiceError::NotFound(Kind::Benchmark, benchmark);
    list::fill_benchmark(connection, found.ok_or(missing)?, Benchmark::HISTORY)
}

/// The newest assertion of a benchmark, if it has one.
pub(super) fn newest_assertion(
    connection: &Connection,
    account: Account,
    benchmark: Uuid,
) -> DbResult<Option<Uuid>> {
    let sql = "SELECT (
             SELECT assertion.uuid FROM assertion
             WHERE assertion.benchmark = benchmark.id ORDER BY n DESC LIMIT 1
         ) FROM benchmark JOIN ensemble ON ensemble.id = benchmark.ensemble
         JOIN definition ON definition.id = ensemble.definition
         JOIN project ON project.id = definition.project
         WHERE benchmark.uuid = ?1 AND project.account = ?2";
    let found = by_uuid(connection, sql, benchmark, account, |row| row.get(0))?;
    let newest: Option<[u8; 16]> =
        found.ok_or(ServiceError::NotFound(Kind::Benchmark, benchmark))?;
    Ok(newest.map(Uuid::from_bytes))
}

/// What identifies the outputs that a benchmark expects.
pub(super) fn output_digest(
    connection: &Connection,
    account: Account,
    benchmark: Uuid,
) -> DbResult<String> {
    let sql = "SELECT benchmark.digest
         FROM benchmark JOIN ensemble ON ensemble.id = benchmark.ensemble
         JOIN definition ON definition.id = ensemble.definition
         JOIN project ON project.id = definition.project
         WHERE benchmark.uuid = ?1 AND project.account = ?2";
    let found = by_uuid(connection, sql, benchmark, account, |row| row.get(0))?;
    Ok(found.ok_or(ServiceError::NotFound(Kind::Benchmark, benchmark))?)
}

/// What a benchmark expects.
pub(super) fn expected(
    connection: &Connection,
    account: Account,
    benchmark: Uuid,
) -> DbResult<Expected> {
    let sql =
        "SELECT ensemble.uuid, definition.uuid, ensemble.size, benchmark.policy, benchmark.outputs
         FROM benchmark JOIN ensemble ON ensemble.id = benchmark.ensemble
         JOIN definition ON definition.id = ensemble.definition
         JOIN project ON project.id = definition.project
         WHERE benchmark.uuid = ?1 AND project.account = ?2";
    let found = by_uuid(connection, sql, benchmark, account, |row| {
        let (policy, outputs): (Option<String>, String) = (row.get(3)?, row.get(4)?);
        Ok((uuid(row, 0)?, uuid(row, 1)?, size(row, 2)?, policy, outputs))
    })?;
    let missing = ServiceError::NotFound(Kind::Benchmark, benchmark);
    let (ensemble_uuid, definition_uuid, size, policy, outputs) = found.ok_or(missing)?;
    Ok(Expected {
        ensemble_uuid,
        definition_uuid,
        size,
        policy: parse_policy(policy)?,
        outputs: Outputs::from_canonical(outputs).map_err(|error| corrupt("outputs", error))?,
    })
}

fn by_uuid<T>(
    connection: &Connection,
    sql: &str,
    uuid: Uuid,
    account: Account,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, Problem> {
    first(connection, sql, params![uuid.as_bytes(), account.0], read)
}

/// A row, and the number by which its children name it.
pub(super) struct Stored<T> {
    pub(super) id: Id,
    pub(super) object: T,
}

pub(super) fn project_of(row: &Row<'_>) -> rusqlite::Result<Stored<Project>> {
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

/// A definition before its text is read.
pub(super) struct DefinitionRow {
    pub(super) definition_uuid: Uuid,
    pub(super) added: Timestamp,
    pub(super) project_uuid: Uuid,
    pub(super) text: String,
}

pub(super) fn definition_of(row: &Row<'_>) -> rusqlite::Result<Stored<DefinitionRow>> {
    Ok(Stored {
        id: row.get(0)?,
        object: DefinitionRow {
            definition_uuid: uuid(row, 1)?,
            added: time(row, 2)?,
            project_uuid: uuid(row, 3)?,
            text: row.get(4)?,
        },
    })
}

/// A definition without its ensembles.
pub(super) fn shown_definition(
    definition_uuid: Uuid,
    project_uuid: Uuid,
    added: Timestamp,
    canonical: Value,
) -> DbResult<service::Definition> {
    let definition = service::Definition::new(definition_uuid, project_uuid, added, canonical);
    Ok(definition.map_err(|error| corrupt("definition", error))?)
}

pub(super) fn ensemble_of(row: &Row<'_>) -> rusqlite::Result<Stored<Ensemble>> {
    Ok(Stored {
        id: row.get(0)?,
        object: Ensemble {
            ensemble_uuid: uuid(row, 1)?,
            added: time(row, 2)?,
            definition_uuid: uuid(row, 3)?,
            ensemble_name: row.get(4)?,
            size: size(row, 5)?,
            seed: row.get::<_, i64>(6)?.cast_unsigned(),
            sampler_version: row.get(7)?,
            digest: row.get(8)?,
            benchmarks: Vec::new(),
        },
    })
}

/// A benchmark before its policy is read.
pub(super) struct BenchmarkRow {
    pub(super) benchmark: Benchmark,
    pub(super) policy: Option<String>,
    /// Null where a test run has made it.
    pub(super) digest: Option<String>,
}

pub(super) fn benchmark_of(row: &Row<'_>) -> rusqlite::Result<Stored<BenchmarkRow>> {
    Ok(Stored {
        id: row.get(0)?,
        object: BenchmarkRow {
            benchmark: Benchmark {
                benchmark_uuid: uuid(row, 1)?,
                added: time(row, 2)?,
                ensemble_uuid: uuid(row, 3)?,
                definition_uuid: uuid(row, 4)?,
                digest: String::new(),
                policy: None,
                history: Vec::new(),
            },
            policy: row.get(5)?,
            digest: row.get(6)?,
        },
    })
}

pub(super) fn parse_policy(text: Option<String>) -> DbResult<Option<Policy>> {
    let policy = text.map(|text| Policy::parse(&text)).transpose();
    Ok(policy.map_err(|faults| corrupt("policy", faults))?)
}

fn parse_definition(text: &str) -> DbResult<Definition> {
    Ok(Definition::parse_recorded(text).map_err(|faults| corrupt("definition", faults))?)
}

pub(super) fn corrupt(what: &str, error: impl std::fmt::Display) -> Problem {
    Problem::Corrupt(format!("a {what} can't be read: {error}"))
}

pub(super) fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    Ok(timestamp(row.get(column)?))
}

/// The store counts milliseconds.
pub(super) fn timestamp(millis: i64) -> Timestamp {
    Timestamp::from_micros(millis.saturating_mul(1000))
}

fn size(row: &Row<'_>, column: usize) -> rusqlite::Result<usize> {
    Ok(usize::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
}
