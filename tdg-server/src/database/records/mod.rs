//! Records, the units in which stores are synchronized. Some kinds have separate tables, and the
//! others are stored verbatim. A project that the account doesn't have has no records.
//!
//! The interface's objects become records when they get an identity, which happens when their
//! project is first synchronized. If several have the same identity, the earliest represents them,
//! and their assertions form one history.

mod add;
mod announce;
mod assertions;
mod find;
mod identify;
mod outcome;

use tdg_service::record::{Record, RecordKind};
use tdg_service::sync::{HistoryQuestion, RecordOutcome, Wanted};
use tdg_service::{ObjectKind, Result, Timestamp, Uuid};

use self::outcome::READ;
pub(super) use self::outcome::is_there;
use super::error::DatabaseError;
use super::row::DatabaseRow;
use super::session::ProjectSession;
use super::sql::{Sql, SqlValues, sql};
use super::{Database, RecordSender};
use crate::account::Account;
use crate::packed_rows::PackedRows;

/// The assertions of a benchmark from a time on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AssertionsSince {
    /// The time since which assertions are kept. Earlier ones may have been removed.
    pub(crate) kept_since: Timestamp,
    /// The assertions' times and identities, in order.
    pub(crate) entries: Vec<(Timestamp, Uuid)>,
}

impl AssertionsSince {
    /// Returns the number of assertions to list.
    fn listed(&self, asked: &HistoryQuestion) -> usize {
        let older = |(time, _): &(Timestamp, Uuid)| *time < asked.listed_from;
        self.entries.len() - self.entries.partition_point(older)
    }
}

/// An ensemble whose definition draws its rows.
#[derive(Clone, Debug)]
pub(crate) struct Undrawn {
    /// The canonical text of its definition.
    pub(crate) definition: String,
    pub(crate) size: usize,
    pub(crate) seed: u64,
    pub(crate) sampler_version: u32,
    pub(crate) digest: String,
}

/// Returns the query for the identities of a kind of object in project `$2`, if it has a table.
fn identities_of_objects(kind: RecordKind) -> Option<Sql> {
    Some(match kind {
        RecordKind::Project => sql!("SELECT uuid FROM project WHERE account = $1 AND uuid = $2"),
        RecordKind::Definition => sql!(
            "SELECT identity FROM definition
             WHERE account = $1 AND project = $2 AND identity IS NOT NULL
             GROUP BY identity"
        ),
        RecordKind::Ensemble => sql!(
            "SELECT ensemble.identity FROM definition
             JOIN ensemble ON ensemble.account = definition.account
                 AND ensemble.definition = definition.uuid
             WHERE definition.account = $1 AND definition.project = $2
                 AND ensemble.identity IS NOT NULL
             GROUP BY ensemble.identity"
        ),
        RecordKind::Benchmark => sql!(
            "SELECT benchmark.identity FROM definition
             JOIN ensemble ON ensemble.account = definition.account
                 AND ensemble.definition = definition.uuid
             JOIN benchmark ON benchmark.account = ensemble.account
                 AND benchmark.ensemble = ensemble.uuid
             WHERE definition.account = $1 AND definition.project = $2
                 AND benchmark.identity IS NOT NULL
             GROUP BY benchmark.identity"
        ),
        _ => return None,
    })
}

impl Database {
    /// Returns the identifier of the database. One that was restored from a backup has another.
    pub(crate) async fn epoch(&self) -> Result<Uuid> {
        self.look_up(Account::NONE, (), |session, ()| {
            Box::pin(async move {
                let sql = sql!("SELECT epoch FROM server");
                let found = session.first(sql, &[], |row| row.get(0)).await?;
                Ok(found.unwrap_or_default())
            })
        })
        .await
    }

    /// Assigns identities to some of a project's objects. Returns true if there may be more.
    pub(crate) async fn identify(&self, account: Account, project: Uuid) -> Result<bool> {
        let args = project;
        let is_needed = self.query(account, args, |session, project| {
            Box::pin(session.within(*project).lacks_identities())
        });
        if !is_needed.await? {
            return Ok(false);
        }
        self.write(account, 0, args, |session, project| {
            Box::pin(session.within(*project).identify())
        })
        .await
    }

    /// Returns the identities of a kind other than assertions, in any order.
    pub(crate) async fn identities(
        &self,
        account: Account,
        project: Uuid,
        kind: RecordKind,
    ) -> Result<Vec<Uuid>> {
        let args = (project, kind);
        self.query(account, args, |session, (project, kind)| {
            Box::pin(async move {
                let values: SqlValues<'_> = &[project, &kind.as_str()];
                let (sql, values) = match identities_of_objects(*kind) {
                    Some(sql) => (sql, &values[..1]),
                    None => (
                        sql!(
                            "SELECT uuid FROM record
                             WHERE account = $1 AND project = $2 AND kind = $3 AND ",
                            is_there!()
                        ),
                        values,
                    ),
                };
                session.all(sql, values, |row| row.get(0)).await
            })
        })
        .await
    }

    /// Returns those identities in a project that were deleted and not revived.
    pub(crate) async fn gone(
        &self,
        account: Account,
        project: Uuid,
        identities: Vec<Uuid>,
    ) -> Result<Vec<Uuid>> {
        let args = (project, identities);
        self.query(account, args, |session, (project, identities)| {
            Box::pin(session.within(*project).gone(identities))
        })
        .await
    }

    /// Returns the assertions of the first of these benchmarks, in order: of at least one
    /// benchmark, until the number of listed assertions reaches the limit.
    pub(crate) async fn assertions(
        &self,
        account: Account,
        project: Uuid,
        questions: Vec<HistoryQuestion>,
        most: usize,
    ) -> Result<Vec<AssertionsSince>> {
        let args = (project, questions, most);
        self.read(account, args, |session, (project, questions, most)| {
            Box::pin(async move {
                let project = session.within(*project);
                let mut found = Vec::new();
                let (mut listed, mut read) = (0, 0);
                for question in questions {
                    if listed >= *most || read >= READ {
                        break;
                    }
                    let assertions = find::assertions(project, question).await?;
                    listed += assertions.listed(question);
                    read += assertions.entries.len();
                    found.push(assertions);
                }
                Ok(found)
            })
        })
        .await
    }

    /// Returns the first of these records, at least one, until their bytes reach the limit. A
    /// damaged record counts as missing.
    pub(crate) async fn records(
        &self,
        account: Account,
        project: Uuid,
        wanted: Vec<Wanted>,
        bytes: usize,
    ) -> Result<Vec<Option<Record>>> {
        let args = (project, wanted, bytes);
        self.read(account, args, |session, (project, wanted, bytes)| {
            Box::pin(session.within(*project).records(wanted, *bytes))
        })
        .await
    }

    /// Adds records in order, each completely or not at all, with an outcome for each. The caller
    /// has checked them against the rules of the interface.
    pub(crate) async fn add_records(
        &self,
        account: Account,
        project: Uuid,
        sender: RecordSender,
        records: Vec<Record>,
    ) -> Result<Vec<RecordOutcome>> {
        let bytes = records.iter().map(Record::large_bytes).sum();
        let args = (project, sender, records);
        self.write(
            account,
            bytes,
            args,
            |session, (project, sender, records)| {
                Box::pin(async move {
                    let project = ProjectSession {
                        deleter: Some(&sender.deleter),
                        ..session.within(*project).confined_by(&sender.limit)
                    };
                    let outcomes = project.add_all(records).await;
                    outcomes.map_err(DatabaseError::overtaken)
                })
            },
        )
        .await
    }

    /// Returns the data for drawing an ensemble whose rows aren't stored.
    pub(crate) async fn undrawn(&self, account: Account, ensemble: Uuid) -> Result<Undrawn> {
        self.look_up(account, ensemble, |session, ensemble| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT definition.text, ensemble.size, ensemble.seed,
                         ensemble.sampler_version, ensemble.digest
                     FROM ensemble JOIN definition ON definition.account = ensemble.account
                         AND definition.uuid = ensemble.definition
                     WHERE ensemble.account = $1 AND ensemble.uuid = $2"
                );
                let read = |row: DatabaseRow<'_>| {
                    Ok(Undrawn {
                        definition: row.get(0)?,
                        size: row.size(1)?,
                        seed: row.get::<i64>(2)?.cast_unsigned(),
                        sampler_version: row.get::<i32>(3)?.cast_unsigned(),
                        digest: row.get(4)?,
                    })
                };
                session
                    .find(sql, ObjectKind::Ensemble, *ensemble, read)
                    .await
            })
        })
        .await
    }

    /// Stores the rows of an ensemble, unless it has some.
    pub(crate) async fn keep_rows(
        &self,
        account: Account,
        ensemble: Uuid,
        rows: PackedRows,
    ) -> Result<()> {
        let args = (ensemble, rows);
        let bytes = args.1.gzip().len();
        self.write(account, bytes, args, |session, (ensemble, rows)| {
            Box::pin(async move {
                let gzip: &[u8] = rows.gzip();
                let sql = sql!(
                    "INSERT INTO packed_rows (account, ensemble, gzip)
                     SELECT account, uuid, $3 FROM ensemble WHERE account = $1 AND uuid = $2
                     ON CONFLICT DO NOTHING"
                );
                let values: SqlValues<'_> = &[ensemble, &gzip];
                if session.execute(sql, values).await? > 0 {
                    let sql =
                        sql!("UPDATE ensemble SET bytes = $3 WHERE account = $1 AND uuid = $2");
                    let values: SqlValues<'_> = &[ensemble, &(gzip.len() as i64)];
                    if session.execute(sql, values).await? == 0 {
                        // The ensemble was deleted in the meantime; nothing would remove the rows.
                        return Err(DatabaseError::Conflict);
                    }
                }
                Ok(())
            })
        })
        .await
    }
}
