//! The outputs of a run, as JSON.

mod depth;
mod outputs;
mod unbound;

pub use depth::{Depth, TooDeep};
pub use outputs::Outputs;
pub use unbound::{unbound, unbound_reason};
