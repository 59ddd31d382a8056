//! What a run is told from outside: `tdg.toml` and the environment.

mod cases;
mod credentials;
mod environment;
mod file;
mod root;
mod settings;
mod shown;
mod toml;
mod update;

pub use cases::parse_cases;
pub use credentials::api_key;
pub use environment::{Environment, process_environment};
pub use root::{Place, find_place, find_root};
pub use settings::{ConfigError, Settings, StoreKind, UpdateMode};
pub use shown::shown_from;
pub use update::Update;

#[cfg(test)]
mod tests;
