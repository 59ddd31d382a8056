//! The outputs of a run, as JSON.

mod debug;
mod depth;
mod form;
mod outputs;
mod recorded;
mod unbound;

pub use depth::{Depth, TooDeep};
pub use form::{OutputForm, change_of_form, read, users_key, write_as};
pub use outputs::Outputs;
#[cfg(feature = "sqlite-system")]
pub(crate) use outputs::digest;
pub use recorded::RecordedOutputs;
pub use unbound::{unbound, unbound_reason};
