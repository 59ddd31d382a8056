//! What the code written by the macros needs and users don't; no part of the interface.

/// By way of tdg, because users have crates named `core`.
pub use ::core;

#[cfg(feature = "tokio")]
pub use crate::async_runtime::{block_on, runtime};

pub use crate::define::{check_feature, definition};
pub use crate::row::feature_or_row;

pub mod probe {
    pub use crate::outcome_probe::*;
}
