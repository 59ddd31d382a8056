//! What a service has sent and never changes: it need not be fetched again.

#[cfg(any(test, feature = "remote"))]
use super::rows::execute;
use super::{Store, StoreError, rows::first};
use crate::{output::Outputs, snapshot::Snapshot};

/// How many texts are kept, the newest.
#[cfg(any(test, feature = "remote"))]
const KEPT: i64 = 200;

impl Store {
    /// The benchmark on a service that a snapshot file pins, with what it expects, where a run has fetched that.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn pinned(&self, file: &Snapshot) -> Result<Option<Snapshot>, StoreError> {
        let Some(pin) = file.pin() else {
            return Ok(None);
        };
        let text = self.downloaded(&pin.outputs_key())?;
        let outputs = text.and_then(|text| Outputs::from_canonical(text).ok());
        let fits = |outputs: &Outputs| outputs.len() == file.ensemble().size;
        Ok(outputs
            .filter(fits)
            .map(|outputs| file.with_outputs(&outputs)))
    }

    /// What was kept under that key.
    pub(crate) fn downloaded(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT text FROM download WHERE key = ?1";
            first(connection, sql, [key], |row| row.get(0))
        })
    }

    /// Keeps a text under a key that identifies it.
    #[cfg(any(test, feature = "remote"))]
    pub(crate) fn keep_download(&self, key: &str, text: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            let keep = "INSERT OR REPLACE INTO download (key, text) VALUES (?1, ?2)";
            execute(transaction, keep, (key, text))?;
            let forget = "DELETE FROM download WHERE id <= ?1";
            let newest = transaction.last_insert_rowid();
            execute(transaction, forget, [newest - KEPT])?;
            Ok(())
        })
    }
}

#[cfg(test)]
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
