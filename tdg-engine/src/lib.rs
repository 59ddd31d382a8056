//! The engine of tdg: rows, outputs, comparison, snapshot files, and the local store, shared by
//! the test run, the command line and the server.
//!
//! **Exempt from semver.** Any version may change anything in this crate. Only `tdg` follows
//! semantic versioning, and it requires its engine by exact version.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod answers;
pub mod checkout;
pub mod compare;
pub mod config;
mod ensemble;
mod feature_selection;
pub mod generate;
mod hex;
pub mod identifier;
pub mod output;
mod prefix;
mod process_id;
pub mod results;
pub mod snapshot;
mod source_location;
mod spelling;
pub mod store;
mod temporary;
mod test_id;
pub mod text;
mod verdict;

pub use ensemble::Ensemble;
pub use feature_selection::Takes;
pub use generate::{RowError, Vectors};
pub use hex::hex;
pub use prefix::common_prefix;
pub use process_id::process_id;
pub use source_location::Site;
pub use test_id::TestId;
pub use verdict::Verdict;
