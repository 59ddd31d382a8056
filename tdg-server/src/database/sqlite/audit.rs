//! The audit log.

use async_trait::async_trait;
use rusqlite::{Row, params};
use tdg_service::{Result, Timestamp, Uuid};

use super::Sqlite;
use super::statement::{all, execute, first, time, uuid};
use crate::database::{Account, Audit, AuditFilter, AuditRecord};

/// The records that are deleted in one transaction.
const PART: usize = 10_000;

#[async_trait]
impl Audit for Sqlite {
    async fn add_audit(&self, records: Vec<AuditRecord>) -> Result<()> {
        self.transaction(Account::NONE, 0, move |connection| {
            let sql = "INSERT OR IGNORE INTO audit
                 (account, at, uuid, key, address, action, kind, object, status, request)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
            for record in &records {
                let params = params![
                    record.account.map_or(0, |account| account.0),
                    record.at.as_micros(),
                    record.uuid.as_bytes(),
                    &record.key,
                    &record.address,
                    &record.action,
                    &record.kind,
                    &record.object.as_ref().map(Uuid::as_bytes),
                    record.status,
                    &record.request,
                ];
                execute(connection, sql, params)?;
            }
            Ok(())
        })
        .await
    }

    async fn audit(&self, filter: AuditFilter) -> Result<Vec<(Option<String>, AuditRecord)>> {
        self.read_transaction(Account::NONE, move |connection| {
            let (since, limit) = (filter.since.as_micros(), filter.limit as i64);
            let sql = "SELECT audit.account, at, uuid, key, address, action, kind, object, status,
                     request, account.name
                 FROM audit LEFT JOIN account ON account.id = audit.account
                 WHERE at >= ?1 AND (?3 IS NULL OR audit.account = ?3)
                 ORDER BY at DESC, uuid DESC LIMIT ?2";
            let account = filter.account.map(|account| account.0);
            let mut records = all(connection, sql, params![since, limit, account], read)?;
            records.reverse();
            Ok(records)
        })
        .await
    }

    async fn oldest_audit(&self, after: Account) -> Result<Option<(Account, Timestamp)>> {
        self.query(|connection| {
            let sql = "SELECT account, at FROM audit WHERE account > ?1
                 ORDER BY account, at LIMIT 1";
            first(connection, sql, params![after.0], |row| {
                Ok((Account(row.get(0)?), time(row, 1)?))
            })
        })
        .await
    }

    async fn forget_audit(&self, account: Account, before: Timestamp) -> Result<bool> {
        self.transaction(Account::NONE, 0, move |connection| {
            let sql = "DELETE FROM audit WHERE account = ?1 AND (at, uuid) IN
                 (SELECT at, uuid FROM audit WHERE account = ?1 AND at < ?2 LIMIT ?3)";
            let params = params![account.0, before.as_micros(), PART as i64];
            Ok(execute(connection, sql, params)? == PART)
        })
        .await
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<(Option<String>, AuditRecord)> {
    let account: i64 = row.get(0)?;
    let object: Option<[u8; 16]> = row.get(7)?;
    let record = AuditRecord {
        account: (account != 0).then_some(Account(account)),
        at: time(row, 1)?,
        uuid: uuid(row, 2)?,
        key: row.get(3)?,
        address: row.get(4)?,
        action: row.get(5)?,
        kind: row.get(6)?,
        object: object.map(Uuid::from_bytes),
        status: row.get(8)?,
        request: row.get(9)?,
    };
    Ok((row.get(10)?, record))
}
