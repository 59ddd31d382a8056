//! Ensembles and their rows.

use async_trait::async_trait;
use rusqlite::{Connection, params};
use tdg_service::rules::DrawnEnsemble;
use tdg_service::{Ensemble, IdempotentRequest, Kind, List, Page, Result, Timestamp, Uuid};

use super::Sqlite;
use super::error::DbResult;
use super::idempotency::{self, Made};
use super::page::Range;
use super::statement::{Id, execute, first, require, require_written, size};
use super::tree::{self, ensembles_of};
use crate::database::{Account, Ensembles};
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
            let sql = "SELECT id FROM definition WHERE uuid = ?1 AND account = ?2";
            let params = params![definition.as_bytes(), account.0];
            let id = first(connection, sql, params, |row| row.get(0))?;
            in_range(
                connection,
                require(id, Kind::Definition, definition)?,
                &range,
            )
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
            let sql = "SELECT ensemble.size
                 FROM ensemble JOIN definition ON definition.id = ensemble.definition
                 WHERE ensemble.uuid = ?1 AND definition.uuid = ?2 AND ensemble.account = ?3";
            let params = params![ensemble.as_bytes(), definition.as_bytes(), account.0];
            let found = first(connection, sql, params, |row| size(row, 0))?;
            require(found, Kind::Ensemble, ensemble)
        })
        .await
    }

    async fn ensemble_digest(&self, account: Account, ensemble: Uuid) -> Result<String> {
        self.query(move |connection| {
            let sql = "SELECT digest FROM ensemble WHERE uuid = ?1 AND account = ?2";
            let params = params![ensemble.as_bytes(), account.0];
            let found = first(connection, sql, params, |row| row.get(0))?;
            require(found, Kind::Ensemble, ensemble)
        })
        .await
    }

    async fn rows(&self, account: Account, ensemble: Uuid) -> Result<PackedRows> {
        self.read_transaction(move |connection| {
            let sql = "SELECT packed_rows.gzip
                 FROM ensemble JOIN packed_rows ON packed_rows.ensemble = ensemble.id
                 WHERE ensemble.uuid = ?1 AND ensemble.account = ?2";
            let params = params![ensemble.as_bytes(), account.0];
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
                let (uuid, n) = (Uuid::new_v4(), None);
                let sql = "INSERT INTO ensemble
                     (uuid, definition, account, added, name, size, seed, sampler_version, digest)
                     SELECT ?1, id, account, ?2, ?3, ?4, ?5, ?6, ?7 FROM definition
                     WHERE uuid = ?8 AND account = ?9";
                let params = params![
                    uuid.as_bytes(),
                    Timestamp::now().as_micros(),
                    &drawn.ensemble_name,
                    i64::try_from(drawn.size).unwrap_or(i64::MAX),
                    drawn.seed.cast_signed(),
                    drawn.sampler_version,
                    &drawn.digest,
                    definition.as_bytes(),
                    account.0
                ];
                let inserted = execute(connection, sql, params)?;
                require_written(inserted, Kind::Definition, definition)?;
                let sql = "INSERT INTO packed_rows (ensemble, gzip) VALUES (?1, ?2)";
                let gzip: &[u8] = rows.gzip();
                execute(
                    connection,
                    sql,
                    params![connection.last_insert_rowid(), gzip],
                )?;
                let made = Made { uuid, n };
                Ok((made, find(made)?))
            };
            idempotency::find_or_make(connection, account, request.as_ref(), find, make)
        })
        .await
    }

    async fn delete_ensemble(&self, account: Account, ensemble: Uuid) -> Result<()> {
        self.transaction(move |connection| {
            let sql = "DELETE FROM ensemble WHERE uuid = ?1 AND account = ?2";
            let deleted = execute(connection, sql, params![ensemble.as_bytes(), account.0])?;
            require_written(deleted, Kind::Ensemble, ensemble)
        })
        .await
    }
}

fn find(connection: &Connection, account: Account, ensemble: Uuid) -> DbResult<Ensemble> {
    // Without benchmarks, a statement of two tables is enough, in the columns of the other.
    let sql = "SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, ensemble.id, ensemble.uuid,
             definition.uuid, ensemble.added, ensemble.name, ensemble.size, ensemble.seed,
             ensemble.sampler_version, ensemble.digest
         FROM ensemble JOIN definition ON definition.id = ensemble.definition
         WHERE ensemble.uuid = ?1 AND ensemble.account = ?2
             AND NOT EXISTS (SELECT 1 FROM benchmark WHERE benchmark.ensemble = ensemble.id)";
    let params = params![ensemble.as_bytes(), account.0];
    if let Some(found) = tree::ensembles(connection, sql, params)?.pop() {
        return Ok(found.object);
    }
    let sql = ensembles_of!("SELECT * FROM ensemble WHERE uuid = ?3 AND account = ?4");
    let (history, benchmarks) = tree::WITHIN;
    let params = params![history, benchmarks, ensemble.as_bytes(), account.0];
    let found = tree::ensembles(connection, sql, params)?.pop();
    require(found.map(|row| row.object), Kind::Ensemble, ensemble)
}

/// The first ensembles of a definition.
pub(super) fn of_definition(connection: &Connection, definition: Id) -> DbResult<Vec<Ensemble>> {
    Ok(in_range(connection, definition, &Range::FIRST)?.items)
}

fn in_range(connection: &Connection, definition: Id, range: &Range) -> DbResult<List<Ensemble>> {
    let sql = ensembles_of!(
        "SELECT * FROM ensemble WHERE definition = ?3 AND id > ?4 ORDER BY id LIMIT ?5"
    );
    let (history, benchmarks) = tree::WITHIN;
    let (after, limit) = (range.after(), range.query_limit());
    let params = params![history, benchmarks, definition, after, limit];
    let rows = tree::ensembles(connection, sql, params)?;
    range.list(rows, |row| Ok(row.object))
}
