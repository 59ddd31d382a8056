//! Month ends, business days and durations.
//!
//! The functions under test come from chrono, chronoutil and bdays, and `tests/` calls them
//! directly. Rows are structs with fields of chrono's own types. If a result can't be computed, it
//! is an `Err` or `null`, which is recorded like any other output.
