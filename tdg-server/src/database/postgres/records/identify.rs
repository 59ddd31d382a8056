//! Identities of objects that the interface's endpoints have created.

use deadpool_postgres::{Client, Transaction};
use tdg_service::Uuid;
use tdg_service::record::identity;

use super::super::error::PostgresResult;
use super::super::statement::{Param, all, execute, first, size};
use crate::database::Account;
use crate::database::records::IDENTIFIED;
use crate::database::tombstone::revive;

/// Definitions of the project `$2`.
const DEFINITIONS: &str = "SELECT uuid, text FROM definition
     WHERE account = $1 AND project = $2 AND identity IS NULL LIMIT $3";

/// Ensembles whose definitions have an identity.
const ENSEMBLES: &str = "SELECT ensemble.uuid, definition.identity, ensemble.seed, ensemble.size,
         ensemble.sampler_version
     FROM definition JOIN ensemble ON ensemble.account = definition.account
         AND ensemble.definition = definition.uuid
     WHERE definition.account = $1 AND definition.project = $2
         AND definition.identity IS NOT NULL AND ensemble.identity IS NULL LIMIT $3";

/// Benchmarks whose ensembles have one.
const BENCHMARKS: &str = "SELECT benchmark.uuid, ensemble.identity, benchmark.digest
     FROM definition JOIN ensemble ON ensemble.account = definition.account
         AND ensemble.definition = definition.uuid
     JOIN benchmark ON benchmark.account = ensemble.account
         AND benchmark.ensemble = ensemble.uuid
     WHERE definition.account = $1 AND definition.project = $2
         AND ensemble.identity IS NOT NULL AND benchmark.identity IS NULL LIMIT $3";

/// Whether objects of the project have no identity.
pub(super) async fn is_needed(
    client: &Client,
    account: Account,
    project: Uuid,
) -> PostgresResult<bool> {
    for sql in [DEFINITIONS, ENSEMBLES, BENCHMARKS] {
        if first(client, sql, &[&account.0, &project, &1_i64])
            .await?
            .is_some()
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Gives some of them one, the outermost first. Whether there may be more.
pub(super) async fn some(
    transaction: &Transaction<'_>,
    account: Account,
    project: Uuid,
) -> PostgresResult<bool> {
    let of_definitions = definitions(transaction, account, project).await?;
    let of_ensembles = ensembles(transaction, account, project).await?;
    let of_benchmarks = benchmarks(transaction, account, project).await?;
    Ok(of_definitions || of_ensembles || of_benchmarks)
}

async fn definitions(
    transaction: &Transaction<'_>,
    account: Account,
    project: Uuid,
) -> PostgresResult<bool> {
    let params: [Param<'_>; 3] = [&account.0, &project, &IDENTIFIED];
    let rows = all(transaction, DEFINITIONS, &params).await?;
    let identities = rows.iter().map(|row| {
        let text: &str = row.try_get(1)?;
        Ok((row.try_get(0)?, identity::definition(project, text)))
    });
    let identities = identities.collect::<PostgresResult<_>>()?;
    let sql = "UPDATE definition SET identity = given.identity
         FROM unnest($2::uuid[], $3::uuid[]) AS given (uuid, identity)
         WHERE definition.account = $1 AND definition.uuid = given.uuid";
    set(transaction, account, project, sql, identities).await
}

async fn ensembles(
    transaction: &Transaction<'_>,
    account: Account,
    project: Uuid,
) -> PostgresResult<bool> {
    let params: [Param<'_>; 3] = [&account.0, &project, &IDENTIFIED];
    let rows = all(transaction, ENSEMBLES, &params).await?;
    let identities = rows.iter().map(|row| {
        let seed = row.try_get::<_, i64>(2)?.cast_unsigned();
        let version = row.try_get::<_, i32>(4)?.cast_unsigned();
        let identity = identity::ensemble(row.try_get(1)?, seed, size(row, 3)?, version);
        Ok((row.try_get(0)?, identity))
    });
    let identities = identities.collect::<PostgresResult<_>>()?;
    let sql = "UPDATE ensemble SET identity = given.identity
         FROM unnest($2::uuid[], $3::uuid[]) AS given (uuid, identity)
         WHERE ensemble.account = $1 AND ensemble.uuid = given.uuid";
    set(transaction, account, project, sql, identities).await
}

async fn benchmarks(
    transaction: &Transaction<'_>,
    account: Account,
    project: Uuid,
) -> PostgresResult<bool> {
    let params: [Param<'_>; 3] = [&account.0, &project, &IDENTIFIED];
    let rows = all(transaction, BENCHMARKS, &params).await?;
    let identities = rows.iter().map(|row| {
        let identity = identity::benchmark(row.try_get(1)?, row.try_get(2)?);
        Ok((row.try_get(0)?, identity))
    });
    let identities = identities.collect::<PostgresResult<_>>()?;
    let sql = "UPDATE benchmark SET identity = given.identity
         FROM unnest($2::uuid[], $3::uuid[]) AS given (uuid, identity)
         WHERE benchmark.account = $1 AND benchmark.uuid = given.uuid";
    set(transaction, account, project, sql, identities).await
}

/// Whether there were any.
async fn set(
    transaction: &Transaction<'_>,
    account: Account,
    project: Uuid,
    sql: &str,
    identities: Vec<(Uuid, Uuid)>,
) -> PostgresResult<bool> {
    if identities.is_empty() {
        return Ok(false);
    }
    let (uuids, identities): (Vec<Uuid>, Vec<Uuid>) = identities.into_iter().unzip();
    execute(transaction, sql, &[&account.0, &uuids, &identities]).await?;
    revive(transaction.into(), account, project, &identities).await?;
    Ok(true)
}
