//! The file with the keys of servers, a line for each, which nobody else can read.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tdg_engine::config::{
    VARIABLE_ALLOWED, credentials, credentials_file, origin, process_environment,
};
use tdg_engine::store::{FileLock, StoreProblem};

use crate::error::{Error, Result};
use crate::store::why_not_locked;

/// Others hold the file for milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// The file with the keys of servers.
pub(crate) struct Credentials {
    path: PathBuf,
}

impl Credentials {
    /// Checks the file; without it, there are no keys.
    ///
    /// # Errors
    /// The file can't be read, has other lines than keys, or can be read or replaced by other
    /// users.
    pub(crate) fn check() -> Result<Self> {
        let Some(path) = credentials_file(&process_environment) else {
            return Err(Error::new(
                "there is no directory for the key; set HOME, or TDG_CREDENTIALS to the path of a file",
            ));
        };
        credentials(&process_environment)?;
        Ok(Self { path })
    }

    /// Where the file is, for messages.
    pub(crate) fn place(&self) -> impl std::fmt::Display {
        self.path.display()
    }

    /// Keeps the key of a server, in place of one that it had.
    pub(crate) fn keep(&self, url: &str, key: &str) -> Result<()> {
        let kept = self.edit(|text| with_key(text, url, Some(key)));
        kept.map(drop)
    }

    /// Lets the servers of an origin have the key in `TDG_API_KEY`.
    pub(crate) fn allow(&self, origin: &str) -> Result<()> {
        self.keep(origin, VARIABLE_ALLOWED)
    }

    /// Removes the key of a server; returns whether there was one.
    pub(crate) fn remove(&self, url: &str) -> Result<bool> {
        if !self.path.exists() {
            return Ok(false);
        }
        self.edit(|text| with_key(text, url, None))
    }

    /// Replaces the text of the file, alone among all processes that do; returns whether it is
    /// another one.
    fn edit(&self, edit: impl FnOnce(&str) -> String) -> Result<bool> {
        let write = || -> Result<bool, StoreProblem> {
            make_folder(self.path.parent().unwrap_or(&self.path))?;
            let mut lock = self.path.as_os_str().to_owned();
            lock.push(".lock");
            let _lock = FileLock::wait(Path::new(&lock), PATIENCE)?;
            let text = match fs::read_to_string(&self.path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
                read => read?,
            };
            let edited = edit(&text);
            if edited != text {
                self.write(&edited)?;
            }
            Ok(edited != text)
        };
        write().map_err(|problem| {
            let why = why_not_locked(&problem);
            Error::new(format!("{} can't be written: {why}", self.place()))
        })
    }

    /// Replaces the file, which is never readable by others in between.
    fn write(&self, text: &str) -> io::Result<()> {
        // A link stays, and the file that it leads to is replaced.
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        // Such a file has the mode 0600.
        let mut file = tempfile::Builder::new()
            .prefix(".tdg-")
            .tempfile_in(path.parent().unwrap_or(&path))?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&path)?;
        Ok(())
    }
}

/// Makes a folder that is the user's alone, whatever the umask.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The text with another key for a server, or without one. The rest of it stays.
fn with_key(text: &str, url: &str, key: Option<&str>) -> String {
    let bare = |url: &str| url.trim_end_matches('/').to_owned();
    let is_of = |line: &str| {
        let mut words = line.split_whitespace();
        let (Some(of), held) = (words.next(), words.next()) else {
            return false;
        };
        // A key of its own takes the place of the one in the variable.
        let is_allowed = held == Some(VARIABLE_ALLOWED) && origin(of) == origin(url);
        bare(of) == bare(url) || is_allowed
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
    fn a_key_takes_the_place_of_the_one_in_the_variable() {
        let allowing = "https://a.example.org $TDG_API_KEY\n";
        let url = "https://a.example.org/team";
        let kept = format!("{url} key-a\n");
        assert_eq!(with_key(allowing, url, Some("key-a")), kept);
        assert_eq!(with_key(allowing, url, None), "");
        assert_eq!(with_key(allowing, "https://b.example.org", None), allowing);
    }

    #[test]
    fn a_key_is_removed_and_one_that_is_not_there_changes_nothing() {
        let rest = "# ours\n\nhttps://b.example.org/ key-b\n";
        assert_eq!(with_key(TEXT, "https://a.example.org/", None), rest);
        assert_eq!(with_key(TEXT, "https://a.example", None), TEXT);
    }
}
