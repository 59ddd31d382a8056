//! Month ends, business days and durations.
//!
//! The functions under test are those of chrono, chronoutil and bdays, called as they are in
//! `tests/`. Rows are structs whose fields are chrono's own types; what can't be computed is an
//! `Err` or `null`, and recorded like any other output.
