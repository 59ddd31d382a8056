//! The audit log.

use async_trait::async_trait;
use tdg_service::{Result, Timestamp, Uuid};
use tokio_postgres::Row;

use super::Postgres;
use super::error::PostgresResult;
use super::statement::{Param, all, execute, first, time};
use crate::database::{Account, Audit, AuditFilter, AuditRecord};

/// The records that are deleted in one statement.
const PART: u64 = 10_000;

#[async_trait]
impl Audit for Postgres {
    async fn add_audit(&self, records: Vec<AuditRecord>) -> Result<()> {
        self.pool
            .query(records, |client, records| {
                Box::pin(async move {
                    let sql = "INSERT INTO audit
                         (account, at, uuid, key, address, action, kind, object, status, request)
                         SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::text[],
                             $5::text[], $6::text[], $7::text[], $8::uuid[], $9::int4[],
                             $10::text[])
                         ON CONFLICT DO NOTHING";
                    let accounts = column(records, |record| {
                        record.account.map_or(0, |account| account.0)
                    });
                    let times = column(records, |record| record.at.as_micros());
                    let uuids = column(records, |record| record.uuid);
                    let keys = column(records, |record| record.key.as_deref());
                    let addresses = column(records, |record| record.address.as_deref());
                    let actions = column(records, |record| record.action.as_str());
                    let kinds = column(records, |record| record.kind.as_deref());
                    let objects = column(records, |record| record.object);
                    let statuses = column(records, |record| i32::from(record.status));
                    let requests = column(records, |record| record.request.as_deref());
                    let params: [Param<'_>; 10] = [
                        &accounts, &times, &uuids, &keys, &addresses, &actions, &kinds, &objects,
                        &statuses, &requests,
                    ];
                    execute(client, sql, &params).await.map(drop)
                })
            })
            .await
    }

    async fn audit(&self, filter: AuditFilter) -> Result<Vec<(Option<String>, AuditRecord)>> {
        self.pool
            .query(filter, |client, filter| {
                Box::pin(async move {
                    let sql = "SELECT audit.account, at, audit.uuid, key, address, action, kind,
                             object, status, request, account.name
                         FROM audit LEFT JOIN account ON account.id = audit.account
                         WHERE at >= $1 AND ($3::bigint IS NULL OR audit.account = $3)
                         ORDER BY at DESC, audit.uuid DESC LIMIT $2";
                    let (since, limit) = (filter.since.as_micros(), filter.limit as i64);
                    let account = filter.account.map(|account| account.0);
                    let rows = all(client, sql, &[&since, &limit, &account]).await?;
                    rows.iter().rev().map(read).collect()
                })
            })
            .await
    }

    async fn oldest_audit(&self, after: Account) -> Result<Option<(Account, Timestamp)>> {
        self.pool
            .query(after, |client, after| {
                Box::pin(async move {
                    let sql = "SELECT account, at FROM audit WHERE account > $1
                         ORDER BY account, at LIMIT 1";
                    let row = first(client, sql, &[&after.0]).await?;
                    row.map(|row| Ok((Account(row.try_get(0)?), time(&row, 1)?)))
                        .transpose()
                })
            })
            .await
    }

    async fn forget_audit(&self, account: Account, before: Timestamp) -> Result<bool> {
        self.pool
            .query((account, before), |client, (account, before)| {
                Box::pin(async move {
                    let sql = "DELETE FROM audit WHERE account = $1 AND (at, uuid) IN
                         (SELECT at, uuid FROM audit WHERE account = $1 AND at < $2 LIMIT $3)";
                    let (before, part) = (before.as_micros(), PART.cast_signed());
                    let params: [Param<'_>; 3] = [&account.0, &before, &part];
                    Ok(execute(client, sql, &params).await? == PART)
                })
            })
            .await
    }
}

fn column<'a, T>(of: &'a [AuditRecord], value: impl Fn(&'a AuditRecord) -> T) -> Vec<T> {
    of.iter().map(value).collect()
}

fn read(row: &Row) -> PostgresResult<(Option<String>, AuditRecord)> {
    let account: i64 = row.try_get(0)?;
    let record = AuditRecord {
        account: (account != 0).then_some(Account(account)),
        at: time(row, 1)?,
        uuid: row.try_get(2)?,
        key: row.try_get(3)?,
        address: row.try_get(4)?,
        action: row.try_get(5)?,
        kind: row.try_get(6)?,
        object: row.try_get::<_, Option<Uuid>>(7)?,
        status: u16::try_from(row.try_get::<_, i32>(8)?).unwrap_or_default(),
        request: row.try_get(9)?,
    };
    Ok((row.try_get(10)?, record))
}
