//! Runs next to the store: a file for each test, to which runs append lines.
//!
//! Opening the database costs more than the rest of a small run. So a run that passes, with a
//! benchmark that the store already has for its test, only appends a line to a journal. The next
//! process to open the store takes the lines in. Without SQLite, journals hold every run.
//!
//! A file has the runs of one benchmark. Its first line names the benchmark; the second has its
//! content if the store may not have it. Each append is one write, so a line is whole or torn. To
//! take a file in, a process renames it, without a lock. So a run checks after its write that its
//! file is still in place. If not, the line may have come too late, and the run is written again
//! with the same identifier; the store adds it only once.
//!
//! New files are put in place by a link, since a rename could replace one that already has lines.
//!
//! Only files with the name and start of a journal are renamed, and only readable ones are removed.
//! The rest are set aside when a command opens the store, and the command reports them.

mod begin;
mod benchmark;
#[cfg(feature = "sqlite-system")]
mod content;
mod entry;
mod hash;
mod head;
mod line;
#[cfg(any(all(test, unix), not(feature = "sqlite-system")))]
mod record;
#[cfg(all(test, unix, feature = "sqlite-system"))]
mod tests;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use tdg_definition::json::Value;

use super::filesystem::unless_gone;
use super::moment::Moment;
use super::{Run, STORE, StoreProblem, identifier};
use crate::hex::hex;
use crate::test_id::TestId;

#[cfg(feature = "sqlite-system")]
pub(super) use content::{JournalContent, TakenJournal, close_all};
pub(super) use entry::RunEntry;
use hash::TextHash;
pub(super) use head::Head;

/// The length in bytes at which a journal is taken in, so that reading it stays cheap.
const LONG: usize = 64 * 1024;

/// The bytes at a journal's end that are searched for another function of the same run. If it isn't
/// in the head, its lines are among the newest. Searching all would take longer than reading.
const RECENT: usize = 4 * 1024;

/// The start of each journal.
const BEGIN: &[u8] = b"\n{\"";

/// The journal of a test.
#[derive(Debug)]
pub(super) struct Journal {
    /// The directory of the store.
    directory: PathBuf,
    name: String,
}

/// The result of appending a run.
#[derive(Debug, PartialEq)]
pub(super) enum Appended {
    Written,
    /// The journal doesn't fit the run, or doesn't exist.
    Unfit,
    /// The journal was renamed meanwhile, with or without the line.
    Late(Moment),
}

impl Journal {
    pub(super) fn new(directory: &Path, test: &TestId) -> Self {
        let TestId {
            package,
            source,
            name,
        } = test;
        let fold = TextHash::default().with(package).with(source).with(name);
        Self {
            directory: directory.to_owned(),
            name: format!("{:016x}", fold.value()),
        }
    }

    /// Appends a run, with its earlier moment if it has one.
    ///
    /// # Errors
    /// [`StoreProblem::Claimed`] if another function has the same identity.
    pub(super) fn append(
        &self,
        run: &Run<'_>,
        at: Option<Moment>,
    ) -> Result<Appended, StoreProblem> {
        // The store finds and reports the same problems with the file.
        match self.open() {
            Ok(opened) => self.append_to(opened, run, at),
            Err(_) => Ok(Appended::Unfit),
        }
    }

    fn append_to(
        &self,
        (mut file, journal): (File, Vec<u8>),
        run: &Run<'_>,
        at: Option<Moment>,
    ) -> Result<Appended, StoreProblem> {
        refuse_claimed(&journal, run)?;
        let Some((head, entries)) = divide(&journal) else {
            return Ok(Appended::Unfit);
        };
        refuse(&head.claim, run)?;
        if entries.len() > LONG || !head.is_of(run) || !self.can_be_taken_in(&head) {
            return Ok(Appended::Unfit);
        }
        let moment = at.unwrap_or_else(|| Moment::after(newest(&head, entries)));
        let line = line::render(&RunEntry::new(run, moment).to_value());
        if !matches!(file.write(line.as_bytes()), Ok(written) if written == line.len()) {
            return Ok(Appended::Unfit);
        }
        // Of two functions, at least the later one sees the other's line.
        if run.claim.run.is_some() {
            let mut since = Vec::new();
            file.seek(SeekFrom::Start(journal.len() as u64))?;
            file.read_to_end(&mut since)?;
            refuse_claimed(&since, run)?;
        }
        Ok(match is_at(&file, &self.path()) {
            true => Appended::Written,
            false => Appended::Late(moment),
        })
    }

    /// False if the benchmark was only in a database that is deleted now.
    fn can_be_taken_in(&self, head: &Head) -> bool {
        head.known.is_none() || self.directory.join(STORE).exists()
    }

    fn open(&self) -> io::Result<(File, Vec<u8>)> {
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .open(self.path())?;
        let mut journal = Vec::new();
        file.read_to_end(&mut journal)?;
        Ok((file, journal))
    }

    fn path(&self) -> PathBuf {
        directory(&self.directory).join(&self.name)
    }

    /// Returns a unique name for the journal once it is closed to appends.
    fn closed(&self) -> PathBuf {
        let id = hex(&identifier::timed(super::moment::now()));
        directory(&self.directory).join(format!("{}.{id}", self.name))
    }

    /// Closes the journal by renaming it, if it exists.
    fn close(&self) -> io::Result<Option<PathBuf>> {
        if !begins_like_one(&self.path())? {
            return Ok(None);
        }
        let closed = self.closed();
        Ok(unless_gone(fs::rename(self.path(), &closed))?.map(|()| closed))
    }
}

/// Returns true for the name of a journal, open or closed.
fn is_name(name: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
    let is_hex = |text: &str, length| text.len() == length && text.bytes().all(is_digit);
    match name.split_once('.') {
        Some((test, id)) => is_hex(test, 16) && is_hex(id, 32),
        None => is_hex(name, 16),
    }
}

/// Returns true if a file may be a journal, even if only its first bytes are left.
fn begins_like_one(file: &Path) -> io::Result<bool> {
    let mut begin = Vec::new();
    match unless_gone(File::open(file))? {
        Some(file) => file.take(BEGIN.len() as u64).read_to_end(&mut begin)?,
        None => return Ok(false),
    };
    Ok(BEGIN.starts_with(&begin))
}

/// Splits a journal into its head and the lines of its runs.
fn divide(journal: &[u8]) -> Option<(Head, &[u8])> {
    let (head, rest) = divide_head(journal)?;
    let head = Head::from_value(&head)?;
    let (benchmark, entries) = rest.split_at_checked(head.benchmark_bytes)?;
    // A crash of the machine may have left zeros.
    let is_whole = benchmark.last().is_none_or(u8::is_ascii_hexdigit);
    is_whole.then_some((head, entries))
}

/// Splits a journal into its first line and the rest.
fn divide_head(journal: &[u8]) -> Option<(Value, &[u8])> {
    let line = journal.split(|byte| *byte == b'\n').nth(1)?;
    Some((line::parse(line).next()?, &journal[1 + line.len()..]))
}

/// Returns the time of the newest run.
fn newest(head: &Head, entries: &[u8]) -> i64 {
    let last = line::parse(entries).next_back();
    last.and_then(|last| last.get("time")?.as_i64())
        .unwrap_or(head.since)
}

fn directory(of_store: &Path) -> PathBuf {
    of_store.join("runs")
}

/// Returns true if the file is still the one at that path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::fs::{Metadata, metadata};
    use std::os::unix::fs::MetadataExt as _;
    let identity = |it: Metadata| (it.dev(), it.ino());
    match (file.metadata(), metadata(path)) {
        (Ok(of_file), Ok(at_path)) => identity(of_file) == identity(at_path),
        _ => false,
    }
}

/// Without file identities, no journal is ever started.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    false
}

fn refuse_claimed(journal: &[u8], run: &Run<'_>) -> Result<(), StoreProblem> {
    let Some(id) = run.claim.run else {
        return Ok(());
    };
    let recent = &journal[journal.len().saturating_sub(RECENT)..];
    let lines = recent.split(|byte| *byte == b'\n');
    let of_run = lines.filter(|line| String::from_utf8_lossy(line).contains(id));
    for value in of_run.flat_map(line::parse) {
        refuse(&entry::Claimed::from_value(&value), run)?;
    }
    Ok(())
}

fn refuse(claim: &entry::Claimed, run: &Run<'_>) -> Result<(), StoreProblem> {
    match claim.refuses(run) {
        Some(by) => Err(StoreProblem::Claimed { by: by.to_owned() }),
        None => Ok(()),
    }
}
