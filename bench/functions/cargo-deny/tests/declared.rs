use semver::{Version, VersionReq};
use tdg::ensemble_test;

#[ensemble_test]
fn match_req(
    #[define(pattern(regex = "[0-2]\\.[0-3]\\.[0-3](-rc\\.[0-2])?"), parse)] version: &Version,
    #[define(
        pattern(regex = "(\\^|~|=|>=|<)?[0-2](\\.[0-3](\\.[0-3])?)?"),
        parse,
        null_probability = 0.1
    )]
    req: Option<VersionReq>,
) -> bool {
    cargo_deny::match_req(version, req.as_ref())
}
