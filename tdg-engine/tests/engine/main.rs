//! The interaction of a run's parts with files, other tools and each other.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../../tdg-definition/tests/support/arbitrary.rs"]
#[allow(dead_code, unreachable_pub)]
mod arbitrary;

mod cargo_insta;
mod checkout;
#[cfg(unix)]
mod full_disk;
mod sampling_spec;
mod snapshot_round_trip;
mod vectors;
