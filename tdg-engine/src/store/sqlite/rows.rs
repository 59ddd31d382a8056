//! Finding or inserting rows. Both happen in one writing transaction, so no other process can come
//! in between.

use rusqlite::types::FromSql;
use rusqlite::{Connection, Row, ToSql, Transaction, params};

use super::Expected;
use super::error::StoreProblem;
use super::identifier;
use crate::ensemble::Ensemble;
use crate::output::digest;
pub(super) use crate::store::moment::now;
use crate::test_id::TestId;

/// The `id` of a row in any table.
pub(super) type RowId = i64;

/// The type of `params![…]`. Tuples would compile a copy of the functions below for each statement.
pub(super) type Params<'a> = &'a [&'a dyn ToSql];

/// Returns the first row of a query.
pub(super) fn first<T>(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
    read: impl FnOnce(&Row<'_>) -> Result<T, StoreProblem>,
) -> Result<Option<T>, StoreProblem> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query(params)?;
    rows.next()?.map(read).transpose()
}

/// Returns the rows of a query.
pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
    mut read: impl FnMut(&Row<'_>) -> Result<T, StoreProblem>,
) -> Result<Vec<T>, StoreProblem> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query(params)?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read(row)?);
    }
    Ok(all)
}

/// Returns the first value of the first row of a query.
pub(super) fn value<T: FromSql>(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
) -> Result<Option<T>, StoreProblem> {
    first(connection, sql, params, |row| Ok(row.get(0)?))
}

/// Returns true if a query returns a row.
pub(super) fn exists(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
) -> Result<bool, StoreProblem> {
    Ok(first(connection, sql, params, |_| Ok(()))?.is_some())
}

/// Runs a statement that writes.
pub(super) fn execute(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
) -> Result<usize, StoreProblem> {
    Ok(connection.prepare(sql)?.execute(params)?)
}

pub(super) fn insert(
    transaction: &Transaction<'_>,
    sql: &str,
    params: Params<'_>,
) -> Result<RowId, StoreProblem> {
    execute(transaction, sql, params)?;
    Ok(transaction.last_insert_rowid())
}

pub(super) fn project(transaction: &Transaction<'_>, name: &str) -> Result<RowId, StoreProblem> {
    let found = "SELECT id FROM project WHERE name = ?1 ORDER BY id";
    if let Some(id) = value(transaction, found, params![name])? {
        return Ok(id);
    }
    insert(
        transaction,
        "INSERT INTO project (uuid, name, added) VALUES (?1, ?2, ?3)",
        params![identifier::random(), name, now()],
    )
}

/// Inserts a test; [`find_test`] finds it.
pub(super) fn new_test(
    transaction: &Transaction<'_>,
    test: &TestId,
) -> Result<RowId, StoreProblem> {
    let project = project(transaction, &test.package)?;
    insert(
        transaction,
        "INSERT INTO test (project, source, name) VALUES (?1, ?2, ?3)",
        params![project, &test.source, &test.name],
    )
}

pub(super) fn find_test(
    connection: &Connection,
    test: &TestId,
) -> Result<Option<RowId>, StoreProblem> {
    let sql = "SELECT test.id FROM project JOIN test ON test.project = project.id
               WHERE project.name = ?1 AND test.source = ?2 AND test.name = ?3";
    let identity = params![&test.package, &test.source, &test.name];
    value(connection, sql, identity)
}

fn definition(
    transaction: &Transaction<'_>,
    project: RowId,
    text: &str,
) -> Result<RowId, StoreProblem> {
    let found = "SELECT id FROM definition WHERE project = ?1 AND text = ?2";
    if let Some(id) = value(transaction, found, params![project, text])? {
        return Ok(id);
    }
    insert(
        transaction,
        "INSERT INTO definition (uuid, project, added, text) VALUES (?1, ?2, ?3, ?4)",
        params![identifier::random(), project, now(), text],
    )
}

pub(super) fn ensemble(
    transaction: &Transaction<'_>,
    test: &TestId,
    ensemble: &Ensemble,
    vectors: Option<&str>,
) -> Result<RowId, StoreProblem> {
    let project = project(transaction, &test.package)?;
    let definition = definition(transaction, project, &ensemble.definition)?;
    let Ensemble { name, digest, .. } = ensemble;
    let found = "SELECT id FROM ensemble WHERE definition = ?1 AND seed = ?2 AND size = ?3
                 AND sampler_version = ?4 AND digest = ?5";
    let identity = params![
        definition,
        seed(ensemble),
        size(ensemble),
        ensemble.sampler_version,
        digest,
    ];
    if let Some(id) = value(transaction, found, identity)? {
        if vectors.is_some() {
            let fill = "UPDATE ensemble SET vectors = ?2 WHERE id = ?1 AND vectors IS NULL";
            execute(transaction, fill, params![id, vectors])?;
        }
        return Ok(id);
    }
    insert(
        transaction,
        "INSERT INTO ensemble
         (uuid, definition, name, size, seed, sampler_version, digest, added, vectors, drawn)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            identifier::random(),
            definition,
            name,
            size(ensemble),
            seed(ensemble),
            ensemble.sampler_version,
            digest,
            now(),
            vectors,
            ensemble.rows.is_none()
        ],
    )
}

/// Finds or inserts the benchmark with these outputs; returns true if it is new. An earlier one of
/// the test is reused with its history, as after switching branches.
pub(super) fn benchmark(
    transaction: &Transaction<'_>,
    identity: &TestId,
    test: RowId,
    expected: &Expected<'_>,
) -> Result<(RowId, bool), StoreProblem> {
    let ensemble = ensemble(transaction, identity, expected.ensemble, expected.vectors)?;
    if let Some(id) = find_benchmark(transaction, test, ensemble, expected.outputs)? {
        return Ok((id, false));
    }
    let id = insert(
        transaction,
        "INSERT INTO benchmark (uuid, ensemble, test, added, outputs)
         VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            identifier::random(),
            ensemble,
            test,
            now(),
            expected.outputs
        ],
    )?;
    Ok((id, true))
}

/// Finds the benchmark of a test with these outputs. An archived one gets its outputs back as text.
pub(super) fn find_benchmark(
    transaction: &Transaction<'_>,
    test: RowId,
    ensemble: RowId,
    outputs: &str,
) -> Result<Option<RowId>, StoreProblem> {
    let found = "SELECT id FROM benchmark WHERE test = ?1 AND ensemble = ?2 AND outputs = ?3
                 ORDER BY id DESC";
    if let Some(id) = value(transaction, found, params![test, ensemble, outputs])? {
        return Ok(Some(id));
    }
    let archived = "SELECT id FROM benchmark WHERE test = ?1 AND ensemble = ?2
                    AND typeof(outputs) = 'blob'";
    if !exists(transaction, archived, params![test, ensemble])? {
        return Ok(None);
    }
    let found = format!("{archived} AND digest = ?3 ORDER BY id DESC");
    let digest = digest(outputs);
    let id = value(transaction, &found, params![test, ensemble, digest])?;
    if id.is_some() {
        let restore = "UPDATE benchmark SET outputs = ?2 WHERE id = ?1";
        execute(transaction, restore, params![id, outputs])?;
    }
    Ok(id)
}

/// Returns the test's id, and inserts it if necessary.
pub(super) fn test(transaction: &Transaction<'_>, test: &TestId) -> Result<RowId, StoreProblem> {
    match find_test(transaction, test)? {
        Some(id) => Ok(id),
        None => new_test(transaction, test),
    }
}

/// Makes `benchmark` the current one of a test.
pub(super) fn point_to(
    transaction: &Transaction<'_>,
    test: RowId,
    benchmark: Option<RowId>,
) -> Result<(), StoreProblem> {
    let point = "UPDATE test SET benchmark = ?2 WHERE id = ?1";
    execute(transaction, point, params![test, benchmark]).map(drop)
}

/// Removes the pending change of a test, if any.
pub(super) fn remove_pending(
    transaction: &Transaction<'_>,
    test: RowId,
) -> Result<(), StoreProblem> {
    let remove = "DELETE FROM pending WHERE test = ?1";
    execute(transaction, remove, params![test]).map(drop)
}

/// Sets the policy for the benchmark of a test.
pub(super) fn keep_policy(
    transaction: &Transaction<'_>,
    test: RowId,
    policy: Option<&str>,
) -> Result<(), StoreProblem> {
    let keep = "UPDATE test SET policy = ?2 WHERE id = ?1";
    execute(transaction, keep, params![test, policy]).map(drop)
}

/// Returns the seed's 64 bits as a signed integer, since SQLite has no unsigned ones.
pub(super) fn seed(ensemble: &Ensemble) -> i64 {
    ensemble.seed.cast_signed()
}

pub(super) fn size(ensemble: &Ensemble) -> i64 {
    count(ensemble.size)
}

pub(super) fn count(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
