//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use semver::{Version, VersionReq};

#[tdg::ensemble_test(size = 1000)]
fn parsed(
    #[define(pattern(regex = "[0-9]{1,2}\\.(0?[0-9])\\.?[0-9]?(-([a-z]{1,2}|[0-9]{1,2}|\\.){0,3})?(\\+[a-z0-9.]{0,3})?x?"))]
    text: &str,
) -> Result<(u64, u64, u64, String, String), String> {
    let version = Version::parse(text).map_err(|it| it.to_string())?;
    let (pre, build) = (version.pre.to_string(), version.build.to_string());
    Ok((version.major, version.minor, version.patch, pre, build))
}

#[tdg::ensemble_test(size = 1000)]
fn matches(
    #[define(categorical("", "=", "^", "~", ">", ">=", "<", "<="))] operator: &str,
    #[define(pattern(regex = "[0-2](\\.[0-2*](\\.[0-2](-[ab])?)?)?"))] requirement: &str,
    #[define(pattern(regex = "[0-2]\\.[0-2]\\.[0-2](-[ab])?"))] version: &str,
) -> Option<bool> {
    let requirement = VersionReq::parse(&format!("{operator}{requirement}")).ok()?;
    Some(requirement.matches(&Version::parse(version).ok()?))
}

#[tdg::ensemble_test(size = 500)]
fn requirement(
    #[define(pattern(regex = "((>=?|<=?|=|\\^|~|) ?[0-3x*](\\.[0-3x*]){0,2}(-[ab]{0,2})?)(, ?<?[0-9]\\.)?"))] text: &str,
) -> Result<String, String> {
    VersionReq::parse(text).map(|it| it.to_string()).map_err(|it| it.to_string())
}

#[tdg::ensemble_test(size = 500)]
fn order(
    #[define(pattern(regex = "[01]\\.[01]\\.0(-([ab]|[0-9]{1,2})(\\.[0-9])?)?"))] a: &str,
    #[define(pattern(regex = "[01]\\.[01]\\.0(-([ab]|[0-9]{1,2})(\\.[0-9])?)?"))] b: &str,
) -> Option<i8> {
    Some(Version::parse(a).ok()?.cmp(&Version::parse(b).ok()?) as i8)
}
