//! How a function is called: what is drawn for it, and what is made of that.
//!
//! A `planner` says which `argument` a parameter gets, by its type: a type parameter by the
//! `generics`, a type of std by `standard`, one of the crate by `of_crate`. A `call` is that of
//! one revision, and a `shared` one takes the same rows at both. Features of today's tests are
//! `tested`.

mod argument;
mod call;
mod constants;
mod generics;
mod of_crate;
mod planner;
mod shared;
mod standard;
mod tested;

pub(crate) use argument::{DrawnFrom, Tokens, notation};
pub(crate) use call::PlannedCall;
pub(crate) use planner::PlannedTypes;
pub(crate) use shared::SharedCall;
pub(crate) use tested::TestedFeatures;
