//! Plans how functions are called: drawn values and the arguments made from them.
//!
//! A `planner` chooses the `argument` for a parameter's type: `generics` for type parameters,
//! `standard` for std types, `of_crate` for the crate's types. A `call` belongs to one revision; a
//! `shared` call takes the same rows at both. `tested` has the features of today's tests.

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
