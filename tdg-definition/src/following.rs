//! Rows whose values follow those that they refer to, after these have changed.

use crate::definition::Definition;
use crate::distribution::Parts;
use crate::feature::Feature;
use crate::json::Value;
use crate::referring::Surroundings;
use crate::value;

/// The row with values that follow what they refer to, as far as that can be: an index within a
/// shorter list, the sum of what is left, a list as long as another one. `before` is the row that
/// it was made from.
///
/// ```
/// use tdg_definition::{Definition, following, is_ordered};
///
/// let definition = Definition::parse(r#"{"features": [
///     {"feature_name": "xs", "type": "LIST", "distribution": {"type": "list",
///         "length": {"min": 1, "max": 5},
///         "element": {"type": "INTEGER",
///             "distribution": {"type": "uniform", "min": 0, "max": 9}}}},
///     {"feature_name": "total", "type": "INTEGER", "distribution": {"type": "sum", "of": "xs"}}
/// ]}"#)?;
/// let before = [vec![3.into(), 4.into()].into(), 7.into()];
/// let row = [vec![4.into()].into(), 7.into()];
/// assert!(!is_ordered(&definition, &row));
/// assert_eq!(following(&definition, &before, &row), [vec![4.into()].into(), 4.into()]);
/// # Ok::<(), tdg_definition::Faults>(())
/// ```
#[must_use]
pub fn following(definition: &Definition, before: &[Value], row: &[Value]) -> Vec<Value> {
    let features = definition.features();
    let before = Surroundings::new(features, before.iter().map(Some).collect(), None);
    settled(features, row.to_vec(), None, &before)
}

/// The values of features beside each other, as they are around them now and were before.
fn settled(
    features: &[Feature],
    mut values: Vec<Value>,
    around: Option<&Surroundings<'_>>,
    before: &Surroundings<'_>,
) -> Vec<Value> {
    // What refers to others may stand before them, and others may refer to it.
    for _ in features {
        let present = values.clone();
        let now = Surroundings::new(features, present.iter().map(Some).collect(), around);
        let pairs = features.iter().zip(&present);
        values = pairs
            .map(|(it, value)| now.settle(it, value, before))
            .collect();
        if values == present {
            break;
        }
    }
    values
}

impl Surroundings<'_> {
    fn settle(&self, feature: &Feature, value: &Value, before: &Surroundings<'_>) -> Value {
        if value.is_null() {
            return Value::Null;
        }
        let distribution = feature.distribution();
        let path = distribution.reference().map(|it| it.path());
        let referred = path.and_then(|path| self.find(path));
        let was = path.and_then(|path| before.find(path));
        let value = match distribution.follows(value, referred) {
            true => value.clone(),
            false => {
                let followed = distribution.followed(value, referred, was);
                followed.unwrap_or_else(|| value.clone())
            }
        };
        match (feature.parts(), value) {
            (Parts::Element(element), Value::Array(elements)) => {
                Value::Array(self.settle_all(element, &elements, before))
            }
            (Parts::Entries(element), Value::Object(map)) => {
                let entries = self.settle_all(element, &element.entries(&map), before);
                let entry = |it: &Value| {
                    let name = it.get("key").map(value::name_of).unwrap_or_default();
                    (name, it.get("value").cloned().unwrap_or_default())
                };
                Value::object(entries.iter().map(entry))
            }
            (Parts::Members(members) | Parts::Tuple(members), mut whole) => {
                let value = |it: &Feature| value::member(&whole, it.name()).cloned();
                let values = members.iter().map(|it| value(it).unwrap_or_default());
                let values = settled(members, values.collect(), Some(self), before);
                for (member, value) in members.iter().zip(values) {
                    if let Some(place) = value::member_mut(&mut whole, member.name()) {
                        *place = value;
                    }
                }
                whole
            }
            (Parts::Variants(variants), value) => match variants.find(&value) {
                Ok((number, Some(within))) => {
                    let variant = &variants.all()[number];
                    let within = variant.value().map(|it| self.settle(it, &within, before));
                    variants.form().join(variant.name(), within)
                }
                _ => value,
            },
            (_, value) => value,
        }
    }

    fn settle_all(
        &self,
        element: &Feature,
        elements: &[Value],
        before: &Surroundings<'_>,
    ) -> Vec<Value> {
        let elements = elements.iter();
        let elements = elements.map(|it| self.settle(element, it, before));
        let mut elements: Vec<Value> = elements.collect();
        self.settle_together(element, &mut elements, &mut Vec::new());
        elements
    }

    /// Lets the last of the values at a path within all elements make up for what they lack
    /// together.
    fn settle_together<'f>(
        &self,
        feature: &'f Feature,
        elements: &mut [Value],
        path: &mut Vec<&'f str>,
    ) {
        if let Parts::Members(members) | Parts::Tuple(members) = feature.parts() {
            for member in members {
                path.push(member.name());
                self.settle_together(member, elements, path);
                path.pop();
            }
            return;
        }
        let distribution = feature.distribution();
        let Some(reference) = distribution.reference() else {
            return;
        };
        let all = elements.iter();
        let all = all.filter_map(|it| path.iter().try_fold(it, |it, name| value::member(it, name)));
        let all: Vec<&Value> = all.collect();
        let referred = self.find(reference.path());
        if distribution.are_together(&all, referred) {
            return;
        }
        let last = distribution.last_followed(&all, referred);
        let mut places = elements.iter_mut().rev();
        let place = places.find_map(|it| {
            path.iter()
                .try_fold(it, |it, name| value::member_mut(it, name))
        });
        if let (Some(last), Some(place)) = (last, place) {
            *place = last;
        }
    }
}
