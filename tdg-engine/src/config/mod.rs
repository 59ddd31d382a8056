//! The configuration of a run: `tdg.toml` and the environment.

mod author;
mod cargo_insta;
mod cases;
mod ci;
mod credentials;
mod display_path;
mod environment;
mod error;
mod explore;
mod file;
mod origin;
mod root;
mod settings;
mod slow_row;
mod time;
mod toml;
mod update;

pub(crate) use author::name;

pub use author::Author;
pub use cargo_insta::Insta;
pub use cases::parse_cases;
pub use ci::ci_address;
pub(crate) use ci::ci_branch;
pub use credentials::{KeySearch, VARIABLE_ALLOWED, credentials, credentials_file, find_key};
pub use display_path::{display_path, normal_path, source_path};
pub use environment::{Environment, process_environment};
pub use error::ConfigError;
pub use explore::{Exploration, ExploreSize, random_seed};
pub use origin::origin;
pub use root::{TestPlace, find_place, find_root};
pub use settings::{Settings, StoreKind, UpdateMode};
pub use time::parse_time;
pub use update::Update;

#[cfg(test)]
mod tests;
