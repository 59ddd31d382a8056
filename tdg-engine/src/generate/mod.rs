//! Rows from a definition, a seed and a size.

mod digest;
mod read;
mod vectors;
mod write;

pub use read::RowError;
pub use vectors::{Vectors, VectorsFeature};
