//! A limit on the memory of drawn values.
//!
//! A definition determines only the average length of texts and lists. The actual lengths appear
//! when an ensemble is drawn, and a user who chooses the seed can pick one with a rare, long list.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

thread_local! {
    /// The bytes that may still be drawn, if limited.
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The panic payload of a drawing that takes too much memory.
struct TooLarge;

/// Draws values; returns `None` if their texts and list elements take more than about `bytes`.
///
/// ```
/// use tdg_definition::{Definition, within_memory};
///
/// let definition = Definition::parse(r#"{"features": [
///     {"type": "STRING", "distribution": {"type": "pattern", "regex": "[ab]{100}"}}
/// ]}"#)?;
/// let draw = |rows| within_memory(10_000, || definition.columns(0, rows, 0..rows));
/// assert!(draw(50).is_some());
/// assert!(draw(500).is_none());
/// # Ok::<(), tdg_definition::Faults>(())
/// ```
pub fn within_memory<T>(bytes: usize, draw: impl FnOnce() -> T) -> Option<T> {
    let before = LEFT.replace(Some(bytes));
    let drawn = catch_unwind(AssertUnwindSafe(draw));
    LEFT.set(before);
    match drawn {
        Ok(drawn) => Some(drawn),
        Err(panic) if panic.is::<TooLarge>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

/// Subtracts `bytes` from the remaining limit.
pub(crate) fn take(bytes: usize) {
    let Some(left) = LEFT.get() else {
        return;
    };
    match left.checked_sub(bytes) {
        Some(left) => LEFT.set(Some(left)),
        None => resume_unwind(Box::new(TooLarge)),
    }
}
