//! Rate limits, invalid keys, and refusals in the audit log.

pub(super) mod invalid_keys;
pub(super) mod rate;
pub(super) mod refusals;
