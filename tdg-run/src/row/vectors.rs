//! The rows of an ensemble.

use tdg_definition::Definition;

use super::BindError;
use super::field_order::FieldOrder;
use tdg_engine::generate::VectorsFeature;

/// The feature with a name, or the error that it doesn't exist.
pub(crate) type FoundFeature<'a> = Result<&'a VectorsFeature, BindError>;

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
pub struct Vectors {
    pub(super) table: tdg_engine::Vectors,
    /// The positions of the features that can be null, even if no row is. Empty for recorded rows,
    /// which can't hold anything else than they do.
    nullable: Vec<usize>,
    pub(super) field_order: FieldOrder,
}

impl Vectors {
    /// Draws `size` rows.
    ///
    /// The same definition, seed and size always give the same bits, on every platform. Fewer rows
    /// are a prefix of more rows, except with stratified sampling.
    ///
    /// Any size can be drawn: a `unique` feature with fewer values than rows starts over with its
    /// first value. [`Definition::check_size`] reports that in advance.
    #[must_use]
    pub fn generate(definition: &Definition, seed: u64, size: usize) -> Self {
        Self::drawn(
            definition,
            tdg_engine::Vectors::generate(definition, seed, size),
        )
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.table.size()
    }

    /// Returns a digest of the rows. Two ensembles with the same digest have the same cells.
    #[must_use]
    pub fn digest(&self) -> String {
        self.table.digest()
    }

    /// Wraps recorded rows.
    pub(crate) fn new(table: tdg_engine::Vectors) -> Self {
        Self {
            table,
            nullable: Vec::new(),
            field_order: FieldOrder::default(),
        }
    }

    /// Wraps rows that this definition draws.
    pub(crate) fn drawn(definition: &Definition, table: tdg_engine::Vectors) -> Self {
        let features = definition.features().iter().enumerate();
        let nullable = features.filter(|(_, feature)| feature.may_be_null());
        Self {
            table,
            nullable: nullable.map(|(position, _)| position).collect(),
            field_order: FieldOrder::default(),
        }
    }

    pub(crate) fn find(&self, name: &str) -> FoundFeature<'_> {
        let found = self.table.features().iter().find(|it| it.name == name);
        found.ok_or_else(|| BindError::unknown_feature(name, &self.table))
    }

    /// Returns the columns in the engine's form.
    pub(crate) fn table(&self) -> &tdg_engine::Vectors {
        &self.table
    }

    /// Returns the features that can be null, with their positions.
    pub(super) fn nullable(&self) -> impl Iterator<Item = (usize, &VectorsFeature)> {
        let features = self.table.features();
        let nullable = self.nullable.iter();
        nullable.map(|&position| (position, &features[position]))
    }
}
