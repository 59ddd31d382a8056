//! Reading the parts of a distribution. The functions are handed down, so that no distribution
//! depends on the catalogue that contains it.

use super::Feature;
use super::structure::FeatureValues;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::scalar::ReadPart;

/// Functions that read the parts of a distribution.
pub(crate) struct PartReader {
    /// Reads everything but the name of a feature.
    pub(super) feature: fn(&mut Fields<'_>, Option<String>) -> Option<Feature>,
    pub(super) distribution: ReadPart,
    /// Returns true if the distribution of the first name has the parameter of the second.
    pub(super) has_parameter: fn(&str, &str) -> bool,
}

/// Reads the parameters of a distribution that may contain features or refer to one.
pub(super) type ReadStructured =
    fn(&mut Fields<'_>, FeatureType, &PartReader) -> Option<FeatureValues>;

impl PartReader {
    /// Reads a feature, with the name `unnamed` by default.
    pub(super) fn named(&self, mut fields: Fields<'_>, unnamed: &str) -> Option<Feature> {
        let name = read_name(&mut fields, unnamed);
        let feature = (self.feature)(&mut fields, name);
        fields.finish();
        feature
    }

    /// Reads the element of a list, a feature without a name.
    pub(super) fn element(&self, mut fields: Fields<'_>) -> Option<Feature> {
        let element = (self.feature)(&mut fields, Some(String::new()));
        fields.finish();
        element
    }
}

fn read_name(fields: &mut Fields<'_>, unnamed: &str) -> Option<String> {
    let Some(name) = fields.optional_text("feature_name").ok()? else {
        return Some(unnamed.to_owned());
    };
    let Some(mut problem) = Feature::name_problem(name) else {
        return Some(name.to_owned());
    };
    if name.trim().is_empty() {
        problem.push_str("; remove it to get `feature_<n>`");
    }
    fields.fault("feature_name", problem);
    None
}
