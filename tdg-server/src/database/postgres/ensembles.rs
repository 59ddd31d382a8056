//! Ensembles and their rows.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use tdg_service::rules::DrawnEnsemble;
use tdg_service::{Ensemble, IdempotentRequest, Kind, List, Page, Part, Result, Timestamp, Uuid};
use tokio_postgres::Row;

use super::deletion::delete;
use super::error::DbResult;
use super::statement::{Param, all, execute, first, require, require_written, size, time};
use super::{Postgres, benchmarks, idempotency};
use crate::database::page::{self, Budget, Range, Reading, bytes};
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
        let args = (account, definition, Range::of(&page)?);
        self.pool
            .of(account)
            .await?
            .read_transaction(args, |transaction, (account, definition, range)| {
                Box::pin(async move {
                    let parent = "SELECT 1 FROM definition WHERE account = $1 AND uuid = $2";
                    let found = first(transaction, parent, &[&account.0, definition]).await?;
                    require(found, Kind::Definition, *definition)?;
                    let mut budget = Budget::new();
                    let reading = read(transaction, *account, *definition, range, &mut budget);
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
    ) -> Result<Part<Ensemble>> {
        let args = (account, ensemble, Range::within(&page)?);
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
                    Ok(require(found, Kind::Ensemble, *ensemble)?.try_get(0)?)
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
                    let gzip = require(found, Kind::Ensemble, *ensemble)?.try_get(0)?;
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
        let bytes = drawn.1.gzip().len();
        let args = (account, definition, drawn, request);
        self.pool
            .of_write(account, bytes)
            .await?
            .transaction(
                args,
                |transaction, (account, definition, drawn, request)| {
                    Box::pin(async move {
                        let new = Made::new();
                        let find = async |made: Made| {
                            let all = Range::start();
                            let found = find(transaction, *account, made.uuid, &all).await?;
                            Ok(found.object)
                        };
                        let make = async {
                            insert(transaction, *account, *definition, new.uuid, drawn).await?;
                            find(new).await
                        };
                        let request = request.as_ref();
                        idempotency::find_or_make(transaction, *account, request, find, (new, make))
                            .await
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
                Box::pin(delete(transaction, *account, Kind::Ensemble, *ensemble))
            })
            .await
    }
}

async fn insert(
    transaction: &Transaction<'_>,
    account: Account,
    definition: Uuid,
    uuid: Uuid,
    (drawn, rows): &(DrawnEnsemble, PackedRows),
) -> DbResult<()> {
    let sql = "INSERT INTO ensemble (account, uuid, definition, added, name, size, seed,
             sampler_version, digest, bytes)
         SELECT account, $3, uuid, $4, $5, $6, $7, $8, $9, $10 FROM definition
         WHERE account = $1 AND uuid = $2";
    let gzip: &[u8] = rows.gzip();
    let params: [Param<'_>; 10] = [
        &account.0,
        &definition,
        &uuid,
        &Timestamp::now().as_micros(),
        &drawn.ensemble_name,
        &i32::try_from(drawn.size).unwrap_or(i32::MAX),
        &drawn.seed.cast_signed(),
        &drawn.sampler_version.cast_signed(),
        &drawn.digest,
        &(gzip.len() as i64),
    ];
    let inserted = execute(transaction, sql, &params).await?;
    require_written(inserted, Kind::Definition, definition)?;
    let sql = "INSERT INTO packed_rows (account, ensemble, gzip) VALUES ($1, $2, $3)";
    let params: [Param<'_>; 3] = [&account.0, &uuid, &gzip];
    execute(transaction, sql, &params).await.map(drop)
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
    range: &Range,
) -> DbResult<Part<Ensemble>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM ensemble WHERE account = $1 AND uuid = $2"
    );
    let found = first(client, sql, &[&account.0, &ensemble]).await?;
    let row = require(found, Kind::Ensemble, ensemble)?;
    let mut object = object(&row)?;
    let mut rest = Vec::new();
    if row.try_get(8)? {
        let mut budget = Budget::new();
        budget.show(bytes::ensemble(&object.ensemble_name));
        let of = benchmarks::of_ensemble(client, account, ensemble, range, &mut budget).await?;
        (object.benchmarks, rest) = of.within();
    }
    Ok(Part {
        object,
        next: page::cursor(&rest),
    })
}

/// The size of an ensemble, which has to be the definition's.
pub(super) async fn ensemble_size(
    client: &impl GenericClient,
    account: Account,
    (definition, ensemble): (Uuid, Uuid),
) -> DbResult<usize> {
    let sql = "SELECT size FROM ensemble WHERE account = $1 AND uuid = $2 AND definition = $3";
    let found = first(client, sql, &[&account.0, &ensemble, &definition]).await?;
    size(&require(found, Kind::Ensemble, ensemble)?, 0)
}

/// Reads as many ensembles of a definition as fit.
pub(super) async fn read<'r>(
    transaction: &Transaction<'_>,
    account: Account,
    definition: Uuid,
    range: &'r Range,
    budget: &mut Budget,
) -> DbResult<Reading<'r, Ensemble>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM ensemble WHERE account = $1 AND definition = $2 AND (added, uuid) > ($3, $4)
         ORDER BY added, uuid LIMIT $5"
    );
    let ((added, uuid), limit) = (range.after(), range.query_limit());
    let params: [Param<'_>; 5] = [&account.0, &definition, &added, &uuid, &limit];
    let mut reading = Reading::new(range);
    for row in &all(transaction, sql, &params).await? {
        let mut ensemble = object(row)?;
        let uuid = ensemble.ensemble_uuid;
        let place = (ensemble.added.as_micros(), uuid);
        if !reading.admits(place, bytes::ensemble(&ensemble.ensemble_name), budget) {
            break;
        }
        let mut rest = Vec::new();
        if row.try_get(8)? {
            let within = range.beneath(place);
            let of = benchmarks::of_ensemble(transaction, account, uuid, &within, budget).await?;
            (ensemble.benchmarks, rest) = of.within();
        }
        reading.push(ensemble, rest);
    }
    Ok(reading)
}

/// Without its benchmarks.
fn object(row: &Row) -> DbResult<Ensemble> {
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
