//! Accounts.

use async_trait::async_trait;
use rusqlite::params;
use tdg_service::Result;

use super::Sqlite;
use super::statement::first;
use crate::accounts::Limits;
use crate::database::{Account, AccountSettings, Accounts};

#[async_trait]
impl Accounts for Sqlite {
    async fn settings(&self, account: Account) -> Result<Option<AccountSettings>> {
        self.query(|connection| {
            let sql = "SELECT name FROM account WHERE id = ?1";
            first(connection, sql, params![account.0], |row| {
                Ok(AccountSettings {
                    name: row.get(0)?,
                    limits: Limits::default(),
                })
            })
        })
        .await
    }
}
