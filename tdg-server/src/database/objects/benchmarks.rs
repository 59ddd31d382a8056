//! Benchmarks.

use tdg_engine::output::Outputs;
use tdg_service::{
    Benchmark, IdempotentRequest, List, NewBenchmark, ObjectKind, ObjectPart, Page, Result,
    Timestamp, Uuid,
};

use super::benchmark_tree::{self, benchmarks_of, one_benchmark};
use super::idempotency::{Creation, find_or_make};
use super::page::{self, PageRange, Reading, bytes};
use super::parents::ensemble_size;
use super::prefetch::{Ahead, ListedBenchmark, Objects, rows_within};
use crate::account::Account;
use crate::database::error::{DatabaseError, DatabaseResult};
use crate::database::parse::{parse_sized, policy};
use crate::database::row::DatabaseRow;
use crate::database::session::{DatabaseSession, require, require_written};
use crate::database::sql::{Sql, SqlValues, sql};
use crate::database::{Database, ExpectedBenchmark, Made};

impl Database {
    /// Returns the benchmarks of an ensemble, which must belong to the definition.
    pub(crate) async fn benchmarks(
        &self,
        account: Account,
        definition_and_ensemble: (Uuid, Uuid),
        page: Page,
    ) -> Result<List<Benchmark>> {
        let args = (definition_and_ensemble, PageRange::from_page(&page)?);
        self.read(account, args, |session, (parents, range)| {
            Box::pin(async move {
                ensemble_size(session, *parents).await?;
                let mut ahead = Ahead::new(session);
                let read = of_ensemble(session, parents.1, range, &mut ahead);
                Ok(read.await?.list())
            })
        })
        .await
    }

    /// Returns a benchmark with a part of its history.
    pub(crate) async fn benchmark(
        &self,
        account: Account,
        benchmark: Uuid,
    ) -> Result<ObjectPart<Benchmark>> {
        self.look_up(account, benchmark, |session, benchmark| {
            Box::pin(find(session, *benchmark, Benchmark::HISTORY))
        })
        .await
    }

    /// Returns a number that changes whenever a benchmark's history does, if that is cheaper than
    /// reading the benchmark. On PostgreSQL it isn't: counting assertions takes longer than reading
    /// the newest.
    pub(crate) async fn history_stamp(
        &self,
        account: Account,
        benchmark: Uuid,
    ) -> Result<Option<i64>> {
        if let Database::Postgres(_) = self {
            return Ok(None);
        }
        let sql = sql!("SELECT changes FROM benchmark WHERE account = $1 AND uuid = $2");
        let changes = self.column(account, sql, (ObjectKind::Benchmark, benchmark));
        changes.await.map(Some)
    }

    /// Returns the digest of a benchmark's outputs.
    pub(crate) async fn output_digest(&self, account: Account, benchmark: Uuid) -> Result<String> {
        let sql = sql!("SELECT digest FROM benchmark WHERE account = $1 AND uuid = $2");
        let object = (ObjectKind::Benchmark, benchmark);
        self.column(account, sql, object).await
    }

    pub(crate) async fn expected(
        &self,
        account: Account,
        benchmark: Uuid,
    ) -> Result<ExpectedBenchmark> {
        let sql = sql!("SELECT text FROM outputs WHERE account = $1 AND benchmark = $2");
        let outputs: Option<String> = self.on_replica(sql, account, benchmark).await;
        let args = (benchmark, outputs);
        self.query(account, args, |session, (benchmark, outputs)| {
            Box::pin(async move {
                // Skips the primary's outputs if the replica has provided them.
                let sql = sql!(
                    "SELECT ensemble.uuid, ensemble.definition, ensemble.size, benchmark.policy,
                         outputs.text
                     FROM benchmark
                     JOIN ensemble ON ensemble.account = benchmark.account
                         AND ensemble.uuid = benchmark.ensemble
                     LEFT JOIN outputs ON outputs.account = benchmark.account
                         AND outputs.benchmark = benchmark.uuid AND NOT $3
                     WHERE benchmark.account = $1 AND benchmark.uuid = $2"
                );
                let values: SqlValues<'_> = &[benchmark, &outputs.is_some()];
                let read = |row: DatabaseRow<'_>| {
                    let outputs = match outputs {
                        Some(outputs) => outputs.clone(),
                        None => row.get(4)?,
                    };
                    let outputs = parse_sized(outputs.len(), || Outputs::from_canonical(outputs));
                    Ok(ExpectedBenchmark {
                        ensemble_uuid: row.get(0)?,
                        definition_uuid: row.get(1)?,
                        size: row.size(2)?,
                        policy: policy(row.optional_text(3)?)?,
                        outputs: outputs
                            .map_err(|error| DatabaseError::corrupt("benchmark", error))?,
                    })
                };
                let found = session.first(sql, values, read).await?;
                require(found, ObjectKind::Benchmark, *benchmark)
            })
        })
        .await
    }

    /// Creates a benchmark of an ensemble, which must belong to the definition, with the digest of
    /// its outputs.
    pub(crate) async fn create_benchmark(
        &self,
        account: Account,
        definition_and_ensemble: (Uuid, Uuid),
        new: (NewBenchmark, String),
        request: Option<IdempotentRequest>,
    ) -> Result<Benchmark> {
        let bytes = new.0.expected_output.as_json().len();
        let args = (definition_and_ensemble, new, request);
        self.write(account, bytes, args, |session, args| {
            Box::pin(create(session, args))
        })
        .await
    }
}

async fn create(
    session: DatabaseSession<'_>,
    (parents, new, request): &Creation<(Uuid, Uuid), (NewBenchmark, String)>,
) -> DatabaseResult<Benchmark> {
    let find = async |made: Made| {
        let found = find(session, made.uuid, Benchmark::HISTORY).await?;
        Ok(found.object)
    };
    let made = Made::new();
    let make = async {
        insert(session, *parents, made.uuid, new).await?;
        find(made).await
    };
    find_or_make(session, request.as_ref(), find, (made, make)).await
}

async fn insert(
    session: DatabaseSession<'_>,
    (definition, ensemble): (Uuid, Uuid),
    uuid: Uuid,
    (new, digest): &(NewBenchmark, String),
) -> DatabaseResult<()> {
    let sql = sql!(
        "INSERT INTO benchmark (account, uuid, ensemble, definition, added, digest, policy, bytes,
             changes)
         SELECT account, $4, uuid, definition, $5, $6, $7, $8, 0 FROM ensemble
         WHERE account = $1 AND uuid = $2 AND definition = $3"
    );
    let policy = new.policy.as_ref();
    let outputs = new.expected_output.as_json();
    let values: SqlValues<'_> = &[
        &ensemble,
        &definition,
        &uuid,
        &Timestamp::now().as_micros(),
        digest,
        &policy.map(|policy| policy.to_json().to_string()),
        &(outputs.len() as i64),
    ];
    let inserted = session.execute(sql, values).await?;
    require_written(inserted, ObjectKind::Ensemble, ensemble)?;
    let sql = sql!("INSERT INTO outputs (account, benchmark, text) VALUES ($1, $2, $3)");
    session.execute(sql, &[&uuid, &outputs]).await.map(drop)
}

/// Finds a benchmark with the given number of assertions.
async fn find(
    session: DatabaseSession<'_>,
    benchmark: Uuid,
    history: usize,
) -> DatabaseResult<ObjectPart<Benchmark>> {
    const SQL: Sql = one_benchmark!();
    let mut found = None;
    let values: SqlValues<'_> = &[&benchmark, &(history as i64 + 1)];
    session
        .all(SQL, values, |row| benchmark_tree::read(row, &mut found))
        .await?;
    let found = require(found, ObjectKind::Benchmark, benchmark)?;
    Ok(page::newest(found, history))
}

/// Benchmarks within ensembles. PostgreSQL returns them with their histories (of `$7` assertions),
/// up to the first that exceeds `$8` bytes. SQLite returns their identifiers and sizes.
const OF_ENSEMBLES: Sql = sql!(
    postgres: concat!(
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
    ),
    sqlite: "SELECT uuid, ifnull(octet_length(policy), 0) FROM benchmark
         WHERE account = $1 AND ensemble = $2 AND (added, uuid) > ($4, $5)
         ORDER BY added, uuid LIMIT $6"
);

/// Reads this part of an ensemble's benchmarks, up to the first that doesn't fit.
pub(super) async fn of_ensemble<'r>(
    session: DatabaseSession<'_>,
    ensemble: Uuid,
    range: &'r PageRange,
    ahead: &mut Ahead,
) -> DatabaseResult<Reading<'r, Benchmark>> {
    if let Some(ensembles) = ahead.benchmarks.unread(ensemble, range) {
        let left = ahead.budget.left();
        let found = listed(session, &ensembles, left).await?;
        let policies: usize = found.iter().map(|ListedBenchmark(_, bytes)| bytes).sum();
        let found = found
            .into_iter()
            .map(|it| (it.0.ensemble_uuid, it))
            .collect();
        ahead
            .benchmarks
            .add(ensembles, found, policies > left, |_| ());
    }
    let mut reading = Reading::new(range);
    for ListedBenchmark(benchmark, policy) in ahead.benchmarks.take(ensemble) {
        let place = (benchmark.added.as_micros(), benchmark.benchmark_uuid);
        if !reading.admits(place, bytes::benchmark(policy as i64), &mut ahead.budget) {
            break;
        }
        reading.push(benchmark, Vec::new());
    }
    Ok(reading)
}

async fn listed(
    session: DatabaseSession<'_>,
    ensembles: &Objects,
    left: usize,
) -> DatabaseResult<Vec<ListedBenchmark>> {
    const HISTORY: usize = Benchmark::HISTORY_IN_LIST;
    let most = i64::try_from(left).unwrap_or(i64::MAX);
    let [uuids, numbers, added, uuid, limit] = ensembles.values();
    let history = HISTORY as i64 + 1;
    let values: SqlValues<'_> = &[uuids, numbers, added, uuid, limit, &history, &most];
    if !session.is_sqlite() {
        let read = |row: DatabaseRow<'_>| {
            let mut found = None;
            benchmark_tree::read(row, &mut found)?;
            let policy = row.optional_text(5)?.map_or(0, str::len);
            Ok(found.map(|found| ListedBenchmark(page::newest(found, HISTORY).object, policy)))
        };
        let found = session.all(OF_ENSEMBLES, values, read).await?;
        return Ok(found.into_iter().flatten().collect());
    }
    let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, row.count(1)? as usize));
    let (mut found, mut before) = (Vec::new(), 0);
    for (uuid, policy) in session.all(OF_ENSEMBLES, values, read).await? {
        if before > left {
            break;
        }
        before += policy;
        let benchmark = find(session, uuid, HISTORY).await?.object;
        found.push(ListedBenchmark(benchmark, policy));
    }
    Ok(found)
}
