//! Tests that run against a server: the objects that they create, their pins, and their output.

#![allow(clippy::unwrap_used, clippy::panic)] // In helpers too: what fails there fails the test.

mod attribute;
mod checkout;
mod ci;
mod failures;
mod pins;
mod records;
mod relay;
mod server;
