//! The reports of tdg's failing tests, the tests that snapshot files belong to, and the reduction
//! of failing rows.
//!
//! **Exempt from semver.** Every version may change everything here; only `tdg` follows semantic
//! versioning, and it requires its parts by exact version.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod owner;
mod report;
pub mod simplify;

pub use report::*;
