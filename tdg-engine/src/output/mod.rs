//! The outputs of a run, as JSON.

mod depth;
mod outputs;
mod recorded;
mod refused;
mod unbound;

pub use depth::{Depth, TooDeep};
pub use outputs::Outputs;
#[cfg(feature = "sqlite-system")]
pub(crate) use outputs::digest;
pub use recorded::RecordedOutputs;
pub use refused::{is_refusal, not_an_input, refusal};
pub use unbound::{unbound, unbound_reason};
