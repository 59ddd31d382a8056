//! Plans how functions are called: drawn values and the arguments made from them.
//!
//! A `planner` chooses the `argument` for a parameter's type: `generics` for type parameters,
//! `std_types` and `crate_types` for the others. `planned_types` remembers the choices. A `call`
//! belongs to one revision; a `shared_call` takes the same rows at both; a `tested_call` is written
//! in a test. `test_features` has the features of today's tests.

mod argument;
mod call;
mod constants;
mod crate_types;
mod generics;
mod planned_types;
mod planner;
mod shared_call;
mod std_types;
mod test_features;
mod tested_call;

pub(crate) use argument::{
    Argument, ArgumentMaker, Collected, DrawnFrom, DrawnVariant, HeldType, PassedAs, Tokens,
    bounds, notation,
};
pub(crate) use call::{ATTEMPTS, PlannedCall};
pub(crate) use planned_types::PlannedTypes;
pub(crate) use shared_call::SharedCall;
pub(crate) use test_features::TestedFeatures;
pub(crate) use tested_call::{TestedArgument, TestedCall};
