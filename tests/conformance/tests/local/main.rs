//! The local store as a place to synchronise.
// Clippy recognises functions marked `#[test]`, but not their helpers.
#![allow(clippy::unwrap_used, clippy::panic)]

mod conformance;
mod converge;
mod crashes;
mod runs;
