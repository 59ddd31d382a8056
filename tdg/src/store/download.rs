//! What a service has sent and never changes: it need not be fetched again.

use rusqlite::params;

#[cfg(feature = "remote")]
use super::rows::execute;
use super::{Store, StoreError, rows::first};

/// How many texts are kept, the newest.
#[cfg(feature = "remote")]
const KEPT: i64 = 200;

impl Store {
    /// What was kept under that key.
    pub(crate) fn downloaded(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT text FROM download WHERE key = ?1";
            first(connection, sql, params![key], |row| row.get(0))
        })
    }

    /// Keeps a text under a key that identifies it.
    #[cfg(feature = "remote")]
    pub(crate) fn keep_download(&self, key: &str, text: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            let keep = "INSERT OR REPLACE INTO download (key, text) VALUES (?1, ?2)";
            execute(transaction, keep, params![key, text])?;
            let forget = "DELETE FROM download WHERE id <= ?1";
            let newest = transaction.last_insert_rowid();
            execute(transaction, forget, params![newest - KEPT])?;
            Ok(())
        })
    }
}

#[cfg(all(test, feature = "remote"))]
mod tests {
    use super::*;

    #[test]
    fn the_newest_downloads_are_kept() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path()).unwrap();
        for number in 0..=KEPT {
            store.keep_download(&number.to_string(), "text").unwrap();
        }
        assert_eq!(store.downloaded("0").unwrap(), None);
        assert_eq!(store.downloaded("1").unwrap().as_deref(), Some("text"));
        store.keep_download("1", "other").unwrap();
        assert_eq!(store.downloaded("1").unwrap().as_deref(), Some("other"));
    }
}
