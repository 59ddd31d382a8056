//! A new journal.

use std::fs;
use std::io::{self, Write as _};

use super::{Head, Journal, directory};
use crate::store::{Run, filesystem};
use crate::temporary;

impl Journal {
    /// Begins the journal with that run's benchmark, which is `known` to the store by that
    /// identifier; otherwise its content is in the journal. The runs come after `since`. If another
    /// process has begun one, that stays.
    ///
    /// Nothing begins on a network, where appending is not one write, or where files can't be told
    /// apart.
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
        // Not the directory of the store, if that was deleted: it would not be marked.
        match fs::create_dir(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        // Left by a killed process, it has no runs, or is a second name of this journal.
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
