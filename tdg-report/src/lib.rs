//! The reports of tdg's failing tests, the tests that snapshot files belong to, the constants of
//! sources, and the reduction of failing rows.
//!
//! **Exempt from semver.** Every version may change everything here; only `tdg` follows semantic
//! versioning, and it requires its parts by exact version.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod constants;
pub mod owner;
mod report;
pub mod simplify;

pub use constants::source_constants;
pub use report::*;
