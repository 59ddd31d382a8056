//! Rows from a definition, a seed and a size.

mod digest;
mod growing;
mod of_file;
mod pairing;
mod read;
mod renames;
mod value;
mod vectors;
mod write;

pub use pairing::Pairing;
pub use read::RowError;
pub use renames::{RenamedCategory, RenamedFeature, Renames};
pub use value::cell_value;
pub use vectors::{Vectors, VectorsFeature};
