//! The audit log.

use tdg_service::{Result, Timestamp, Uuid};

use crate::account::Account;
use crate::database::Database;
use crate::database::error::DatabaseResult;
use crate::database::row::DatabaseRow;
use crate::database::sql::{SqlColumn, column, sql};
use crate::keys::Prefix;

/// A change, or a refusal.
#[derive(Clone, Debug)]
pub(crate) struct AuditRecord {
    /// `None` if the sender has no valid key.
    pub(crate) account: Option<Account>,
    pub(crate) at: Timestamp,
    pub(crate) uuid: Uuid,
    /// The prefix of the key that was presented.
    pub(crate) key: Option<String>,
    /// The client's address, or `None` for the operator's commands.
    pub(crate) address: Option<String>,
    /// The person whom a trusted proxy named.
    pub(crate) person: Option<String>,
    /// The endpoint, or the command.
    pub(crate) action: String,
    /// The kind of the object that was created or deleted.
    pub(crate) kind: Option<String>,
    pub(crate) object: Option<Uuid>,
    pub(crate) status: u16,
    /// The identifier of the request, as in the log.
    pub(crate) request: Option<String>,
}

/// Selects records: the newest ones, listed oldest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AuditFilter {
    /// The account, or `None` for all.
    pub(crate) account: Option<Account>,
    pub(crate) since: Timestamp,
    pub(crate) limit: usize,
}

impl AuditRecord {
    /// Describes a command that the operator has run.
    pub(crate) fn of_command(
        action: String,
        account: Option<Account>,
        key: Option<String>,
    ) -> Self {
        AuditRecord {
            account,
            at: Timestamp::now(),
            uuid: Uuid::new_v4(),
            key,
            address: None,
            person: None,
            action,
            kind: None,
            object: None,
            status: 200,
            request: None,
        }
    }
}

/// The number of records that one statement deletes.
const PART: u64 = 10_000;

impl Database {
    /// Adds records, except those added before.
    pub(crate) async fn add_audit(&self, records: Vec<AuditRecord>) -> Result<()> {
        self.write_one(Account::NONE, 0, records, |session, records| {
            Box::pin(async move {
                let sql = sql!(
                    postgres: "INSERT INTO audit
                         (account, at, uuid, key, address, action, kind, object, status, request,
                          person)
                         SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::text[],
                             $5::text[], $6::text[], $7::text[], $8::uuid[], $9::int4[],
                             $10::text[], $11::text[])
                         ON CONFLICT DO NOTHING",
                    sqlite: "INSERT INTO audit
                         (account, at, uuid, key, address, action, kind, object, status, request,
                          person)
                         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                         ON CONFLICT DO NOTHING"
                );
                let account = |record: &AuditRecord| record.account.unwrap_or(Account::NONE).0;
                let columns: [&dyn SqlColumn; 11] = [
                    &column(records, account),
                    &column(records, |record| record.at.as_micros()),
                    &column(records, |record| record.uuid),
                    &column(records, |record| record.key.as_deref()),
                    &column(records, |record| record.address.as_deref()),
                    &column(records, |record| record.action.as_str()),
                    &column(records, |record| record.kind.as_deref()),
                    &column(records, |record| record.object),
                    &column(records, |record| i32::from(record.status)),
                    &column(records, |record| record.request.as_deref()),
                    &column(records, |record| record.person.as_deref()),
                ];
                session.execute_each(sql, &[], &columns).await
            })
        })
        .await
    }

    /// Returns records with the names of their accounts. Deleted accounts have no name.
    pub(crate) async fn audit(
        &self,
        filter: AuditFilter,
    ) -> Result<Vec<(Option<String>, AuditRecord)>> {
        self.query(Account::NONE, filter, |session, filter| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT audit.account, at, audit.uuid, key, address, action, kind, object,
                         status, request, person, account.name
                     FROM audit LEFT JOIN account ON account.id = audit.account
                     WHERE at >= $1 AND (CAST($3 AS bigint) IS NULL OR audit.account = $3)
                     ORDER BY at DESC, audit.uuid DESC LIMIT $2"
                );
                let account = filter.account.map(|account| account.0);
                let (since, limit) = (filter.since.as_micros(), filter.limit as i64);
                let mut found = session.all(sql, &[&since, &limit, &account], read).await?;
                found.reverse();
                Ok(found)
            })
        })
        .await
    }

    /// Returns the newest records of an account, or of one of its keys, newest first.
    pub(crate) async fn audit_of(
        &self,
        account: Account,
        key: Option<Prefix>,
        limit: usize,
    ) -> Result<Vec<AuditRecord>> {
        let args = (key, limit as i64);
        self.query(account, args, |session, (key, limit)| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT account, at, uuid, key, address, action, kind, object, status, request,
                         person
                     FROM audit WHERE account = $1 AND (CAST($3 AS text) IS NULL OR key = $3)
                     ORDER BY at DESC, uuid DESC LIMIT $2"
                );
                let key = key.as_ref().map(Prefix::as_str);
                session.all(sql, &[limit, &key], read_record).await
            })
        })
        .await
    }

    /// Returns the next account with records, and the time of its oldest.
    pub(crate) async fn oldest_audit(
        &self,
        after: Account,
    ) -> Result<Option<(Account, Timestamp)>> {
        self.query(Account::NONE, after, |session, after| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT account, at FROM audit WHERE account > $1
                     ORDER BY account, at LIMIT 1"
                );
                let read = |row: DatabaseRow<'_>| Ok((row.account(0)?, row.time(1)?));
                session.first(sql, &[&after.0], read).await
            })
        })
        .await
    }

    /// Deletes some of an account's records before a time. Returns true if there may be more.
    pub(crate) async fn forget_audit(&self, account: Account, before: Timestamp) -> Result<bool> {
        let args = (account, before);
        self.write_one(Account::NONE, 0, args, |session, (account, before)| {
            Box::pin(async move {
                let sql = sql!(
                    "DELETE FROM audit WHERE account = $1 AND (at, uuid) IN
                     (SELECT at, uuid FROM audit WHERE account = $1 AND at < $2 LIMIT $3)"
                );
                let (before, part) = (before.as_micros(), PART.cast_signed());
                Ok(session.execute(sql, &[&account.0, &before, &part]).await? == PART)
            })
        })
        .await
    }
}

/// Reads a record and the name of its account.
fn read(row: DatabaseRow<'_>) -> DatabaseResult<(Option<String>, AuditRecord)> {
    Ok((row.get(11)?, read_record(row)?))
}

fn read_record(row: DatabaseRow<'_>) -> DatabaseResult<AuditRecord> {
    let account = row.account(0)?;
    Ok(AuditRecord {
        account: (account != Account::NONE).then_some(account),
        at: row.time(1)?,
        uuid: row.get(2)?,
        key: row.get(3)?,
        address: row.get(4)?,
        action: row.get(5)?,
        kind: row.get(6)?,
        object: row.get(7)?,
        status: u16::try_from(row.get::<i32>(8)?).unwrap_or_default(),
        request: row.get(9)?,
        person: row.get(10)?,
    })
}
