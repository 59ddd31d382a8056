//! The features of a definition or of a nested object, and their relations.

use std::collections::HashMap;
use std::ops::Range;

use super::Feature;
use super::part_reader::PartReader;
use super::reference::graph::{self, ReadFeature};
use crate::checkpoint;
use crate::column::{Cells, Column, ObjectForm, ValueScope};
use crate::fault::{Fault, Faults};
use crate::fields::Fields;
use crate::json::Value;
use crate::random::StreamRows;
use crate::relation::{Declared, DrawnRows, Relations, Supplied};

/// The names of features with the valid ones.
type NamedFeatures = Vec<(String, Option<Feature>)>;

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
    pub(crate) fn read(fields: &mut Fields<'_>, reader: &PartReader) -> Option<Self> {
        let features = read_features(fields, ObjectForm::Object, reader);
        Self::read_with(fields, features, Relations::read, graph::resolve_all)
    }

    /// Reads the features of an object, which can't have relations over all rows of an ensemble.
    pub(super) fn read_within(
        fields: &mut Fields<'_>,
        form: ObjectForm,
        reader: &PartReader,
    ) -> Option<Self> {
        for name in Relations::OF_ALL_ROWS {
            if fields.has(name) {
                fields.ignore(&[name]);
                let message = "applies to all rows of an ensemble, so only the definition can have \
                               it";
                fields.fault(name, message);
            }
        }
        let features = read_features(fields, form, reader);
        Self::read_with(fields, features, Relations::read_within, graph::order)
    }

    fn read_with(
        fields: &mut Fields<'_>,
        features: Option<NamedFeatures>,
        read_relations: fn(&mut Fields<'_>, &Declared<'_>) -> Option<Relations>,
        order: fn(&[ReadFeature<'_>], &mut Faults) -> Option<Vec<usize>>,
    ) -> Option<Self> {
        let Some(features) = features else {
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
        of_features.saturating_add(self.relations.work(rows))
    }

    /// Returns the work of drawing `rows` values of the feature at `position`.
    pub(crate) fn feature_work(&self, position: usize, rows: u64) -> u64 {
        self.features[position].work(rows, self.relations.supplies(position))
    }

    /// Draws a column for each feature: the rows `rows` of the ensemble with this seed and size.
    pub(crate) fn draw(&self, seed: u64, size: u64, rows: Range<u64>) -> Vec<Column> {
        self.draw_rows(&DrawnRows::new(self.names(), seed, size, rows))
    }

    /// Draws a column for each feature, for an object in each of these rows.
    pub(super) fn draw_within(&self, rows: &StreamRows<'_>) -> Vec<Column> {
        self.draw_rows(&DrawnRows::within(self.names(), rows))
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.features.iter().map(Feature::name)
    }

    fn draw_rows(&self, rows: &DrawnRows<'_>) -> Vec<Column> {
        let supplied = self.relations.supply(rows);
        let mut cells = self.cells(rows, &supplied);
        self.relations.sort(&mut cells);
        self.columns(rows, cells, &supplied)
    }

    /// The values of each feature. A list in an order has its length instead, and computed features
    /// are `None`.
    fn cells(&self, rows: &DrawnRows<'_>, words: &Supplied) -> Vec<Option<Cells>> {
        let cells = |(position, feature): (usize, &Feature)| {
            checkpoint();
            let (rows, words) = (rows.of(position), words.of(position));
            let list = feature.structure().list();
            match list.filter(|_| self.relations.orders(position)) {
                Some(list) => Some(list.lengths(&rows, words)),
                None if self.computed.contains(&position) => None,
                None => Some(feature.cells(&rows, words)),
            }
        };
        self.features.iter().enumerate().map(cells).collect()
    }

    /// The columns of these values, followed by those computed from others, in that order.
    fn columns(
        &self,
        rows: &DrawnRows<'_>,
        mut cells: Vec<Option<Cells>>,
        words: &Supplied,
    ) -> Vec<Column> {
        let column = |(position, cells): (usize, &mut Option<Cells>)| {
            checkpoint();
            let supplied = words.nulls_of(position);
            let cells = cells.take_if(|_| !self.computed.contains(&position))?;
            Some(self.features[position].column(&rows.of(position), cells, supplied))
        };
        let mut columns: Vec<_> = cells.iter_mut().enumerate().map(column).collect();
        let names: Vec<&str> = match self.computed[..] {
            [] => Vec::new(),
            _ => self.names().collect(),
        };
        for &position in &self.computed {
            checkpoint();
            let scope = ValueScope::beside(&names, &columns, rows.scope());
            let rows = rows.of(position).with_scope(Some(&scope));
            let feature = &self.features[position];
            let lengths = cells[position].take();
            let cells = lengths.unwrap_or_else(|| feature.cells(&rows, words.of(position)));
            columns[position] = Some(feature.column(&rows, cells, words.nulls_of(position)));
        }
        columns.into_iter().flatten().collect()
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
    reader: &PartReader,
) -> Option<NamedFeatures> {
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
            reader.named(feature, &unnamed(index, form))
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
