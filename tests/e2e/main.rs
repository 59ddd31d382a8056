//! Tests tdg as a user sees it, from the first `cargo test` to a `kill -9`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bad_input;
mod book;
mod builds;
mod changed_inputs;
mod comparison;
mod configuration;
mod crashes;
mod damaged_files;
mod damaged_stores;
mod earlier_versions;
mod evolved_rows;
mod explore;
mod first_run;
mod history;
mod identity;
mod lost_rows;
mod many_processes;
mod outputs;
mod public_items;
mod readme;
mod renames;
mod signature;
mod tools;
mod verdicts;
mod without_inputs;
