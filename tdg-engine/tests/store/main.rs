//! The local store, through its public interface.
#![cfg(feature = "sqlite-system")]
// Clippy recognizes functions marked `#[test]`, but not their helpers.
#![allow(clippy::unwrap_used, clippy::panic)]

mod commit;
mod damage;
mod decide;
mod history;
mod open;
mod processes;
mod rename;
mod sample;
