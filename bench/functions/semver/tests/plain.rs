use semver::Version;
use tdg::ensemble_test;

#[ensemble_test]
fn cmp_precedence(
    #[define(type = STRING, pattern(regex = "[01]\\.[01]\\.[01](-(a|b|1|2|10))?(\\+[a-z])?"))]
    version: Version,
    #[define(type = STRING, pattern(regex = "[01]\\.[01]\\.[01](-(a|b|1|2|10))?(\\+[a-z])?"))]
    other: Version,
) -> i8 {
    version.cmp_precedence(&other) as i8
}
