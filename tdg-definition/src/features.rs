//! The features of a definition or of a nested object, and their relations.

pub(crate) mod references;

use std::collections::HashMap;

use self::references::ReadFeature;
pub(crate) use self::references::references_of;
use crate::column::{Column, ObjectForm};
use crate::fault::{Fault, Faults};
use crate::feature::Feature;
use crate::fields::Fields;
use crate::json::Value;
use crate::relation::{Declared, DrawnRows, Relations};

/// The features of a row, and the relations between them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Features {
    features: Vec<Feature>,
    relations: Relations,
    /// The positions of features that refer to others among them, each after its targets.
    computed: Vec<usize>,
}

impl Features {
    /// The maximum number of features.
    pub(crate) const MOST: usize = 1_000;

    /// Reads the member `features` and the relations.
    pub(crate) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Self::read_with(
            fields,
            ObjectForm::Object,
            Relations::read,
            references::resolve_all,
        )
    }

    /// Reads the features of an object, which can't have relations over all rows of an ensemble.
    pub(crate) fn read_within(fields: &mut Fields<'_>, form: ObjectForm) -> Option<Self> {
        for name in Relations::OF_ALL_ROWS {
            if fields.has(name) {
                fields.ignore(&[name]);
                let message = "applies to all rows of an ensemble, so only the definition can have \
                               it";
                fields.fault(name, message);
            }
        }
        Self::read_with(fields, form, Relations::read_within, references::order)
    }

    fn read_with(
        fields: &mut Fields<'_>,
        form: ObjectForm,
        read_relations: fn(&mut Fields<'_>, &Declared<'_>) -> Option<Relations>,
        order: fn(&[ReadFeature<'_>], &mut Faults) -> Option<Vec<usize>>,
    ) -> Option<Self> {
        let Some(features) = read_features(fields, form) else {
            fields.ignore(Relations::NAMES);
            return None;
        };
        let named = features.iter();
        let named = named.map(|(name, feature)| (&name[..], feature.as_ref()));
        let named: Vec<ReadFeature<'_>> = named.collect();
        let computed = order(&named, fields.faults());
        let relations = read_relations(fields, &Declared::new(named));
        let features = features.into_iter().map(|(_, feature)| feature);
        Some(Self {
            features: features.collect::<Option<_>>()?,
            relations: relations?,
            computed: computed?,
        })
    }

    /// Returns the members in canonical form.
    pub(crate) fn members(&self) -> Vec<(&'static str, Value)> {
        let features = self.features.iter().map(Feature::to_value).collect();
        let mut members = vec![("features", Value::Array(features))];
        let features = self.features.iter();
        let declared = features.map(|feature| (feature.name(), Some(feature)));
        members.extend(self.relations.members(&Declared::new(declared)));
        members
    }

    pub(crate) fn as_slice(&self) -> &[Feature] {
        &self.features
    }

    pub(crate) fn relations(&self) -> &Relations {
        &self.relations
    }

    /// Returns the work of drawing `rows` rows.
    pub(crate) fn work(&self, rows: u64) -> u64 {
        let features = (0..self.features.len()).map(|position| self.feature_work(position, rows));
        let of_features = features.fold(0, u64::saturating_add);
        of_features.saturating_add(self.relations.work(&self.features, rows))
    }

    /// Returns the work of drawing `rows` values of the feature at `position`.
    pub(crate) fn feature_work(&self, position: usize, rows: u64) -> u64 {
        self.features[position].work(rows, self.relations.supplies(position))
    }

    /// Draws a column for each feature.
    pub(crate) fn draw(&self, rows: &DrawnRows<'_>) -> Vec<Column> {
        self.relations.draw(rows, &self.computed)
    }
}

/// The name of the feature at `index` by default.
fn unnamed(index: usize, form: ObjectForm) -> String {
    match form {
        ObjectForm::Object => Feature::numbered(index + 1),
        ObjectForm::Array => index.to_string(),
    }
}

/// Reads the features with their names; `None` for a faulty feature.
fn read_features(
    fields: &mut Fields<'_>,
    form: ObjectForm,
) -> Option<Vec<(String, Option<Feature>)>> {
    let values = fields.list("features")?;
    let (count, most) = (values.len(), Features::MOST);
    if count > most {
        let message = format!("must have at most {most} elements, but has {count}");
        fields.fault("features", message);
        return None;
    }
    let list = fields.pointer().child("features");
    let name = |(index, value): (usize, &Value)| match value.get("feature_name") {
        Some(Value::String(name)) if form == ObjectForm::Object => name.clone(),
        _ => unnamed(index, form),
    };
    let names: Vec<String> = values.iter().enumerate().map(name).collect();
    let mut features = Vec::with_capacity(count);
    let mut first_with: HashMap<&str, usize> = HashMap::with_capacity(count);
    for (index, (value, name)) in values.iter().zip(&names).enumerate() {
        let pointer = list.child(index.to_string());
        if let Some(first) = first_with.get(name.as_str()) {
            let first = list.child(first.to_string());
            fields.faults().push(Fault {
                pointer: pointer.child("feature_name"),
                message: format!("`{name}` is also the name of {first}; names must be unique"),
            });
        } else {
            first_with.insert(name, index);
        }
        let mut read = || {
            let feature = fields.nested(value, pointer.clone(), "a feature")?;
            Feature::read(feature, &unnamed(index, form))
        };
        let feature = read();
        if form == ObjectForm::Array && feature.as_ref().is_some_and(|it| it.name() != name) {
            fields.faults().push(Fault {
                pointer: pointer.child("feature_name"),
                message: format!(
                    "a value of an array is named by its position, {name}; remove this"
                ),
            });
        }
        features.push(feature);
    }
    Some(names.into_iter().zip(features).collect())
}
