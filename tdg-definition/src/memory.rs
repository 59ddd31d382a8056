//! How much memory drawn values may take.
//!
//! A definition says how long texts and lists are on average. Those of an ensemble are known only
//! when they are drawn, and whoever chooses its seed chooses one of a rare, long list.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

thread_local! {
    /// The bytes that may still be drawn, if they are bounded.
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The end of a drawing that takes too much.
struct TooLarge;

/// Draws values, unless their texts and the elements of their lists take more than about that many
/// bytes.
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

/// Takes so many of the bytes that may be drawn.
pub(crate) fn take(bytes: usize) {
    let Some(left) = LEFT.get() else {
        return;
    };
    match left.checked_sub(bytes) {
        Some(left) => LEFT.set(Some(left)),
        None => resume_unwind(Box::new(TooLarge)),
    }
}
