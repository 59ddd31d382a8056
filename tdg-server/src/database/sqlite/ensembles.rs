//! Ensembles and their rows.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use tdg_service::rules::DrawnEnsemble;
use tdg_service::{
    Ensemble, IdempotentRequest, List, ObjectKind, ObjectPart, Page, Result, Timestamp, Uuid,
};

use super::error::SqliteResult;
use super::idempotency;
use super::statement::{execute, first, require, require_written, size, time, uuid};
use super::{Sqlite, benchmarks, done, session};
use crate::database::deletion::delete;
use crate::database::page::{self, PagePosition, PageRange, Reading, ResponseBudget, bytes};
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
        self.read_transaction(account, move |connection| {
            let range = PageRange::of(&page)?;
            let sql = "SELECT 1 FROM definition WHERE account = ?1 AND uuid = ?2";
            let params = params![account.0, definition.as_bytes()];
            let found = first(connection, sql, params, |_| Ok(()))?;
            require(found, ObjectKind::Definition, definition)?;
            Ok(read(
                connection,
                account,
                definition,
                &range,
                &mut ResponseBudget::new(),
            )?
            .list())
        })
        .await
    }

    async fn ensemble(
        &self,
        account: Account,
        ensemble: Uuid,
        page: Page,
    ) -> Result<ObjectPart<Ensemble>> {
        let range = PageRange::within(&page)?;
        // Without benchmarks, one statement is enough.
        let found = self.query(|connection| row(connection, account, ensemble));
        let (object, has_benchmarks) = found.await?;
        if !has_benchmarks {
            return Ok(ObjectPart { object, next: None });
        }
        self.read_transaction(account, move |connection| {
            find(connection, account, ensemble, &range)
        })
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
            require(found, ObjectKind::Ensemble, ensemble)
        })
        .await
    }

    async fn ensemble_digest(&self, account: Account, ensemble: Uuid) -> Result<String> {
        self.query(move |connection| {
            let sql = "SELECT digest FROM ensemble WHERE account = ?1 AND uuid = ?2";
            let params = params![account.0, ensemble.as_bytes()];
            let found = first(connection, sql, params, |row| row.get(0))?;
            require(found, ObjectKind::Ensemble, ensemble)
        })
        .await
    }

    async fn rows(&self, account: Account, ensemble: Uuid) -> Result<PackedRows> {
        self.read_transaction(account, move |connection| {
            let sql = "SELECT packed_rows.gzip
                 FROM ensemble JOIN packed_rows ON packed_rows.account = ensemble.account
                     AND packed_rows.ensemble = ensemble.uuid
                 WHERE ensemble.account = ?1 AND ensemble.uuid = ?2";
            let params = params![account.0, ensemble.as_bytes()];
            let found = first(connection, sql, params, |row| row.get(0))?;
            let gzip = require(found, ObjectKind::Ensemble, ensemble)?;
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
        let bytes = rows.gzip().len();
        self.transaction(account, bytes, move |connection| {
            let find = |made: Made| {
                let found = find(connection, account, made.uuid, &PageRange::start());
                found.map(|part| part.object)
            };
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
                require_written(inserted, ObjectKind::Definition, definition)?;
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
        self.transaction(account, 0, move |connection| {
            done(delete(
                session(connection),
                account,
                ObjectKind::Ensemble,
                ensemble,
            ))
        })
        .await
    }
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

fn row(
    connection: &Connection,
    account: Account,
    ensemble: Uuid,
) -> SqliteResult<(Ensemble, bool)> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM ensemble WHERE account = ?1 AND uuid = ?2"
    );
    let params = params![account.0, ensemble.as_bytes()];
    let found = first(connection, sql, params, |row| {
        Ok((object(row)?, row.get(8)?))
    })?;
    require(found, ObjectKind::Ensemble, ensemble)
}

fn find(
    connection: &Connection,
    account: Account,
    ensemble: Uuid,
    range: &PageRange,
) -> SqliteResult<ObjectPart<Ensemble>> {
    let (mut object, has_benchmarks) = row(connection, account, ensemble)?;
    let mut rest = Vec::new();
    if has_benchmarks {
        let mut budget = ResponseBudget::new();
        budget.show(bytes::ensemble(&object.ensemble_name));
        let of = benchmarks::of_ensemble(connection, account, ensemble, range, &mut budget)?;
        (object.benchmarks, rest) = of.within();
    }
    Ok(ObjectPart {
        object,
        next: page::cursor(&rest),
    })
}

/// That part of the ensembles of a definition, and where they go on.
pub(super) fn of_definition(
    connection: &Connection,
    account: Account,
    definition: Uuid,
    range: &PageRange,
    budget: &mut ResponseBudget,
) -> SqliteResult<(Vec<Ensemble>, Vec<PagePosition>)> {
    Ok(read(connection, account, definition, range, budget)?.within())
}

fn read<'r>(
    connection: &Connection,
    account: Account,
    definition: Uuid,
    range: &'r PageRange,
    budget: &mut ResponseBudget,
) -> SqliteResult<Reading<'r, Ensemble>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM ensemble WHERE account = ?1 AND definition = ?2 AND (added, uuid) > (?3, ?4)
         ORDER BY added, uuid LIMIT ?5"
    );
    let (added, uuid) = range.after();
    let params = params![
        account.0,
        definition.as_bytes(),
        added,
        uuid.as_bytes(),
        range.query_limit()
    ];
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut reading = Reading::new(range);
    while let Some(row) = rows.next()? {
        let mut ensemble = object(row)?;
        let uuid = ensemble.ensemble_uuid;
        let place = (ensemble.added.as_micros(), uuid);
        if !reading.admits(place, bytes::ensemble(&ensemble.ensemble_name), budget) {
            break;
        }
        let mut rest = Vec::new();
        if row.get(8)? {
            let within = range.beneath(place);
            let of = benchmarks::of_ensemble(connection, account, uuid, &within, budget)?;
            (ensemble.benchmarks, rest) = of.within();
        }
        reading.push(ensemble, rest);
    }
    Ok(reading)
}

/// Without its benchmarks.
fn object(row: &Row<'_>) -> rusqlite::Result<Ensemble> {
    Ok(Ensemble {
        ensemble_uuid: uuid(row, 0)?,
        definition_uuid: uuid(row, 1)?,
        added: time(row, 2)?,
        ensemble_name: row.get(3)?,
        size: size(row, 4)?,
        seed: row.get::<_, i64>(5)?.cast_unsigned(),
        sampler_version: row.get(6)?,
        digest: row.get(7)?,
        benchmarks: Vec::new(),
    })
}
