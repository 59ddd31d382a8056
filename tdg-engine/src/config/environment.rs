//! Access to environment variables.

use std::ffi::OsString;

use super::error::ConfigError;

/// Looks up the value of a variable.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// Returns the value of a variable of this process, which may be empty.
pub fn process_environment(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Returns the text of a variable; an empty one counts as unset.
pub(super) fn variable(
    environment: Environment<'_>,
    name: &str,
) -> Result<Option<String>, ConfigError> {
    match environment(name) {
        None => Ok(None),
        Some(value) if value.is_empty() => Ok(None),
        Some(value) => match value.into_string() {
            Ok(value) => Ok(Some(value)),
            Err(value) => Err(ConfigError::new(format!(
                "{name} must be UTF-8, but is {value:?}"
            ))),
        },
    }
}
