//! Deleting something, and with it all that belongs to it.

use crate::database::Account;
use deadpool_postgres::Transaction;
use tdg_service::{Kind, ServiceError, Uuid};

use super::failure::Outcome;

pub(super) async fn project(
    unit: &Transaction<'_>,
    account: Account,
    project: Uuid,
) -> Outcome<()> {
    let assertions = "DELETE FROM assertion WHERE benchmark IN (
             SELECT benchmark.uuid FROM benchmark JOIN ensemble ON ensemble.uuid = benchmark.ensemble
             JOIN definition ON definition.uuid = ensemble.definition
             WHERE definition.project = $1 AND definition.account = $2)";
    let itself = "DELETE FROM project WHERE uuid = $1 AND account = $2";
    remove(
        unit,
        account,
        (assertions, itself),
        (Kind::Project, project),
    )
    .await
}

pub(super) async fn definition(
    unit: &Transaction<'_>,
    account: Account,
    definition: Uuid,
) -> Outcome<()> {
    let assertions = "DELETE FROM assertion WHERE benchmark IN (
             SELECT benchmark.uuid FROM benchmark JOIN ensemble ON ensemble.uuid = benchmark.ensemble
             WHERE ensemble.definition = $1 AND ensemble.account = $2)";
    let itself = "DELETE FROM definition WHERE uuid = $1 AND account = $2";
    remove(
        unit,
        account,
        (assertions, itself),
        (Kind::Definition, definition),
    )
    .await
}

pub(super) async fn ensemble(
    unit: &Transaction<'_>,
    account: Account,
    ensemble: Uuid,
) -> Outcome<()> {
    let assertions = "DELETE FROM assertion WHERE benchmark IN (
             SELECT uuid FROM benchmark WHERE ensemble = $1 AND account = $2)";
    let itself = "DELETE FROM ensemble WHERE uuid = $1 AND account = $2";
    remove(
        unit,
        account,
        (assertions, itself),
        (Kind::Ensemble, ensemble),
    )
    .await
}

pub(super) async fn benchmark(
    unit: &Transaction<'_>,
    account: Account,
    benchmark: Uuid,
) -> Outcome<()> {
    let assertions = "DELETE FROM assertion WHERE benchmark IN (
             SELECT uuid FROM benchmark WHERE uuid = $1 AND account = $2)";
    let itself = "DELETE FROM benchmark WHERE uuid = $1 AND account = $2";
    remove(
        unit,
        account,
        (assertions, itself),
        (Kind::Benchmark, benchmark),
    )
    .await
}

/// Assertions first: the database does the rest with what they belong to.
async fn remove(
    unit: &Transaction<'_>,
    account: Account,
    (assertions, itself): (&str, &str),
    (kind, uuid): (Kind, Uuid),
) -> Outcome<()> {
    let mut removed = 0;
    for sql in [assertions, itself] {
        let statement = unit.prepare_cached(sql).await?;
        removed = unit.execute(&statement, &[&uuid, &account.0]).await?;
    }
    if removed == 0 {
        Err(ServiceError::NotFound(kind, uuid).into())
    } else {
        Ok(())
    }
}
