//! Rows from a definition, a seed and a size.

mod column_migration;
mod correspondence;
mod digest;
mod growing;
mod migration;
mod of_file;
mod pairing;
mod place_pair;
mod read;
mod renames;
mod value;
mod vectors;
mod write;

pub use migration::Migration;
pub use pairing::Pairing;
pub use read::RowError;
pub use renames::{RenamedCategory, RenamedFeature, Renames};
pub use value::cell_value;
pub use vectors::{Vectors, VectorsFeature};
