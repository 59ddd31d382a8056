//! Benchmarks.

use async_trait::async_trait;
use rusqlite::{Connection, params};
use tdg_engine::output::Outputs;
use tdg_service::{
    Benchmark, IdempotentRequest, List, NewBenchmark, ObjectKind, ObjectPart, Page, Result,
    Timestamp, Uuid,
};

use super::error::{SqliteError, SqliteResult};
use super::idempotency;
use super::statement::{execute, first, require, require_written, size, uuid};
use super::tree::{self, benchmarks_of};
use super::{Sqlite, done, session};
use crate::database::deletion::delete;
use crate::database::page::{self, PageRange, Reading, ResponseBudget, bytes};
use crate::database::{Account, Benchmarks, ExpectedBenchmark, Made};

#[async_trait]
impl Benchmarks for Sqlite {
    async fn benchmarks(
        &self,
        account: Account,
        (definition, ensemble): (Uuid, Uuid),
        page: Page,
    ) -> Result<List<Benchmark>> {
        self.read_transaction(account, move |connection| {
            let range = PageRange::of(&page)?;
            require_ensemble(connection, account, (definition, ensemble))?;
            let mut budget = ResponseBudget::new();
            Ok(of_ensemble(connection, account, ensemble, &range, &mut budget)?.list())
        })
        .await
    }

    async fn benchmark(&self, account: Account, benchmark: Uuid) -> Result<ObjectPart<Benchmark>> {
        self.query(move |connection| find(connection, account, benchmark))
            .await
    }

    async fn history_stamp(&self, account: Account, benchmark: Uuid) -> Result<Option<i64>> {
        self.query(move |connection| {
            let sql = "SELECT changes FROM benchmark WHERE account = ?1 AND uuid = ?2";
            let params = params![account.0, benchmark.as_bytes()];
            let found = first(connection, sql, params, |row| row.get(0))?;
            require(found, ObjectKind::Benchmark, benchmark).map(Some)
        })
        .await
    }

    async fn output_digest(&self, account: Account, benchmark: Uuid) -> Result<String> {
        self.query(move |connection| {
            let sql = "SELECT digest FROM benchmark WHERE account = ?1 AND uuid = ?2";
            let params = params![account.0, benchmark.as_bytes()];
            let found = first(connection, sql, params, |row| row.get(0))?;
            require(found, ObjectKind::Benchmark, benchmark)
        })
        .await
    }

    async fn expected(&self, account: Account, benchmark: Uuid) -> Result<ExpectedBenchmark> {
        self.read_transaction(account, move |connection| {
            let sql = "SELECT ensemble.uuid, ensemble.definition, ensemble.size, benchmark.policy,
                     outputs.text
                 FROM benchmark
                 JOIN ensemble ON ensemble.account = benchmark.account
                     AND ensemble.uuid = benchmark.ensemble
                 JOIN outputs ON outputs.account = benchmark.account
                     AND outputs.benchmark = benchmark.uuid
                 WHERE benchmark.account = ?1 AND benchmark.uuid = ?2";
            let params = params![account.0, benchmark.as_bytes()];
            let found = first(connection, sql, params, |row| {
                let (policy, outputs): (Option<String>, String) = (row.get(3)?, row.get(4)?);
                Ok((uuid(row, 0)?, uuid(row, 1)?, size(row, 2)?, policy, outputs))
            })?;
            let (ensemble_uuid, definition_uuid, size, policy, outputs) =
                require(found, ObjectKind::Benchmark, benchmark)?;
            Ok(ExpectedBenchmark {
                ensemble_uuid,
                definition_uuid,
                size,
                policy: tree::policy(policy.as_deref())?,
                outputs: Outputs::from_canonical(outputs)
                    .map_err(|error| SqliteError::corrupt("benchmark", error))?,
            })
        })
        .await
    }

    async fn create_benchmark(
        &self,
        account: Account,
        parents: (Uuid, Uuid),
        (new, digest): (NewBenchmark, String),
        request: Option<IdempotentRequest>,
    ) -> Result<Benchmark> {
        let bytes = new.expected_output.as_json().len();
        self.transaction(account, bytes, move |connection| {
            let find = |made: Made| {
                let found = find(connection, account, made.uuid);
                found.map(|part| part.object)
            };
            let make = || {
                let made = Made::new();
                let (definition, ensemble) = parents;
                let policy = new.policy.as_ref();
                let outputs = new.expected_output.as_json();
                let sql = "INSERT INTO benchmark (account, uuid, ensemble, definition, added,
                         digest, bytes, changes, policy)
                     SELECT account, ?4, uuid, definition, ?5, ?6, ?7, 0, ?8 FROM ensemble
                     WHERE account = ?1 AND uuid = ?2 AND definition = ?3";
                let params = params![
                    account.0,
                    ensemble.as_bytes(),
                    definition.as_bytes(),
                    made.uuid.as_bytes(),
                    Timestamp::now().as_micros(),
                    digest,
                    outputs.len() as i64,
                    policy.map(|policy| policy.to_json().to_string())
                ];
                let inserted = execute(connection, sql, params)?;
                require_written(inserted, ObjectKind::Ensemble, ensemble)?;
                let sql = "INSERT INTO outputs (account, benchmark, text) VALUES (?1, ?2, ?3)";
                let params = params![account.0, made.uuid.as_bytes(), outputs];
                execute(connection, sql, params)?;
                Ok((made, find(made)?))
            };
            idempotency::find_or_make(connection, account, request.as_ref(), find, make)
        })
        .await
    }

    async fn delete_benchmark(&self, account: Account, benchmark: Uuid) -> Result<()> {
        self.transaction(account, 0, move |connection| {
            done(delete(
                session(connection),
                account,
                ObjectKind::Benchmark,
                benchmark,
            ))
        })
        .await
    }
}

fn find(
    connection: &Connection,
    account: Account,
    benchmark: Uuid,
) -> SqliteResult<ObjectPart<Benchmark>> {
    let sql = benchmarks_of!("SELECT * FROM benchmark WHERE account = ?2 AND uuid = ?3");
    let history = Benchmark::HISTORY as i64 + 1;
    let params = params![history, account.0, benchmark.as_bytes()];
    let found = tree::benchmark(connection, sql, params)?;
    let found = require(found, ObjectKind::Benchmark, benchmark)?;
    Ok(page::newest(found, Benchmark::HISTORY))
}

/// That part of the benchmarks of an ensemble.
pub(super) fn of_ensemble<'r>(
    connection: &Connection,
    account: Account,
    ensemble: Uuid,
    range: &'r PageRange,
    budget: &mut ResponseBudget,
) -> SqliteResult<Reading<'r, Benchmark>> {
    let sql = "SELECT uuid, added, length(CAST(policy AS blob)) FROM benchmark
         WHERE account = ?1 AND ensemble = ?2 AND (added, uuid) > (?3, ?4)
         ORDER BY added, uuid LIMIT ?5";
    let (added, after) = range.after();
    let params = params![
        account.0,
        ensemble.as_bytes(),
        added,
        after.as_bytes(),
        range.query_limit()
    ];
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut reading = Reading::new(range);
    while let Some(row) = rows.next()? {
        let (uuid, place) = (uuid(row, 0)?, (row.get(1)?, uuid(row, 0)?));
        let policy: Option<i64> = row.get(2)?;
        if !reading.admits(place, bytes::benchmark(policy.unwrap_or(0)), budget) {
            break;
        }
        let sql = benchmarks_of!("SELECT * FROM benchmark WHERE account = ?2 AND uuid = ?3");
        let history = Benchmark::HISTORY_IN_LIST as i64 + 1;
        let params = params![history, account.0, uuid.as_bytes()];
        if let Some(benchmark) = tree::benchmark(connection, sql, params)? {
            let part = page::newest(benchmark, Benchmark::HISTORY_IN_LIST);
            reading.push(part.object, Vec::new());
        }
    }
    Ok(reading)
}

fn require_ensemble(
    connection: &Connection,
    account: Account,
    (definition, ensemble): (Uuid, Uuid),
) -> SqliteResult<()> {
    let sql = "SELECT 1 FROM ensemble WHERE account = ?1 AND uuid = ?2 AND definition = ?3";
    let params = params![account.0, ensemble.as_bytes(), definition.as_bytes()];
    let found = first(connection, sql, params, |_| Ok(()))?;
    require(found, ObjectKind::Ensemble, ensemble)
}
