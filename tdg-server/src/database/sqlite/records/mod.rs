//! Records: those of tables of their own, and those that are stored as they are.

mod add;
mod find;
mod identify;

use async_trait::async_trait;
use rusqlite::params;
use tdg_service::record::{Record, RecordKind};
use tdg_service::sync::{HistoryQuestion, RecordOutcome, Wanted};
use tdg_service::{ObjectKind, Result, ServiceObject, Uuid};

use self::add::SqliteImport;
use super::error::{SqliteError, SqliteResult};
use super::statement::{all, execute, first, require, size, uuid};
use super::{Sqlite, done, session};
use crate::database::records::{
    AssertionsSince, IS_THERE, READ, Records, Undrawn, large_bytes, log_damage,
};
use crate::database::{Account, tombstone};
use crate::packed_rows::PackedRows;

#[async_trait]
impl Records for Sqlite {
    async fn epoch(&self) -> Result<Uuid> {
        self.query(|connection| {
            let found = first(connection, "SELECT epoch FROM server", &[], |row| {
                uuid(row, 0)
            })?;
            Ok(found.unwrap_or_default())
        })
        .await
    }

    async fn identify(&self, account: Account, project: Uuid) -> Result<bool> {
        let is_needed = self.read_transaction(account, move |connection| {
            identify::is_needed(connection, account, project)
        });
        if !is_needed.await? {
            return Ok(false);
        }
        self.transaction(account, 0, move |connection| {
            identify::some(connection, account, project)
        })
        .await
    }

    async fn identities(
        &self,
        account: Account,
        project: Uuid,
        kind: RecordKind,
    ) -> Result<Vec<Uuid>> {
        self.read_transaction(account, move |connection| {
            let project = project.as_bytes();
            let params = params![account.0, project, kind.as_str()];
            let sql = match kind {
                RecordKind::Project => {
                    "SELECT uuid FROM project WHERE account = ?1 AND uuid = ?2 AND ?3 <> ''"
                }
                RecordKind::Definition => {
                    "SELECT DISTINCT identity FROM definition
                     WHERE account = ?1 AND project = ?2 AND ?3 <> '' AND identity IS NOT NULL"
                }
                RecordKind::Ensemble => {
                    "SELECT DISTINCT ensemble.identity FROM definition
                     CROSS JOIN ensemble ON ensemble.account = definition.account
                         AND ensemble.definition = definition.uuid
                     WHERE definition.account = ?1 AND definition.project = ?2 AND ?3 <> ''
                         AND ensemble.identity IS NOT NULL"
                }
                RecordKind::Benchmark => {
                    "SELECT DISTINCT benchmark.identity FROM definition
                     CROSS JOIN ensemble ON ensemble.account = definition.account
                         AND ensemble.definition = definition.uuid
                     CROSS JOIN benchmark ON benchmark.account = ensemble.account
                         AND benchmark.ensemble = ensemble.uuid
                     WHERE definition.account = ?1 AND definition.project = ?2 AND ?3 <> ''
                         AND benchmark.identity IS NOT NULL"
                }
                _ => &format!(
                    "SELECT uuid FROM record
                     WHERE account = ?1 AND project = ?2 AND kind = ?3 AND {IS_THERE}"
                ),
            };
            all(connection, sql, params, |row| uuid(row, 0))
        })
        .await
    }

    async fn gone(
        &self,
        account: Account,
        project: Uuid,
        identities: Vec<Uuid>,
    ) -> Result<Vec<Uuid>> {
        self.read_transaction(account, move |connection| {
            let session = session(connection);
            done(tombstone::gone(session, account, project, &identities))
        })
        .await
    }

    async fn assertions(
        &self,
        account: Account,
        questions: Vec<HistoryQuestion>,
        most: usize,
    ) -> Result<Vec<AssertionsSince>> {
        self.read_transaction(account, move |connection| {
            let mut found = Vec::new();
            let (mut listed, mut read) = (0, 0);
            for question in questions {
                if listed >= most || read >= READ {
                    break;
                }
                let assertions = find::assertions(connection, account, question)?;
                listed += assertions.listed(&question);
                read += assertions.entries.len();
                found.push(assertions);
            }
            Ok(found)
        })
        .await
    }

    async fn records(
        &self,
        account: Account,
        project: Uuid,
        wanted: Vec<Wanted>,
        bytes: usize,
    ) -> Result<Vec<Option<Record>>> {
        self.read_transaction(account, move |connection| {
            let mut found = Vec::new();
            let mut left = bytes;
            for wanted in wanted {
                let record = match find::record(connection, account, project, wanted) {
                    Err(SqliteError::Corrupt { source, .. }) => {
                        log_damage(wanted, &*source);
                        None
                    }
                    found => found?,
                };
                let length = record.as_ref().map_or(0, |record| record.to_json().len());
                found.push(record);
                match left.checked_sub(length) {
                    Some(rest) => left = rest,
                    None => break,
                }
            }
            Ok(found)
        })
        .await
    }

    async fn add_records(
        &self,
        account: Account,
        project: Uuid,
        records: Vec<Record>,
    ) -> Result<Vec<RecordOutcome>> {
        let bytes = records.iter().map(large_bytes).sum();
        self.transaction(account, bytes, move |connection| {
            let mut adding = SqliteImport::new(connection, account, project);
            let answers = records.iter().map(|record| adding.add(record));
            let answers = answers.collect::<SqliteResult<Vec<_>>>()?;
            adding.finish()?;
            Ok(answers)
        })
        .await
    }

    async fn undrawn(&self, account: Account, ensemble: Uuid) -> Result<Undrawn> {
        self.query(move |connection| {
            let sql = "SELECT definition.text, ensemble.size, ensemble.seed,
                     ensemble.sampler_version, ensemble.digest
                 FROM ensemble JOIN definition ON definition.account = ensemble.account
                     AND definition.uuid = ensemble.definition
                 WHERE ensemble.account = ?1 AND ensemble.uuid = ?2";
            let params = params![account.0, ensemble.as_bytes()];
            let found = first(connection, sql, params, |row| {
                Ok(Undrawn {
                    definition: row.get(0)?,
                    size: size(row, 1)?,
                    seed: row.get::<_, i64>(2)?.cast_unsigned(),
                    sampler_version: row.get(3)?,
                    digest: row.get(4)?,
                })
            })?;
            require(found, ObjectKind::Ensemble, ensemble)
        })
        .await
    }

    async fn keep_rows(&self, account: Account, ensemble: Uuid, rows: PackedRows) -> Result<()> {
        let bytes = rows.gzip().len();
        self.transaction(account, bytes, move |connection| {
            let sql = "INSERT OR IGNORE INTO packed_rows (account, ensemble, gzip)
                 SELECT account, uuid, ?3 FROM ensemble WHERE account = ?1 AND uuid = ?2";
            let params = params![account.0, ensemble.as_bytes(), &rows.gzip()[..]];
            if execute(connection, sql, params)? > 0 {
                let sql = "UPDATE ensemble SET bytes = ?3 WHERE account = ?1 AND uuid = ?2";
                let params = params![account.0, ensemble.as_bytes(), bytes as i64];
                execute(connection, sql, params)?;
            }
            Ok(())
        })
        .await
    }
}
