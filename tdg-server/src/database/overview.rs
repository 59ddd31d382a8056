//! A one-line summary of a database, by which an operator can recognize it.

use tdg_engine::text::counted;
use tdg_service::{Result, Timestamp};

use super::Database;
use super::sql::sql;
use crate::account::Account;

impl Database {
    /// Returns `3 accounts and 41 projects; the newest assertion is of 2026-11-23 04:43:31.000000`.
    pub(crate) async fn overview(&self) -> Result<String> {
        let found = self.query(Account::NONE, (), |session, ()| {
            // The newest assertion of each benchmark comes from an index.
            let sql = sql!(
                "SELECT (SELECT count(*) FROM account), (SELECT count(*) FROM project),
                     (SELECT max((SELECT timestamp FROM assertion
                          WHERE assertion.account = benchmark.account
                              AND assertion.benchmark = benchmark.uuid
                          ORDER BY timestamp DESC, uuid DESC LIMIT 1))
                      FROM benchmark)"
            );
            Box::pin(session.first(sql, &[], |row| {
                Ok((row.count(0)?, row.count(1)?, row.optional_time(2)?))
            }))
        });
        let (accounts, projects, newest) = found.await?.unwrap_or_default();
        let newest = newest.map(Timestamp::to_precise);
        Ok(format!(
            "{} and {}{}",
            counted(accounts as usize, "account"),
            counted(projects as usize, "project"),
            newest.map_or(", and no assertion".to_owned(), |time| {
                format!("; the newest assertion is of {time}")
            })
        ))
    }
}
