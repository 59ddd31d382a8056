//! Ensembles and their rows.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use tdg_service::rules::DrawnEnsemble;
use tdg_service::{
    Ensemble, IdempotentRequest, List, ObjectKind, ObjectPart, Page, Result, Timestamp, Uuid,
};
use tokio_postgres::Row;

use super::ahead::{Ahead, rows_within};
use super::benchmarks::ensemble_size;
use super::error::PostgresResult;
use super::statement::{Param, all, execute, first, require, require_written, size, time};
use super::{Postgres, benchmarks};
use crate::database::deletion::delete;
use crate::database::idempotency::find_or_make;
use crate::database::page::{self, PageRange, Reading, bytes};
use crate::database::{Account, Ensembles, Made};
use crate::packed_rows::PackedRows;

#[async_trait]
impl Ensembles for Postgres {
    async fn ensembles(
        &self,
        account: Account,
        definition: Uuid,
        page: Page,
    ) -> Result<List<Ensemble>> {
        let args = (account, definition, PageRange::of(&page)?);
        self.pool
            .of(account)
            .await?
            .read_transaction(args, |transaction, (account, definition, range)| {
                Box::pin(async move {
                    let parent = "SELECT 1 FROM definition WHERE account = $1 AND uuid = $2";
                    let found = first(transaction, parent, &[&account.0, definition]).await?;
                    require(found, ObjectKind::Definition, *definition)?;
                    let mut ahead = Ahead::new();
                    let reading = read(transaction, *account, *definition, range, &mut ahead);
                    Ok(reading.await?.list())
                })
            })
            .await
    }

    async fn ensemble(
        &self,
        account: Account,
        ensemble: Uuid,
        page: Page,
    ) -> Result<ObjectPart<Ensemble>> {
        let args = (account, ensemble, PageRange::within(&page)?);
        self.pool
            .of(account)
            .await?
            .query(args, |client, (account, ensemble, range)| {
                Box::pin(find(client, *account, *ensemble, range))
            })
            .await
    }

    async fn ensemble_size(&self, account: Account, parents: (Uuid, Uuid)) -> Result<usize> {
        self.pool
            .shared_query((account, parents), |client, (account, parents)| {
                Box::pin(ensemble_size(client, *account, *parents))
            })
            .await
    }

    async fn ensemble_digest(&self, account: Account, ensemble: Uuid) -> Result<String> {
        self.pool
            .shared_query((account, ensemble), |client, (account, ensemble)| {
                Box::pin(async move {
                    let sql = "SELECT digest FROM ensemble WHERE account = $1 AND uuid = $2";
                    let found = first(client, sql, &[&account.0, ensemble]).await?;
                    Ok(require(found, ObjectKind::Ensemble, *ensemble)?.try_get(0)?)
                })
            })
            .await
    }

    async fn rows(&self, account: Account, ensemble: Uuid) -> Result<PackedRows> {
        let sql = "SELECT gzip FROM packed_rows WHERE account = $1 AND ensemble = $2";
        if let Some(gzip) = self.on_replica(sql, account, ensemble).await {
            self.ensemble_digest(account, ensemble).await?;
            return Ok(PackedRows::from_gzip(gzip));
        }
        self.pool
            .of(account)
            .await?
            .query((account, ensemble), |client, (account, ensemble)| {
                Box::pin(async move {
                    let sql = "SELECT packed_rows.gzip FROM ensemble
                         JOIN packed_rows ON packed_rows.account = ensemble.account
                             AND packed_rows.ensemble = ensemble.uuid
                         WHERE ensemble.account = $1 AND ensemble.uuid = $2";
                    let found = first(client, sql, &[&account.0, ensemble]).await?;
                    let gzip = require(found, ObjectKind::Ensemble, *ensemble)?.try_get(0)?;
                    Ok(PackedRows::from_gzip(gzip))
                })
            })
            .await
    }

    async fn create_ensemble(
        &self,
        account: Account,
        definition: Uuid,
        drawn: (DrawnEnsemble, PackedRows),
        request: Option<IdempotentRequest>,
    ) -> Result<Ensemble> {
        let pool = self.pool.of_write(account, drawn.1.gzip().len()).await?;
        let Some(request) = request else {
            let args = (account, definition, drawn);
            return pool
                .query(args, |client, (account, definition, drawn)| {
                    Box::pin(insert(client, *account, *definition, Made::new(), drawn))
                })
                .await;
        };
        let args = (account, definition, drawn, request);
        pool.transaction(
            args,
            |transaction, (account, definition, drawn, request)| {
                Box::pin(async move {
                    let new = Made::new();
                    let find = async |made: Made| {
                        let all = PageRange::start();
                        let found = find(transaction, *account, made.uuid, &all).await?;
                        Ok(found.object)
                    };
                    let make = insert(transaction, *account, *definition, new, drawn);
                    let request = Some(request);
                    find_or_make(transaction.into(), *account, request, find, (new, make)).await
                })
            },
        )
        .await
    }

    async fn delete_ensemble(&self, account: Account, ensemble: Uuid) -> Result<()> {
        self.pool
            .of(account)
            .await?
            .transaction((account, ensemble), |transaction, (account, ensemble)| {
                Box::pin(delete(
                    transaction.into(),
                    *account,
                    ObjectKind::Ensemble,
                    *ensemble,
                ))
            })
            .await
    }
}

/// Inserts an ensemble and its rows by one statement: each costs a way to the database.
async fn insert(
    client: &impl GenericClient,
    account: Account,
    definition: Uuid,
    Made { uuid, .. }: Made,
    (drawn, rows): &(DrawnEnsemble, PackedRows),
) -> PostgresResult<Ensemble> {
    let sql = "WITH made AS (
             INSERT INTO ensemble (account, uuid, definition, added, name, size, seed,
                 sampler_version, digest, bytes)
             SELECT account, $3, uuid, $4, $5, $6, $7, $8, $9, $10 FROM definition
             WHERE account = $1 AND uuid = $2
             RETURNING account, uuid
         )
         INSERT INTO packed_rows (account, ensemble, gzip) SELECT account, uuid, $11 FROM made";
    let added = Timestamp::now();
    let gzip: &[u8] = rows.gzip();
    let params: [Param<'_>; 11] = [
        &account.0,
        &definition,
        &uuid,
        &added.as_micros(),
        &drawn.ensemble_name,
        &i32::try_from(drawn.size).unwrap_or(i32::MAX),
        &drawn.seed.cast_signed(),
        &drawn.sampler_version.cast_signed(),
        &drawn.digest,
        &(gzip.len() as i64),
        &gzip,
    ];
    let inserted = execute(client, sql, &params).await?;
    require_written(inserted, ObjectKind::Definition, definition)?;
    Ok(Ensemble {
        ensemble_uuid: uuid,
        definition_uuid: definition,
        added,
        ensemble_name: drawn.ensemble_name.clone(),
        size: drawn.size,
        seed: drawn.seed,
        sampler_version: drawn.sampler_version,
        digest: drawn.digest.clone(),
        benchmarks: Vec::new(),
    })
}

/// The columns of an ensemble, and whether it has benchmarks.
macro_rules! columns {
    () => {
        "uuid, definition, added, name, size, seed, sampler_version, digest, EXISTS (
             SELECT 1 FROM benchmark
             WHERE benchmark.account = ensemble.account AND benchmark.ensemble = ensemble.uuid
         )"
    };
}

async fn find(
    client: &impl GenericClient,
    account: Account,
    ensemble: Uuid,
    range: &PageRange,
) -> PostgresResult<ObjectPart<Ensemble>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM ensemble WHERE account = $1 AND uuid = $2"
    );
    let found = first(client, sql, &[&account.0, &ensemble]).await?;
    let row = require(found, ObjectKind::Ensemble, ensemble)?;
    let mut object = object(&row)?;
    let mut rest = Vec::new();
    if row.try_get(8)? {
        let mut ahead = Ahead::new();
        ahead.budget.show(bytes::ensemble(&object.ensemble_name));
        let of = benchmarks::of_ensemble(client, account, ensemble, range, &mut ahead).await?;
        (object.benchmarks, rest) = of.within();
    }
    Ok(ObjectPart {
        object,
        next: page::cursor(&rest),
    })
}

/// Reads as many ensembles of a definition as fit.
pub(super) async fn read<'r>(
    transaction: &Transaction<'_>,
    account: Account,
    definition: Uuid,
    range: &'r PageRange,
    ahead: &mut Ahead,
) -> PostgresResult<Reading<'r, Ensemble>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM (",
        rows_within!("ensemble", "definition"),
        ") AS ensemble ORDER BY number, added, uuid"
    );
    if let Some(definitions) = ahead.ensembles.unread(definition, range) {
        let rows = all(transaction, sql, &definitions.params(&account.0)).await?;
        ahead.ensembles.add(definitions, rows, false, |row| {
            if row.try_get(8)? {
                ahead.benchmarks.announce(row.try_get(0)?);
            }
            Ok(())
        })?;
    }
    let mut reading = Reading::new(range);
    for row in &ahead.ensembles.take(definition) {
        let mut ensemble = object(row)?;
        let uuid = ensemble.ensemble_uuid;
        let place = (ensemble.added.as_micros(), uuid);
        let bytes = bytes::ensemble(&ensemble.ensemble_name);
        if !reading.admits(place, bytes, &mut ahead.budget) {
            break;
        }
        let mut rest = Vec::new();
        if row.try_get(8)? {
            let within = range.beneath(place);
            let of = benchmarks::of_ensemble(transaction, account, uuid, &within, ahead).await?;
            (ensemble.benchmarks, rest) = of.within();
        }
        reading.push(ensemble, rest);
    }
    Ok(reading)
}

/// Without its benchmarks.
fn object(row: &Row) -> PostgresResult<Ensemble> {
    let sampler_version: i32 = row.try_get(6)?;
    Ok(Ensemble {
        ensemble_uuid: row.try_get(0)?,
        definition_uuid: row.try_get(1)?,
        added: time(row, 2)?,
        ensemble_name: row.try_get(3)?,
        size: size(row, 4)?,
        seed: row.try_get::<_, i64>(5)?.cast_unsigned(),
        sampler_version: sampler_version.cast_unsigned(),
        digest: row.try_get(7)?,
        benchmarks: Vec::new(),
    })
}
