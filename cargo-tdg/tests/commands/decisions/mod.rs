//! Decisions about pending changes and merge conflicts.

mod accept;
mod changed_inputs;
#[cfg(unix)]
mod merges;
mod parts;
mod pending;
mod resolve;
mod review;
mod without_inputs;
