//! The language of definitions, their values, and its building blocks.

#![allow(clippy::unwrap_used, clippy::panic)] // Also in helpers: failures there fail the test.
#![allow(clippy::disallowed_methods)] // Expected values need no exact bits.

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
