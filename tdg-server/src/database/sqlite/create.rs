//! Writing what the rules have found to be valid.

use rusqlite::{Connection, params};
use uuid::Uuid;

use super::error::DbResult;
use super::find;
use super::once::{self, Made};
use super::statement::uuid;
use super::statement::{self, Id, execute, first};
use crate::database::{Account, Judged};
use tdg_engine::Verdict;
use tdg_service::rules::Drawn;
use tdg_service::{
    AssertionEntry, Benchmark, Definition, Ensemble, Kind, NewBenchmark, NewDefinition, Once,
    Project, ServiceError,
};

/// A project of that name.
///
/// # Errors
///
/// [`Conflict`](ServiceError::Conflict), and when the database fails; so it is for all of them.
pub(super) fn project(
    connection: &Connection,
    account: Account,
    name: &str,
    once: Option<&Once>,
) -> DbResult<Project> {
    let find = |made: Made| find::project(connection, account, made.uuid);
    if let Some(project) = once::repeated(connection, account, once, find)? {
        return Ok(project);
    }
    let made = new(connection, account, once)?;
    execute(
        connection,
        "INSERT INTO project (uuid, name, added, account) VALUES (?1, ?2, ?3, ?4)",
        params![made.as_bytes(), name, statement::now(), account.0],
    )?;
    find::project(connection, account, made)
}

/// A definition in one of the account's projects.
pub(super) fn definition(
    connection: &Connection,
    account: Account,
    request: &NewDefinition,
    once: Option<&Once>,
) -> DbResult<Definition> {
    let find = |made: Made| find::definition(connection, account, made.uuid);
    if let Some(definition) = once::repeated(connection, account, once, find)? {
        return Ok(definition);
    }
    let made = new(connection, account, once)?;
    let now = statement::now();
    let project = request.project_uuid;
    let canonical = request.definition.to_value();
    let inserted = execute(
        connection,
        "INSERT INTO definition (uuid, project, added, text)
         SELECT ?1, id, ?2, ?3 FROM project WHERE uuid = ?4 AND account = ?5",
        params![
            made.as_bytes(),
            now,
            canonical.to_string(),
            project.as_bytes(),
            account.0
        ],
    )?;
    found(inserted, Kind::Project, project)?;
    // To look it up would be to read it again, while others wait to write.
    find::shown_definition(made, project, find::timestamp(now), canonical)
}

/// An ensemble that was drawn from a definition, and its rows as JSON where nothing else keeps them.
pub(super) fn ensemble(
    connection: &Connection,
    account: Account,
    definition: Uuid,
    (drawn, rows_json): (&Drawn, Option<&str>),
    once: Option<&Once>,
) -> DbResult<Ensemble> {
    let find = |made: Made| find::ensemble(connection, account, made.uuid);
    if let Some(ensemble) = once::repeated(connection, account, once, find)? {
        return Ok(ensemble);
    }
    let made = new(connection, account, once)?;
    let inserted = execute(
        connection,
        "INSERT INTO ensemble
         (uuid, definition, name, size, seed, sampler_version, digest, added, vectors)
         SELECT ?1, definition.id, ?2, ?3, ?4, ?5, ?6, ?7, ?8
         FROM definition JOIN project ON project.id = definition.project
         WHERE definition.uuid = ?9 AND project.account = ?10",
        params![
            made.as_bytes(),
            &drawn.ensemble_name,
            statement::count(drawn.size),
            drawn.seed.cast_signed(),
            drawn.sampler_version,
            &drawn.digest,
            statement::now(),
            rows_json,
            definition.as_bytes(),
            account.0
        ],
    )?;
    found(inserted, Kind::Definition, definition)?;
    find::ensemble(connection, account, made)
}

/// A benchmark of an ensemble, which has to be the definition's; `digest` is that of the outputs, which
/// were checked.
pub(super) fn benchmark(
    connection: &Connection,
    account: Account,
    (definition, ensemble): (Uuid, Uuid),
    request: &NewBenchmark,
    digest: &str,
    once: Option<&Once>,
) -> DbResult<Benchmark> {
    let find = |made: Made| find::benchmark(connection, account, made.uuid);
    if let Some(benchmark) = once::repeated(connection, account, once, find)? {
        return Ok(benchmark);
    }
    let (id, _) = find::ensemble_id(connection, account, definition, ensemble)?;
    let made = new(connection, account, once)?;
    let policy = request.policy.as_ref();
    execute(
        connection,
        "INSERT INTO benchmark (uuid, ensemble, added, digest, policy, outputs)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            made.as_bytes(),
            id,
            statement::now(),
            digest,
            policy.map(|policy| policy.to_json().to_string()),
            request.expected_output.as_json()
        ],
    )?;
    find::benchmark(connection, account, made)
}

/// An assertion at the end of a benchmark's history.
pub(super) fn assertion(
    connection: &Connection,
    account: Account,
    benchmark: Uuid,
    judged: Judged,
    once: Option<&Once>,
) -> DbResult<AssertionEntry> {
    let id = first(
        connection,
        "SELECT benchmark.id FROM benchmark JOIN ensemble ON ensemble.id = benchmark.ensemble
         JOIN definition ON definition.id = ensemble.definition
         JOIN project ON project.id = definition.project
         WHERE benchmark.uuid = ?1 AND project.account = ?2",
        params![benchmark.as_bytes(), account.0],
        |row| row.get(0),
    )?;
    let id: Id = id.ok_or(ServiceError::NotFound(Kind::Benchmark, benchmark))?;
    let find = |made: Made| assertion_numbered(connection, benchmark, id, &made);
    if let Some(entry) = once::repeated(connection, account, once, find)? {
        return Ok(entry);
    }
    let (n, last): (i64, i64) = connection
        .prepare_cached(LAST_ASSERTION)?
        .query_row([id], |row| Ok((row.get(1)?, row.get(2)?)))?;
    let verdict = match judged.changed {
        None => Verdict::Same,
        Some(_) => Verdict::Changed,
    };
    // A clock that was set back does not reorder a history.
    let timestamp = statement::now().max(last);
    let made = Made {
        uuid: timed(timestamp),
        n: Some(n + 1),
    };
    execute(
        connection,
        "INSERT INTO assertion (benchmark, n, uuid, timestamp, asserted, verdict, cases, changed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            id,
            made.n,
            made.uuid.as_bytes(),
            timestamp,
            judged.changed.is_none(),
            verdict.as_str(),
            statement::count(judged.size),
            statement::count(judged.changed.unwrap_or(0))
        ],
    )?;
    once::remember(connection, account, once, &made)?;
    Ok(AssertionEntry {
        assertion_uuid: made.uuid,
        timestamp: find::timestamp(timestamp),
        asserted: judged.changed.is_none(),
    })
}

fn assertion_numbered(
    connection: &Connection,
    benchmark: Uuid,
    id: Id,
    made: &Made,
) -> DbResult<AssertionEntry> {
    let found = first(
        connection,
        "SELECT uuid, timestamp, asserted FROM assertion
         WHERE benchmark = ?1 AND n = ?2 AND uuid = ?3",
        params![id, made.n, made.uuid.as_bytes()],
        |row| {
            Ok(AssertionEntry {
                assertion_uuid: uuid(row, 0)?,
                timestamp: find::time(row, 1)?,
                asserted: row.get(2)?,
            })
        },
    )?;
    Ok(found.ok_or(ServiceError::NotFound(Kind::Benchmark, benchmark))?)
}

/// The identifier of what is about to be made.
fn new(connection: &Connection, account: Account, once: Option<&Once>) -> DbResult<Uuid> {
    let uuid = Uuid::new_v4();
    once::remember(connection, account, once, &Made { uuid, n: None })?;
    Ok(uuid)
}

fn found(inserted: usize, parent: Kind, uuid: Uuid) -> DbResult<()> {
    match inserted {
        0 => Err(ServiceError::NotFound(parent, uuid).into()),
        _ => Ok(()),
    }
}

/// The number and time of the newest assertion of a benchmark, or zeros.
const LAST_ASSERTION: &str = "SELECT benchmark.uuid, ifnull(n, 0), ifnull(timestamp, 0)
     FROM benchmark LEFT JOIN assertion ON assertion.benchmark = benchmark.id
     WHERE benchmark.id = ?1 ORDER BY n DESC LIMIT 1";

/// In the order of time: version 7, of `milliseconds` since 1970 UTC.
fn timed(milliseconds: i64) -> Uuid {
    let [bits @ .., _, _, _, _, _, _] = *Uuid::new_v4().as_bytes();
    uuid::Builder::from_unix_timestamp_millis(milliseconds.unsigned_abs(), &bits).into_uuid()
}
