//! Accounts.

use async_trait::async_trait;
use tdg_service::Result;

use super::Postgres;
use super::statement::first;
use crate::accounts::Limits;
use crate::database::{Account, AccountSettings, Accounts};

#[async_trait]
impl Accounts for Postgres {
    async fn settings(&self, account: Account) -> Result<Option<AccountSettings>> {
        self.pool
            .shared_query(account, |client, account| {
                Box::pin(async move {
                    let sql = "SELECT name FROM account WHERE id = $1";
                    let Some(row) = first(client, sql, &[&account.0]).await? else {
                        return Ok(None);
                    };
                    Ok(Some(AccountSettings {
                        name: row.try_get(0)?,
                        limits: Limits::default(),
                    }))
                })
            })
            .await
    }
}
