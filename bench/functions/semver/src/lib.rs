//! `Version::cmp_precedence` of semver.
