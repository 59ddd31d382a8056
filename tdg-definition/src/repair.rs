//! Adjusting a row's values to changes of the values that they refer to.

use crate::consistency::Surroundings;
use crate::definition::Definition;
use crate::feature::{Feature, Parts};
use crate::json::Value;
use crate::value;

/// Adjusts the values of `row`, which was derived from `before`, to the values that they refer to,
/// where possible: an index to a shorter list, a sum to the remaining values, the length of a list
/// to the length of another one.
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

/// Adjusts the values of sibling features to their current surroundings, given the previous ones.
fn settled(
    features: &[Feature],
    mut values: Vec<Value>,
    around: Option<&Surroundings<'_>>,
    before: &Surroundings<'_>,
) -> Vec<Value> {
    // References can point to later features and form chains.
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
        let structure = feature.structure();
        let path = structure.reference().map(|it| it.path());
        let referred = path.and_then(|path| self.find(path));
        let was = path.and_then(|path| before.find(path));
        let value = match structure.follows(value, referred) {
            true => value.clone(),
            false => {
                let adjusted = structure.adjusted(value, referred, was);
                adjusted.unwrap_or_else(|| value.clone())
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

    /// Adjusts the last of the values at a path in all elements, to make up for the total that the
    /// elements lack.
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
        let structure = feature.structure();
        let Some(reference) = structure.reference() else {
            return;
        };
        let all = elements.iter();
        let all = all.filter_map(|it| path.iter().try_fold(it, |it, name| value::member(it, name)));
        let all: Vec<&Value> = all.collect();
        let referred = self.find(reference.path());
        if structure.are_together(&all, referred) {
            return;
        }
        let last = structure.last_adjusted(&all, referred);
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
