//! Rows of other seeds and sizes, to run in addition to a test's own.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::OnceLock;

use tdg_definition::limits::SIZES;

use super::environment::{Environment, variable};
use super::error::ConfigError;

/// The rows to run in addition to a test's own. A missing seed or size is the test's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// The seed.
    pub seed: Option<u64>,
    /// The number of rows.
    pub size: Option<ExploreSize>,
}

/// A number of rows to explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExploreSize {
    /// This many rows.
    Rows(usize),
    /// As many as an ensemble can have, or the test's own size if the definition has fewer.
    Most,
}

/// Reads the seed from `TDG_SEED` and the size from `TDG_SIZE`; `None` if neither is set.
pub(super) fn explore(environment: Environment<'_>) -> Result<Option<Exploration>, ConfigError> {
    let seed = match variable(environment, "TDG_SEED")? {
        None => None,
        Some(text) if text == "random" => Some(random_seed()),
        Some(text) => Some(text.parse().map_err(|_| {
            ConfigError::new(format!(
                "TDG_SEED must be random or a whole number from 0 to {}, but is {text:?}",
                u64::MAX
            ))
        })?),
    };
    let size = match variable(environment, "TDG_SIZE")? {
        None => None,
        Some(text) if text == "max" => Some(ExploreSize::Most),
        Some(text) => match text.parse().ok().filter(|size| SIZES.contains(size)) {
            Some(size) => Some(ExploreSize::Rows(size)),
            None => {
                return Err(ConfigError::new(format!(
                    "TDG_SIZE must be max or a whole number from {} to {}, but is {text:?}",
                    SIZES.start(),
                    SIZES.end()
                )));
            }
        },
    };
    let is_set = seed.is_some() || size.is_some();
    Ok(is_set.then_some(Exploration { seed, size }))
}

/// Returns a random seed short enough to type; all tests of a process share it.
pub fn random_seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| RandomState::new().hash_one(0) >> 32)
}
