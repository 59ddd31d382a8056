//! What the code written by `#[ensemble_test]` needs and users don't; no part of the interface.

/// By way of tdg, because users have crates named `core`.
pub use ::core;

#[cfg(feature = "tokio")]
pub use crate::async_runtime::{block_on, runtime};

pub mod probe {
    pub use crate::outcome_probe::*;
}
