//! Writing runs in builds without SQLite, where the journal is the whole store.

use std::fs;
use std::io;

use super::{Appended, Journal, directory, divide, is_name, line, newest, unless_gone};
use crate::store::{Run, StoreProblem, directory as store_directory};

/// The minimum number of runs kept for a test, as in the store, …
const HISTORY: usize = 1000;
/// … unless they are in more journals than this, each with a benchmark.
const CLOSED: usize = 64;

/// The attempts of a run while other processes start journals for other benchmarks.
const ATTEMPTS: usize = 100;

impl Journal {
    /// Writes a run, if a journal can be [started](Self::begin).
    pub(in crate::store) fn record(&self, run: &Run<'_>) -> Result<(), StoreProblem> {
        let mut moment = None;
        for _ in 0..ATTEMPTS {
            match self.append(run, moment)? {
                Appended::Written => return Ok(()),
                Appended::Late(at) => moment = Some(at),
                Appended::Unfit => {}
            }
            let since = self.newest().unwrap_or_default();
            store_directory::make(&self.directory)?;
            self.close()?;
            self.remove_oldest()?;
            if !self.begin(run, None, since)? {
                return Ok(());
            }
        }
        Err(StoreProblem::Locked)
    }

    /// Returns the time of the newest run so far.
    fn newest(&self) -> Option<i64> {
        let (_, journal) = self.open().ok()?;
        let (head, entries) = divide(&journal)?;
        Some(newest(&head, entries))
    }

    /// Removes all but the newest closed journals.
    fn remove_oldest(&self) -> io::Result<()> {
        let Some(files) = unless_gone(fs::read_dir(directory(&self.directory)))? else {
            return Ok(());
        };
        let prefix = format!("{}.", self.name);
        let is_own = |name: &String| name.starts_with(&prefix) && is_name(name);
        let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
        let mut closed: Vec<String> = names.filter(is_own).collect();
        // Their names sort by time.
        closed.sort_unstable();
        let mut newer = 0;
        for (index, name) in closed.iter().rev().enumerate() {
            let file = directory(&self.directory).join(name);
            let journal = unless_gone(fs::read(&file))?.unwrap_or_default();
            let Some((_, entries)) = divide(&journal) else {
                continue;
            };
            if newer >= HISTORY || index >= CLOSED {
                unless_gone(fs::remove_file(file))?;
            } else {
                newer += line::parse(entries).count();
            }
        }
        Ok(())
    }
}
