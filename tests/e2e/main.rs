//! Tests tdg as a user sees it, from the first `cargo test` to a `kill -9`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bad_input;
mod book;
mod cargo_insta;
mod cargo_mutants;
mod changed_inputs;
mod comparison;
mod configuration;
mod damaged_files;
mod damaged_stores;
mod dependency_graphs;
#[cfg(unix)]
mod dynamic;
mod earlier_versions;
mod evolved_rows;
mod explore;
mod first_run;
mod history;
mod identity;
mod killed;
mod many_processes;
mod msrv;
mod nextest;
mod outputs;
mod public_items;
mod readme;
mod renamed;
mod signature;
mod stuck;
mod targets;
mod verdicts;
mod without_inputs;
#[cfg(unix)]
mod without_sqlite;
