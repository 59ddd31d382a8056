//! Rows from a definition, a seed and a size.

mod column_builder;
mod column_migration;
mod correspondence;
mod digest;
mod file_rows;
mod migration;
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
