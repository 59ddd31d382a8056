//! The language of definitions, their values, and its building blocks.

#![allow(clippy::unwrap_used, clippy::panic)] // In helpers too: what fails there fails the test.
#![allow(clippy::disallowed_methods)] // What is expected needs no bits.

#[path = "../support/arbitrary.rs"]
#[allow(dead_code, unreachable_pub)]
mod arbitrary;
#[path = "../support/rows.rs"]
#[allow(unreachable_pub)]
mod rows;

mod any;
mod catalogue;
mod coverage;
mod covering;
mod definitions;
mod documentation;
mod json_properties;
mod math;
mod modifiers;
mod nested;
mod properties;
mod random;
mod references;
mod relations;
mod shapes;
mod totals;
mod variants;
mod work;
