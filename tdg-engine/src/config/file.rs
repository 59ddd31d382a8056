//! The file `tdg.toml`.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use super::error::ConfigError;
use super::toml::{self, TomlValue};
use tdg_definition::nearest;

/// The keys of `tdg.toml`, described in docs/reference/configuration.md.
pub(super) const KEYS: [&str; 10] = [
    "update",
    "snapshots",
    "inputs",
    "store",
    "url",
    "project",
    "project_uuid",
    "dir",
    "author",
    "slow_row",
];

/// Keys that must not be in `tdg.toml`, because it is committed.
const SECRETS: [&str; 5] = ["api_key", "api-key", "key", "token", "password"];

/// The entries of a `tdg.toml`.
#[derive(Debug, Default)]
pub(super) struct ConfigFile {
    path: String,
    entries: Vec<(String, TomlValue)>,
}

impl ConfigFile {
    /// Reads `<root>/tdg.toml`; empty if the file doesn't exist.
    pub(super) fn read(root: &Path) -> Result<Self, ConfigError> {
        let path = root.join("tdg.toml");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => {
                let message = format!("{} can't be read", path.display());
                return Err(ConfigError::caused_by(&message, error));
            }
        };
        Self::parse(&text, path.display().to_string())
    }

    pub(super) fn parse(text: &str, path: String) -> Result<Self, ConfigError> {
        let wrong = |what: String| ConfigError::new(format!("{path}: {what}"));
        let entries = toml::parse(text).map_err(wrong)?;
        for (key, _) in &entries {
            if SECRETS.contains(&key.to_lowercase().as_str()) {
                return Err(wrong(format!(
                    "`{key}` must not be in a committed file; set TDG_API_KEY instead"
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
        match self.entry(key) {
            None => Ok(None),
            Some(TomlValue::Text(text)) => Ok(Some(text)),
            Some(TomlValue::Boolean(_)) => Err(self.wrong(key, "must be a string")),
        }
    }

    pub(super) fn boolean(&self, key: &str) -> Result<Option<bool>, ConfigError> {
        match self.entry(key) {
            None => Ok(None),
            Some(TomlValue::Boolean(value)) => Ok(Some(*value)),
            Some(TomlValue::Text(_)) => Err(self.wrong(key, "must be true or false")),
        }
    }

    fn entry(&self, key: &str) -> Option<&TomlValue> {
        let (_, entry) = self.entries.iter().find(|(known, _)| known == key)?;
        Some(entry)
    }

    /// Creates the error for an entry with an invalid value.
    pub(super) fn wrong(&self, key: &str, what: impl fmt::Display) -> ConfigError {
        ConfigError::new(format!("{}: `{key}` {what}", self.path))
    }
}
