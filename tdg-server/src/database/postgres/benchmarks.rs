//! Benchmarks.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use tdg_engine::output::Outputs;
use tdg_service::{
    Benchmark, IdempotentRequest, List, NewBenchmark, ObjectKind, ObjectPart, Page, Result,
    Timestamp, Uuid,
};
use tokio_postgres::Row;

use super::ahead::{Ahead, rows_within};
use super::error::{PostgresError, PostgresResult};
use super::statement::{Param, all, execute, first, require, require_written, size};
use super::tree::{self, benchmarks_of};
use super::{Postgres, parse_sized};
use crate::database::deletion::delete;
use crate::database::idempotency::find_or_make;
use crate::database::page::{self, PageRange, Reading, bytes};
use crate::database::{Account, Benchmarks, ExpectedBenchmark, Made};

#[async_trait]
impl Benchmarks for Postgres {
    async fn benchmarks(
        &self,
        account: Account,
        parents: (Uuid, Uuid),
        page: Page,
    ) -> Result<List<Benchmark>> {
        let args = (account, parents, PageRange::of(&page)?);
        self.pool
            .of(account)
            .await?
            .read_transaction(args, |transaction, (account, parents, range)| {
                Box::pin(async move {
                    ensemble_size(transaction, *account, *parents).await?;
                    let mut ahead = Ahead::new();
                    let reading = of_ensemble(transaction, *account, parents.1, range, &mut ahead);
                    Ok(reading.await?.list())
                })
            })
            .await
    }

    async fn benchmark(&self, account: Account, benchmark: Uuid) -> Result<ObjectPart<Benchmark>> {
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
                    let sql = "SELECT digest FROM benchmark WHERE account = $1 AND uuid = $2";
                    let found = first(client, sql, &[&account.0, benchmark]).await?;
                    Ok(require(found, ObjectKind::Benchmark, *benchmark)?.try_get(0)?)
                })
            })
            .await
    }

    async fn expected(&self, account: Account, benchmark: Uuid) -> Result<ExpectedBenchmark> {
        let sql = "SELECT text FROM outputs WHERE account = $1 AND benchmark = $2";
        let outputs: Option<String> = self.on_replica(sql, account, benchmark).await;
        let args = (account, benchmark, outputs);
        self.pool
            .of(account)
            .await?
            .query(args, |client, (account, benchmark, outputs)| {
                Box::pin(async move {
                    // Without those of the primary if the replica has given them.
                    let sql = "SELECT ensemble.uuid, ensemble.definition, ensemble.size,
                             benchmark.policy, outputs.text
                         FROM benchmark
                         JOIN ensemble ON ensemble.account = benchmark.account
                             AND ensemble.uuid = benchmark.ensemble
                         LEFT JOIN outputs ON outputs.account = benchmark.account
                             AND outputs.benchmark = benchmark.uuid AND NOT $3
                         WHERE benchmark.account = $1 AND benchmark.uuid = $2";
                    let params: [Param<'_>; 3] = [&account.0, benchmark, &outputs.is_some()];
                    let found = first(client, sql, &params).await?;
                    let row = require(found, ObjectKind::Benchmark, *benchmark)?;
                    let outputs = match outputs {
                        Some(outputs) => outputs.clone(),
                        None => row.try_get(4)?,
                    };
                    let outputs = parse_sized(outputs.len(), || Outputs::from_canonical(outputs));
                    Ok(ExpectedBenchmark {
                        ensemble_uuid: row.try_get(0)?,
                        definition_uuid: row.try_get(1)?,
                        size: size(&row, 2)?,
                        policy: tree::policy(row.try_get(3)?)?,
                        outputs: outputs
                            .map_err(|error| PostgresError::corrupt("benchmark", error))?,
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
        let bytes = new.0.expected_output.as_json().len();
        let args = (account, parents, new, request);
        self.pool
            .of_write(account, bytes)
            .await?
            .transaction(
                args,
                |transaction, (account, parents, benchmark, request)| {
                    Box::pin(async move {
                        let new = Made::new();
                        let find = async |made: Made| {
                            let found = find(transaction, *account, made.uuid).await?;
                            Ok(found.object)
                        };
                        let make = async {
                            insert(transaction, *account, *parents, new.uuid, benchmark).await?;
                            find(new).await
                        };
                        let request = request.as_ref();
                        find_or_make(transaction.into(), *account, request, find, (new, make)).await
                    })
                },
            )
            .await
    }

    async fn delete_benchmark(&self, account: Account, benchmark: Uuid) -> Result<()> {
        self.pool
            .of(account)
            .await?
            .transaction((account, benchmark), |transaction, (account, benchmark)| {
                Box::pin(delete(
                    transaction.into(),
                    *account,
                    ObjectKind::Benchmark,
                    *benchmark,
                ))
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
) -> PostgresResult<()> {
    let sql = "INSERT INTO benchmark (account, uuid, ensemble, definition, added, digest, policy,
             bytes, changes)
         SELECT account, $4, uuid, definition, $5, $6, $7, $8, 0 FROM ensemble
         WHERE account = $1 AND uuid = $2 AND definition = $3";
    let policy = new.policy.as_ref();
    let outputs = new.expected_output.as_json();
    let params: [Param<'_>; 8] = [
        &account.0,
        &ensemble,
        &definition,
        &uuid,
        &Timestamp::now().as_micros(),
        digest,
        &policy.map(|policy| policy.to_json().to_string()),
        &(outputs.len() as i64),
    ];
    let inserted = execute(transaction, sql, &params).await?;
    require_written(inserted, ObjectKind::Ensemble, ensemble)?;
    let sql = "INSERT INTO outputs (account, benchmark, text) VALUES ($1, $2, $3)";
    let params: [Param<'_>; 3] = [&account.0, &uuid, &outputs];
    execute(transaction, sql, &params).await.map(drop)
}

async fn find(
    client: &impl GenericClient,
    account: Account,
    benchmark: Uuid,
) -> PostgresResult<ObjectPart<Benchmark>> {
    let sql = benchmarks_of!(
        "$3",
        "SELECT * FROM benchmark WHERE account = $1 AND uuid = $2"
    );
    let history = Benchmark::HISTORY as i64 + 1;
    let found = first(client, sql, &[&account.0, &benchmark, &history]).await?;
    let found = tree::benchmark(&require(found, ObjectKind::Benchmark, benchmark)?)?;
    Ok(page::newest(found, Benchmark::HISTORY))
}

const OF_ENSEMBLES: &str = concat!(
    benchmarks_of!(
        "$7",
        "SELECT * FROM (
             SELECT page.*, sum(length) OVER (ORDER BY number, added, uuid) - length AS before
             FROM (
                 SELECT page.*, coalesce(octet_length(policy), 0) AS length FROM (",
        rows_within!("benchmark", "ensemble"),
        ") AS page
             ) AS page
         ) AS page WHERE before <= $8"
    ),
    " ORDER BY number, added, uuid"
);

/// That part of the benchmarks of an ensemble. Of those that do not fit, only one is read.
pub(super) async fn of_ensemble<'r>(
    client: &impl GenericClient,
    account: Account,
    ensemble: Uuid,
    range: &'r PageRange,
    ahead: &mut Ahead,
) -> PostgresResult<Reading<'r, Benchmark>> {
    if let Some(ensembles) = ahead.benchmarks.unread(ensemble, range) {
        let history = Benchmark::HISTORY_IN_LIST as i64 + 1;
        let left = ahead.budget.left();
        let most = i64::try_from(left).unwrap_or(i64::MAX);
        let [account, uuids, numbers, after_added, after_uuid, limit] =
            ensembles.params(&account.0);
        let params: [Param<'_>; 8] = [
            account,
            uuids,
            numbers,
            after_added,
            after_uuid,
            limit,
            &history,
            &most,
        ];
        let rows = all(client, OF_ENSEMBLES, &params).await?;
        let policies: PostgresResult<Vec<_>> = rows.iter().map(policy_bytes).collect();
        let is_full = policies?.into_iter().sum::<usize>() > left;
        ahead.benchmarks.add(ensembles, rows, is_full, |_| Ok(()))?;
    }
    let mut reading = Reading::new(range);
    for row in &ahead.benchmarks.take(ensemble) {
        let benchmark = page::newest(tree::benchmark(row)?, Benchmark::HISTORY_IN_LIST).object;
        let place = (benchmark.added.as_micros(), benchmark.benchmark_uuid);
        let bytes = bytes::benchmark(policy_bytes(row)? as i64);
        if !reading.admits(place, bytes, &mut ahead.budget) {
            break;
        }
        reading.push(benchmark, Vec::new());
    }
    Ok(reading)
}

/// Those of the policy in a row of `benchmarks_of`.
fn policy_bytes(row: &Row) -> PostgresResult<usize> {
    let policy: Option<&str> = row.try_get(5)?;
    Ok(policy.map_or(0, str::len))
}

/// The size of an ensemble, which has to be the definition's.
pub(super) async fn ensemble_size(
    client: &impl GenericClient,
    account: Account,
    (definition, ensemble): (Uuid, Uuid),
) -> PostgresResult<usize> {
    let sql = "SELECT size FROM ensemble WHERE account = $1 AND uuid = $2 AND definition = $3";
    let found = first(client, sql, &[&account.0, &ensemble, &definition]).await?;
    size(&require(found, ObjectKind::Ensemble, ensemble)?, 0)
}
