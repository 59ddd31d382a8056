//! Accounts and their keys.

use tdg_service::{Result, Timestamp, Uuid};

use crate::account::Account;
use crate::database::Database;
use crate::database::error::{DatabaseError, DatabaseResult};
use crate::database::row::DatabaseRow;
use crate::database::session::DatabaseSession;
use crate::database::sql::{SqlValues, column, sql};
use crate::keys::{KeyHash, KeyRecord, Prefix, ProjectLimit, Scopes};

/// The columns that [`read`] reads.
macro_rules! key_columns {
    () => {
        "prefix, api_key.hash, account, api_key.name, scopes, added, expires, revoked, \
         api_key.used, projects, let_in_by"
    };
}
pub(crate) use key_columns;

impl Database {
    /// Returns the account with this name, and creates it if necessary.
    pub(crate) async fn account(&self, name: &str) -> Result<Account> {
        self.write_one(Account::NONE, 0, name.to_owned(), |session, name| {
            Box::pin(async move {
                let sql =
                    sql!("INSERT INTO account (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING");
                session.execute(sql, &[&new_account(session), name]).await?;
                let sql = sql!("SELECT id FROM account WHERE name = $1");
                let found = session.first(sql, &[name], |row| row.account(0)).await?;
                found.ok_or(DatabaseError::Conflict)
            })
        })
        .await
    }

    pub(crate) async fn add_key(&self, record: KeyRecord) -> Result<()> {
        self.write_one(Account::NONE, 0, record, |session, record| {
            Box::pin(insert(session, record))
        })
        .await
    }

    pub(crate) async fn key(&self, prefix: &Prefix) -> Result<Option<KeyRecord>> {
        self.look_up(Account::NONE, prefix.clone(), |session, prefix| {
            Box::pin(async move {
                let sql = sql!("SELECT ", key_columns!(), " FROM api_key WHERE prefix = $1");
                session.first(sql, &[&prefix.as_str()], read).await
            })
        })
        .await
    }

    /// Returns all keys with the names of their accounts, in the order of creation.
    pub(crate) async fn keys(&self) -> Result<Vec<(String, KeyRecord)>> {
        self.query(Account::NONE, (), |session, ()| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT ",
                    key_columns!(),
                    ", account.name FROM api_key JOIN account ON account.id = api_key.account ORDER BY added"
                );
                session
                    .all(sql, &[], |row| Ok((row.get(11)?, read(row)?)))
                    .await
            })
        })
        .await
    }

    /// Returns the keys of an account, in the order of creation.
    pub(crate) async fn keys_of(&self, account: Account) -> Result<Vec<KeyRecord>> {
        self.query(account, (), |session, ()| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT ",
                    key_columns!(),
                    " FROM api_key WHERE account = $1 ORDER BY added"
                );
                session.all(sql, &[], read).await
            })
        })
        .await
    }

    /// Stores when keys were last used.
    pub(crate) async fn use_keys(&self, uses: Vec<(Prefix, Timestamp)>) -> Result<()> {
        self.write_one(Account::NONE, 0, uses, |session, uses| {
            Box::pin(async move {
                let sql = sql!(
                    postgres: "UPDATE api_key SET used = given.used
                         FROM unnest($1::text[], $2::bigint[]) AS given (prefix, used)
                         WHERE api_key.prefix = given.prefix",
                    sqlite: "UPDATE api_key SET used = $2 WHERE prefix = $1"
                );
                let prefixes = column(uses, |(prefix, _)| prefix.as_str());
                let times = column(uses, |(_, used)| used.as_micros());
                session.execute_each(sql, &[], &[&prefixes, &times]).await
            })
        })
        .await
    }

    /// Revokes a key and, if requested, all keys that it let in. Returns those that weren't yet
    /// revoked.
    pub(crate) async fn revoke_key(
        &self,
        key: &Prefix,
        with_children: bool,
    ) -> Result<Vec<Prefix>> {
        let args = (key.clone(), with_children, Timestamp::now());
        self.write(Account::NONE, 0, args, |session, (key, with_children, now)| {
            Box::pin(async move {
                let (mut revoked, mut next) = (Vec::new(), vec![key.clone()]);
                while let Some(key) = next.pop() {
                    // From here on it lets no key in, see `end_login`.
                    let sql = sql!(
                        "UPDATE api_key SET revoked = $2 WHERE prefix = $1 AND revoked IS NULL"
                    );
                    let values: SqlValues<'_> = &[&key.as_str(), &now.as_micros()];
                    let is_new = session.execute(sql, values).await? > 0;
                    if *with_children {
                        let sql = sql!(
                            "SELECT prefix FROM api_key WHERE let_in_by = $1 ORDER BY added DESC"
                        );
                        let read = |row: DatabaseRow<'_>| Ok(Prefix::from(row.get::<String>(0)?));
                        next.extend(session.all(sql, &[&key.as_str()], read).await?);
                    }
                    if is_new {
                        revoked.push(key);
                    }
                }
                Ok(revoked)
            })
        })
        .await
    }
}

pub(crate) async fn insert(session: DatabaseSession<'_>, record: &KeyRecord) -> DatabaseResult<()> {
    let sql = sql!(
        "INSERT INTO api_key
         (prefix, hash, account, name, scopes, added, expires, revoked, projects, let_in_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    );
    let values: SqlValues<'_> = &[
        &record.prefix.as_str(),
        &&record.hash.as_bytes()[..],
        &record.account.0,
        &record.name,
        &record.scopes.to_bits(),
        &record.added.as_micros(),
        &record.expires.map(Timestamp::as_micros),
        &record.revoked.map(Timestamp::as_micros),
        &record.projects.to_text(),
        &record.let_in_by.as_ref().map(Prefix::as_str),
    ];
    session.execute(sql, values).await.map(drop)
}

/// Returns an identifier for a new account, or `None` on SQLite, which assigns them.
pub(super) fn new_account(session: DatabaseSession<'_>) -> Option<i64> {
    let random = || (Uuid::new_v4().as_u64_pair().0 >> 1).cast_signed();
    (!session.is_sqlite()).then(random)
}

/// Reads a key from [`key_columns`], which come first.
pub(crate) fn read(row: DatabaseRow<'_>) -> DatabaseResult<KeyRecord> {
    let hash = <[u8; 32]>::try_from(row.bytes(1)?);
    let hash = hash.map_err(|error| DatabaseError::corrupt("key", error))?;
    let projects = ProjectLimit::from_text(row.optional_text(9)?);
    Ok(KeyRecord {
        prefix: Prefix::from(row.get::<String>(0)?),
        hash: KeyHash::from_bytes(hash),
        account: row.account(2)?,
        name: row.get(3)?,
        scopes: Scopes::from_bits(row.get(4)?),
        added: row.time(5)?,
        expires: row.optional_time(6)?,
        revoked: row.optional_time(7)?,
        used: row.optional_time(8)?,
        projects: projects.map_err(|error| DatabaseError::corrupt("key", error))?,
        let_in_by: row.get::<Option<String>>(10)?.map(Prefix::from),
    })
}
