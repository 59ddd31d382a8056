//! The file with the keys of servers, one per line, readable only by its user.

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

/// The longest wait for the lock, which other processes hold for milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// The file with the keys of servers.
pub(crate) struct Credentials {
    path: PathBuf,
}

impl Credentials {
    /// Checks the file. A missing file counts as empty.
    ///
    /// # Errors
    /// Fails if the file can't be read, has lines that aren't keys, or can be read or replaced by
    /// other users.
    pub(crate) fn check() -> Result<Self> {
        let Some(path) = credentials_file(&process_environment) else {
            return Err(Error::new(
                "no directory for the key; set HOME, or TDG_CREDENTIALS to the path of a file",
            ));
        };
        credentials(&process_environment)?;
        Ok(Self { path })
    }

    /// Displays the path of the file in messages.
    pub(crate) fn place(&self) -> impl std::fmt::Display {
        self.path.display()
    }

    /// Sets the key of a server, replacing an earlier one.
    pub(crate) fn keep(&self, url: &str, key: &str) -> Result<()> {
        let kept = self.edit(|text| with_key(text, url, Some(key)));
        kept.map(drop)
    }

    /// Allows the key in `TDG_API_KEY` to be sent to the servers of an origin.
    pub(crate) fn allow(&self, origin: &str) -> Result<()> {
        self.keep(origin, VARIABLE_ALLOWED)
    }

    /// Removes the key of a server; returns true if it had one.
    pub(crate) fn remove(&self, url: &str) -> Result<bool> {
        if !self.path.exists() {
            return Ok(false);
        }
        self.edit(|text| with_key(text, url, None))
    }

    /// Edits the text of the file under a lock; returns true if the text changed.
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

    /// Replaces the file without making it readable by others at any time.
    fn write(&self, text: &str) -> io::Result<()> {
        // Follows a symbolic link and replaces its target.
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        // Temporary files have mode 0600.
        let mut file = tempfile::Builder::new()
            .prefix(".tdg-")
            .tempfile_in(path.parent().unwrap_or(&path))?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&path)?;
        Ok(())
    }
}

/// Creates a folder with mode 0700, regardless of the umask.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Sets or removes the key of a server, leaving the rest of the text unchanged.
fn with_key(text: &str, url: &str, key: Option<&str>) -> String {
    let bare = |url: &str| url.trim_end_matches('/').to_owned();
    let is_of = |line: &str| {
        let mut words = line.split_whitespace();
        let (Some(of), held) = (words.next(), words.next()) else {
            return false;
        };
        // The server's own key replaces the permission to use the variable's.
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
