//! Ensembles and their rows.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use tdg_service::rules::DrawnEnsemble;
use tdg_service::{Ensemble, IdempotentRequest, Kind, List, Page, Result, Timestamp, Uuid};

use super::error::DbResult;
use super::page::Range;
use super::statement::{Param, all, execute, first, require, require_written, size};
use super::tree::{self, ensembles_of};
use super::{Postgres, idempotency};
use crate::database::{Account, Ensembles};
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
            .read_transaction(args, |transaction, (account, definition, range)| {
                Box::pin(async move {
                    let parent = "SELECT 1 FROM definition WHERE uuid = $1 AND account = $2";
                    let found = first(transaction, parent, &[definition, &account.0]).await?;
                    require(found, Kind::Definition, *definition)?;
                    let sql = ensembles_of!(
                        "SELECT * FROM ensemble
                         WHERE definition = $3 AND (added, uuid) > ($4, $5)
                         ORDER BY added, uuid LIMIT $6"
                    );
                    let (history, benchmarks) = tree::WITHIN;
                    let limit = range.query_limit();
                    let params: [Param<'_>; 6] = [
                        &history,
                        &benchmarks,
                        definition,
                        &range.added,
                        &range.uuid,
                        &limit,
                    ];
                    let ensembles = tree::ensembles(&all(transaction, sql, &params).await?)?;
                    let rows = ensembles.len();
                    let place = |last: &Ensemble| (last.added, last.ensemble_uuid);
                    Ok(range.list(ensembles, rows, place))
                })
            })
            .await
    }

    async fn ensemble(&self, account: Account, ensemble: Uuid) -> Result<Ensemble> {
        self.pool
            .query((account, ensemble), |client, (account, ensemble)| {
                Box::pin(find(client, *account, *ensemble))
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
                    let sql = "SELECT digest FROM ensemble WHERE uuid = $1 AND account = $2";
                    let found = first(client, sql, &[ensemble, &account.0]).await?;
                    Ok(require(found, Kind::Ensemble, *ensemble)?.try_get(0)?)
                })
            })
            .await
    }

    async fn rows(&self, account: Account, ensemble: Uuid) -> Result<PackedRows> {
        self.pool
            .query((account, ensemble), |client, (account, ensemble)| {
                Box::pin(async move {
                    let sql = "SELECT gzip FROM packed_rows
                         JOIN ensemble ON ensemble.uuid = packed_rows.ensemble
                         WHERE ensemble.uuid = $1 AND ensemble.account = $2";
                    let found = first(client, sql, &[ensemble, &account.0]).await?;
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
        let args = (account, definition, drawn, request);
        self.pool
            .transaction(
                args,
                |transaction, (account, definition, drawn, request)| {
                    Box::pin(async move {
                        let new = Uuid::new_v4();
                        let find = |uuid| find(transaction, *account, uuid);
                        let make = async {
                            insert(transaction, *account, *definition, new, drawn).await?;
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
            .transaction((account, ensemble), |transaction, (account, ensemble)| {
                Box::pin(async move {
                    let assertions = "DELETE FROM assertion WHERE benchmark IN (
                             SELECT uuid FROM benchmark WHERE ensemble = $1 AND account = $2)";
                    execute(transaction, assertions, &[ensemble, &account.0]).await?;
                    let sql = "DELETE FROM ensemble WHERE uuid = $1 AND account = $2";
                    let deleted = execute(transaction, sql, &[ensemble, &account.0]).await?;
                    require_written(deleted, Kind::Ensemble, *ensemble)
                })
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
    let sql = "INSERT INTO ensemble
         (uuid, definition, account, added, name, size, seed, sampler_version, digest)
         SELECT $1, uuid, account, $2, $3, $4, $5, $6, $7 FROM definition
         WHERE uuid = $8 AND account = $9";
    let params: [Param<'_>; 9] = [
        &uuid,
        &Timestamp::now().as_micros(),
        &drawn.ensemble_name,
        &i32::try_from(drawn.size).unwrap_or(i32::MAX),
        &drawn.seed.cast_signed(),
        &drawn.sampler_version.cast_signed(),
        &drawn.digest,
        &definition,
        &account.0,
    ];
    let inserted = execute(transaction, sql, &params).await?;
    require_written(inserted, Kind::Definition, definition)?;
    let sql = "INSERT INTO packed_rows (ensemble, gzip) VALUES ($1, $2)";
    let gzip: &[u8] = rows.gzip();
    execute(transaction, sql, &[&uuid, &gzip]).await.map(drop)
}

async fn find(client: &impl GenericClient, account: Account, ensemble: Uuid) -> DbResult<Ensemble> {
    let sql = ensembles_of!("SELECT * FROM ensemble WHERE uuid = $3 AND account = $4");
    let (history, benchmarks) = tree::WITHIN;
    let rows = all(client, sql, &[&history, &benchmarks, &ensemble, &account.0]).await?;
    require(tree::ensembles(&rows)?.pop(), Kind::Ensemble, ensemble)
}

/// The size of an ensemble, which has to be the definition's.
pub(super) async fn ensemble_size(
    client: &impl GenericClient,
    account: Account,
    (definition, ensemble): (Uuid, Uuid),
) -> DbResult<usize> {
    let sql = "SELECT size FROM ensemble WHERE uuid = $1 AND definition = $2 AND account = $3";
    let found = first(client, sql, &[&ensemble, &definition, &account.0]).await?;
    size(&require(found, Kind::Ensemble, ensemble)?, 0)
}

/// The first ensembles of each definition, in the order of creation.
pub(super) async fn of_definitions(
    transaction: &Transaction<'_>,
    definitions: &[Uuid],
) -> DbResult<Vec<Ensemble>> {
    let sql = ensembles_of!(
        "SELECT ensemble.* FROM unnest($3::uuid[]) AS parent (uuid) CROSS JOIN LATERAL (
             SELECT * FROM ensemble WHERE ensemble.definition = parent.uuid
             ORDER BY added, uuid LIMIT $2
         ) AS ensemble"
    );
    let (history, benchmarks) = tree::WITHIN;
    tree::ensembles(&all(transaction, sql, &[&history, &benchmarks, &definitions]).await?)
}
