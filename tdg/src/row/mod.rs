//! One row, as the function under test takes it.

mod bind;
mod cell;
mod deserialize;
mod parameter;
#[cfg(test)]
mod tests;

pub use bind::BindError;
pub use deserialize::Row;
pub use parameter::feature_or_row;
