//! Benchmarks.

use async_trait::async_trait;
use rusqlite::{Connection, params};
use tdg_engine::output::Outputs;
use tdg_service::{
    Benchmark, IdempotentRequest, Kind, List, NewBenchmark, Page, Result, Timestamp, Uuid,
};

use super::Sqlite;
use super::error::{DbError, DbResult};
use super::idempotency::{self, Made};
use super::page::Range;
use super::statement::{Id, execute, first, require, require_written, size, uuid};
use super::tree::{self, benchmarks_of};
use crate::database::{Account, Benchmarks, Expected};

#[async_trait]
impl Benchmarks for Sqlite {
    async fn benchmarks(
        &self,
        account: Account,
        (definition, ensemble): (Uuid, Uuid),
        page: Page,
    ) -> Result<List<Benchmark>> {
        self.read_transaction(move |connection| {
            let range = Range::of(&page)?;
            let ensemble = ensemble_id(connection, account, (definition, ensemble))?;
            let sql = benchmarks_of!(
                "SELECT id, uuid, ensemble, added, digest, policy FROM benchmark
                 WHERE ensemble = ?2 AND id > ?3 ORDER BY id LIMIT ?4"
            );
            let (history, _) = tree::WITHIN;
            let params = params![history, ensemble, range.after(), range.query_limit()];
            let rows = tree::benchmarks(connection, sql, params)?;
            range.list(rows, |row| Ok(row.object))
        })
        .await
    }

    async fn benchmark(&self, account: Account, benchmark: Uuid) -> Result<Benchmark> {
        self.query(move |connection| find(connection, account, benchmark))
            .await
    }

    /// The number of assertions: they are only ever added.
    async fn history_stamp(&self, account: Account, benchmark: Uuid) -> Result<Option<i64>> {
        self.query(move |connection| {
            let sql = "SELECT (
                     SELECT ifnull(max(n), 0) FROM assertion
                     WHERE assertion.benchmark = benchmark.id
                 ) FROM benchmark WHERE uuid = ?1 AND account = ?2";
            let params = params![benchmark.as_bytes(), account.0];
            let found = first(connection, sql, params, |row| row.get(0))?;
            require(found, Kind::Benchmark, benchmark).map(Some)
        })
        .await
    }

    async fn output_digest(&self, account: Account, benchmark: Uuid) -> Result<String> {
        self.query(move |connection| {
            let sql = "SELECT digest FROM benchmark WHERE uuid = ?1 AND account = ?2";
            let params = params![benchmark.as_bytes(), account.0];
            let found = first(connection, sql, params, |row| row.get(0))?;
            require(found, Kind::Benchmark, benchmark)
        })
        .await
    }

    async fn expected(&self, account: Account, benchmark: Uuid) -> Result<Expected> {
        self.read_transaction(move |connection| {
            let sql = "SELECT ensemble.uuid, definition.uuid, ensemble.size, benchmark.policy,
                     benchmark.outputs
                 FROM benchmark JOIN ensemble ON ensemble.id = benchmark.ensemble
                 JOIN definition ON definition.id = ensemble.definition
                 WHERE benchmark.uuid = ?1 AND benchmark.account = ?2";
            let params = params![benchmark.as_bytes(), account.0];
            let found = first(connection, sql, params, |row| {
                let (policy, outputs): (Option<String>, String) = (row.get(3)?, row.get(4)?);
                Ok((uuid(row, 0)?, uuid(row, 1)?, size(row, 2)?, policy, outputs))
            })?;
            let (ensemble_uuid, definition_uuid, size, policy, outputs) =
                require(found, Kind::Benchmark, benchmark)?;
            Ok(Expected {
                ensemble_uuid,
                definition_uuid,
                size,
                policy: tree::policy(policy.as_deref())?,
                outputs: Outputs::from_canonical(outputs)
                    .map_err(|error| DbError::corrupt("benchmark", error))?,
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
        self.transaction(move |connection| {
            let find = |made: Made| find(connection, account, made.uuid);
            let make = || {
                let (uuid, n) = (Uuid::new_v4(), None);
                let policy = new
                    .policy
                    .as_ref()
                    .map(|policy| policy.to_json().to_string());
                let sql = "INSERT INTO benchmark
                     (uuid, ensemble, account, added, digest, policy, outputs)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
                let params = params![
                    uuid.as_bytes(),
                    ensemble_id(connection, account, parents)?,
                    account.0,
                    Timestamp::now().as_micros(),
                    digest,
                    policy,
                    new.expected_output.as_json()
                ];
                execute(connection, sql, params)?;
                let made = Made { uuid, n };
                Ok((made, find(made)?))
            };
            idempotency::find_or_make(connection, account, request.as_ref(), find, make)
        })
        .await
    }

    async fn delete_benchmark(&self, account: Account, benchmark: Uuid) -> Result<()> {
        self.transaction(move |connection| {
            let sql = "DELETE FROM benchmark WHERE uuid = ?1 AND account = ?2";
            let deleted = execute(connection, sql, params![benchmark.as_bytes(), account.0])?;
            require_written(deleted, Kind::Benchmark, benchmark)
        })
        .await
    }
}

fn find(connection: &Connection, account: Account, benchmark: Uuid) -> DbResult<Benchmark> {
    let sql = benchmarks_of!(
        "SELECT id, uuid, ensemble, added, digest, policy FROM benchmark
         WHERE uuid = ?2 AND account = ?3"
    );
    let history = Benchmark::HISTORY as i64;
    let params = params![history, benchmark.as_bytes(), account.0];
    let found = tree::benchmarks(connection, sql, params)?.pop();
    require(found.map(|row| row.object), Kind::Benchmark, benchmark)
}

fn ensemble_id(
    connection: &Connection,
    account: Account,
    (definition, ensemble): (Uuid, Uuid),
) -> DbResult<Id> {
    let sql = "SELECT ensemble.id
         FROM ensemble JOIN definition ON definition.id = ensemble.definition
         WHERE ensemble.uuid = ?1 AND definition.uuid = ?2 AND ensemble.account = ?3";
    let params = params![ensemble.as_bytes(), definition.as_bytes(), account.0];
    let found = first(connection, sql, params, |row| row.get(0))?;
    require(found, Kind::Ensemble, ensemble)
}
