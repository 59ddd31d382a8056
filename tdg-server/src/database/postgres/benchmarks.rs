//! Benchmarks.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use tdg_engine::output::Outputs;
use tdg_service::{
    Benchmark, IdempotentRequest, Kind, List, NewBenchmark, Page, Result, Timestamp, Uuid,
};

use super::ensembles::ensemble_size;
use super::error::{DbError, DbResult};
use super::page::Range;
use super::statement::{Param, all, execute, first, require, require_written, size};
use super::tree::{self, benchmarks_of};
use super::{Postgres, idempotency, parse_sized};
use crate::database::{Account, Benchmarks, Expected};

#[async_trait]
impl Benchmarks for Postgres {
    async fn benchmarks(
        &self,
        account: Account,
        parents: (Uuid, Uuid),
        page: Page,
    ) -> Result<List<Benchmark>> {
        let args = (account, parents, Range::of(&page)?);
        self.pool
            .read_transaction(args, |transaction, (account, parents, range)| {
                Box::pin(async move {
                    ensemble_size(transaction, *account, *parents).await?;
                    let sql = concat!(
                        benchmarks_of!(
                            "SELECT * FROM benchmark
                             WHERE ensemble = $2 AND (added, uuid) > ($3, $4)
                             ORDER BY added, uuid LIMIT $5"
                        ),
                        " ORDER BY added, uuid"
                    );
                    let ((history, _), (_, ensemble)) = (tree::WITHIN, parents);
                    let limit = range.query_limit();
                    let params: [Param<'_>; 5] =
                        [&history, ensemble, &range.added, &range.uuid, &limit];
                    let rows = all(transaction, sql, &params).await?;
                    let benchmarks = rows.iter().map(|row| tree::benchmark(row, 0));
                    let benchmarks: Vec<Benchmark> = benchmarks.collect::<DbResult<_>>()?;
                    let place = |last: &Benchmark| (last.added, last.benchmark_uuid);
                    Ok(range.list(benchmarks, rows.len(), place))
                })
            })
            .await
    }

    async fn benchmark(&self, account: Account, benchmark: Uuid) -> Result<Benchmark> {
        self.pool
            .shared_query((account, benchmark), |client, (account, benchmark)| {
                Box::pin(find(client, *account, *benchmark))
            })
            .await
    }

    /// None: counting assertions takes longer than reading the newest.
    async fn history_stamp(&self, _: Account, _: Uuid) -> Result<Option<i64>> {
        Ok(None)
    }

    async fn output_digest(&self, account: Account, benchmark: Uuid) -> Result<String> {
        self.pool
            .shared_query((account, benchmark), |client, (account, benchmark)| {
                Box::pin(async move {
                    let sql = "SELECT digest FROM benchmark WHERE uuid = $1 AND account = $2";
                    let found = first(client, sql, &[benchmark, &account.0]).await?;
                    Ok(require(found, Kind::Benchmark, *benchmark)?.try_get(0)?)
                })
            })
            .await
    }

    async fn expected(&self, account: Account, benchmark: Uuid) -> Result<Expected> {
        self.pool
            .query((account, benchmark), |client, (account, benchmark)| {
                Box::pin(async move {
                    let sql = "SELECT ensemble.uuid, ensemble.definition, ensemble.size,
                             benchmark.policy, benchmark.outputs
                         FROM benchmark JOIN ensemble ON ensemble.uuid = benchmark.ensemble
                         WHERE benchmark.uuid = $1 AND benchmark.account = $2";
                    let found = first(client, sql, &[benchmark, &account.0]).await?;
                    let row = require(found, Kind::Benchmark, *benchmark)?;
                    let outputs: String = row.try_get(4)?;
                    let outputs = parse_sized(outputs.len(), || Outputs::from_canonical(outputs));
                    Ok(Expected {
                        ensemble_uuid: row.try_get(0)?,
                        definition_uuid: row.try_get(1)?,
                        size: size(&row, 2)?,
                        policy: tree::policy(row.try_get(3)?)?,
                        outputs: outputs.map_err(|error| DbError::corrupt("benchmark", error))?,
                    })
                })
            })
            .await
    }

    async fn create_benchmark(
        &self,
        account: Account,
        parents: (Uuid, Uuid),
        new: (NewBenchmark, String),
        request: Option<IdempotentRequest>,
    ) -> Result<Benchmark> {
        let args = (account, parents, new, request);
        self.pool
            .transaction(
                args,
                |transaction, (account, parents, benchmark, request)| {
                    Box::pin(async move {
                        let new = Uuid::new_v4();
                        let find = |uuid| find(transaction, *account, uuid);
                        let make = async {
                            insert(transaction, *account, *parents, new, benchmark).await?;
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

    async fn delete_benchmark(&self, account: Account, benchmark: Uuid) -> Result<()> {
        self.pool
            .transaction((account, benchmark), |transaction, (account, benchmark)| {
                Box::pin(async move {
                    let assertions = "DELETE FROM assertion WHERE benchmark IN (
                             SELECT uuid FROM benchmark WHERE uuid = $1 AND account = $2)";
                    execute(transaction, assertions, &[benchmark, &account.0]).await?;
                    let sql = "DELETE FROM benchmark WHERE uuid = $1 AND account = $2";
                    let deleted = execute(transaction, sql, &[benchmark, &account.0]).await?;
                    require_written(deleted, Kind::Benchmark, *benchmark)
                })
            })
            .await
    }
}

async fn insert(
    transaction: &Transaction<'_>,
    account: Account,
    (definition, ensemble): (Uuid, Uuid),
    uuid: Uuid,
    (new, digest): &(NewBenchmark, String),
) -> DbResult<()> {
    let sql = "INSERT INTO benchmark
         (uuid, ensemble, definition, account, added, digest, policy, outputs)
         SELECT $1, uuid, definition, account, $2, $3, $4, $5 FROM ensemble
         WHERE uuid = $6 AND definition = $7 AND account = $8";
    let policy = new.policy.as_ref();
    let params: [Param<'_>; 8] = [
        &uuid,
        &Timestamp::now().as_micros(),
        digest,
        &policy.map(|policy| policy.to_json().to_string()),
        &new.expected_output.as_json(),
        &ensemble,
        &definition,
        &account.0,
    ];
    let inserted = execute(transaction, sql, &params).await?;
    require_written(inserted, Kind::Ensemble, ensemble)
}

async fn find(
    client: &impl GenericClient,
    account: Account,
    benchmark: Uuid,
) -> DbResult<Benchmark> {
    let sql = benchmarks_of!("SELECT * FROM benchmark WHERE uuid = $2 AND account = $3");
    let history = Benchmark::HISTORY as i64;
    let found = first(client, sql, &[&history, &benchmark, &account.0]).await?;
    tree::benchmark(&require(found, Kind::Benchmark, benchmark)?, 0)
}
