//! The start of a new journal.

use std::fs;
use std::io::{self, Write as _};

use super::{Head, Journal, directory};
use crate::store::{Run, filesystem};
use crate::temporary;

impl Journal {
    /// Starts the journal with the run's benchmark. `known` is the benchmark's identifier in the
    /// store; without it, the journal includes the benchmark's content. The runs come after
    /// `since`. A journal that another process has started meanwhile is kept.
    ///
    /// Starts none on a network file system, where appends aren't atomic, or where files have no
    /// identity.
    pub(in crate::store) fn begin(
        &self,
        run: &Run<'_>,
        known: Option<[u8; 16]>,
        since: i64,
    ) -> io::Result<bool> {
        let Some(head) = Head::text(run, known, since) else {
            return Ok(false);
        };
        if !cfg!(unix) || filesystem::is_network(&self.directory) {
            return Ok(false);
        }
        let folder = directory(&self.directory);
        // Only this folder: if the store's directory was deleted, a new one would lack the mark.
        match fs::create_dir(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        // If a killed process leaves it behind, it has no runs or is a second name of this journal.
        let (mut file, new) = temporary::create(&folder)?;
        file.write_all(head.as_bytes())?;
        let linked = fs::hard_link(&new, self.path());
        fs::remove_file(&new)?;
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(true),
        }
    }
}
