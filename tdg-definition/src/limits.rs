//! Limits on ensembles, benchmarks and tests, for local stores and servers alike.

use std::ops::RangeInclusive;

/// The permitted number of rows in an ensemble.
pub const SIZES: RangeInclusive<usize> = 1..=10_000;
/// The most cells of an ensemble: rows × features. Larger definitions have fewer rows.
pub const CELLS: usize = 1_000_000;
/// The most work of drawing an ensemble, as [estimated](crate::Definition::work): about two seconds
/// on one core in a release build. A thousand gaussian features take less than a fifth of it.
pub const WORK: u64 = 2_000_000_000;
/// The most bytes of JSON for the rows of an ensemble, or for the outputs of a benchmark or an
/// assertion.
pub const DATA_BYTES: usize = 64 << 20;
/// The most bytes in the name of a definition, a feature, an ensemble or a project.
pub const NAME_BYTES: usize = 256;
/// The most bytes in the reason of a decision.
pub const REASON_BYTES: usize = 4096;
/// The permitted number of threads that share a test's rows: more than a machine can use, but fewer
/// than it fails to start.
pub const THREADS: RangeInclusive<usize> = 1..=1024;
