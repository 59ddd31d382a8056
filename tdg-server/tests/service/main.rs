//! The real server, as its clients and operators see it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "these are tests"
)]

mod answers;
mod conformance;
mod connections;
mod databases;
mod deletion;
mod documentation;
mod earlier_versions;
mod encryption;
mod indexes;
mod migrations;
mod moments;
mod operating;
mod pages;
mod refusals;
mod replicas;
mod retention;
mod security;
mod support;
