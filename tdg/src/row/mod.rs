//! One row, as the function under test takes it.

mod bind;
mod cell;
mod deserialize;

pub use bind::BindError;
pub use deserialize::Row;
