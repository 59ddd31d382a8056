//! The outputs of a run, as JSON.

mod depth;
mod outputs;

pub use depth::{Depth, TooDeep};
pub use outputs::Outputs;
