//! What tells this process from others.

/// The id of this process. WASI has none, and `std` panics there: a program is alone.
pub(crate) fn process_id() -> u32 {
    if cfg!(target_os = "wasi") {
        0
    } else {
        std::process::id()
    }
}
