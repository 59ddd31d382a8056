//! One row, as the function under test takes it.

mod array;
mod bind;
mod cell;
mod deserialize;
mod feature_selection;
mod field_order;
mod null;
mod parameter;
pub(crate) mod read;
#[cfg(test)]
mod tests;
mod variant;
mod vectors;

pub use array::LongArray;
pub use bind::BindError;
pub use deserialize::Row;
pub use feature_selection::Taken;
pub use parameter::{bind, feature_or_row, leaked, whole_row};
pub(crate) use vectors::FoundFeature;
pub use vectors::Vectors;
