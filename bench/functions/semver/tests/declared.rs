use semver::Version;
use std::cmp::Ordering;
use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn cmp_precedence(
    #[define(
        pattern(regex = "[01]\\.[01]\\.[01](-(a|b|1|2|10))?(\\+[a-z])?"),
        parse
    )]
    version: &Version,
    #[define(
        pattern(regex = "[01]\\.[01]\\.[01](-(a|b|1|2|10))?(\\+[a-z])?"),
        parse
    )]
    other: &Version,
) -> Ordering {
    version.cmp_precedence(other)
}
