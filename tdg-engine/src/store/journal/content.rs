//! Taking journals into the store.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tdg_definition::json::Value;

use super::benchmark::JournalBenchmark;
use super::entry::{Claimed, optional};
use super::{BEGIN, Head, Journal, RunEntry, directory, divide_head, is_name, line, unless_gone};
use crate::hex::from_hex;
use crate::store::run_facts::checkout;
use crate::store::{Decision, Moment, RunFacts};
use crate::temporary;

/// The suffix in the names of unreadable journals.
const UNREADABLE: &str = ".unreadable";

/// A journal that is closed to appends. Its runs belong in the store; until the file is removed,
/// they may be taken in again.
#[derive(Debug)]
pub(in crate::store) struct TakenJournal {
    pub(super) file: PathBuf,
    /// `None` if the start of the journal can't be read.
    pub(in crate::store) content: Option<JournalContent>,
}

/// The head of a journal, and its runs.
#[derive(Debug)]
pub(in crate::store) struct JournalContent {
    pub(in crate::store) head: Head,
    /// The benchmark, unless the store has it.
    pub(in crate::store) benchmark: Option<JournalBenchmark>,
    pub(in crate::store) entries: Vec<RunEntry>,
}

/// The reason why a journal isn't taken in.
enum NotTaken {
    /// Its start can't be read.
    Torn,
    /// A later tdg wrote it and will take it in.
    Later,
}

impl JournalContent {
    fn parse(journal: &[u8]) -> Result<Self, NotTaken> {
        let (head, rest) = divide_head(journal).ok_or(NotTaken::Torn)?;
        let head = Head::from_value(&head).ok_or(NotTaken::Later)?;
        let divided = rest.split_at_checked(head.benchmark_bytes);
        let (benchmark, entries) = divided.ok_or(NotTaken::Torn)?;
        let benchmark = match head.known {
            Some(_) => None,
            None => {
                let value = line::parse(benchmark).next().ok_or(NotTaken::Torn)?;
                Some(JournalBenchmark::from_value(&value).ok_or(NotTaken::Later)?)
            }
        };
        let entries = line::parse(entries).map(|entry| RunEntry::from_value(&entry));
        let entries: Option<_> = entries.collect();
        Ok(Self {
            head,
            benchmark,
            entries: entries.ok_or(NotTaken::Later)?,
        })
    }
}

/// Closes all journals of a store to appends.
pub(in crate::store) fn close_all(of_store: &Path) -> io::Result<()> {
    for name in TakenJournal::names(of_store)? {
        TakenJournal::named(&name, of_store)?;
    }
    Ok(())
}

impl Journal {
    /// Closes the journal and reads it, if it exists.
    pub(in crate::store) fn take(&self) -> io::Result<Option<TakenJournal>> {
        match self.close()? {
            Some(closed) => TakenJournal::read(closed),
            None => Ok(None),
        }
    }
}

impl TakenJournal {
    /// Returns the names of all journals of a store. Removes what killed processes left behind.
    pub(in crate::store) fn names(of_store: &Path) -> io::Result<Vec<String>> {
        let Some(files) = unless_gone(fs::read_dir(directory(of_store)))? else {
            return Ok(Vec::new());
        };
        let mut names = Vec::new();
        for file in files {
            let file = file?;
            match file.file_name().into_string() {
                Ok(name) if is_name(&name) && file.file_type()?.is_file() => names.push(name),
                _ => temporary::remove_abandoned(&file),
            }
        }
        Ok(names)
    }

    /// Closes and reads the journal of that name, if it still exists.
    pub(in crate::store) fn named(name: &str, of_store: &Path) -> io::Result<Option<Self>> {
        match Path::new(name).extension() {
            Some(_) => Self::read(directory(of_store).join(name)),
            None => Journal {
                directory: of_store.to_owned(),
                name: name.to_owned(),
            }
            .take(),
        }
    }

    fn read(file: PathBuf) -> io::Result<Option<Self>> {
        let Some(journal) = unless_gone(fs::read(&file))? else {
            return Ok(None);
        };
        let content = match JournalContent::parse(&journal) {
            Ok(content) => Some(content),
            Err(NotTaken::Torn)
                if BEGIN.starts_with(&journal[..journal.len().min(BEGIN.len())]) =>
            {
                None
            }
            Err(_) => return Ok(None),
        };
        Ok(Some(Self { file, content }))
    }

    /// Removes the file once its runs are in the store. If that fails, they are recognized later.
    pub(in crate::store) fn remove(&self) {
        if self.content.is_some() {
            let _ = fs::remove_file(&self.file);
        }
    }

    /// Renames an unreadable journal so that it is ignored; returns true if it did.
    pub(in crate::store) fn set_aside(&self) -> bool {
        let mut aside = self.file.clone().into_os_string();
        aside.push(UNREADABLE);
        self.content.is_none() && fs::rename(&self.file, aside).is_ok()
    }
}

impl RunEntry {
    /// Reads an entry written by [`to_value`](Self::to_value).
    fn from_value(value: &Value) -> Option<Self> {
        Some(Self {
            moment: Moment {
                time: value.get("time")?.as_i64()?,
                uuid: from_hex(value.get("uuid")?.as_str()?)?,
            },
            facts: RunFacts::from_members(value).ok()?,
            claim: Claimed::from_value(value),
            decision: match value.get("decision") {
                Some(decision) => Some(decision_from(decision)?),
                None => None,
            },
        })
    }
}

fn decision_from(value: &Value) -> Option<Decision> {
    Some(Decision {
        kind: value.get("kind")?.as_str()?.parse().ok()?,
        reason: optional(value, "reason"),
        author: optional(value, "author"),
        checkout: checkout(value).ok()?,
        dirty: value.get("dirty").and_then(Value::as_bool),
        ci: optional(value, "ci"),
        replaces: optional(value, "replaces"),
        // The decision was made locally.
        through: None,
        arrived: None,
    })
}
