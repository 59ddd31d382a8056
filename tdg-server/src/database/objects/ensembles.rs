//! Ensembles and their rows.

use tdg_service::rules::DrawnEnsemble;
use tdg_service::{
    Ensemble, IdempotentRequest, List, ObjectKind, ObjectPart, Page, Result, Timestamp, Uuid,
};

use super::benchmarks;
use super::idempotency::{Creation, find_or_make};
use super::page::{self, PageRange, Reading, bytes};
use super::parents::{ensemble_size, require_definition};
use super::prefetch::{Ahead, ListedEnsemble, lists_within};
use crate::account::Account;
use crate::database::error::DatabaseResult;
use crate::database::row::DatabaseRow;
use crate::database::session::{DatabaseSession, require_written};
use crate::database::sql::{Sql, SqlValues, sql};
use crate::database::{Database, Made};
use crate::packed_rows::PackedRows;

impl Database {
    pub(crate) async fn ensembles(
        &self,
        account: Account,
        definition: Uuid,
        page: Page,
    ) -> Result<List<Ensemble>> {
        let args = (definition, PageRange::from_page(&page)?);
        self.read(account, args, |session, (definition, range)| {
            Box::pin(async move {
                require_definition(session, *definition).await?;
                let mut ahead = Ahead::new(session);
                let read = read(session, *definition, range, &mut ahead);
                Ok(read.await?.list())
            })
        })
        .await
    }

    /// Returns an ensemble with this part of its benchmarks.
    pub(crate) async fn ensemble(
        &self,
        account: Account,
        ensemble: Uuid,
        page: Page,
    ) -> Result<ObjectPart<Ensemble>> {
        let range = PageRange::within(&page)?;
        if let Database::Sqlite(_) = self {
            // Without benchmarks, one statement is enough.
            let found = self.look_up(account, ensemble, |session, ensemble| {
                Box::pin(row(session, *ensemble))
            });
            if let ListedEnsemble(object, false) = found.await? {
                return Ok(ObjectPart { object, next: None });
            }
        }
        let args = (ensemble, range);
        self.query(account, args, |session, (ensemble, range)| {
            Box::pin(find(session, *ensemble, range))
        })
        .await
    }

    /// Returns the size of an ensemble, which must belong to the definition.
    pub(crate) async fn ensemble_size(
        &self,
        account: Account,
        definition_and_ensemble: (Uuid, Uuid),
    ) -> Result<usize> {
        self.look_up(account, definition_and_ensemble, |session, parents| {
            Box::pin(ensemble_size(session, *parents))
        })
        .await
    }

    /// Returns the digest of an ensemble's rows.
    pub(crate) async fn ensemble_digest(&self, account: Account, ensemble: Uuid) -> Result<String> {
        let sql = sql!("SELECT digest FROM ensemble WHERE account = $1 AND uuid = $2");
        let object = (ObjectKind::Ensemble, ensemble);
        self.column(account, sql, object).await
    }

    pub(crate) async fn rows(&self, account: Account, ensemble: Uuid) -> Result<PackedRows> {
        let sql = sql!("SELECT gzip FROM packed_rows WHERE account = $1 AND ensemble = $2");
        if let Some(gzip) = self.on_replica(sql, account, ensemble).await {
            self.ensemble_digest(account, ensemble).await?;
            return Ok(PackedRows::from_gzip(gzip));
        }
        self.query(account, ensemble, |session, ensemble| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT packed_rows.gzip FROM ensemble
                     JOIN packed_rows ON packed_rows.account = ensemble.account
                         AND packed_rows.ensemble = ensemble.uuid
                     WHERE ensemble.account = $1 AND ensemble.uuid = $2"
                );
                let read = |row: DatabaseRow<'_>| Ok(PackedRows::from_gzip(row.get(0)?));
                session
                    .find(sql, ObjectKind::Ensemble, *ensemble, read)
                    .await
            })
        })
        .await
    }

    pub(crate) async fn create_ensemble(
        &self,
        account: Account,
        definition: Uuid,
        drawn: (DrawnEnsemble, PackedRows),
        request: Option<IdempotentRequest>,
    ) -> Result<Ensemble> {
        let bytes = drawn.1.gzip().len();
        if request.is_none() {
            let args = (definition, drawn);
            return self
                .write_one(account, bytes, args, |session, (definition, drawn)| {
                    Box::pin(insert(session, *definition, Made::new(), drawn))
                })
                .await;
        }
        let args = (definition, drawn, request);
        self.write(account, bytes, args, |session, args| {
            Box::pin(create(session, args))
        })
        .await
    }
}

/// Inserts an ensemble and its rows. On PostgreSQL this is one statement, to save a round trip.
async fn create(
    session: DatabaseSession<'_>,
    (definition, drawn, request): &Creation<Uuid, (DrawnEnsemble, PackedRows)>,
) -> DatabaseResult<Ensemble> {
    let find = async |made: Made| {
        let found = find(session, made.uuid, &PageRange::start()).await?;
        Ok(found.object)
    };
    let made = Made::new();
    let make = insert(session, *definition, made, drawn);
    find_or_make(session, request.as_ref(), find, (made, make)).await
}

/// Adds an ensemble to its definition; on PostgreSQL with its rows.
const ADD_ENSEMBLE: Sql = sql!(
    postgres: "WITH made AS (
         INSERT INTO ensemble (account, uuid, definition, added, name, size, seed,
             sampler_version, digest, bytes)
         SELECT account, $3, uuid, $4, $5, $6, $7, $8, $9, $10 FROM definition
         WHERE account = $1 AND uuid = $2
         RETURNING account, uuid
     )
     INSERT INTO packed_rows (account, ensemble, gzip) SELECT account, uuid, $11 FROM made",
    sqlite: "INSERT INTO ensemble (account, uuid, definition, added, name, size, seed,
         sampler_version, digest, bytes)
     SELECT account, $3, uuid, $4, $5, $6, $7, $8, $9, $10 FROM definition
     WHERE account = $1 AND uuid = $2"
);

async fn insert(
    session: DatabaseSession<'_>,
    definition: Uuid,
    Made { uuid, .. }: Made,
    (drawn, rows): &(DrawnEnsemble, PackedRows),
) -> DatabaseResult<Ensemble> {
    let added = Timestamp::now();
    let gzip: &[u8] = rows.gzip();
    let values: SqlValues<'_> = &[
        &definition,
        &uuid,
        &added.as_micros(),
        &drawn.ensemble_name,
        &i32::try_from(drawn.size).unwrap_or(i32::MAX),
        &drawn.seed.cast_signed(),
        &drawn.sampler_version.cast_signed(),
        &drawn.digest,
        &(gzip.len() as i64),
        &gzip,
    ];
    let inserted = session.execute(ADD_ENSEMBLE, values).await?;
    require_written(inserted, ObjectKind::Definition, definition)?;
    if session.is_sqlite() {
        let sql = sql!("INSERT INTO packed_rows (account, ensemble, gzip) VALUES ($1, $2, $3)");
        session.execute(sql, &[&uuid, &gzip]).await?;
    }
    Ok(Ensemble {
        ensemble_uuid: uuid,
        definition_uuid: definition,
        added,
        ensemble_name: drawn.ensemble_name.clone(),
        size: drawn.size,
        seed: drawn.seed,
        sampler_version: drawn.sampler_version,
        digest: drawn.digest.clone(),
        benchmarks: Vec::new(),
    })
}

/// The columns of an ensemble, and true if it has benchmarks.
macro_rules! columns {
    () => {
        "uuid, definition, added, name, size, seed, sampler_version, digest, EXISTS (
             SELECT 1 FROM benchmark
             WHERE benchmark.account = ensemble.account AND benchmark.ensemble = ensemble.uuid
         )"
    };
}

async fn row(session: DatabaseSession<'_>, ensemble: Uuid) -> DatabaseResult<ListedEnsemble> {
    let sql = sql!(
        "SELECT ",
        columns!(),
        " FROM ensemble WHERE account = $1 AND uuid = $2"
    );
    session
        .find(sql, ObjectKind::Ensemble, ensemble, listed)
        .await
}

async fn find(
    session: DatabaseSession<'_>,
    ensemble: Uuid,
    range: &PageRange,
) -> DatabaseResult<ObjectPart<Ensemble>> {
    let ListedEnsemble(mut object, has_benchmarks) = row(session, ensemble).await?;
    let mut rest = Vec::new();
    if has_benchmarks {
        let mut ahead = Ahead::new(session);
        ahead.budget.show(bytes::ensemble(&object.ensemble_name));
        let of = benchmarks::of_ensemble(session, ensemble, range, &mut ahead).await?;
        (object.benchmarks, rest) = of.within();
    }
    Ok(ObjectPart {
        object,
        next: page::cursor(&rest),
    })
}

/// Reads as many of a definition's ensembles as fit.
pub(crate) async fn read<'r>(
    session: DatabaseSession<'_>,
    definition: Uuid,
    range: &'r PageRange,
    ahead: &mut Ahead,
) -> DatabaseResult<Reading<'r, Ensemble>> {
    const SQL: Sql = lists_within!("ensemble", "definition", columns!());
    if let Some(definitions) = ahead.ensembles.unread(definition, range) {
        let read = |row: DatabaseRow<'_>| {
            listed(row).map(|ensemble| (ensemble.0.definition_uuid, ensemble))
        };
        let found = session.all(SQL, &definitions.values(), read).await?;
        ahead.ensembles.add(definitions, found, false, |ensemble| {
            if let ListedEnsemble(ensemble, true) = ensemble {
                ahead.benchmarks.announce(ensemble.ensemble_uuid);
            }
        });
    }
    let mut reading = Reading::new(range);
    for ListedEnsemble(mut ensemble, has_benchmarks) in ahead.ensembles.take(definition) {
        let uuid = ensemble.ensemble_uuid;
        let place = (ensemble.added.as_micros(), uuid);
        let bytes = bytes::ensemble(&ensemble.ensemble_name);
        if !reading.admits(place, bytes, &mut ahead.budget) {
            break;
        }
        let mut rest = Vec::new();
        if has_benchmarks {
            let within = range.beneath(place);
            let of = benchmarks::of_ensemble(session, uuid, &within, ahead).await?;
            (ensemble.benchmarks, rest) = of.within();
        }
        reading.push(ensemble, rest);
    }
    Ok(reading)
}

/// Reads an ensemble from a row of `columns`.
fn listed(row: DatabaseRow<'_>) -> DatabaseResult<ListedEnsemble> {
    let ensemble = Ensemble {
        ensemble_uuid: row.get(0)?,
        definition_uuid: row.get(1)?,
        added: row.time(2)?,
        ensemble_name: row.get(3)?,
        size: row.size(4)?,
        seed: row.get::<i64>(5)?.cast_unsigned(),
        sampler_version: row.get::<i32>(6)?.cast_unsigned(),
        digest: row.get(7)?,
        benchmarks: Vec::new(),
    };
    Ok(ListedEnsemble(ensemble, row.get(8)?))
}
