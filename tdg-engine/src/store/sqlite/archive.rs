//! The archive: the outputs of former benchmarks, which no test currently has.
//!
//! A run compares with the outputs of a test's benchmark in place, so they are stored as text.
//! Those of former benchmarks are only sent to servers, so commands compress them: `outputs` is
//! then a BLOB, either gzip or empty once removed, and `digest` is the outputs' digest.

use std::io::{self, Read as _, Write as _};
use std::time::Duration;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use rusqlite::types::ValueRef;
use rusqlite::{Row, Transaction, params};

use super::rows::{RowId, all, execute, exists, first};
use super::{Store, StoreError, StoreProblem};
use crate::output::{Outputs, digest};

/// Selects benchmarks that no test currently has.
const FORMER: &str = "NOT EXISTS (SELECT 1 FROM test WHERE test.benchmark = benchmark.id)";

/// The number of unused pages kept for later writes.
const FEW_PAGES: i64 = 64;

/// The outputs that were removed, or would be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemovedOutputs {
    /// The number of benchmarks.
    pub benchmarks: i64,
    /// The length of the outputs in the store.
    pub bytes: i64,
}

/// Returns the outputs of a benchmark as JSON, or `None` if they were removed or are damaged.
pub(super) fn outputs(row: &Row<'_>, column: usize) -> Result<Option<String>, StoreProblem> {
    let compressed = match row.get_ref(column)? {
        ValueRef::Blob([]) => return Ok(None),
        ValueRef::Blob(compressed) => compressed,
        _ => return Ok(Some(row.get(column)?)),
    };
    let mut outputs = String::new();
    let read = GzDecoder::new(compressed).read_to_string(&mut outputs);
    Ok(read.is_ok().then_some(outputs))
}

impl Store {
    /// Compresses the outputs of former benchmarks, each in its own transaction, so that runs wait
    /// for one at most.
    ///
    /// # Errors
    ///
    /// If the store can't be read or written.
    pub(super) fn archive(&self) -> Result<(), StoreError> {
        let sql = format!("SELECT id FROM benchmark WHERE typeof(outputs) = 'text' AND {FORMER}");
        let former = self.read(|it| all(it, &sql, &[], |row| Ok(row.get::<_, RowId>(0)?)))?;
        for id in former {
            let found = self.read(|connection| {
                let sql = "SELECT outputs, digest FROM benchmark
                           WHERE id = ?1 AND typeof(outputs) = 'text'";
                first(connection, sql, params![id], |row| {
                    Ok((row.get::<_, String>(0)?, row.get(1)?))
                })
            })?;
            if let Some((outputs, noted)) = found {
                self.archive_outputs(id, &outputs, noted)?;
            }
        }
        self.shrink(0.5);
        Ok(())
    }

    /// Compresses outputs. Damaged ones are left for `cargo tdg sync verify` to find.
    fn archive_outputs(
        &self,
        id: RowId,
        outputs: &str,
        noted: Option<String>,
    ) -> Result<(), StoreError> {
        let digest = digest(outputs);
        let is_intact = match noted {
            Some(noted) => noted == digest,
            None => Outputs::parse(outputs).is_ok_and(|it| it.as_json() == outputs),
        };
        if !is_intact {
            return Ok(());
        }
        let compressed = gzip(outputs).map_err(|error| StoreError::new(&self.file, error))?;
        self.write(|transaction| {
            let sql = format!(
                "UPDATE benchmark SET outputs = ?2, digest = ?3
                 WHERE id = ?1 AND typeof(outputs) = 'text' AND {FORMER}"
            );
            execute(transaction, &sql, params![id, compressed, digest]).map(drop)
        })
    }

    /// Removes the outputs of former benchmarks. The benchmarks stay, with their runs and
    /// decisions; one that becomes current again gets its outputs back.
    ///
    /// # Errors
    ///
    /// If the store can't be read or written.
    pub fn remove_archived(&self, is_dry_run: bool) -> Result<RemovedOutputs, StoreError> {
        self.archive()?;
        let removed = self.write(|transaction| {
            let removed = removable(transaction)?;
            if !is_dry_run {
                let sql = format!(
                    "UPDATE benchmark SET outputs = x'' WHERE typeof(outputs) = 'blob' AND {FORMER}"
                );
                execute(transaction, &sql, &[])?;
            }
            Ok(removed)
        })?;
        if !is_dry_run {
            self.shrink(0.0);
        }
        Ok(removed)
    }

    /// Rewrites the database if more than this share of it is unused. It never waits: while another
    /// process writes, the next command can do it.
    fn shrink(&self, unused_share: f64) {
        let connection = self.connection();
        let pages = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let (Ok(unused), Ok(all)) = (pages("freelist_count"), pages("page_count")) else {
            return;
        };
        if unused > FEW_PAGES && unused as f64 > all as f64 * unused_share {
            let _ = connection.busy_timeout(Duration::ZERO);
            let _ = connection.execute_batch("VACUUM");
            let _ = connection.busy_timeout(self.timeout);
            self.shorten_log(&connection);
        }
    }

    /// Returns true if the store was synchronized with a server.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn is_synchronised(&self) -> Result<bool, StoreError> {
        self.read(|it| exists(it, "SELECT 1 FROM remote", &[]))
    }
}

fn gzip(outputs: &str) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(outputs.as_bytes())?;
    encoder.finish()
}

fn removable(transaction: &Transaction<'_>) -> Result<RemovedOutputs, StoreProblem> {
    let sql = format!(
        "SELECT count(*), ifnull(sum(length(outputs)), 0) FROM benchmark
         WHERE typeof(outputs) = 'blob' AND length(outputs) > 0 AND {FORMER}"
    );
    let removed = first(transaction, &sql, &[], |row| {
        Ok(RemovedOutputs {
            benchmarks: row.get(0)?,
            bytes: row.get(1)?,
        })
    })?;
    Ok(removed.unwrap_or_default())
}
