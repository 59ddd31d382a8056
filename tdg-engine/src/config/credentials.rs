//! The API keys of servers, from the environment or a file outside every repository.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::environment::{Environment, variable};
use super::error::ConfigError;

/// The API key for the server at a URL: `TDG_API_KEY`, or the one in the credentials file.
///
/// Each line of the file is for one server, `https://tdg.example.org <key>`; `#` begins a comment.
///
/// # Errors
/// If the file can't be read, has other lines, or can be read by other users of the machine. No
/// message contains a key.
pub fn api_key(url: &str, environment: Environment<'_>) -> Result<Option<String>, ConfigError> {
    if let Some(key) = variable(environment, "TDG_API_KEY")? {
        return Ok(Some(key));
    }
    let Some(path) = credentials_file(environment) else {
        return Ok(None);
    };
    let wrong = |what: String| Err(ConfigError::new(format!("{}: {what}", path.display())));
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            let message = format!("{} can't be read", path.display());
            return Err(ConfigError::caused_by(&message, error));
        }
    };
    if others_can_read(&path) {
        return wrong("can be read by other users of this machine; run chmod 600 on it".to_owned());
    }
    let wanted = url.trim_end_matches('/');
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut words = line.split_whitespace();
        let (Some(url), Some(key), None) = (words.next(), words.next(), words.next()) else {
            return wrong(format!("line {}: expected `<url> <key>`", index + 1));
        };
        if url.trim_end_matches('/') == wanted {
            return Ok(Some(key.to_owned()));
        }
    }
    Ok(None)
}

/// The credentials file, whether it exists or not: the one that `TDG_CREDENTIALS` names, or else
/// `tdg/credentials` in the user's configuration directory, if there is one.
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

#[cfg(unix)]
fn others_can_read(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn others_can_read(_: &Path) -> bool {
    false
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn key_in(text: &str, mode: u32, url: &str) -> Result<Option<String>, String> {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("credentials");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let environment = |name: &str| match name {
            "TDG_CREDENTIALS" => Some(OsString::from(&path)),
            _ => None,
        };
        let shown = path.display().to_string();
        api_key(url, &environment).map_err(|error| error.to_string().replace(&shown, "<file>"))
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
    fn the_environment_overrides_the_file() {
        let environment = |name: &str| (name == "TDG_API_KEY").then(|| "key-e".into());
        let key = api_key("https://a.example.org", &environment).unwrap();
        assert_eq!(key.as_deref(), Some("key-e"));
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
