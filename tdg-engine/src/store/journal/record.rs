//! Runs where the journal is all there is: a build without SQLite.

use std::fs;
use std::io;

use super::{Appended, Journal, directory, divide, newest};
use crate::store::{Problem, Run, directory as store_directory};

/// How many journals of a test there are at most, beside the one that is appended to: together
/// they have about as many runs as the store keeps.
const CLOSED: usize = 6;

/// How often a run tries, while other processes begin journals of other benchmarks.
const ATTEMPTS: usize = 100;

impl Journal {
    /// Writes a run. Returns the policy of the run before, if it was another one.
    pub(in crate::store) fn record(&self, run: &Run<'_>) -> Result<Option<String>, Problem> {
        let (mut moment, mut former_policy) = (None, None);
        for _ in 0..ATTEMPTS {
            match self.append(run, moment)? {
                Appended::Whole => return Ok(former_policy),
                Appended::Late(at) => moment = Some(at),
                Appended::Unfit => {}
            }
            let (policy, since) = self.last().unwrap_or_default();
            former_policy = policy.filter(|it| run.policy.is_some_and(|own| own != it));
            self.close()?;
            store_directory::create(&self.directory)?;
            if !self.begin(run, None, since)? {
                return Ok(None);
            }
        }
        Err(Problem::Locked)
    }

    /// The policy of the runs so far, and the time of the newest.
    fn last(&self) -> Option<(Option<String>, i64)> {
        let (_, journal) = self.open().ok()?;
        let (head, entries) = divide(&journal)?;
        let newest = newest(&head, entries);
        Some((head.policy, newest))
    }

    /// Nothing is appended to the journal from here on, and only the newest are kept.
    fn close(&self) -> io::Result<()> {
        match fs::rename(self.path(), self.closed()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let Ok(files) = fs::read_dir(directory(&self.directory)) else {
            return Ok(());
        };
        let prefix = format!("{}.", self.name);
        let is_own = |name: &String| name.starts_with(&prefix);
        let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
        let mut closed: Vec<String> = names.filter(is_own).collect();
        // Their names are ordered by time.
        closed.sort_unstable();
        for name in closed.iter().rev().skip(CLOSED) {
            fs::remove_file(directory(&self.directory).join(name))?;
        }
        Ok(())
    }
}
