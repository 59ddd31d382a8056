//! Ensembles and their rows.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use tdg_service::rules::DrawnEnsemble;
use tdg_service::{Ensemble, IdempotentRequest, Kind, List, Page, Result, Timestamp, Uuid};

use super::deletion::delete;
use super::error::DbResult;
use super::statement::{Param, all, execute, first, require, require_written, size};
use super::tree::{self, ensembles_of};
use super::{Postgres, idempotency};
use crate::database::page::Range;
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
            .read_transaction(args, |transaction, (account, definition, range)| {
                Box::pin(async move {
                    let parent = "SELECT 1 FROM definition WHERE account = $1 AND uuid = $2";
                    let found = first(transaction, parent, &[&account.0, definition]).await?;
                    require(found, Kind::Definition, *definition)?;
                    let sql = ensembles_of!(
                        "SELECT * FROM ensemble
                         WHERE account = $3 AND definition = $4 AND (added, uuid) > ($5, $6)
                         ORDER BY added, uuid LIMIT $7"
                    );
                    let (history, benchmarks) = tree::WITHIN;
                    let ((added, uuid), limit) = (range.after(), range.query_limit());
                    let params: [Param<'_>; 7] = [
                        &history,
                        &benchmarks,
                        &account.0,
                        definition,
                        &added,
                        &uuid,
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
                    let sql = "SELECT digest FROM ensemble WHERE account = $1 AND uuid = $2";
                    let found = first(client, sql, &[&account.0, ensemble]).await?;
                    Ok(require(found, Kind::Ensemble, *ensemble)?.try_get(0)?)
                })
            })
            .await
    }

    async fn rows(&self, account: Account, ensemble: Uuid) -> Result<PackedRows> {
        self.pool
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
        let args = (account, definition, drawn, request);
        self.pool
            .transaction(
                args,
                |transaction, (account, definition, drawn, request)| {
                    Box::pin(async move {
                        let new = Made::new();
                        let find = |made: Made| find(transaction, *account, made.uuid);
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

async fn find(client: &impl GenericClient, account: Account, ensemble: Uuid) -> DbResult<Ensemble> {
    let sql = ensembles_of!("SELECT * FROM ensemble WHERE account = $3 AND uuid = $4");
    let (history, benchmarks) = tree::WITHIN;
    let rows = all(client, sql, &[&history, &benchmarks, &account.0, &ensemble]).await?;
    require(tree::ensembles(&rows)?.pop(), Kind::Ensemble, ensemble)
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

/// The first ensembles of each definition, in the order of creation.
pub(super) async fn of_definitions(
    transaction: &Transaction<'_>,
    account: Account,
    definitions: &[Uuid],
) -> DbResult<Vec<Ensemble>> {
    let sql = ensembles_of!(
        "SELECT ensemble.* FROM unnest($4::uuid[]) AS parent (uuid) CROSS JOIN LATERAL (
             SELECT * FROM ensemble
             WHERE ensemble.account = $3 AND ensemble.definition = parent.uuid
             ORDER BY added, uuid LIMIT $2
         ) AS ensemble"
    );
    let (history, benchmarks) = tree::WITHIN;
    let params: [Param<'_>; 4] = [&history, &benchmarks, &account.0, &definitions];
    tree::ensembles(&all(transaction, sql, &params).await?)
}
