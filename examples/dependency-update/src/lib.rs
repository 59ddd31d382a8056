//! An update of a dependency that changes results.
//!
//! strsim 0.11 counts transpositions differently from 0.10, and rewards a common prefix less. Both
//! versions are published and match their own changelogs. Yet a search for duplicates that sorts by
//! `jaro_winkler` finds other duplicates after the update.
//!
//! `tests/likeness/main.rs` keeps a benchmark that was recorded with 0.10. Next to it, `update.rs`
//! runs the same test with 0.11 and checks the report.

/// Returns the similarity of two names, from 0 to 1.
///
/// A real crate gets its version by `cargo update`. Here a variable chooses, so one build has both.
#[must_use]
pub fn likeness(typed: &str, known: &str) -> f64 {
    match std::env::var_os("STRSIM_UPDATED") {
        None => strsim_0_10::jaro_winkler(typed, known),
        Some(_) => strsim_0_11::jaro_winkler(typed, known),
    }
}
