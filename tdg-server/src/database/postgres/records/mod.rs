//! Records: those of tables of their own, and those that are stored as they are.

mod add;
mod find;
mod identify;

use async_trait::async_trait;
use tdg_service::record::{Record, RecordKind};
use tdg_service::sync::{HistoryQuestion, RecordOutcome, Wanted};
use tdg_service::{ObjectKind, Result, Uuid};

use self::add::PostgresImport;
use super::Postgres;
use super::error::PostgresError;
use super::statement::{all, execute, first, require, size};
use crate::database::records::{AssertionsSince, IS_THERE, READ, Records, Undrawn, large_bytes};
use crate::database::{Account, tombstone};
use crate::packed_rows::PackedRows;

/// The identities of a kind of object in the project `$2`. Other records are in one table.
fn identities_of_objects(kind: RecordKind) -> Option<&'static str> {
    Some(match kind {
        RecordKind::Project => "SELECT uuid FROM project WHERE account = $1 AND uuid = $2",
        RecordKind::Definition => {
            "SELECT identity FROM definition
             WHERE account = $1 AND project = $2 AND identity IS NOT NULL
             GROUP BY identity"
        }
        RecordKind::Ensemble => {
            "SELECT ensemble.identity FROM definition
             JOIN ensemble ON ensemble.account = definition.account
                 AND ensemble.definition = definition.uuid
             WHERE definition.account = $1 AND definition.project = $2
                 AND ensemble.identity IS NOT NULL
             GROUP BY ensemble.identity"
        }
        RecordKind::Benchmark => {
            "SELECT benchmark.identity FROM definition
             JOIN ensemble ON ensemble.account = definition.account
                 AND ensemble.definition = definition.uuid
             JOIN benchmark ON benchmark.account = ensemble.account
                 AND benchmark.ensemble = ensemble.uuid
             WHERE definition.account = $1 AND definition.project = $2
                 AND benchmark.identity IS NOT NULL
             GROUP BY benchmark.identity"
        }
        _ => return None,
    })
}

#[async_trait]
impl Records for Postgres {
    async fn epoch(&self) -> Result<Uuid> {
        self.pool
            .shared_query((), |client, ()| {
                Box::pin(async {
                    let row = first(client, "SELECT epoch FROM server", &[]).await?;
                    Ok(row
                        .map(|row| row.try_get(0))
                        .transpose()?
                        .unwrap_or_default())
                })
            })
            .await
    }

    async fn identify(&self, account: Account, project: Uuid) -> Result<bool> {
        let pool = self.pool.of(account).await?;
        let is_needed = pool.query((account, project), |client, (account, project)| {
            Box::pin(identify::is_needed(client, *account, *project))
        });
        if !is_needed.await? {
            return Ok(false);
        }
        pool.transaction((account, project), |transaction, (account, project)| {
            Box::pin(identify::some(transaction, *account, *project))
        })
        .await
    }

    async fn identities(
        &self,
        account: Account,
        project: Uuid,
        kind: RecordKind,
    ) -> Result<Vec<Uuid>> {
        self.pool
            .of(account)
            .await?
            .query(
                (account, project, kind),
                |client, (account, project, kind)| {
                    Box::pin(async move {
                        let rows = match identities_of_objects(*kind) {
                            Some(sql) => all(client, sql, &[&account.0, project]).await?,
                            None => {
                                let sql = format!(
                                    "SELECT uuid FROM record
                                     WHERE account = $1 AND project = $2 AND kind = $3
                                         AND {IS_THERE}"
                                );
                                let word = kind.as_str();
                                all(client, &sql, &[&account.0, project, &word]).await?
                            }
                        };
                        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
                    })
                },
            )
            .await
    }

    async fn gone(
        &self,
        account: Account,
        project: Uuid,
        identities: Vec<Uuid>,
    ) -> Result<Vec<Uuid>> {
        let args = (account, project, identities);
        self.pool
            .of(account)
            .await?
            .query(args, |client, (account, project, identities)| {
                Box::pin(tombstone::gone(
                    client.into(),
                    *account,
                    *project,
                    identities,
                ))
            })
            .await
    }

    async fn assertions(
        &self,
        account: Account,
        questions: Vec<HistoryQuestion>,
        most: usize,
    ) -> Result<Vec<AssertionsSince>> {
        let args = (account, questions, most);
        self.pool
            .of(account)
            .await?
            .read_transaction(args, |transaction, (account, questions, most)| {
                Box::pin(async move {
                    let mut found = Vec::new();
                    let (mut listed, mut read) = (0, 0);
                    for question in questions {
                        if listed >= *most || read >= READ {
                            break;
                        }
                        let assertions = find::assertions(transaction, *account, question).await?;
                        listed += assertions.listed(question);
                        read += assertions.entries.len();
                        found.push(assertions);
                    }
                    Ok(found)
                })
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
        let args = (account, project, wanted, bytes);
        self.pool
            .of(account)
            .await?
            .read_transaction(args, |transaction, (account, project, wanted, bytes)| {
                Box::pin(find::records(
                    transaction,
                    *account,
                    *project,
                    wanted,
                    *bytes,
                ))
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
        self.pool
            .of_write(account, bytes)
            .await?
            .transaction(
                (account, project, records),
                |transaction, (account, project, records)| {
                    Box::pin(async move {
                        let mut adding = PostgresImport::new(transaction, *account, *project);
                        let answers = adding.add_all(records).await;
                        answers.map_err(PostgresError::overtaken)
                    })
                },
            )
            .await
    }

    async fn undrawn(&self, account: Account, ensemble: Uuid) -> Result<Undrawn> {
        self.pool
            .shared_query((account, ensemble), |client, (account, ensemble)| {
                Box::pin(async move {
                    let sql = "SELECT definition.text, ensemble.size, ensemble.seed,
                             ensemble.sampler_version, ensemble.digest
                         FROM ensemble JOIN definition ON definition.account = ensemble.account
                             AND definition.uuid = ensemble.definition
                         WHERE ensemble.account = $1 AND ensemble.uuid = $2";
                    let found = first(client, sql, &[&account.0, ensemble]).await?;
                    let row = require(found, ObjectKind::Ensemble, *ensemble)?;
                    Ok(Undrawn {
                        definition: row.try_get(0)?,
                        size: size(&row, 1)?,
                        seed: row.try_get::<_, i64>(2)?.cast_unsigned(),
                        sampler_version: row.try_get::<_, i32>(3)?.cast_unsigned(),
                        digest: row.try_get(4)?,
                    })
                })
            })
            .await
    }

    async fn keep_rows(&self, account: Account, ensemble: Uuid, rows: PackedRows) -> Result<()> {
        let bytes = rows.gzip().len();
        self.pool
            .of_write(account, bytes)
            .await?
            .transaction(
                (account, ensemble, rows),
                |transaction, (account, ensemble, rows)| {
                    Box::pin(async move {
                        let gzip: &[u8] = rows.gzip();
                        let sql = "INSERT INTO packed_rows (account, ensemble, gzip)
                         SELECT account, uuid, $3 FROM ensemble
                         WHERE account = $1 AND uuid = $2
                         ON CONFLICT DO NOTHING";
                        let written =
                            execute(transaction, sql, &[&account.0, ensemble, &gzip]).await?;
                        if written > 0 {
                            let sql =
                                "UPDATE ensemble SET bytes = $3 WHERE account = $1 AND uuid = $2";
                            let bytes = gzip.len() as i64;
                            execute(transaction, sql, &[&account.0, ensemble, &bytes]).await?;
                        }
                        Ok(())
                    })
                },
            )
            .await
    }
}
