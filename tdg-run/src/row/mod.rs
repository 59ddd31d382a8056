//! One row, as the function under test takes it.

mod array;
mod bind;
mod cell;
mod deserialize;
mod field_order;
mod null;
mod parameter;
pub(crate) mod read;
mod taken;
#[cfg(test)]
mod tests;
mod variant;
mod vectors;

pub use array::LongArray;
pub use bind::BindError;
pub use deserialize::Row;
pub use parameter::{bind, feature_or_row, leaked, whole_row};
pub use taken::Taken;
pub(crate) use vectors::FoundFeature;
pub use vectors::Vectors;
