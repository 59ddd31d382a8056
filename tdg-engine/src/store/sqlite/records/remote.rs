//! The servers that a store was synchronised with.

use rusqlite::params;
use uuid::Uuid;

use super::super::StoreError;
use super::super::benchmark::uuid;
use super::super::rows::first;
use super::Tables;

/// A project on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteProject {
    /// The address of the server.
    pub url: String,
    /// The project.
    pub project: Uuid,
    /// The account.
    pub account: String,
    /// Identifies the server's database.
    pub epoch: Uuid,
    /// When it was last synchronised.
    pub synced: i64,
}

impl Tables<'_> {
    /// The project on a server, if it was synchronised before.
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

    /// Notes that a project was synchronised with a server.
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
