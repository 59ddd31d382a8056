//! Ensembles and their rows.

use async_trait::async_trait;
use rusqlite::{Connection, params};
use tdg_service::rules::DrawnEnsemble;
use tdg_service::{Ensemble, IdempotentRequest, Kind, List, Page, Result, Timestamp, Uuid};

use super::Sqlite;
use super::deletion::delete;
use super::error::DbResult;
use super::idempotency;
use super::statement::{execute, first, require, require_written, size};
use super::tree::{self, ensembles_of};
use crate::database::page::Range;
use crate::database::{Account, Ensembles, Made};
use crate::packed_rows::PackedRows;

#[async_trait]
impl Ensembles for Sqlite {
    async fn ensembles(
        &self,
        account: Account,
        definition: Uuid,
        page: Page,
    ) -> Result<List<Ensemble>> {
        self.read_transaction(move |connection| {
            let range = Range::of(&page)?;
            let sql = "SELECT 1 FROM definition WHERE account = ?1 AND uuid = ?2";
            let params = params![account.0, definition.as_bytes()];
            let found = first(connection, sql, params, |_| Ok(()))?;
            require(found, Kind::Definition, definition)?;
            in_range(connection, account, definition, &range)
        })
        .await
    }

    async fn ensemble(&self, account: Account, ensemble: Uuid) -> Result<Ensemble> {
        self.query(move |connection| find(connection, account, ensemble))
            .await
    }

    async fn ensemble_size(
        &self,
        account: Account,
        (definition, ensemble): (Uuid, Uuid),
    ) -> Result<usize> {
        self.query(move |connection| {
            let sql = "SELECT size FROM ensemble
                 WHERE account = ?1 AND uuid = ?2 AND definition = ?3";
            let params = params![account.0, ensemble.as_bytes(), definition.as_bytes()];
            let found = first(connection, sql, params, |row| size(row, 0))?;
            require(found, Kind::Ensemble, ensemble)
        })
        .await
    }

    async fn ensemble_digest(&self, account: Account, ensemble: Uuid) -> Result<String> {
        self.query(move |connection| {
            let sql = "SELECT digest FROM ensemble WHERE account = ?1 AND uuid = ?2";
            let params = params![account.0, ensemble.as_bytes()];
            let found = first(connection, sql, params, |row| row.get(0))?;
            require(found, Kind::Ensemble, ensemble)
        })
        .await
    }

    async fn rows(&self, account: Account, ensemble: Uuid) -> Result<PackedRows> {
        self.read_transaction(move |connection| {
            let sql = "SELECT packed_rows.gzip
                 FROM ensemble JOIN packed_rows ON packed_rows.account = ensemble.account
                     AND packed_rows.ensemble = ensemble.uuid
                 WHERE ensemble.account = ?1 AND ensemble.uuid = ?2";
            let params = params![account.0, ensemble.as_bytes()];
            let found = first(connection, sql, params, |row| row.get(0))?;
            let gzip = require(found, Kind::Ensemble, ensemble)?;
            Ok(PackedRows::from_gzip(gzip))
        })
        .await
    }

    async fn create_ensemble(
        &self,
        account: Account,
        definition: Uuid,
        (drawn, rows): (DrawnEnsemble, PackedRows),
        request: Option<IdempotentRequest>,
    ) -> Result<Ensemble> {
        self.transaction(move |connection| {
            let find = |made: Made| find(connection, account, made.uuid);
            let make = || {
                let made = Made::new();
                let sql = "INSERT INTO ensemble (account, uuid, definition, added, name, size,
                         seed, sampler_version, digest, bytes)
                     SELECT account, ?3, uuid, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM definition
                     WHERE account = ?1 AND uuid = ?2";
                let gzip: &[u8] = rows.gzip();
                let params = params![
                    account.0,
                    definition.as_bytes(),
                    made.uuid.as_bytes(),
                    Timestamp::now().as_micros(),
                    &drawn.ensemble_name,
                    i64::try_from(drawn.size).unwrap_or(i64::MAX),
                    drawn.seed.cast_signed(),
                    drawn.sampler_version,
                    &drawn.digest,
                    gzip.len() as i64
                ];
                let inserted = execute(connection, sql, params)?;
                require_written(inserted, Kind::Definition, definition)?;
                let sql = "INSERT INTO packed_rows (account, ensemble, gzip) VALUES (?1, ?2, ?3)";
                let params = params![account.0, made.uuid.as_bytes(), gzip];
                execute(connection, sql, params)?;
                Ok((made, find(made)?))
            };
            idempotency::find_or_make(connection, account, request.as_ref(), find, make)
        })
        .await
    }

    async fn delete_ensemble(&self, account: Account, ensemble: Uuid) -> Result<()> {
        self.transaction(move |connection| delete(connection, account, Kind::Ensemble, ensemble))
            .await
    }
}

fn find(connection: &Connection, account: Account, ensemble: Uuid) -> DbResult<Ensemble> {
    // Without benchmarks, a statement of one table is enough, in the columns of the other.
    let sql =
        "SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, uuid, definition, added, name, size,
             seed, sampler_version, digest
         FROM ensemble WHERE account = ?1 AND uuid = ?2 AND NOT EXISTS (
             SELECT 1 FROM benchmark
             WHERE benchmark.account = ensemble.account AND benchmark.ensemble = ensemble.uuid)";
    let params = params![account.0, ensemble.as_bytes()];
    if let Some(found) = tree::ensembles(connection, sql, params)?.pop() {
        return Ok(found);
    }
    let sql = ensembles_of!("SELECT * FROM ensemble WHERE account = ?3 AND uuid = ?4");
    let (history, benchmarks) = tree::WITHIN;
    let params = params![history, benchmarks, account.0, ensemble.as_bytes()];
    let found = tree::ensembles(connection, sql, params)?.pop();
    require(found, Kind::Ensemble, ensemble)
}

/// The first ensembles of a definition.
pub(super) fn of_definition(
    connection: &Connection,
    account: Account,
    definition: Uuid,
) -> DbResult<Vec<Ensemble>> {
    Ok(in_range(connection, account, definition, &Range::FIRST)?.items)
}

fn in_range(
    connection: &Connection,
    account: Account,
    definition: Uuid,
    range: &Range,
) -> DbResult<List<Ensemble>> {
    let sql = ensembles_of!(
        "SELECT * FROM ensemble
         WHERE account = ?3 AND definition = ?4 AND (added, uuid) > (?5, ?6)
         ORDER BY added, uuid LIMIT ?7"
    );
    let (history, benchmarks) = tree::WITHIN;
    let (added, uuid) = range.after();
    let params = params![
        history,
        benchmarks,
        account.0,
        definition.as_bytes(),
        added,
        uuid.as_bytes(),
        range.query_limit()
    ];
    let found = tree::ensembles(connection, sql, params)?;
    let rows = found.len();
    let place = |last: &Ensemble| (last.added, last.ensemble_uuid);
    Ok(range.list(found, rows, place))
}
