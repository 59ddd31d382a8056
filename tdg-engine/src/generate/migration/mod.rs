//! Conversion of a benchmark's rows to the current definition.

use std::mem::discriminant;

use tdg_definition::json::{self, Value};
use tdg_definition::{Column, Definition, Feature, is_ordered, sort};

use super::column_migration::ColumnMigration;
use super::correspondence::{Correspondence, Origin};
use super::place_pair::PlacePair;
use super::{Pairing, RenamedCategory, Renames, Vectors, VectorsFeature, cell_value};
use crate::ensemble::Ensemble;
use crate::feature_selection::Takes;

/// A benchmark's rows, converted to the current definition.
#[derive(Clone, Debug)]
pub struct Migration {
    /// The features that the function takes. Features that weren't recorded have current values.
    pub vectors: Vectors,
    /// The names that changed.
    pub renames: Renames,
    /// The reason why each row was lost, if it was.
    pub lost: Vec<Option<String>>,
}

impl Migration {
    /// Converts a benchmark's rows to the current definition. Renames `categories`, or all
    /// candidates if `None`.
    pub fn new(
        recorded: (&Ensemble, &Vectors),
        now: (&Ensemble, &Vectors),
        takes: &Takes,
        categories: Option<&[RenamedCategory]>,
    ) -> Self {
        let mut migration = Self {
            vectors: recorded.1.clone(),
            renames: Renames::default(),
            lost: vec![None; recorded.1.size()],
        };
        let definitions = [recorded.0, now.0].map(|it| Definition::parse_recorded(&it.definition));
        if let [Ok(old), Ok(new)] = definitions {
            let columns = ColumnMigration::between(&old, &new, categories);
            let added = migration.migrate(columns, [&old, &new], (recorded.1, now.1), takes);
            migration.add(&added, recorded.0, now, takes);
            migration.check(&new);
        }
        migration
    }

    /// Converts a row given as a JSON object, or returns `None` if the benchmark's definition has
    /// no such row.
    pub fn of_row(row: &str, recorded: &Ensemble, now: &Ensemble) -> Option<Value> {
        let definition = Definition::parse_recorded(&recorded.definition).ok()?;
        let row = json::parse(row).ok()?;
        let cells = definition.features().iter();
        let cells: Option<Vec<Value>> = cells.map(|it| row.get(it.name()).cloned()).collect();
        let row = Vectors::from_rows(&definition, [&*Value::from(cells?).to_string()]).ok()?;
        let none = Vectors::from_features(Vec::new(), 0);
        let migration = Self::new((recorded, &row), (now, &none), &Takes::All, None);
        let features = migration.vectors.features().iter();
        let values = features.map(|it| (it.name.clone(), cell_value(&it.column, 0)));
        Some(Value::object(values))
    }

    /// Migrates the recorded features. Returns the names of the ones that can be added.
    fn migrate(
        &mut self,
        mut columns: ColumnMigration<'_>,
        [old, new]: [&Definition; 2],
        (recorded, now): (&Vectors, &Vectors),
        takes: &Takes,
    ) -> Vec<String> {
        let old = old.features().iter();
        let old = old.filter_map(|it| Some((it, &recorded.find(it.name())?.column)));
        let old: Vec<(&Feature, &Column)> = old.collect();
        let before: Vec<&Feature> = old.iter().map(|(feature, _)| *feature).collect();
        let after: Vec<&Feature> = new.features().iter().collect();
        let found = Correspondence::of_features(&before, &after);
        let (mut features, mut added) = (Vec::new(), Vec::new());
        let taken = after.iter().zip(&found.origins);
        for (feature, origin) in taken.filter(|(feature, _)| takes.has(feature.name())) {
            let (name, now) = (feature.name(), now.find(feature.name()));
            let now = now.map(|now| &now.column);
            let column = columns.of_origin(&PlacePair::default(), origin, &old, feature, now);
            let Some(column) = column else {
                added.push(name.to_owned());
                continue;
            };
            let kind = |column: &Column| discriminant(column.cells());
            let feature_type = match origin {
                Origin::Whole(position) if now.map(kind) != Some(kind(&column)) => {
                    before[*position].feature_type()
                }
                _ => feature.feature_type(),
            };
            features.push(VectorsFeature::new(name, feature_type, column));
        }
        self.renames = columns.renames;
        self.vectors = Vectors::from_features(features, recorded.size());
        let gone = found.gone().first().map(|gone| before[*gone].name());
        let has_none = self.vectors.width() == 0;
        match (added.first(), gone) {
            // It may be the removed feature in another form.
            (Some(new), Some(gone)) if has_none || *takes != Takes::All => self.lose_all(&format!(
                "`{new}` was not recorded, and the definition no longer has `{gone}`"
            )),
            (Some(_), None) if has_none => {
                self.lose_all("the function takes none of the recorded values");
            }
            _ => {}
        }
        added.retain(|_| gone.is_none());
        added
    }

    fn lose_all(&mut self, reason: &str) {
        self.lost.fill(Some(reason.to_owned()));
    }

    /// Adds features with current values: from the row with the same number, or in rows of files,
    /// from the row with the same content in other features.
    fn add(
        &mut self,
        names: &[String],
        recorded: &Ensemble,
        (ensemble, now): (&Ensemble, &Vectors),
        takes: &Takes,
    ) {
        if names.is_empty() || now.size() == 0 {
            return;
        }
        let are_of_files = recorded.rows.is_some() && ensemble.rows.is_some();
        let pairing = Pairing::of_ensembles((recorded, &self.vectors), (ensemble, now), takes);
        let mut rows = Vec::with_capacity(self.lost.len());
        for (row, lost) in self.lost.iter_mut().enumerate() {
            let partner = pairing.partner(row);
            if are_of_files && partner.is_none() {
                *lost = Some("the file no longer has such a row".to_owned());
            }
            rows.push(partner.unwrap_or(row % now.size()));
        }
        let mut features = self.vectors.features().to_vec();
        features.extend(
            now.gather(&rows)
                .features()
                .iter()
                .filter(|it| names.contains(&it.name))
                .cloned(),
        );
        // Whole rows are ordered, because they can be taken as tuples.
        sort::by_key(&mut features, |it| {
            now.names().position(|name| name == it.name)
        });
        self.vectors = Vectors::from_features(features, rows.len());
        self.renames.added.extend_from_slice(names);
    }

    /// Marks rows as lost if an added value contradicts the others.
    fn check(&mut self, definition: &Definition) {
        let added = self.renames.added.iter();
        let added: Vec<&str> = added.filter_map(|it| it.split('/').next()).collect();
        if added.is_empty() {
            return;
        }
        let features = definition.features();
        for (row, lost) in self.lost.iter_mut().enumerate() {
            let value = |feature: &Feature| {
                let recorded = self.vectors.find(feature.name());
                recorded.map_or(Value::Null, |it| cell_value(&it.column, row))
            };
            let whole: Vec<Value> = features.iter().map(value).collect();
            let without = features.iter().zip(whole.clone()).map(|(it, value)| {
                let is_added = added.contains(&it.name());
                if is_added { Value::Null } else { value }
            });
            if !is_ordered(definition, &whole)
                && is_ordered(definition, &without.collect::<Vec<_>>())
            {
                let place = &self.renames.added[0];
                *lost = Some(format!(
                    "`{place}` was not recorded, and its values depend on others"
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests;
