//! A cache of immutable texts from a server.

use rusqlite::params;

use super::rows::{execute, first, now};
use super::{Store, StoreError};

/// A day in microseconds, the unit of all times in the store.
const DAY: i64 = 24 * 60 * 60 * SECOND;
const SECOND: i64 = 1_000_000;

/// How long an unused text is kept.
const KEPT: i64 = 30 * DAY;

impl Store {
    /// Returns the text stored under a key.
    pub fn downloaded(&self, key: &str) -> Result<Option<String>, StoreError> {
        let found = self.read(|connection| {
            let sql = "SELECT used, text FROM download WHERE key = ?1";
            first(connection, sql, params![key], |row| {
                Ok((row.get::<_, i64>(0)?, row.get(1)?))
            })
        })?;
        let Some((used, text)) = found else {
            return Ok(None);
        };
        // Only once a day, so that runs that only read don't wait for each other.
        if used < now() - DAY {
            // The text is available even if the store can't be written.
            let _ = self.write(|transaction| {
                let renew = "UPDATE download SET used = ?2 WHERE key = ?1";
                execute(transaction, renew, params![key, now()])
            });
        }
        Ok(Some(text))
    }

    /// Stores a text under a key that identifies it.
    pub fn keep_download(&self, key: &str, text: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            let keep = "INSERT OR REPLACE INTO download (key, used, text) VALUES (?1, ?2, ?3)";
            execute(transaction, keep, params![key, now(), text])?;
            let forget = "DELETE FROM download WHERE used < ?1";
            execute(transaction, forget, params![now() - KEPT])?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn later(store: &Store, microseconds: i64) {
        let sql = "UPDATE download SET used = used - ?1";
        store.connection().execute(sql, [microseconds]).unwrap();
    }

    #[test]
    fn used_downloads_are_kept_however_many_there_are() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path()).unwrap();
        for number in 0..300 {
            store.keep_download(&number.to_string(), "text").unwrap();
        }
        for number in 0..300 {
            let kept = store.downloaded(&number.to_string()).unwrap();
            assert_eq!(kept.as_deref(), Some("text"), "{number}");
        }
        store.keep_download("1", "other").unwrap();
        assert_eq!(store.downloaded("1").unwrap().as_deref(), Some("other"));
    }

    #[test]
    fn downloads_unused_for_long_are_removed() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path()).unwrap();
        for key in ["used", "unused"] {
            store.keep_download(key, "text").unwrap();
        }
        later(&store, KEPT - SECOND);
        store.downloaded("used").unwrap();
        later(&store, 2 * SECOND);
        store.keep_download("another", "text").unwrap();
        assert!(store.downloaded("used").unwrap().is_some());
        assert_eq!(store.downloaded("unused").unwrap(), None);
    }

    #[test]
    fn a_use_is_recorded_once_a_day() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path()).unwrap();
        store.keep_download("key", "text").unwrap();
        let writes = || -> i64 {
            let sql = "SELECT total_changes()";
            store
                .connection()
                .query_row(sql, [], |row| row.get(0))
                .unwrap()
        };
        let before = writes();
        store.downloaded("key").unwrap();
        assert_eq!(writes(), before);
        later(&store, DAY + SECOND);
        store.downloaded("key").unwrap();
        store.downloaded("key").unwrap();
        assert_eq!(writes(), before + 2, "one of them `later`'s");
    }
}
