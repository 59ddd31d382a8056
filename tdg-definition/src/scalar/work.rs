//! The cost of drawing, computed in advance.

/// An upper bound for the work of drawing a column, in nanoseconds on one core of a small cloud
/// machine in a release build.
///
/// The figures in this crate are measured and rounded up. To measure them again: `cargo test
/// --release -p tdg-definition --test work -- --ignored --nocapture`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// The work before the first value, for tables.
    pub once: u64,
    /// The work for each value.
    pub each: u64,
}

impl Work {
    /// The work of building a table with `entries` and looking up each value.
    pub(crate) fn table(entries: f64) -> Self {
        const ENTRY: f64 = 80.0;
        Self {
            once: 2_000 + (entries * ENTRY) as u64,
            each: 100,
        }
    }

    /// Values with a constant cost.
    pub(crate) const fn each(each: u64) -> Self {
        Self { once: 2_000, each }
    }

    /// The sum of both.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            once: self.once.saturating_add(other.once),
            each: self.each.saturating_add(other.each),
        }
    }

    /// The work for `values` values.
    #[must_use]
    pub(crate) fn of(self, values: u64) -> u64 {
        self.once.saturating_add(self.each.saturating_mul(values))
    }
}
