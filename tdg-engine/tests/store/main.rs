//! The local store, through its public interface.
#![cfg(feature = "sqlite-system")]
// Clippy takes only functions marked `#[test]` for tests, not what they share.
#![allow(clippy::unwrap_used, clippy::panic)]

mod commit;
mod damage;
mod decide;
mod history;
mod open;
mod processes;
mod sample;
