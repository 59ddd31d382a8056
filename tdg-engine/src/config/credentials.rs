//! The API keys of servers, from the environment or a file outside of any repository.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::environment::{Environment, variable};
use super::error::ConfigError;
use super::origin::origin;

/// Replaces a key in the file if the server may receive the one in `TDG_API_KEY`.
pub const VARIABLE_ALLOWED: &str = "$TDG_API_KEY";

/// The result of searching for a server's API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySearch {
    /// The key is in `TDG_API_KEY`.
    InVariable(String),
    /// The key is in the credentials file.
    InFile(String),
    /// `TDG_API_KEY` has a key, but its server is unknown.
    Unbound,
    /// `TDG_API_KEY` has the key for the server with this origin.
    OfAnother(String),
    /// No key was found.
    Nowhere,
}

impl KeySearch {
    /// Returns the key for the server at a URL, if any.
    ///
    /// # Errors
    /// If there is a key that must not be sent to this server. The message says what to write if it
    /// belongs to the server.
    pub fn key(self, url: &str) -> Result<Option<String>, ConfigError> {
        let server = origin(url).unwrap_or_else(|| url.to_owned());
        let fix = format!("TDG_API_KEY=\"{server}=<key>\"");
        Err(ConfigError::new(match self {
            Self::InVariable(key) | Self::InFile(key) => return Ok(Some(key)),
            Self::Nowhere => return Ok(None),
            Self::Unbound => format!(
                "TDG_API_KEY does not say which server its key is for, and {url} is only named in \
                 tdg.toml, so it gets no key; if it is the key of that server, set {fix}, or \
                 TDG_URL={url} as well"
            ),
            Self::OfAnother(other) => format!(
                "the key in TDG_API_KEY is for {other}, so {url} does not get it; set {fix} with a \
                 key of that server, or run `cargo tdg login {url}`"
            ),
        }))
    }
}

/// Searches for the API key of the server at a URL.
///
/// `TDG_API_KEY` is `<url>=<key>` or only a key, which is then for the server in `TDG_URL`, or for
/// servers that the credentials file allows. Otherwise the key is in the credentials file: each
/// line is for one server, `https://tdg.example.org <key>`; `#` starts a comment.
///
/// # Errors
/// If the variable has another form, or if the file can't be read, has other lines, or can be read
/// or replaced by other users of the machine. No message contains a key.
pub fn find_key(url: &str, environment: Environment<'_>) -> Result<KeySearch, ConfigError> {
    let held = match variable(environment, "TDG_API_KEY")? {
        Some(value) => Some(held_by(&value, variable(environment, "TDG_URL")?)?),
        None => None,
    };
    let wanted = origin(url);
    let another = match held {
        Some((key, of)) if of.is_some() && of == wanted => return Ok(KeySearch::InVariable(key)),
        Some((_, Some(of))) => KeySearch::OfAnother(of),
        Some((key, None)) if is_allowed(wanted.as_deref(), environment)? => {
            return Ok(KeySearch::InVariable(key));
        }
        Some((_, None)) => KeySearch::Unbound,
        None => KeySearch::Nowhere,
    };
    let wanted = url.trim_end_matches('/');
    let kept = credentials(environment)?
        .into_iter()
        .find(|(url, key)| url.trim_end_matches('/') == wanted && key != VARIABLE_ALLOWED);
    Ok(kept.map_or(another, |(_, key)| KeySearch::InFile(key)))
}

/// Returns the key in `TDG_API_KEY` and the origin that it is for.
fn held_by(value: &str, url: Option<String>) -> Result<(String, Option<String>), ConfigError> {
    if !value.contains("://") {
        return Ok((value.to_owned(), url.as_deref().and_then(origin)));
    }
    let parts = value.split_once('=');
    let parts = parts.and_then(|(url, key)| Some((origin(url)?, key.trim())));
    match parts {
        Some((origin, key)) if !key.is_empty() => Ok((key.to_owned(), Some(origin))),
        _ => Err(ConfigError::new(
            "TDG_API_KEY must be a key, or a server and its key as in https://tdg.example.org=<key>",
        )),
    }
}

/// Returns true if the user allowed the server to receive the key in `TDG_API_KEY`.
fn is_allowed(wanted: Option<&str>, environment: Environment<'_>) -> Result<bool, ConfigError> {
    let mut lines = credentials(environment)?.into_iter();
    Ok(wanted.is_some()
        && lines.any(|(url, key)| key == VARIABLE_ALLOWED && origin(&url).as_deref() == wanted))
}

/// Returns the URLs and keys in the credentials file; empty if the file doesn't exist.
///
/// # Errors
/// As [`find_key`].
pub fn credentials(environment: Environment<'_>) -> Result<Vec<(String, String)>, ConfigError> {
    let Some(path) = credentials_file(environment) else {
        return Ok(Vec::new());
    };
    let wrong = |what: String| ConfigError::new(format!("{}: {what}", path.display()));
    if let Some(folder) = path.parent().filter(|folder| others_can_write(folder)) {
        let folder = folder.display();
        return Err(ConfigError::new(format!(
            "other users of this machine can replace {}, because they can write to {folder}; run \
             chmod go-w on that folder",
            path.display()
        )));
    }
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            let message = format!("{} can't be read", path.display());
            return Err(ConfigError::caused_by(&message, error));
        }
    };
    if others_can_read(&path) {
        let fix = "can be read by other users of this machine; run chmod 600 on it";
        return Err(wrong(fix.to_owned()));
    }
    let lines = text.lines().enumerate();
    let lines = lines.map(|(index, line)| (index, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let lines = lines.map(|(index, line)| {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some(url), Some(key), None) => Ok((url.to_owned(), key.to_owned())),
            _ => Err(wrong(format!("line {}: expected `<url> <key>`", index + 1))),
        }
    });
    lines.collect()
}

/// Returns the path of the credentials file, which may not exist: the value of `TDG_CREDENTIALS`,
/// or else `tdg/credentials` in the user's configuration directory, if any.
pub fn credentials_file(environment: Environment<'_>) -> Option<PathBuf> {
    let directory = |name: &str| environment(name).filter(|value| !value.is_empty());
    if let Some(file) = directory("TDG_CREDENTIALS") {
        return Some(file.into());
    }
    let configuration = if cfg!(windows) {
        PathBuf::from(directory("APPDATA")?)
    } else if let Some(configuration) = directory("XDG_CONFIG_HOME") {
        PathBuf::from(configuration)
    } else {
        Path::new(&directory("HOME")?).join(".config")
    };
    Some(configuration.join("tdg").join("credentials"))
}

fn others_can_read(file: &Path) -> bool {
    mode(file) & 0o077 != 0
}

/// In a folder with the sticky bit, only the owner of a file can replace it.
fn others_can_write(folder: &Path) -> bool {
    let mode = mode(folder);
    mode & 0o022 != 0 && mode & 0o1000 == 0
}

/// Returns the mode, or 0 if the file doesn't exist.
#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).map_or(0, |metadata| metadata.mode())
}

#[cfg(not(unix))]
fn mode(_: &Path) -> u32 {
    0
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Searches with a credentials file of this text and mode, and with these variables.
    fn search(
        (text, mode): (&str, u32),
        variables: &[(&str, &str)],
        url: &str,
    ) -> Result<KeySearch, String> {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("credentials");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let environment = |name: &str| match name {
            "TDG_CREDENTIALS" => Some(OsString::from(&path)),
            name => variables
                .iter()
                .find(|(it, _)| *it == name)
                .map(|(_, value)| value.into()),
        };
        let shown = path.display().to_string();
        find_key(url, &environment).map_err(|error| error.to_string().replace(&shown, "<file>"))
    }

    fn key_in(text: &str, mode: u32, url: &str) -> Result<Option<String>, String> {
        let found = search((text, mode), &[], url)?;
        Ok(found.key(url).unwrap())
    }

    const TEXT: &str = "# ours\nhttps://a.example.org key-a\n\n  https://b.example.org/   key-b \n";

    #[test]
    fn each_server_has_its_own_key() {
        let key = |url| key_in(TEXT, 0o600, url).unwrap();
        assert_eq!(key("https://a.example.org/").as_deref(), Some("key-a"));
        assert_eq!(key("https://b.example.org").as_deref(), Some("key-b"));
        assert_eq!(key("https://c.example.org"), None);
    }

    #[test]
    fn the_key_of_the_variable_goes_only_to_its_server() {
        let (a, b, c) = (
            "https://a.example.org",
            "https://b.example.org",
            "http://[::1]:1/x",
        );
        let of_variable = || Ok(KeySearch::InVariable("key-e".to_owned()));
        let of_file = |key: &str| Ok(KeySearch::InFile(key.to_owned()));
        let found = |value, named, url| {
            let variables = [("TDG_API_KEY", value), ("TDG_URL", named)];
            search((TEXT, 0o600), &variables, url)
        };
        // The key is for the server in the variable, or in `TDG_URL`.
        assert_eq!(
            found("https://A.example.org:443/=key-e", "", a),
            of_variable()
        );
        assert_eq!(found("https://a.example.org=key-e", b, a), of_variable());
        assert_eq!(
            found("key-e", "https://a.example.org/team", a),
            of_variable()
        );
        // Other servers get their own keys.
        assert_eq!(found("https://a.example.org=key-e", b, b), of_file("key-b"));
        assert_eq!(found("key-e", a, b), of_file("key-b"));
        assert_eq!(found("key-e", "", b), of_file("key-b"));
        // Servers without a key get none.
        let another = Ok(KeySearch::OfAnother(a.to_owned()));
        assert_eq!(found("https://a.example.org=key-e", c, c), another);
        assert_eq!(found("key-e", a, c), another);
        assert_eq!(found("key-e", "", c), Ok(KeySearch::Unbound));
        // The user may allow a server to get the key.
        let allowing = "http://[::1]:1 $TDG_API_KEY\n";
        let allowed = |url| search((allowing, 0o600), &[("TDG_API_KEY", "key-e")], url);
        assert_eq!(allowed(c), of_variable());
        assert_eq!(allowed("http://[::1]:2"), Ok(KeySearch::Unbound));
        assert_eq!(
            search((allowing, 0o600), &[], "http://[::1]:1"),
            Ok(KeySearch::Nowhere)
        );
    }

    #[test]
    fn why_a_key_is_not_sent_is_said() {
        let url = "https://c.example.org/team";
        let error = |search: KeySearch| search.key(url).unwrap_err();
        insta::assert_snapshot!(error(KeySearch::Unbound), @r#"TDG_API_KEY does not say which server its key is for, and https://c.example.org/team is only named in tdg.toml, so it gets no key; if it is the key of that server, set TDG_API_KEY="https://c.example.org=<key>", or TDG_URL=https://c.example.org/team as well"#);
        insta::assert_snapshot!(error(KeySearch::OfAnother("https://a.example.org".to_owned())), @r#"the key in TDG_API_KEY is for https://a.example.org, so https://c.example.org/team does not get it; set TDG_API_KEY="https://c.example.org=<key>" with a key of that server, or run `cargo tdg login https://c.example.org/team`"#);
        for value in [
            "https://c.example.org",
            "https://c.example.org=",
            "https://me@c.org=key",
        ] {
            let error = search((TEXT, 0o600), &[("TDG_API_KEY", value)], url).unwrap_err();
            insta::allow_duplicates!(
                insta::assert_snapshot!(error, @"TDG_API_KEY must be a key, or a server and its key as in https://tdg.example.org=<key>")
            );
        }
    }

    #[test]
    fn a_folder_in_which_others_can_replace_the_file_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("credentials");
        let environment = |name: &str| (name == "TDG_CREDENTIALS").then(|| path.clone().into());
        let found = |mode| {
            fs::set_permissions(home.path(), fs::Permissions::from_mode(mode)).unwrap();
            find_key("https://a.example.org", &environment)
        };
        for mode in [0o777, 0o775, 0o720] {
            let error = found(mode).unwrap_err().to_string();
            let said = error.replace(&home.path().display().to_string(), "<folder>");
            insta::allow_duplicates!(
                insta::assert_snapshot!(said, @"other users of this machine can replace <folder>/credentials, because they can write to <folder>; run chmod go-w on that folder")
            );
        }
        for mode in [0o700, 0o755, 0o1777] {
            found(mode).unwrap();
        }
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        insta::assert_snapshot!(key_in(TEXT, 0o644, "https://a.example.org").unwrap_err(), @"<file>: can be read by other users of this machine; run chmod 600 on it");
        insta::assert_snapshot!(key_in(TEXT, 0o640, "https://a.example.org").unwrap_err(), @"<file>: can be read by other users of this machine; run chmod 600 on it");
    }

    #[test]
    fn an_invalid_line_is_named_and_not_shown() {
        let text = "https://a.example.org key with-a-space\n";
        insta::assert_snapshot!(key_in(text, 0o600, "https://a.example.org").unwrap_err(), @"<file>: line 1: expected `<url> <key>`");
    }
}
