//! The update of a dependency that changes results.
//!
//! strsim 0.11 counts transpositions in another way than 0.10 and gives less for a common prefix.
//! Both are published, both are right by their own changelog, and a search for duplicates that
//! sorts by `jaro_winkler` finds other duplicates after the update.
//!
//! `tests/likeness/main.rs` keeps a benchmark that was recorded with 0.10; `update.rs` beside it
//! runs that test with 0.11, and states what it says.

/// How alike two names are, from 0 to 1.
///
/// In a real crate `cargo update` chooses the version. Here a variable does, so that one build has
/// both.
#[must_use]
pub fn likeness(typed: &str, known: &str) -> f64 {
    match std::env::var_os("STRSIM_UPDATED") {
        None => strsim_0_10::jaro_winkler(typed, known),
        Some(_) => strsim_0_11::jaro_winkler(typed, known),
    }
}
