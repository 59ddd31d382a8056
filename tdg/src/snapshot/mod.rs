//! The snapshot file: the committed text form of a benchmark.

mod cases;
mod ensemble_line;
mod error;
mod parse;
mod path;
mod render;
mod save;

pub use error::SnapshotError;
pub use parse::Snapshot;
pub use path::{named_snapshot_file, pending_file, snapshot_file};
pub use render::render;
pub use save::{SaveError, remove, save};
