//! The engine of tdg: rows, outputs, comparison, snapshot files, and the local store, shared by
//! the test run, the command line and the server.
//!
//! **Exempt from semver.** Any version may change anything in this crate. Only `tdg` follows
//! semantic versioning, and it requires its engine by exact version.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod checkout;
pub mod compare;
pub mod config;
mod ensemble;
pub mod generate;
mod hex;
pub mod identifier;
pub mod output;
mod prefix;
mod process_id;
pub mod results;
mod site;
pub mod snapshot;
mod spelling;
pub mod store;
mod takes;
mod temporary;
mod test_id;
pub mod text;
mod verdict;

pub use ensemble::Ensemble;
pub use generate::{RowError, Vectors};
pub use hex::hex;
pub use prefix::common_prefix;
pub use process_id::process_id;
pub use site::Site;
pub use takes::Takes;
pub use test_id::TestId;
pub use verdict::Verdict;
