//! The servers that a store was synchronized with.

use rusqlite::params;
use uuid::Uuid;

use super::super::StoreError;
use super::super::benchmark::uuid;
use super::super::rows::first;
use super::Tables;

/// A project on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteProject {
    /// The URL of the server.
    pub url: String,
    /// The project.
    pub project: Uuid,
    /// The account.
    pub account: String,
    /// The identifier of the server's database.
    pub epoch: Uuid,
    /// The time of the last synchronization.
    pub synced: i64,
}

impl Tables<'_> {
    /// Returns the project on a server, if it was synchronized before.
    pub fn remote(&self, url: &str, project: Uuid) -> Result<Option<RemoteProject>, StoreError> {
        let sql = "SELECT account, epoch, synced FROM remote WHERE url = ?1 AND project = ?2";
        self.try_to(|it| {
            first(it, sql, params![url, project.as_bytes()], |row| {
                Ok(RemoteProject {
                    url: url.to_owned(),
                    project,
                    account: row.get(0)?,
                    epoch: uuid(row, 1)?,
                    synced: row.get(2)?,
                })
            })
        })
    }

    /// Notes that a project was synchronized with a server.
    pub fn note_remote(&self, remote: &RemoteProject) -> Result<(), StoreError> {
        let note = "INSERT OR REPLACE INTO remote (url, project, account, epoch, synced)
                    VALUES (?1, ?2, ?3, ?4, ?5)";
        let RemoteProject {
            url,
            project,
            account,
            epoch,
            synced,
        } = remote;
        self.execute(
            note,
            params![url, project.as_bytes(), account, epoch.as_bytes(), synced],
        )
    }
}
