//! `tdg.toml`.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use super::settings::ConfigError;
use crate::nearest;

/// The keys that `tdg.toml` can have; docs/configuration.md describes them.
pub(super) const KEYS: [&str; 6] = ["update", "snapshots", "store", "url", "project", "dir"];

/// What might be written there, and must not be: it would be committed.
const SECRETS: [&str; 5] = ["api_key", "api-key", "key", "token", "password"];

/// The entries of a `tdg.toml`.
#[derive(Debug, Default)]
pub(super) struct File {
    path: String,
    entries: BTreeMap<String, Entry>,
}

/// A value in `tdg.toml`.
#[derive(Debug)]
enum Entry {
    Text(String),
    Boolean(bool),
}

impl File {
    /// Reads `<root>/tdg.toml`; without one there are no entries.
    pub(super) fn read(root: &Path) -> Result<Self, ConfigError> {
        let path = root.join("tdg.toml");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => {
                return Err(ConfigError::new(format!(
                    "{} can't be read: {error}",
                    path.display()
                )));
            }
        };
        Self::parse(&text, path.display().to_string())
    }

    pub(super) fn parse(text: &str, path: String) -> Result<Self, ConfigError> {
        let wrong = |what: String| ConfigError::new(format!("{path}: {what}"));
        let entries: BTreeMap<String, Entry> =
            basic_toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        for key in entries.keys() {
            if SECRETS.contains(&key.to_lowercase().as_str()) {
                return Err(wrong(format!(
                    "`{key}` does not belong into a file that is committed; set TDG_API_KEY"
                )));
            }
            if !KEYS.contains(&key.as_str()) {
                return Err(wrong(match nearest(key, KEYS) {
                    Some(near) => format!("unknown key `{key}`; did you mean `{near}`?"),
                    None => format!("unknown key `{key}`; the keys are {}", KEYS.join(", ")),
                }));
            }
        }
        Ok(Self { path, entries })
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<&str>, ConfigError> {
        match self.entries.get(key) {
            None => Ok(None),
            Some(Entry::Text(text)) => Ok(Some(text)),
            Some(Entry::Boolean(_)) => Err(self.wrong(key, "must be a string")),
        }
    }

    pub(super) fn boolean(&self, key: &str) -> Result<Option<bool>, ConfigError> {
        match self.entries.get(key) {
            None => Ok(None),
            Some(Entry::Boolean(value)) => Ok(Some(*value)),
            Some(Entry::Text(_)) => Err(self.wrong(key, "must be true or false")),
        }
    }

    /// An entry has a value that it can't have.
    pub(super) fn wrong(&self, key: &str, what: impl fmt::Display) -> ConfigError {
        ConfigError::new(format!("{}: `{key}` {what}", self.path))
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntryVisitor)
    }
}

struct EntryVisitor;

impl Visitor<'_> for EntryVisitor {
    type Value = Entry;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string, true or false")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Entry, E> {
        Ok(Entry::Text(text.to_owned()))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Entry, E> {
        Ok(Entry::Boolean(value))
    }
}
