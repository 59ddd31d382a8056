//! Writing what the rules have found to be valid.

use rusqlite::{Connection, params};
use uuid::Uuid;

use super::{
    Account, Outcome, find,
    once::{self, Made},
    uuid,
};
use crate::{
    service::{
        AssertionEntry, Benchmark, Definition, Ensemble, Kind, NewBenchmark, NewDefinition, Once,
        Project, ServiceError, rules::Drawn,
    },
    store::{
        commit::LAST_ASSERTION,
        identifier,
        rows::{self, Id, execute, first},
    },
    verdict::Verdict,
};

/// A project of that name.
///
/// # Errors
///
/// [`Conflict`](ServiceError::Conflict), and when the database fails; so it is for all of them.
pub fn project(
    connection: &Connection,
    account: Account,
    name: &str,
    once: Option<&Once>,
) -> Outcome<Project> {
    let find = |made: Made| find::project(connection, account, made.uuid);
    if let Some(project) = once::repeated(connection, account, once, find)? {
        return Ok(project);
    }
    let made = new(connection, account, once)?;
    execute(
        connection,
        "INSERT INTO project (uuid, name, added, account) VALUES (?1, ?2, ?3, ?4)",
        params![made.as_bytes(), name, rows::now(), account.0],
    )?;
    find::project(connection, account, made)
}

/// A definition in one of the account's projects.
pub fn definition(
    connection: &Connection,
    account: Account,
    request: &NewDefinition,
    once: Option<&Once>,
) -> Outcome<Definition> {
    let find = |made: Made| find::definition(connection, account, made.uuid);
    if let Some(definition) = once::repeated(connection, account, once, find)? {
        return Ok(definition);
    }
    let made = new(connection, account, once)?;
    let now = rows::now();
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
pub fn ensemble(
    connection: &Connection,
    account: Account,
    definition: Uuid,
    (drawn, rows_json): (&Drawn, Option<&str>),
    once: Option<&Once>,
) -> Outcome<Ensemble> {
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
            rows::count(drawn.size),
            drawn.seed.cast_signed(),
            drawn.sampler_version,
            &drawn.digest,
            rows::now(),
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
pub fn benchmark(
    connection: &Connection,
    account: Account,
    (definition, ensemble): (Uuid, Uuid),
    request: &NewBenchmark,
    digest: &str,
    once: Option<&Once>,
) -> Outcome<Benchmark> {
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
            rows::now(),
            digest,
            policy.map(|policy| policy.to_json().to_string()),
            request.expected_output.as_json()
        ],
    )?;
    find::benchmark(connection, account, made)
}

/// What a comparison came to.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// The number of rows.
    pub size: usize,
    /// How many of them differ; none if the outputs are as expected.
    pub changed: Option<usize>,
}

/// An assertion at the end of a benchmark's history.
pub fn assertion(
    connection: &Connection,
    account: Account,
    benchmark: Uuid,
    judged: Judged,
    once: Option<&Once>,
) -> Outcome<AssertionEntry> {
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
    let (n, last): (i64, i64) = rows::prepare(connection, LAST_ASSERTION)?
        .query_row([id], |row| Ok((row.get(1)?, row.get(2)?)))?;
    let verdict = match judged.changed {
        None => Verdict::Same,
        Some(_) => Verdict::Changed,
    };
    // A clock that was set back does not reorder a history.
    let timestamp = rows::now().max(last);
    let made = Made {
        uuid: identifier::timed(connection, timestamp)?,
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
            verdict.word(),
            rows::count(judged.size),
            rows::count(judged.changed.unwrap_or(0))
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
) -> Outcome<AssertionEntry> {
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
fn new(connection: &Connection, account: Account, once: Option<&Once>) -> Outcome<Uuid> {
    let uuid = identifier::random(connection)?;
    once::remember(connection, account, once, &Made { uuid, n: None })?;
    Ok(uuid)
}

fn found(inserted: usize, parent: Kind, uuid: Uuid) -> Outcome<()> {
    match inserted {
        0 => Err(ServiceError::NotFound(parent, uuid).into()),
        _ => Ok(()),
    }
}
