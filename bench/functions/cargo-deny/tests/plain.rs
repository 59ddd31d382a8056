use semver::{Version, VersionReq};
use tdg::ensemble_test;

#[ensemble_test]
fn match_req(
    #[define(type = STRING, pattern(regex = "[0-2]\\.[0-3]\\.[0-3](-rc\\.[0-2])?"))]
    version: Version,
    #[define(type = STRING, pattern(regex = "(\\^|~|=|>=|<)?[0-2](\\.[0-3](\\.[0-3])?)?"))]
    req: Option<VersionReq>,
) -> bool {
    cargo_deny::match_req(&version, req.as_ref())
}
