//! The rows of an ensemble.

use serde_core::de::Deserialize;
use tdg_definition::Definition;

use super::{BindError, Row};

/// The rows of an ensemble: `size` vectors drawn from a definition.
///
/// ```
/// use tdg::{Definition, Vectors};
///
/// let definition = Definition::parse(r#"{"features": [
///     {"feature_name": "dice", "type": "INTEGER",
///      "distribution": {"type": "uniform", "min": 1, "max": 6}}
/// ]}"#)?;
/// let vectors = Vectors::generate(&definition, 0, 5);
/// assert_eq!(vectors.bind::<u8>()?, [3, 3, 3, 2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Vectors(tdg_engine::Vectors);

impl Vectors {
    /// Draws `size` rows.
    ///
    /// The same definition, seed and size give the same bits everywhere and for good, and fewer
    /// rows are the first ones of more, except where the definition asks for stratified sampling.
    ///
    /// Any size can be drawn: a `unique` feature with fewer values than rows starts over with its
    /// first value. [`Definition::check_size`] reports that beforehand.
    #[must_use]
    pub fn generate(definition: &Definition, seed: u64, size: usize) -> Self {
        Self(tdg_engine::Vectors::generate(definition, seed, size))
    }

    /// The number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size()
    }

    /// The row at `index`, from 0.
    ///
    /// # Panics
    /// If there are not that many rows.
    #[must_use]
    pub fn row(&self, index: usize) -> Row<'_> {
        assert!(index < self.size(), "row {index} of {} rows", self.size());
        Row::new(&self.0, index)
    }

    /// All rows, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        (0..self.size()).map(|index| Row::new(&self.0, index))
    }

    /// All rows, each as a value of its own: a struct by feature names, a tuple in feature order,
    /// or the only feature's value.
    ///
    /// # Errors
    /// The first row that is not such a value.
    pub fn bind<'a, T: Deserialize<'a>>(&'a self) -> Result<Vec<T>, BindError> {
        self.rows().map(|row| row.to()).collect()
    }

    /// Identifies the rows: two ensembles with one digest have the same cells.
    #[must_use]
    pub fn digest(&self) -> String {
        self.0.digest()
    }

    pub(crate) fn of(table: tdg_engine::Vectors) -> Self {
        Self(table)
    }

    /// The columns, as the engine has them.
    pub(crate) fn table(&self) -> &tdg_engine::Vectors {
        &self.0
    }
}
