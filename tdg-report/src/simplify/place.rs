//! The place of a value: a feature's value in the row, or a part of it.

use std::borrow::Cow;

use tdg_definition::Feature;
use tdg_definition::distribution::{Parts, Variants};
use tdg_definition::json::{Object, Value};

/// The place of a value. Its feature may be a part of one of the definition's.
pub(super) struct ValuePlace<'a> {
    pub(super) feature: &'a Feature,
    /// The position in the row of the value that contains it.
    pub(super) position: usize,
    /// The path from there inwards.
    steps: Vec<PlaceStep<'a>>,
}

#[derive(Clone)]
enum PlaceStep<'a> {
    Member(String),
    Element(usize),
    /// Into the variant that the value has.
    Variant(Variants<'a>),
}

impl<'a> ValuePlace<'a> {
    /// Returns the places of the values of a row.
    pub(super) fn of_row(features: &'a [Feature]) -> impl Iterator<Item = Self> {
        let features = features.iter().enumerate();
        features.map(|(position, feature)| Self {
            feature,
            position,
            steps: Vec::new(),
        })
    }

    /// Returns the value at this place.
    pub(super) fn value<'v>(&self, row: &'v [Value]) -> Cow<'v, Value> {
        let first = Cow::Borrowed(&row[self.position]);
        let mut steps = self.steps.iter();
        let value = steps.try_fold(first, |value, step| match value {
            Cow::Borrowed(value) => step.within(value),
            Cow::Owned(value) => step
                .within(&value)
                .map(|part| Cow::Owned(part.into_owned())),
        });
        value.unwrap_or(Cow::Owned(Value::Null))
    }

    /// Returns the row's value that contains this place, with the value here replaced.
    pub(super) fn with(&self, row: &[Value], value: Value) -> Value {
        replaced(&row[self.position], &self.steps, value)
    }

    /// Returns the places of the parts of this value.
    pub(super) fn parts(&self, row: &[Value]) -> Vec<Self> {
        let value = self.value(row);
        let part = |feature, step| {
            let mut steps = self.steps.clone();
            steps.push(step);
            Self {
                feature,
                position: self.position,
                steps,
            }
        };
        let member =
            |feature: &'a Feature| part(feature, PlaceStep::Member(feature.name().to_owned()));
        let element = |(at, feature)| part(feature, PlaceStep::Element(at));
        match self.feature.parts() {
            Parts::Element(feature) => {
                let elements = value.as_array().unwrap_or_default().iter();
                elements.map(|_| feature).enumerate().map(element).collect()
            }
            Parts::Members(features) if !value.is_null() => features.iter().map(member).collect(),
            Parts::Tuple(features) if !value.is_null() => {
                features.iter().enumerate().map(element).collect()
            }
            Parts::Variants(variants) => {
                let found = variants.find(&value).ok();
                let number = found.and_then(|(number, value)| value.map(|_| number));
                let feature = number.and_then(|number| variants.all()[number].value());
                let place = feature.map(|feature| part(feature, PlaceStep::Variant(variants)));
                place.into_iter().collect()
            }
            Parts::Entries(entry) => {
                let Parts::Members([_, feature]) = entry.parts() else {
                    return Vec::new();
                };
                let names = value.as_object().into_iter().flat_map(Object::keys);
                let value = |name: &String| part(feature, PlaceStep::Member(name.clone()));
                names.map(value).collect()
            }
            // The parts of a null stay unchanged.
            _ => Vec::new(),
        }
    }
}

impl PlaceStep<'_> {
    fn within<'v>(&self, value: &'v Value) -> Option<Cow<'v, Value>> {
        match self {
            Self::Member(name) => value.get(name).map(Cow::Borrowed),
            Self::Element(at) => value.as_array()?.get(*at).map(Cow::Borrowed),
            Self::Variant(variants) => variants.find(value).ok()?.1.map(Cow::Owned),
        }
    }
}

/// Replaces the part of a value that these steps lead to.
fn replaced(value: &Value, steps: &[PlaceStep<'_>], new: Value) -> Value {
    let Some((step, rest)) = steps.split_first() else {
        return new;
    };
    let Some(part) = step.within(value) else {
        return value.clone();
    };
    let part = replaced(&part, rest, new);
    match (step, value.clone()) {
        (PlaceStep::Member(name), Value::Object(mut members)) => {
            members.insert(name.as_str(), part);
            Value::Object(members)
        }
        (PlaceStep::Element(at), Value::Array(mut elements)) => {
            elements[*at] = part;
            Value::Array(elements)
        }
        (PlaceStep::Variant(variants), value) => match variants.find(&value) {
            Ok((number, _)) => variants
                .form()
                .join(variants.all()[number].name(), Some(part)),
            Err(_) => value,
        },
        (_, value) => value,
    }
}
