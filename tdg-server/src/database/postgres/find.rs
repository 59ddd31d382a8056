//! Looking something up.

use crate::database::Account;
use crate::database::Expected;
use deadpool_postgres::{Client, GenericClient, Transaction};
use tdg_service::{Benchmark, Definition, Ensemble, Kind, Project, Result, ServiceError, Uuid};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::failure::Outcome;
use super::tree::{self, benchmarks_of, ensembles_of};
use super::{list, row};
use crate::database::Shown;
use crate::packed_rows::PackedRows;

/// The one row of a query, if there is one.
pub(super) async fn first(
    client: &impl GenericClient,
    sql: &str,
    params: &[&(dyn ToSql + Sync)],
) -> Outcome<Option<Row>> {
    let statement = client.prepare_cached(sql).await?;
    Ok(client.query_opt(&statement, params).await?)
}

/// All rows of a query.
pub(super) async fn all(
    client: &impl GenericClient,
    sql: &str,
    params: &[&(dyn ToSql + Sync)],
) -> Outcome<Vec<Row>> {
    let statement = client.prepare_cached(sql).await?;
    Ok(client.query(&statement, params).await?)
}

pub(super) fn missing<T>(found: Option<T>, kind: Kind, uuid: Uuid) -> Result<T> {
    found.ok_or(ServiceError::NotFound(kind, uuid))
}

pub(super) async fn ready(client: &Client) -> Outcome<()> {
    first(client, "SELECT 1 FROM project LIMIT 1", &[])
        .await
        .map(|_| ())
}

pub(super) async fn project(
    view: &Transaction<'_>,
    account: Account,
    project: Uuid,
) -> Outcome<Project> {
    let sql = "SELECT uuid, added, name FROM project WHERE uuid = $1 AND account = $2";
    let found = first(view, sql, &[&project, &account.0]).await?;
    let row = missing(found, Kind::Project, project)?;
    let mut projects = list::with_definitions(view, &[row]).await?;
    Ok(missing(projects.pop(), Kind::Project, project)?)
}

pub(super) async fn definition(
    view: &Transaction<'_>,
    account: Account,
    definition: Uuid,
) -> Outcome<Definition> {
    let sql = "SELECT uuid, added, project, text FROM definition WHERE uuid = $1 AND account = $2";
    let found = first(view, sql, &[&definition, &account.0]).await?;
    let row = missing(found, Kind::Definition, definition)?;
    let mut definitions = list::with_ensembles(view, &[row]).await?;
    Ok(missing(definitions.pop(), Kind::Definition, definition)?)
}

pub(super) async fn definition_text(
    client: &Client,
    account: Account,
    definition: Uuid,
) -> Outcome<String> {
    let sql = "SELECT text FROM definition WHERE uuid = $1 AND account = $2";
    let found = first(client, sql, &[&definition, &account.0]).await?;
    Ok(missing(found, Kind::Definition, definition)?.try_get(0)?)
}

pub(super) async fn ensemble(
    client: &impl GenericClient,
    account: Account,
    ensemble: Uuid,
) -> Outcome<Ensemble> {
    let sql = ensembles_of!("SELECT * FROM ensemble WHERE uuid = $3 AND account = $4");
    let (history, benchmarks) = tree::WITHIN;
    let rows = all(client, sql, &[&history, &benchmarks, &ensemble, &account.0]).await?;
    Ok(missing(
        tree::ensembles(&rows)?.pop(),
        Kind::Ensemble,
        ensemble,
    )?)
}

pub(super) async fn digest(client: &Client, account: Account, ensemble: Uuid) -> Outcome<String> {
    let sql = "SELECT digest FROM ensemble WHERE uuid = $1 AND account = $2";
    let found = first(client, sql, &[&ensemble, &account.0]).await?;
    Ok(missing(found, Kind::Ensemble, ensemble)?.try_get(0)?)
}

pub(super) async fn output_digest(
    client: &Client,
    account: Account,
    benchmark: Uuid,
) -> Outcome<String> {
    let sql = "SELECT digest FROM benchmark WHERE uuid = $1 AND account = $2";
    let found = first(client, sql, &[&benchmark, &account.0]).await?;
    Ok(missing(found, Kind::Benchmark, benchmark)?.try_get(0)?)
}

pub(super) async fn rows(client: &Client, account: Account, ensemble: Uuid) -> Outcome<PackedRows> {
    let sql = "SELECT gzip FROM packed_rows JOIN ensemble ON ensemble.uuid = packed_rows.ensemble
         WHERE ensemble.uuid = $1 AND ensemble.account = $2";
    let found = first(client, sql, &[&ensemble, &account.0]).await?;
    let gzip = missing(found, Kind::Ensemble, ensemble)?.try_get(0)?;
    Ok(PackedRows::from_gzip(gzip))
}

pub(super) async fn ensemble_size(
    client: &impl GenericClient,
    account: Account,
    (definition, ensemble): (Uuid, Uuid),
) -> Outcome<usize> {
    let sql = "SELECT size FROM ensemble WHERE uuid = $1 AND definition = $2 AND account = $3";
    let found = first(client, sql, &[&ensemble, &definition, &account.0]).await?;
    row::size(&missing(found, Kind::Ensemble, ensemble)?, 0)
}

pub(super) async fn benchmark(
    client: &impl GenericClient,
    account: Account,
    benchmark: Uuid,
) -> Outcome<Benchmark> {
    let sql = benchmarks_of!("SELECT * FROM benchmark WHERE uuid = $2 AND account = $3");
    let history = Benchmark::HISTORY as i64;
    let found = first(client, sql, &[&history, &benchmark, &account.0]).await?;
    tree::benchmark(&missing(found, Kind::Benchmark, benchmark)?, 0)
}

/// Servers number assertions by their clocks, and one that was numbered earlier may be seen later: it need
/// not be the newest. But it is one more.
pub(super) async fn still_shows(
    client: &Client,
    account: Account,
    benchmark: Uuid,
    shown: &Shown,
) -> Outcome<bool> {
    let sql = "SELECT (
             SELECT count(*) FROM (
                 SELECT 1 FROM assertion
                 WHERE assertion.benchmark = benchmark.uuid AND assertion.uuid >= $3 LIMIT $4
             ) AS found
         ) FROM benchmark WHERE uuid = $1 AND account = $2";
    let count = shown.count as i64;
    let params: [&(dyn ToSql + Sync); 4] = [&benchmark, &account.0, &shown.from, &(count + 1)];
    let found = first(client, sql, &params).await?;
    let found: i64 = missing(found, Kind::Benchmark, benchmark)?.try_get(0)?;
    Ok(found == count)
}

pub(super) async fn expected(
    client: &Client,
    account: Account,
    benchmark: Uuid,
) -> Outcome<Expected> {
    let sql = "SELECT ensemble.uuid, ensemble.definition, ensemble.size, benchmark.policy, benchmark.outputs
         FROM benchmark JOIN ensemble ON ensemble.uuid = benchmark.ensemble
         WHERE benchmark.uuid = $1 AND benchmark.account = $2";
    let found = first(client, sql, &[&benchmark, &account.0]).await?;
    let row = missing(found, Kind::Benchmark, benchmark)?;
    Ok(Expected {
        ensemble_uuid: row.try_get(0)?,
        definition_uuid: row.try_get(1)?,
        size: row::size(&row, 2)?,
        policy: row::policy(row.try_get(3)?)?,
        outputs: row::outputs(row.try_get(4)?)?,
    })
}
