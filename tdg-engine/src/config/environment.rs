//! The environment of the process, or that of a test.

use std::ffi::OsString;

use super::error::ConfigError;

/// From the name of a variable to its value.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The value of a variable of this process; an empty one counts as not set.
pub fn process_environment(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The text of a variable; an empty one counts as not set.
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

/// Variables that CI systems set, apart from `CI`.
const CI_VARIABLES: [&str; 4] = [
    "JENKINS_URL",
    "TEAMCITY_VERSION",
    "TF_BUILD",
    "BITBUCKET_BUILD_NUMBER",
];

/// The variable that identifies this machine as CI.
pub(super) fn ci_variable(environment: Environment<'_>) -> Option<&'static str> {
    let says_no = |value: &OsString| value == "0" || value.eq_ignore_ascii_case("false");
    if environment("CI").is_some_and(|value| !value.is_empty() && !says_no(&value)) {
        return Some("CI");
    }
    CI_VARIABLES
        .into_iter()
        .find(|name| environment(name).is_some())
}
