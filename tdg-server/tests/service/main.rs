//! The real server, as its clients and operators see it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "these are tests"
)]

mod accounts;
mod clocks;
mod conformance;
mod databases;
mod deletion;
mod demo;
#[cfg(target_os = "linux")]
mod disk;
mod documentation;
mod earlier_versions;
mod http;
mod lifecycle;
mod limited_keys;
mod limits;
mod postgres;
mod refusals;
mod restore;
mod retention;
mod sql;
mod sqlite_file;
mod support;
mod sync;
mod sync_interruptions;
mod traces;
mod undeletion;
mod verify;
mod web;
mod webhooks;
