//! The outputs of a run, as JSON.

mod debug;
mod depth;
mod f32_places;
mod form;
mod outputs;
mod recorded_outputs;
mod refusal;
mod unbound;
mod users_key;

pub use depth::{Depth, TooDeep};
pub use f32_places::{DECIMALS, F32Places, precise_debug};
pub use form::{OutputForm, change_of_form, debug_text, read, unmarked, write_as};
pub use outputs::Outputs;
#[cfg(feature = "sqlite-system")]
pub(crate) use outputs::digest;
pub use recorded_outputs::RecordedOutputs;
pub use refusal::{not_an_input, refusal};
pub use unbound::{unbound, unbound_reason};
pub use users_key::users_key;
