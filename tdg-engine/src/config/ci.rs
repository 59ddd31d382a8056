//! What CI systems tell in their variables.

use std::ffi::OsString;

use super::environment::{Environment, variable};

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
    let is_set = |name: &str| environment(name).is_some_and(|value| !value.is_empty());
    if is_set("CI") && !environment("CI").is_some_and(|value| says_no(&value)) {
        return Some("CI");
    }
    CI_VARIABLES.into_iter().find(|name| is_set(name))
}

/// A variable that only one CI system sets, and the parts of the address of a run: variables, and
/// the texts between them.
const ADDRESSES: [(&str, &[&str]); 8] = [
    (
        "GITHUB_ACTIONS",
        &[
            "GITHUB_SERVER_URL",
            "/",
            "GITHUB_REPOSITORY",
            "/actions/runs/",
            "GITHUB_RUN_ID",
        ],
    ),
    ("GITLAB_CI", &["CI_JOB_URL"]),
    ("BUILDKITE", &["BUILDKITE_BUILD_URL"]),
    ("CIRCLECI", &["CIRCLE_BUILD_URL"]),
    ("JENKINS_URL", &["BUILD_URL"]),
    ("TEAMCITY_VERSION", &["BUILD_URL"]),
    ("TRAVIS", &["TRAVIS_BUILD_WEB_URL"]),
    (
        "TF_BUILD",
        &[
            "SYSTEM_COLLECTIONURI",
            "SYSTEM_TEAMPROJECTID",
            "/_build/results?buildId=",
            "BUILD_BUILDID",
        ],
    ),
];

/// The address of the CI run that this process belongs to.
pub fn ci_address(environment: Environment<'_>) -> Option<String> {
    let value = |name: &str| variable(environment, name).ok().flatten();
    let (_, parts) = ADDRESSES.iter().find(|(name, _)| value(name).is_some())?;
    let is_variable = |part: &str| part.starts_with(|first: char| first.is_ascii_uppercase());
    let parts = parts.iter().map(|part| match is_variable(part) {
        true => value(part),
        false => Some((*part).to_owned()),
    });
    let address: String = parts.collect::<Option<_>>()?;
    let is_address = address.starts_with("http://") || address.starts_with("https://");
    let is_plain = !address.contains(|character: char| character.is_control() || character == ' ');
    (is_address && is_plain).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(variables: &[(&str, &str)]) -> Option<String> {
        ci_address(&|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.into())
        })
    }

    #[test]
    fn a_run_has_the_address_that_its_ci_gives() {
        let github = [
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_SERVER_URL", "https://github.com"),
            ("GITHUB_REPOSITORY", "ada/shop"),
            ("GITHUB_RUN_ID", "1658821493"),
        ];
        let azure = [
            ("TF_BUILD", "True"),
            ("SYSTEM_COLLECTIONURI", "https://dev.azure.com/ada/"),
            ("SYSTEM_TEAMPROJECTID", "271d5e4b"),
            ("BUILD_BUILDID", "42"),
        ];
        let jenkins = [
            ("JENKINS_URL", "https://jenkins.example/"),
            ("BUILD_URL", "https://jenkins.example/job/shop/7/"),
        ];
        let of = |variables: &[(&str, &str)]| address(variables).unwrap();
        assert_eq!(
            of(&github),
            "https://github.com/ada/shop/actions/runs/1658821493"
        );
        assert_eq!(
            of(&azure),
            "https://dev.azure.com/ada/271d5e4b/_build/results?buildId=42"
        );
        assert_eq!(of(&jenkins), "https://jenkins.example/job/shop/7/");
        for (system, variable) in [
            ("GITLAB_CI", "CI_JOB_URL"),
            ("BUILDKITE", "BUILDKITE_BUILD_URL"),
            ("CIRCLECI", "CIRCLE_BUILD_URL"),
            ("TEAMCITY_VERSION", "BUILD_URL"),
            ("TRAVIS", "TRAVIS_BUILD_WEB_URL"),
        ] {
            let variables = [(system, "true"), (variable, "https://ci.example/7")];
            assert_eq!(of(&variables), "https://ci.example/7");
        }
    }

    #[test]
    fn elsewhere_a_run_has_none() {
        assert_eq!(address(&[]), None);
        // Set by many tools.
        assert_eq!(address(&[("BUILD_URL", "https://jenkins.example/7")]), None);
        assert_eq!(address(&[("GITHUB_ACTIONS", "true")]), None);
        for wrong in ["file:///7", "https://ci.example/\u{1b}[2J", ""] {
            let variables = [("BUILDKITE", "true"), ("BUILDKITE_BUILD_URL", wrong)];
            assert_eq!(address(&variables), None, "{wrong:?}");
        }
    }
}
