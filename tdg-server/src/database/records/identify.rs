//! Identities of objects that were created by the interface's endpoints.

use tdg_service::Uuid;
use tdg_service::record::identity;

use super::outcome::IDENTIFIED;
use crate::database::error::DatabaseResult;
use crate::database::row::DatabaseRow;
use crate::database::session::ProjectSession;
use crate::database::sql::{Sql, SqlValues, sql};

/// The objects of a kind without an identity.
struct Unidentified {
    /// Finds the identifiers of such objects in project `$2`, and the inputs of their identities.
    find: Sql,
    identity: fn(Uuid, DatabaseRow<'_>) -> DatabaseResult<Uuid>,
    set: Sql,
}

macro_rules! set {
    ($table:literal) => {
        sql!(
            postgres: concat!(
                "UPDATE ", $table, " SET identity = given.identity
                 FROM unnest($2::uuid[], $3::uuid[]) AS given (uuid, identity)
                 WHERE ", $table, ".account = $1 AND ", $table, ".uuid = given.uuid"
            ),
            sqlite: concat!(
                "UPDATE ", $table, " SET identity = $3 WHERE account = $1 AND uuid = $2"
            )
        )
    };
}

/// The kinds, outermost first, because an object's identity depends on its parent's.
const KINDS: [Unidentified; 3] = [
    Unidentified {
        find: sql!(
            "SELECT uuid, text FROM definition
             WHERE account = $1 AND project = $2 AND identity IS NULL LIMIT $3"
        ),
        identity: |project, row| Ok(identity::definition(project, row.text(1)?)),
        set: set!("definition"),
    },
    Unidentified {
        find: sql!(
            "SELECT ensemble.uuid, definition.identity, ensemble.seed, ensemble.size,
                 ensemble.sampler_version
             FROM definition JOIN ensemble ON ensemble.account = definition.account
                 AND ensemble.definition = definition.uuid
             WHERE definition.account = $1 AND definition.project = $2
                 AND definition.identity IS NOT NULL AND ensemble.identity IS NULL LIMIT $3"
        ),
        identity: |_, row| {
            let (definition, seed) = (row.get(1)?, row.get::<i64>(2)?.cast_unsigned());
            let version = row.get::<i32>(4)?.cast_unsigned();
            Ok(identity::ensemble(definition, seed, row.size(3)?, version))
        },
        set: set!("ensemble"),
    },
    Unidentified {
        find: sql!(
            "SELECT benchmark.uuid, ensemble.identity, benchmark.digest
             FROM definition JOIN ensemble ON ensemble.account = definition.account
                 AND ensemble.definition = definition.uuid
             JOIN benchmark ON benchmark.account = ensemble.account
                 AND benchmark.ensemble = ensemble.uuid
             WHERE definition.account = $1 AND definition.project = $2
                 AND ensemble.identity IS NOT NULL AND benchmark.identity IS NULL LIMIT $3"
        ),
        identity: |_, row| Ok(identity::benchmark(row.get(1)?, row.text(2)?)),
        set: set!("benchmark"),
    },
];

impl ProjectSession<'_> {
    /// Returns true if the project has objects without an identity.
    pub(super) async fn lacks_identities(self) -> DatabaseResult<bool> {
        for kind in KINDS {
            let values: SqlValues<'_> = &[&self.project, &1_i64];
            if self.session.exists(kind.find, values).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Assigns identities to some objects. Returns true if there may be more.
    pub(super) async fn identify(self) -> DatabaseResult<bool> {
        let mut changed = false;
        for kind in KINDS {
            let values: SqlValues<'_> = &[&self.project, &IDENTIFIED];
            let read =
                |row: DatabaseRow<'_>| Ok((row.get(0)?, (kind.identity)(self.project, row)?));
            let found: Vec<(Uuid, Uuid)> = self.session.all(kind.find, values, read).await?;
            if found.is_empty() {
                continue;
            }
            changed = true;
            let (uuids, identities): (Vec<Uuid>, Vec<Uuid>) = found.into_iter().unzip();
            let columns = [&uuids as _, &identities as _];
            self.session.execute_each(kind.set, &[], &columns).await?;
            self.revive(&identities).await?;
        }
        Ok(changed)
    }
}
