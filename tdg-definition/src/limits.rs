//! Limits on ensembles, benchmarks and tests, for local stores and servers alike.

use std::ops::RangeInclusive;

/// The number of rows that an ensemble can have.
pub const SIZES: RangeInclusive<usize> = 1..=10_000;
/// The most cells of an ensemble: rows × features. Larger definitions have fewer rows.
pub const CELLS: usize = 1_000_000;
/// The most work of drawing an ensemble, [as estimated](crate::Definition::work) before: about two
/// seconds of a core in a release build. A thousand gaussian features take less than a fifth of it.
pub const WORK: u64 = 2_000_000_000;
/// The most bytes of JSON for the rows of an ensemble, or for the outputs of a benchmark or an
/// assertion.
pub const DATA_BYTES: usize = 64 << 20;
/// The most bytes of a name: of a definition, a feature, an ensemble or a project.
pub const NAME_BYTES: usize = 256;
/// The most bytes of the reason of a decision.
pub const REASON_BYTES: usize = 4096;
/// The number of threads that can share the rows of a test: more than a machine can use, fewer than
/// it refuses to start.
pub const THREADS: RangeInclusive<usize> = 1..=1024;
