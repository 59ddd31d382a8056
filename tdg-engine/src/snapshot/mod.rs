//! The snapshot file: the committed text form of a benchmark.
//!
//! It has the shape that cargo-insta reviews: a header, a line of JSON about the ensemble, and one
//! case per line, `[[inputs…],output]`.
//!
//! ```text
//! ---
//! description: 500 cases of definitions/orders.json
//! expression: "pricing::total"
//! ---
//! {"tdg":1,"ensemble":"pricing::total","size":500,"seed":"7","sampler":1,"digest":"…",…}
//! [[12.44,3,"HALF"],18.66]
//! …
//! ```
//!
//! A policy that isn't exact is part of the line about the ensemble. If the benchmark is on a
//! server, that line has its identifiers, a [`Pin`], and no cases follow.
//!
//! The rows that a test keeps in addition to the ensemble come last, each a [`KeptCase`].
//!
//! [`snapshot_file`] returns its path. [`Snapshot`] reads it completely, [`BenchmarkFile`] only
//! what a run needs; [`render`] and [`save`] write it. A pending change is in a [`pending_file`]
//! next to it.

mod benchmark;
mod case_line;
mod cases;
mod conflict_marker;
mod differing_cases;
mod ensemble_line;
mod error;
mod header;
mod hidden_characters;
mod kept_rows;
mod parse;
mod path;
mod pin;
mod rename;
mod render;
mod save;

pub use benchmark::BenchmarkFile;
pub use differing_cases::Differing;
pub use ensemble_line::{named, not_replacing, of_package, replacing, with_policy};
pub use error::SnapshotError;
pub use header::Header;
pub use kept_rows::{KeptCase, KeptChange, KeptComparison, RecordedKept, with_kept};
pub use parse::Snapshot;
pub use path::{named_snapshot_file, pending_file, snapshot_file};
pub use pin::Pin;
pub use render::{render, render_outputs, render_pin};
pub use save::{SaveError, remove, replace, save};
