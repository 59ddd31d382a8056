//! Detection of CI systems by their environment variables.

use std::ffi::OsString;

use super::environment::{Environment, variable};

/// Variables that CI systems set, other than `CI`.
const CI_VARIABLES: [&str; 4] = [
    "JENKINS_URL",
    "TEAMCITY_VERSION",
    "TF_BUILD",
    "BITBUCKET_BUILD_NUMBER",
];

/// Returns the variable that identifies this machine as CI.
pub(super) fn ci_variable(environment: Environment<'_>) -> Option<&'static str> {
    let says_no = |value: &OsString| value == "0" || value.eq_ignore_ascii_case("false");
    let is_set = |name: &str| environment(name).is_some_and(|value| !value.is_empty());
    if is_set("CI") && !environment("CI").is_some_and(|value| says_no(&value)) {
        return Some("CI");
    }
    CI_VARIABLES.into_iter().find(|name| is_set(name))
}

/// For each CI system: a variable that only it sets, the parts of a run's URL (variables and
/// texts), a variable that is set for tags, and the variables with the branch, the pull request's
/// first.
const SYSTEMS: [[&str; 4]; 9] = [
    [
        "GITHUB_ACTIONS",
        "GITHUB_SERVER_URL / GITHUB_REPOSITORY /actions/runs/ GITHUB_RUN_ID",
        "",
        "GITHUB_HEAD_REF GITHUB_REF",
    ],
    [
        "GITLAB_CI",
        "CI_JOB_URL",
        "CI_COMMIT_TAG",
        "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME CI_COMMIT_REF_NAME",
    ],
    [
        "BUILDKITE",
        "BUILDKITE_BUILD_URL",
        "BUILDKITE_TAG",
        "BUILDKITE_BRANCH",
    ],
    [
        "CIRCLECI",
        "CIRCLE_BUILD_URL",
        "CIRCLE_TAG",
        "CIRCLE_BRANCH",
    ],
    [
        "JENKINS_URL",
        "BUILD_URL",
        "TAG_NAME",
        "CHANGE_BRANCH BRANCH_NAME GIT_BRANCH",
    ],
    ["TEAMCITY_VERSION", "BUILD_URL", "", ""],
    [
        "TRAVIS",
        "TRAVIS_BUILD_WEB_URL",
        "TRAVIS_TAG",
        "TRAVIS_PULL_REQUEST_BRANCH TRAVIS_BRANCH",
    ],
    [
        "TF_BUILD",
        "SYSTEM_COLLECTIONURI SYSTEM_TEAMPROJECTID /_build/results?buildId= BUILD_BUILDID",
        "",
        "SYSTEM_PULLREQUEST_SOURCEBRANCH BUILD_SOURCEBRANCH",
    ],
    [
        "BITBUCKET_BUILD_NUMBER",
        "",
        "BITBUCKET_TAG",
        "BITBUCKET_BRANCH",
    ],
];

fn value(environment: Environment<'_>, name: &str) -> Option<String> {
    variable(environment, name).ok().flatten()
}

/// Returns the CI system that this process runs on.
fn system(environment: Environment<'_>) -> Option<[&'static str; 4]> {
    let is_this = |[mark, ..]: &[&str; 4]| value(environment, mark).is_some();
    SYSTEMS.into_iter().find(is_this)
}

/// Returns the URL of the CI run that this process belongs to.
pub fn ci_address(environment: Environment<'_>) -> Option<String> {
    let [_, parts, ..] = system(environment)?;
    let is_variable = |part: &str| part.starts_with(|first: char| first.is_ascii_uppercase());
    let parts = parts.split(' ').map(|part| match is_variable(part) {
        true => value(environment, part),
        false => Some(part.to_owned()),
    });
    let address: String = parts.collect::<Option<_>>()?;
    let is_address = address.starts_with("http://") || address.starts_with("https://");
    let is_plain = !address.contains(|character: char| character.is_control() || character == ' ');
    (is_address && is_plain).then_some(address)
}

/// Returns the branch of this CI run, or `None` for a tag.
pub(crate) fn ci_branch(environment: Environment<'_>) -> Option<String> {
    let [_, _, tag, branches] = system(environment)?;
    let mut branches = branches.split(' ');
    let branch = branches.find_map(|name| value(environment, name))?;
    let branch = match branch.strip_prefix("refs/") {
        Some(full) => full.strip_prefix("heads/")?,
        // Jenkins includes the name of the remote.
        None => branch.strip_prefix("origin/").unwrap_or(&branch),
    };
    // CircleCI names a fork's pull request this way.
    let is_named = !branch.starts_with("pull/") && !branch.contains(char::is_control);
    (value(environment, tag).is_none() && is_named).then(|| branch.to_owned())
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
        // Many tools set this variable.
        assert_eq!(address(&[("BUILD_URL", "https://jenkins.example/7")]), None);
        assert_eq!(address(&[("GITHUB_ACTIONS", "true")]), None);
        for wrong in ["file:///7", "https://ci.example/\u{1b}[2J", ""] {
            let variables = [("BUILDKITE", "true"), ("BUILDKITE_BUILD_URL", wrong)];
            assert_eq!(address(&variables), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_run_is_about_the_branch_that_its_ci_gives() {
        let branch = |variables: &[(&str, &str)]| {
            ci_branch(&|name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| value.into())
            })
        };
        let rows = [
            "GITHUB_ACTIONS GITHUB_REF=refs/heads/team/rates: team/rates",
            "GITHUB_ACTIONS GITHUB_REF=refs/pull/7/merge GITHUB_HEAD_REF=rates: rates",
            "GITHUB_ACTIONS GITHUB_REF=refs/pull/7/merge GITHUB_HEAD_REF=: -",
            "GITHUB_ACTIONS GITHUB_REF=refs/tags/v1: -",
            "GITLAB_CI CI_COMMIT_REF_NAME=rates: rates",
            "GITLAB_CI CI_COMMIT_REF_NAME=x CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=rates: rates",
            "GITLAB_CI CI_COMMIT_REF_NAME=v1 CI_COMMIT_TAG=v1: -",
            "BUILDKITE BUILDKITE_BRANCH=rates: rates",
            "BUILDKITE BUILDKITE_BRANCH=v1 BUILDKITE_TAG=v1: -",
            "CIRCLECI CIRCLE_BRANCH=rates: rates",
            "CIRCLECI CIRCLE_BRANCH=pull/7: -",
            "JENKINS_URL GIT_BRANCH=origin/rates: rates",
            "JENKINS_URL GIT_BRANCH=origin/PR-7 BRANCH_NAME=PR-7 CHANGE_BRANCH=rates: rates",
            "JENKINS_URL BRANCH_NAME=v1 TAG_NAME=v1: -",
            "TRAVIS TRAVIS_BRANCH=main TRAVIS_PULL_REQUEST_BRANCH=rates: rates",
            "TF_BUILD BUILD_SOURCEBRANCH=refs/heads/team/rates: team/rates",
            "TF_BUILD BUILD_SOURCEBRANCH=refs/pull/7/merge \
             SYSTEM_PULLREQUEST_SOURCEBRANCH=refs/heads/rates: rates",
            "TF_BUILD BUILD_SOURCEBRANCH=refs/tags/v1: -",
            "BITBUCKET_BUILD_NUMBER BITBUCKET_BRANCH=rates: rates",
            "GITHUB_HEAD_REF=rates: -",
            "GITHUB_ACTIONS CIRCLE_BRANCH=rates: -",
        ];
        for row in rows {
            let (variables, expected) = row.split_once(": ").unwrap();
            let variables = variables.split_whitespace();
            let variables = variables.map(|it| it.split_once('=').unwrap_or((it, "true")));
            let found = branch(&variables.collect::<Vec<_>>());
            assert_eq!(found.as_deref().unwrap_or("-"), expected, "{row}");
        }
    }
}
