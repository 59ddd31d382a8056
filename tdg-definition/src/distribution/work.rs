//! The work of drawing, known before it begins.

/// An upper bound of the work of drawing a column, in nanoseconds of a core of a small cloud
/// machine in a release build.
///
/// The figures in this crate are measured, and rounded up: `cargo test --release -p tdg-definition
/// --test work -- --ignored --nocapture` measures them again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Before the first value, for tables.
    pub once: u64,
    /// For each value.
    pub each: u64,
}

impl Work {
    /// A table of so many entries, and a look-up for each value.
    pub(super) fn table(entries: f64) -> Self {
        const ENTRY: f64 = 80.0;
        Self {
            once: 2_000 + (entries * ENTRY) as u64,
            each: 100,
        }
    }

    /// Values that take this long each.
    pub(super) const fn each(each: u64) -> Self {
        Self { once: 2_000, each }
    }

    /// Both.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            once: self.once.saturating_add(other.once),
            each: self.each.saturating_add(other.each),
        }
    }

    /// For so many values.
    #[must_use]
    pub(crate) fn of(self, values: u64) -> u64 {
        self.once.saturating_add(self.each.saturating_mul(values))
    }
}
