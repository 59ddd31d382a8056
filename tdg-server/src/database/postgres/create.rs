//! Writing what the rules have found to be valid.

use crate::database::Account;
use deadpool_postgres::{GenericClient, Transaction};
use tdg_service::rules::Drawn;
use tdg_service::{
    Benchmark, Definition, Ensemble, Kind, NewBenchmark, NewDefinition, Once, Project,
    ServiceError, Timestamp, Uuid,
};
use tokio::task::block_in_place;
use tokio_postgres::types::ToSql;

use super::failure::Outcome;
use super::{find, once, row};
use crate::packed_rows::PackedRows;

pub(super) async fn execute(
    client: &impl GenericClient,
    sql: &str,
    params: &[&(dyn ToSql + Sync)],
) -> Outcome<u64> {
    let statement = client.prepare_cached(sql).await?;
    Ok(client.execute(&statement, params).await?)
}

pub(super) async fn project(
    unit: &Transaction<'_>,
    account: Account,
    name: &str,
    once: Option<&Once>,
) -> Outcome<Project> {
    let new = Uuid::new_v4();
    let find = |uuid| find::project(unit, account, uuid);
    let make = async {
        let sql = "INSERT INTO project (uuid, account, added, name) VALUES ($1, $2, $3, $4)";
        let now = Timestamp::now().as_micros();
        execute(unit, sql, &[&new, &account.0, &now, &name]).await?;
        find(new).await
    };
    once::find_or_make(unit, account, once, find, (new, make)).await
}

pub(super) async fn definition(
    unit: &Transaction<'_>,
    account: Account,
    request: &NewDefinition,
    once: Option<&Once>,
) -> Outcome<Definition> {
    let new = Uuid::new_v4();
    let find = |uuid| find::definition(unit, account, uuid);
    let make = async {
        let sql = "INSERT INTO definition (uuid, project, account, added, text)
             SELECT $1, uuid, account, $2, $3 FROM project WHERE uuid = $4 AND account = $5";
        let (project, now) = (request.project_uuid, Timestamp::now());
        let (canonical, text) = block_in_place(|| {
            let canonical = request.definition.to_value();
            let text = canonical.to_string();
            (canonical, text)
        });
        let params: [&(dyn ToSql + Sync); 5] =
            [&new, &now.as_micros(), &text, &project, &account.0];
        let inserted = execute(unit, sql, &params).await?;
        found(inserted, Kind::Project, project)?;
        // To look it up would be to read it again.
        row::shown_definition(new, project, now, canonical)
    };
    once::find_or_make(unit, account, once, find, (new, make)).await
}

pub(super) async fn ensemble(
    unit: &Transaction<'_>,
    account: Account,
    definition: Uuid,
    (drawn, rows): (&Drawn, &PackedRows),
    once: Option<&Once>,
) -> Outcome<Ensemble> {
    let new = Uuid::new_v4();
    let find = |uuid| find::ensemble(unit, account, uuid);
    let make = async {
        let sql = "INSERT INTO ensemble
             (uuid, definition, account, added, name, size, seed, sampler_version, digest)
             SELECT $1, uuid, account, $2, $3, $4, $5, $6, $7 FROM definition
             WHERE uuid = $8 AND account = $9";
        let inserted = execute(
            unit,
            sql,
            &[
                &new,
                &Timestamp::now().as_micros(),
                &drawn.ensemble_name,
                &i32::try_from(drawn.size).unwrap_or(i32::MAX),
                &drawn.seed.cast_signed(),
                &drawn.sampler_version.cast_signed(),
                &drawn.digest,
                &definition,
                &account.0,
            ],
        )
        .await?;
        found(inserted, Kind::Definition, definition)?;
        let sql = "INSERT INTO packed_rows (ensemble, gzip) VALUES ($1, $2)";
        let gzip: &[u8] = rows.gzip();
        execute(unit, sql, &[&new, &gzip]).await?;
        find(new).await
    };
    once::find_or_make(unit, account, once, find, (new, make)).await
}

pub(super) async fn benchmark(
    unit: &Transaction<'_>,
    account: Account,
    (definition, ensemble): (Uuid, Uuid),
    (request, digest): (&NewBenchmark, &str),
    once: Option<&Once>,
) -> Outcome<Benchmark> {
    let new = Uuid::new_v4();
    let find = |uuid| find::benchmark(unit, account, uuid);
    let make = async {
        let sql = "INSERT INTO benchmark
             (uuid, ensemble, definition, account, added, digest, policy, outputs)
             SELECT $1, uuid, definition, account, $2, $3, $4, $5 FROM ensemble
             WHERE uuid = $6 AND definition = $7 AND account = $8";
        let policy = request
            .policy
            .as_ref()
            .map(|policy| policy.to_json().to_string());
        let inserted = execute(
            unit,
            sql,
            &[
                &new,
                &Timestamp::now().as_micros(),
                &digest,
                &policy,
                &request.expected_output.as_json(),
                &ensemble,
                &definition,
                &account.0,
            ],
        )
        .await?;
        found(inserted, Kind::Ensemble, ensemble)?;
        find(new).await
    };
    once::find_or_make(unit, account, once, find, (new, make)).await
}

fn found(inserted: u64, parent: Kind, uuid: Uuid) -> Result<(), ServiceError> {
    if inserted == 0 {
        Err(ServiceError::NotFound(parent, uuid))
    } else {
        Ok(())
    }
}
