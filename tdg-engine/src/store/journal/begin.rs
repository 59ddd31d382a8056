//! A new journal.

use std::fs::{self, File};
use std::io::{self, Write as _};

use super::{Head, Journal, directory, line, unless_gone};
use crate::store::{Run, filesystem};

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
        let Some(head) = Head::of(run, known, since) else {
            return Ok(false);
        };
        if !cfg!(unix) || filesystem::is_network(&self.directory) {
            return Ok(false);
        }
        fs::create_dir_all(directory(&self.directory))?;
        // Left by a killed process, it is a journal without runs, or a second name of this one.
        let new = self.closed();
        File::create_new(&new)?.write_all(line::render(&head.to_value()).as_bytes())?;
        let linked = unless_gone(fs::hard_link(&new, self.path()));
        unless_gone(fs::remove_file(&new))?;
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(true),
        }
    }
}
