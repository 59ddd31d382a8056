//! Third-party test tools: nextest, cargo-insta, cargo-mutants.

mod cargo_insta;
mod cargo_mutants;
mod nextest;
