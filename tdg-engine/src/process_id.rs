//! The id of this process.

/// Returns the id of this process, or 0 on WebAssembly, where `std` panics.
pub fn process_id() -> u32 {
    match cfg!(target_family = "wasm") {
        true => 0,
        false => std::process::id(),
    }
}
