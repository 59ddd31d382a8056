//! What a run is told from outside: `tdg.toml` and the environment.

mod environment;
mod file;
mod root;
mod settings;
mod toml;
mod update;

pub use environment::{Environment, process_environment};
pub use root::{Place, find_place};
pub use settings::{ConfigError, Settings, StoreKind, UpdateMode};
pub use update::Update;

#[cfg(test)]
mod tests;
