//! What of a history was shown, to tell whether the same would be shown now.
//!
//! An assertion never changes, and none that is shown goes but with its benchmark. So what was shown is true
//! for as long as nothing has come into it.

use tdg_service::{Benchmark, Uuid};

/// What a benchmark has shown of its history.
#[derive(Clone, Copy)]
pub(crate) struct Shown {
    pub(super) newest: Option<Uuid>,
    /// Where it begins: with its oldest assertion; before any while the whole history is shown.
    pub(super) from: Uuid,
    pub(super) count: usize,
}

impl Shown {
    pub(crate) fn of(benchmark: &Benchmark) -> Self {
        let history = &benchmark.history;
        let last = history.get(Benchmark::HISTORY - 1);
        Shown {
            newest: history.first().map(|entry| entry.assertion_uuid),
            from: last.map_or(Uuid::nil(), |entry| entry.assertion_uuid),
            count: history.len(),
        }
    }
}
