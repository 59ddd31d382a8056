//! The file with the keys of servers, a line for each, which nobody else can read.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use tdg_engine::config::{api_key, credentials_file, process_environment};

use crate::error::{Context as _, Error, Result};

/// The variable that has precedence over the file.
const KEY_VARIABLE: &str = "TDG_API_KEY";

/// The variable with a key that is used in place of the file's, if it is set.
pub(crate) fn overriding_variable() -> Option<&'static str> {
    let value = process_environment(KEY_VARIABLE)?;
    (!value.is_empty()).then_some(KEY_VARIABLE)
}

/// The file with the keys of servers.
pub(crate) struct Credentials {
    path: PathBuf,
    text: String,
}

impl Credentials {
    /// Reads the file; without it, there are no keys.
    ///
    /// # Errors
    /// The file can't be read, has other lines than keys, or can be read by other users.
    pub(crate) fn read() -> Result<Self> {
        let Some(path) = credentials_file(&process_environment) else {
            return Err(Error::new(
                "there is no directory for the key; set HOME, or TDG_CREDENTIALS to the path of a file",
            ));
        };
        // Every line is checked, because no server has this URL.
        let of_file = |name: &str| match name {
            KEY_VARIABLE => None,
            name => process_environment(name),
        };
        api_key("", &of_file)?;
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.context(path.display())?,
        };
        Ok(Self { path, text })
    }

    /// Where the file is, for messages.
    pub(crate) fn place(&self) -> impl std::fmt::Display {
        self.path.display()
    }

    /// Keeps the key of a server, in place of one that it had.
    pub(crate) fn keep(&mut self, url: &str, key: &str) -> Result<()> {
        // Another command may have written it while the key was asked for.
        *self = Self::read()?;
        self.text = with_key(&self.text, url, Some(key));
        self.write()
    }

    /// Removes the key of a server; returns whether there was one.
    pub(crate) fn remove(&mut self, url: &str) -> Result<bool> {
        let text = with_key(&self.text, url, None);
        let had = text != self.text;
        self.text = text;
        if had {
            self.write()?;
        }
        Ok(had)
    }

    /// Replaces the file, which is never readable by others in between.
    fn write(&self) -> Result<()> {
        // A link stays, and the file that it leads to is replaced.
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let write = || -> io::Result<()> {
            let folder = path.parent().unwrap_or(&path);
            fs::create_dir_all(folder)?;
            // Such a file has the mode 0600.
            let mut file = tempfile::Builder::new()
                .prefix(".tdg-")
                .tempfile_in(folder)?;
            file.write_all(self.text.as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            Ok(())
        };
        write().context(format_args!("{} can't be written", path.display()))
    }
}

/// The text with another key for a server, or without one. The rest of it stays.
fn with_key(text: &str, url: &str, key: Option<&str>) -> String {
    let bare = |url: &str| url.trim_end_matches('/').to_owned();
    let is_of = |line: &str| {
        let first = line.split_whitespace().next();
        first.is_some_and(|first| bare(first) == bare(url))
    };
    let line = key.map(|key| format!("{} {key}", bare(url)));
    let mut line = line.as_deref();
    let mut lines: Vec<&str> = Vec::new();
    for old in text.lines() {
        if is_of(old) {
            lines.extend(line.take());
        } else {
            lines.push(old);
        }
    }
    lines.extend(line);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# ours\nhttps://a.example.org key-a\n\nhttps://b.example.org/ key-b\n";

    #[test]
    fn a_server_has_one_key_and_the_other_lines_stay() {
        let other = "# ours\nhttps://a.example.org key-a\n\nhttps://b.example.org key-c\n";
        for url in ["https://b.example.org", "https://b.example.org/"] {
            assert_eq!(with_key(TEXT, url, Some("key-c")), other);
        }
        let more = with_key(
            "https://a.example.org key-a",
            "https://c.example.org/",
            Some("key-c"),
        );
        assert_eq!(
            more,
            "https://a.example.org key-a\nhttps://c.example.org key-c\n"
        );
    }

    #[test]
    fn a_key_is_removed_and_one_that_is_not_there_changes_nothing() {
        let rest = "# ours\n\nhttps://b.example.org/ key-b\n";
        assert_eq!(with_key(TEXT, "https://a.example.org/", None), rest);
        assert_eq!(with_key(TEXT, "https://a.example", None), TEXT);
    }
}
