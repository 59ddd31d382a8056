//! A hundred names as typed, each compared with a known name.

mod update;

#[tdg::ensemble_test(definition = "definitions/names.json")]
fn likeness(typed: &str, known: &str) -> f64 {
    dependency_update::likeness(typed, known)
}
