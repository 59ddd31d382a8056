//! The features that values contain or refer to.

use std::fmt;
use std::sync::Arc;

use super::parts::Parts;
use super::path::Reference;
use super::recursion::Recursion;
use crate::column::Cells;
use crate::json::Value;
use crate::random::StreamRows;
use crate::scalar::{Distribution, Support};

/// The distribution of a feature.
#[derive(Clone)]
pub(crate) enum FeatureValues {
    /// Single values, independent of other features.
    Scalar(Arc<dyn Distribution>),
    /// Values that may contain features or refer to one.
    Structured(Arc<dyn StructuredDistribution>),
}

/// A distribution whose values may contain features or refer to one.
pub(crate) trait StructuredDistribution: Distribution + Structure {}

impl<T: Distribution + Structure> StructuredDistribution for T {}

/// The features that the values of a distribution contain or refer to: by default, none.
pub(crate) trait Structure {
    /// The reference in its own parameters, without the references of nested features.
    fn reference(&self) -> Option<&Reference> {
        None
    }

    /// Returns true if `value` is consistent with its parts and with the feature it references.
    fn follows(&self, _value: &Value, _referred: Option<&Value>) -> bool {
        true
    }

    /// Returns true if some of its values are independent of the referenced feature.
    fn has_others(&self) -> bool {
        false
    }

    /// Adjusts a value to the referenced feature, which changed from `_was` to `_to`; `None` if
    /// nothing fits.
    fn adjusted(&self, _: &Value, _to: Option<&Value>, _was: Option<&Value>) -> Option<Value> {
        None
    }

    /// Adjusts the last of these so that together they are all elements of one list; `None` if no
    /// value does that.
    fn last_adjusted(&self, _values: &[&Value], _referred: Option<&Value>) -> Option<Value> {
        None
    }

    /// Returns true if these can be all elements of one list that refers to `referred`.
    fn are_together(&self, _values: &[&Value], _referred: Option<&Value>) -> bool {
        true
    }

    /// Returns true if some rows may have no value, because there is nothing to refer to.
    fn may_be_absent(&self) -> bool {
        false
    }

    /// Marks the rows without a value; `None` if every row has one.
    fn absent(&self, _rows: &StreamRows<'_>) -> Option<Vec<bool>> {
        None
    }

    /// The possible values, which are rarely known without drawing the other features.
    fn possible(&self) -> Support<'_> {
        Support::Drawn
    }

    /// The nested features that its values are composed of.
    fn parts(&self) -> Parts<'_> {
        Parts::None
    }

    /// Returns true if it draws the values of a shape, which several features can share.
    fn is_shape(&self) -> bool {
        false
    }

    /// The nesting depth of lists in the values of a shape.
    fn list_levels(&self) -> u32 {
        0
    }

    /// The further nodes of the enclosing shape that its values contain.
    fn recursion(&self) -> Recursion {
        Recursion::NONE
    }

    /// The list distribution, if it draws lists.
    fn list(&self) -> Option<&dyn ListDistribution> {
        None
    }

    /// The distribution to draw from for values with `digits` decimals; `None` if it's this one.
    fn rounded(&self, _digits: u8) -> Option<FeatureValues> {
        None
    }
}

/// Values without features.
struct NoFeatures;

impl Structure for NoFeatures {}

/// A distribution of lists.
pub(crate) trait ListDistribution {
    /// The approximate mean length.
    fn mean(&self) -> f64;

    /// The lengths of these rows, from the supplied words if possible, otherwise from their own.
    fn lengths(&self, rows: &StreamRows<'_>, supplied: Option<&[u64]>) -> Cells;

    /// Draws the lists of these rows with the given lengths.
    fn lists(&self, rows: &StreamRows<'_>, lengths: &Cells) -> Cells;

    /// Returns true if any of the lists can have a special shape.
    fn has_shapes(&self) -> bool;

    /// The distribution in which a `share` of the lists has a special shape.
    fn with_shapes(&self, share: f64) -> FeatureValues;
}

impl fmt::Debug for FeatureValues {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values().fmt(formatter)
    }
}

impl FeatureValues {
    pub(super) fn structured(distribution: impl StructuredDistribution + 'static) -> Self {
        Self::Structured(Arc::new(distribution))
    }

    /// The distribution of the values.
    pub(super) fn values(&self) -> &dyn Distribution {
        match self {
            Self::Scalar(distribution) => &**distribution,
            Self::Structured(distribution) => &**distribution,
        }
    }

    /// The values that can be drawn.
    pub(super) fn support(&self) -> Support<'_> {
        match self {
            Self::Scalar(distribution) => distribution.support(),
            Self::Structured(distribution) => distribution.possible(),
        }
    }

    /// The features that the values contain or refer to.
    pub(super) fn structure(&self) -> &dyn Structure {
        match self {
            Self::Scalar(_) => &NoFeatures,
            Self::Structured(distribution) => &**distribution,
        }
    }

    /// Returns the distribution itself if it refers to no feature, or else its name.
    pub(super) fn independent(self) -> Result<Arc<dyn Distribution>, &'static str> {
        match self {
            Self::Scalar(distribution) => Ok(distribution),
            Self::Structured(distribution) => match distribution.reference() {
                Some(_) => Err(distribution.name()),
                None => Ok(distribution),
            },
        }
    }

    /// Returns true if edge cases can replace some of the values.
    pub(super) fn can_have_edges(&self) -> bool {
        match self.structure().list() {
            Some(list) => list.has_shapes(),
            None => self.structure().reference().is_none(),
        }
    }

    /// The distribution to draw from for values with `digits` decimals.
    pub(super) fn with_decimals(self, digits: u8) -> Self {
        let rounded = match &self {
            Self::Scalar(distribution) => distribution.with_decimals(digits).map(Self::Scalar),
            Self::Structured(distribution) => distribution.rounded(digits),
        };
        rounded.unwrap_or(self)
    }

    /// The distribution in which a `share` of the lists has a special shape, if it draws lists.
    pub(super) fn with_shapes(self, share: f64) -> Self {
        let shaped = self.structure().list().map(|list| list.with_shapes(share));
        shaped.unwrap_or(self)
    }
}
