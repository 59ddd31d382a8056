//! Features, as relations know them.

use crate::fault::Invalid;
use crate::feature_type::FeatureType;
use crate::modifier::Modifiers;
use crate::scalar::{Distribution, Inversion};

/// A feature that relations can refer to.
pub(crate) trait RelatedFeature {
    fn feature_type(&self) -> FeatureType;

    /// The share of rows that are `null`.
    fn null_probability(&self) -> f64;

    fn distribution(&self) -> &dyn Distribution;

    fn modifiers(&self) -> &Modifiers;

    /// Returns true if its values come from other features alone.
    fn is_computed(&self) -> bool;

    /// Returns the inversion, for words supplied by relations.
    ///
    /// # Errors
    /// The reason why it doesn't have an inversion.
    fn inversion(&self) -> Result<Inversion<'_>, Invalid>;

    /// The reason why the features that it contains or refers to don't allow sorting its values.
    fn unordered(&self) -> Option<String>;
}
