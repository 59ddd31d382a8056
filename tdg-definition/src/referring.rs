//! Whether the values of a row are such as those that they refer to allow.

use crate::distribution::Parts;
use crate::feature::Feature;
use crate::json::Value;

/// The values of a row or of an object, within those around.
struct Surroundings<'a> {
    features: &'a [Feature],
    values: Vec<Option<&'a Value>>,
    around: Option<&'a Surroundings<'a>>,
}

/// Whether all values of a row, one for each feature, are what they refer to.
pub(crate) fn is_consistent(features: &[Feature], row: &[Value]) -> bool {
    let values = row.iter().map(Some).collect();
    Surroundings::new(features, values, None).are_consistent()
}

impl<'a> Surroundings<'a> {
    fn new(
        features: &'a [Feature],
        values: Vec<Option<&'a Value>>,
        around: Option<&'a Surroundings<'a>>,
    ) -> Self {
        Self {
            features,
            values,
            around,
        }
    }

    fn are_consistent(&self) -> bool {
        let mut all = self.features.iter().zip(&self.values);
        all.all(|(feature, value)| value.is_none_or(|value| self.has(feature, value)))
    }

    /// Whether the value of a feature can be here.
    fn has(&self, feature: &Feature, value: &Value) -> bool {
        if value.is_null() {
            return true;
        }
        let distribution = feature.distribution();
        if let Some(reference) = distribution.reference()
            && !distribution.follows(value, self.find(reference.path()))
        {
            return false;
        }
        let of_members =
            |members, values| Surroundings::new(members, values, Some(self)).are_consistent();
        match (feature.parts(), value) {
            (Parts::Element(element), Value::Array(elements)) => {
                elements.iter().all(|it| self.has(element, it))
            }
            (Parts::Tuple(members), Value::Array(values)) => {
                of_members(members, values.iter().map(Some).collect())
            }
            (Parts::Members(members), Value::Object(object)) => {
                let values = members.iter().map(|member| object.get(member.name()));
                of_members(members, values.collect())
            }
            (Parts::Variants(variants), value) => match variants.find(value) {
                Ok((number, Some(value))) => {
                    let own = variants.all()[number].value();
                    own.is_none_or(|own| self.has(own, &value))
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// The value at that path, up to the first list.
    fn find(&self, path: &[String]) -> Option<&'a Value> {
        let (name, mut rest) = path.split_first()?;
        let found = self.features.iter().position(|it| it.name() == name);
        let Some(position) = found else {
            return self.around?.find(path);
        };
        let (mut feature, mut value) = (&self.features[position], self.values[position]?);
        while let Some((name, more)) = rest.split_first() {
            let (Parts::Members(members) | Parts::Tuple(members)) = feature.parts() else {
                break;
            };
            let position = members.iter().position(|it| it.name() == name)?;
            value = match value {
                Value::Array(values) => values.get(position)?,
                object => object.get(name)?,
            };
            (feature, rest) = (&members[position], more);
        }
        Some(value)
    }
}
