//! A hundred names that were typed, each beside a name that is known.

mod update;

#[tdg::ensemble_test(definition = "definitions/names.json")]
fn likeness(typed: &str, known: &str) -> f64 {
    dependency_update::likeness(typed, known)
}
