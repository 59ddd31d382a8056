//! tdg as a shared library, which the feature `dynamic` of tdg links.
//!
//! **Exempt from semver.** Only `tdg` uses it, and requires it by exact version.

#![forbid(unsafe_code)]

use tdg_run as _;
