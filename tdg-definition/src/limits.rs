//! How large an ensemble may be, here and on a server, and what a test of it may ask for.

use std::ops::RangeInclusive;

/// How many rows an ensemble may have.
pub const SIZES: RangeInclusive<usize> = 1..=10_000;
/// How many cells an ensemble may have: rows times features.
pub const CELLS: usize = 1_000_000;
/// How long the rows of an ensemble, or the outputs of a benchmark or an assertion, may be as JSON, in bytes.
pub const DATA_BYTES: usize = 64 << 20;
/// How long a name may be, in bytes.
pub const NAME_BYTES: usize = 256;
/// How many threads may share the rows of a test: more than any machine has a use for, fewer than any refuses to start.
pub const THREADS: RangeInclusive<usize> = 1..=1024;
