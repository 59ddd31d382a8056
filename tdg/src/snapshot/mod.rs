//! The snapshot file: the committed text form of a benchmark.

mod path;

pub use path::{named_snapshot_file, pending_file, snapshot_file};
