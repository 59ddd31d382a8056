//! The features of a definition, as referred to by relations.

use std::collections::HashMap;

use super::RelatedFeature;
use crate::fault::{Fault, Faults};
use crate::fields::kind;
use crate::json::{Pointer, Value};
use crate::nearest;
use crate::scalar::Monotonicity;

/// A feature with its name; `None` if it's faulty.
type NamedFeature<'a> = (&'a str, Option<&'a dyn RelatedFeature>);

/// The features by name and position. Faulty ones keep their names, to be reported only once.
pub(crate) struct Declared<'a> {
    features: Vec<NamedFeature<'a>>,
    /// The first feature of each name; a second one is a fault.
    by_name: HashMap<&'a str, usize>,
}

impl<'a> Declared<'a> {
    /// Creates the list from the names in order and the valid features.
    pub(crate) fn new<F: RelatedFeature + 'a>(
        features: impl IntoIterator<Item = (&'a str, Option<&'a F>)>,
    ) -> Self {
        let related = |(name, feature): (_, Option<&'a F>)| (name, feature.map(|it| it as _));
        let features: Vec<NamedFeature<'a>> = features.into_iter().map(related).collect();
        let mut by_name = HashMap::with_capacity(features.len());
        for (position, (name, _)) in features.iter().enumerate() {
            by_name.entry(*name).or_insert(position);
        }
        Self { features, by_name }
    }

    /// The number of features.
    pub(super) fn count(&self) -> usize {
        self.features.len()
    }

    /// The name of the feature at `position`.
    pub(super) fn name(&self, position: usize) -> &'a str {
        self.features[position].0
    }

    /// The feature at `position`, unless it's faulty.
    pub(super) fn get(&self, position: usize) -> Option<&'a dyn RelatedFeature> {
        self.features[position].1
    }

    /// The direction of the values of the feature at `position` as words rise.
    pub(super) fn direction(&self, position: usize) -> Option<Monotonicity> {
        self.get(position)?.inversion().ok()?.direction()
    }

    /// The positions of the features in a list, without duplicates. Adds the faults of the list.
    pub(crate) fn positions(
        &self,
        value: &Value,
        pointer: &Pointer,
        faults: &mut Faults,
    ) -> Option<Vec<usize>> {
        let Value::Array(names) = value else {
            faults.push(Fault {
                pointer: pointer.clone(),
                message: format!("must be a list of features, but is {}", kind(value)),
            });
            return None;
        };
        let mut positions = Vec::with_capacity(names.len());
        let mut all_well = true;
        for (index, name) in names.iter().enumerate() {
            let found = self.position(name);
            match found {
                Some(position) if !positions.contains(&position) => positions.push(position),
                _ => {
                    all_well = false;
                    faults.push_with(|| Fault {
                        pointer: pointer.child(index.to_string()),
                        message: match found {
                            Some(position) => {
                                format!("`{}` is listed twice", self.name(position))
                            }
                            None => self.unknown(name),
                        },
                    });
                }
            }
        }
        all_well.then_some(positions)
    }

    fn position(&self, name: &Value) -> Option<usize> {
        self.by_name.get(name.as_str()?).copied()
    }

    /// The message for an unknown feature name.
    fn unknown(&self, name: &Value) -> String {
        let Value::String(name) = name else {
            return format!("must be the name of a feature, but is {}", kind(name));
        };
        match nearest(name, self.features.iter().map(|(known, _)| *known)) {
            Some(near) => format!("unknown feature `{name}`; did you mean `{near}`?"),
            None => format!("unknown feature `{name}`"),
        }
    }
}
