//! The data of an ensemble.

use tdg_definition::{Column, Definition, FeatureType, SizeError};

use crate::Ensemble;
use crate::feature_selection::Takes;

/// The data of an ensemble: one column for each feature, one element for each row.
#[derive(Clone, Debug)]
pub struct Vectors {
    features: Vec<VectorsFeature>,
    size: usize,
}

/// A feature with its values.
#[derive(Clone, Debug)]
pub struct VectorsFeature {
    /// Its name.
    pub name: String,
    /// Its type.
    pub feature_type: FeatureType,
    /// Its values.
    pub column: Column,
}

impl VectorsFeature {
    pub(super) fn new(name: &str, feature_type: FeatureType, column: Column) -> Self {
        Self {
            name: name.to_owned(),
            feature_type,
            column,
        }
    }
}

impl Vectors {
    /// Draws `size` rows.
    ///
    /// The same definition, seed and size give the same bits on every platform and in every
    /// version. A smaller size gives the first rows of a larger one, except with stratified
    /// sampling.
    ///
    /// Any size can be drawn: if a `unique` feature has fewer values than rows, its values repeat
    /// from the first. [`Definition::check_size`] reports that beforehand.
    ///
    /// ```
    /// use tdg_definition::Definition;
    /// use tdg_engine::Vectors;
    ///
    /// let definition = Definition::parse(r#"{"features": [
    ///     {"feature_name": "dice", "type": "INTEGER",
    ///      "distribution": {"type": "uniform", "min": 1, "max": 6}}
    /// ]}"#)?;
    /// let vectors = Vectors::generate(&definition, 0, 5);
    /// assert_eq!(vectors.to_json(), "[[3],[3],[3],[2],[3]]");
    /// # Ok::<(), tdg_definition::Faults>(())
    /// ```
    #[must_use]
    pub fn generate(definition: &Definition, seed: u64, size: usize) -> Self {
        let columns = definition.columns(seed, size as u64, 0..size as u64);
        let features = definition
            .features()
            .iter()
            .zip(columns)
            .map(|(feature, column)| {
                VectorsFeature::new(feature.name(), feature.feature_type(), column)
            })
            .collect();
        Self { features, size }
    }

    /// Draws the rows of an ensemble whose definition may come from an untrusted source: a snapshot
    /// file, a store, a server.
    ///
    /// # Errors
    /// Fails if it takes more work than [a definition may](Definition::check_work).
    pub fn of_ensemble(definition: &Definition, ensemble: &Ensemble) -> Result<Self, SizeError> {
        definition.check_work(ensemble.size)?;
        Ok(Self::generate(definition, ensemble.seed, ensemble.size))
    }

    /// Returns the features that a function takes, with their values.
    #[must_use]
    pub fn taken(&self, takes: &Takes) -> Self {
        let features = self.features.iter();
        let taken = features.filter(|feature| takes.has(&feature.name));
        Self {
            features: taken.cloned().collect(),
            size: self.size,
        }
    }

    /// Returns the rows with these numbers.
    #[must_use]
    pub fn gather(&self, rows: &[usize]) -> Self {
        let features = self.features.iter().map(|feature| {
            let column = feature.column.gather(rows);
            VectorsFeature::new(&feature.name, feature.feature_type, column)
        });
        Self::from_features(features.collect(), rows.len())
    }

    /// Creates rows from a table's names, types and columns with `size` values each.
    #[must_use]
    pub fn from_columns(
        columns: impl IntoIterator<Item = (String, FeatureType, Column)>,
        size: usize,
    ) -> Self {
        let features = columns.into_iter().map(|(name, feature_type, column)| {
            debug_assert_eq!(column.cells().len(), size);
            VectorsFeature::new(&name, feature_type, column)
        });
        Self::from_features(features.collect(), size)
    }

    pub(super) fn from_features(features: Vec<VectorsFeature>, size: usize) -> Self {
        Self { features, size }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the number of features.
    #[must_use]
    pub fn width(&self) -> usize {
        self.features.len()
    }

    /// Returns the name of a feature, by its position.
    #[must_use]
    pub fn name(&self, position: usize) -> &str {
        &self.features[position].name
    }

    /// Returns the type of a feature, by its position.
    #[must_use]
    pub fn feature_type(&self, position: usize) -> FeatureType {
        self.features[position].feature_type
    }

    /// Returns the values of a feature, by its position.
    #[must_use]
    pub fn column(&self, position: usize) -> &Column {
        &self.features[position].column
    }

    /// Returns the names of the features, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.features.iter().map(|feature| feature.name.as_str())
    }

    /// Returns the feature with this name.
    pub(super) fn find(&self, name: &str) -> Option<&VectorsFeature> {
        self.features.iter().find(|feature| feature.name == name)
    }

    /// Returns the features, in order.
    pub fn features(&self) -> &[VectorsFeature] {
        &self.features
    }
}
