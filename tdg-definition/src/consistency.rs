//! Checking that a row's values are consistent with those they refer to.

use crate::feature::{Feature, Parts};
use crate::json::Value;
use crate::value;

/// The values of a row or an object, and the enclosing ones.
pub(crate) struct Surroundings<'a> {
    features: &'a [Feature],
    values: Vec<Option<&'a Value>>,
    around: Option<&'a Surroundings<'a>>,
}

/// Returns true if a row's values, one for each feature, are consistent with each other.
pub(crate) fn is_consistent(features: &[Feature], row: &[Value]) -> bool {
    let values = row.iter().map(Some).collect();
    Surroundings::new(features, values, None).are_consistent()
}

impl<'a> Surroundings<'a> {
    pub(crate) fn new(
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

    /// Returns true if the feature can have this value in these surroundings.
    fn has(&self, feature: &Feature, value: &Value) -> bool {
        if value.is_null() {
            return true;
        }
        let structure = feature.structure();
        let reference = structure.reference();
        let referred = reference.and_then(|it| self.find(it.path()));
        if !structure.follows(value, referred) {
            return false;
        }
        match (feature.parts(), value) {
            (Parts::Element(element), Value::Array(elements)) => self.has_all(element, elements),
            (Parts::Entries(element), Value::Object(map)) => {
                self.has_all(element, &element.entries(map))
            }
            (Parts::Members(members) | Parts::Tuple(members), value) => {
                let values = members.iter();
                let values = values.map(|member| value::member(value, member.name()));
                Surroundings::new(members, values.collect(), Some(self)).are_consistent()
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

    /// Returns true if these can be all elements of a list in these surroundings.
    fn has_all(&self, element: &Feature, elements: &[Value]) -> bool {
        let values: Vec<Option<&Value>> = elements.iter().map(Some).collect();
        elements.iter().all(|it| self.has(element, it)) && self.are_together(element, &values)
    }

    /// Returns true if these can be the values of all elements of one list.
    fn are_together(&self, feature: &Feature, values: &[Option<&Value>]) -> bool {
        let structure = feature.structure();
        if let Some(reference) = structure.reference() {
            let all: Vec<&Value> = values.iter().copied().flatten().collect();
            return structure.are_together(&all, self.find(reference.path()));
        }
        let (Parts::Members(members) | Parts::Tuple(members)) = feature.parts() else {
            return true;
        };
        members.iter().all(|member| {
            let values = values.iter();
            let values = values.map(|it| value::member((*it)?, member.name()));
            self.are_together(member, &values.collect::<Vec<_>>())
        })
    }

    /// Returns the value at that path, up to the first list.
    pub(crate) fn find(&self, path: &[String]) -> Option<&'a Value> {
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
            feature = members.iter().find(|it| it.name() == name)?;
            (value, rest) = (value::member(value, name)?, more);
        }
        Some(value)
    }
}
