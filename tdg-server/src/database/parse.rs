//! Parses texts that were read.

use tdg_definition::Policy;
use tokio::task::block_in_place;

use super::error::{DatabaseError, DatabaseResult};

/// Parses a text of `bytes` bytes. If it is long, other tasks of this thread move to another.
pub(super) fn parse_sized<T>(bytes: usize, parse: impl FnOnce() -> T) -> T {
    const SHORT: usize = 16 << 10;
    if bytes <= SHORT {
        parse()
    } else {
        block_in_place(parse)
    }
}

pub(super) fn policy(text: Option<&str>) -> DatabaseResult<Option<Policy>> {
    let policy = text.map(Policy::parse).transpose();
    policy.map_err(|faults| DatabaseError::corrupt("policy", faults))
}
