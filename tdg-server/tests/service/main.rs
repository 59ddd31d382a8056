//! The real server, as its clients and operators see it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "these are tests"
)]

mod accounts;
mod answers;
mod attribution;
mod browsing;
mod clocks;
mod conformance;
mod connections;
mod databases;
mod deciding;
mod deletion;
mod demo;
#[cfg(target_os = "linux")]
mod disk;
mod documentation;
mod earlier_versions;
mod encryption;
mod failover;
mod faults;
mod feeds;
mod indexes;
mod interrupted;
mod limited;
mod limits;
mod logins;
mod memory;
mod migrations;
mod moments;
mod operating;
mod pages;
mod poolers;
mod quotas;
mod read_replicas;
mod refusals;
mod replicas;
mod restore;
mod retention;
mod security;
mod sql;
mod sqlite_file;
mod strictness;
mod support;
mod sync;
mod traces;
mod turns;
mod undeletion;
mod verify;
mod webhooks;
