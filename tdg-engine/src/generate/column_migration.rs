//! Conversion of recorded values to the current definition.

use tdg_definition::distribution::Parts;
use tdg_definition::json::Value;
use tdg_definition::{
    Cells, Column, Definition, Feature, ListCells, ListForm, ObjectCells, ObjectForm, Text,
    VariantCells,
};

use super::correspondence::{Correspondence, Correspondent, Origin, drawn};
use super::place_pair::PlacePair;
use super::{RenamedCategory, Renames};

/// Converts recorded values to the current definition.
pub(super) struct ColumnMigration<'a> {
    /// The categories to rename; every renamed one if `None`.
    categories: Option<&'a [RenamedCategory]>,
    /// Set if both definitions have the same shapes.
    has_same_shapes: bool,
    /// The renames found so far, and the places that were added.
    pub(super) renames: Renames,
}

/// Recorded features with their columns.
pub(super) type RecordedFeatures<'a> = [(&'a Feature, &'a Column)];

impl<'a> ColumnMigration<'a> {
    pub(super) fn between(
        old: &Definition,
        new: &Definition,
        categories: Option<&'a [RenamedCategory]>,
    ) -> Self {
        let shapes = |definition: &Definition| definition.to_value().get("shapes").cloned();
        Self {
            categories,
            has_same_shapes: shapes(old) == shapes(new),
            renames: Renames::default(),
        }
    }

    /// Returns a feature's values from their recorded origin, or `None` if they weren't recorded.
    /// `at` is the surrounding place, and `now` has the feature's current values.
    pub(super) fn of_origin(
        &mut self,
        at: &PlacePair,
        origin: &Origin,
        recorded: &RecordedFeatures<'_>,
        new: &Feature,
        now: Option<&Column>,
    ) -> Option<Column> {
        match origin {
            Origin::New => None,
            Origin::Whole(position) => {
                let (old, column) = recorded[*position];
                let at = at.within(old.name(), new.name());
                if old.name() != new.name() {
                    let [one, other] = [old, new].map(Correspondent::of_feature);
                    self.renames.note(&at, !one.is_drawn_like(&other));
                }
                Some(self.column(at, [old, new], column, now))
            }
            Origin::Members(positions) => {
                let (form, members) = object(new)?;
                let member = |(member, position): (&Feature, &usize)| {
                    let (old, column) = recorded[*position];
                    let at = at.within(old.name(), new.name()).in_new(member.name());
                    self.renames.note(&at, false);
                    let now = now.and_then(|now| find(now, member.name()));
                    let column = self.column(at, [old, member], column, now);
                    (member.name().to_owned(), column)
                };
                let members: Vec<_> = members.iter().zip(positions).map(member).collect();
                let rows = members
                    .first()
                    .map_or(0, |(_, column)| column.cells().len());
                let objects = ObjectCells::new(form, members, rows);
                Some(Column::new(Cells::Object(objects), None))
            }
            Origin::Member(position, member) => {
                let (around, objects) = recorded[*position];
                let old = &object(around)?.1[*member];
                let at = at.within(around.name(), new.name()).in_old(old.name());
                self.renames.note(&at, false);
                let column = self.column(at, [old, new], find(objects, old.name())?, now);
                Some(with_nulls(&column, objects))
            }
        }
    }

    /// Converts recorded values to the feature that is in their place now.
    fn column(
        &mut self,
        at: PlacePair,
        [old, new]: [&Feature; 2],
        column: &Column,
        now: Option<&Column>,
    ) -> Column {
        if self.has_same_shapes && drawn(old) == drawn(new) {
            return column.clone();
        }
        let at = at.for_feature(new);
        let cells = match (column.cells(), object(old), object(new)) {
            (Cells::Object(objects), Some((form, members)), Some(object)) => {
                let columns = objects.members().map(|(_, column)| column);
                let recorded: Vec<_> = members.iter().zip(columns).collect();
                self.objects(&at, (form, &recorded), object, objects.len(), now)
            }
            (Cells::Object(_), Some((_, [only])), None) if is_of_one_type(only, new) => {
                let at = at.in_old(only.name());
                self.renames.note(&at, false);
                let member = find(column, only.name()).unwrap_or(column);
                return with_nulls(&self.column(at, [only, new], member, now), column);
            }
            (cells, None, Some((form, [only]))) if is_of_one_type(old, only) => {
                let at = at.in_new(only.name());
                self.renames.note(&at, false);
                let now = now.and_then(|now| find(now, only.name()));
                let member = self.column(at, [old, only], column, now);
                let members = [(only.name().to_owned(), member)];
                Cells::Object(ObjectCells::new(form, members, cells.len()))
            }
            (cells, ..) if is_element_of(old, new) => {
                let new = element(new).map_or(new, |it| it.1);
                let element = self.column(at, [old, new], column, None);
                let lengths = vec![1; cells.len()];
                Cells::List(ListCells::new(ListForm::Array, &lengths, element))
            }
            (Cells::List(lists), ..) => self.lists(at, [old, new], lists, now),
            (Cells::Variant(cells), ..) => self.variants(&at, [old, new], cells, now),
            (Cells::Text(text), ..) => self.categories(&at, [old, new], text),
            (cells, ..) => cells.clone(),
        };
        let cells = match column.cells().are_nodes() {
            true => cells.of_nodes(),
            false => cells,
        };
        Column::new(cells, column.nulls().map(<[bool]>::to_vec))
    }

    fn objects(
        &mut self,
        at: &PlacePair,
        (old_form, recorded): (ObjectForm, &RecordedFeatures<'_>),
        (form, members): (ObjectForm, &[Feature]),
        rows: usize,
        now: Option<&Column>,
    ) -> Cells {
        let old: Vec<&Feature> = recorded.iter().map(|(feature, _)| *feature).collect();
        let new: Vec<&Feature> = members.iter().collect();
        let found = match old_form == form {
            true => Correspondence::of_features(&old, &new),
            false => Correspondence::of_positions(&old, &new),
        };
        let is_any_gone = !found.gone().is_empty();
        let mut columns = Vec::with_capacity(members.len());
        for (member, origin) in members.iter().zip(&found.origins) {
            let now = now.and_then(|now| find(now, member.name()));
            let column = self.of_origin(at, origin, recorded, member, now);
            // If a member is gone, this may be it in another form.
            let is_added = column.is_none() && !is_any_gone;
            let added = is_added.then(|| self.added(at, member.name(), now, rows));
            let column = column.or(added.flatten());
            columns.extend(column.map(|column| (member.name().to_owned(), column)));
        }
        Cells::Object(ObjectCells::new(form, columns, rows))
    }

    /// Returns current values for a place that wasn't recorded, repeated if there are too few.
    fn added(
        &mut self,
        at: &PlacePair,
        name: &str,
        now: Option<&Column>,
        rows: usize,
    ) -> Option<Column> {
        let values = now.map_or(0, |now| now.cells().len());
        let rows: Vec<usize> = (0..rows).map(|row| row % values.max(1)).collect();
        let column = now.filter(|_| values > 0)?.gather(&rows);
        self.renames.note_added(at.within("", name).new);
        Some(column)
    }

    fn lists(
        &mut self,
        at: PlacePair,
        [old, new]: [&Feature; 2],
        lists: &ListCells,
        now: Option<&Column>,
    ) -> Cells {
        let (Some((_, old)), Some((form, new))) = (element(old), element(new)) else {
            return Cells::List(lists.clone());
        };
        let now = now.and_then(|now| match now.cells() {
            Cells::List(now) => Some(elements(now)),
            _ => None,
        });
        let elements = self.column(at, [old, new], &elements(lists), now.as_ref());
        let length = |row: usize| lists.range(row).len() as u32;
        let lengths: Vec<u32> = (0..lists.len()).map(length).collect();
        Cells::List(ListCells::new(form, &lengths, elements))
    }

    fn variants(
        &mut self,
        at: &PlacePair,
        [old, new]: [&Feature; 2],
        cells: &VariantCells,
        now: Option<&Column>,
    ) -> Cells {
        let (Parts::Variants(old), Parts::Variants(new)) = (old.parts(), new.parts()) else {
            return Cells::Variant(cells.clone());
        };
        let [before, after] = [old, new].map(|it| it.all().iter().map(Correspondent::of_variant));
        let pairs = Correspondence::new(before.collect(), after.collect()).by_type();
        let of_now = |number: usize| match now?.cells() {
            Cells::Variant(now) => values(now, number),
            _ => None,
        };
        let mut variants: Vec<(String, Option<Column>)> = (0..old.all().len())
            .map(|number| (old.all()[number].name().to_owned(), values(cells, number)))
            .collect();
        for (number, renamed) in pairs.pairs() {
            let [old, new] = [&old.all()[number], &new.all()[renamed]];
            let place = at.within(old.name(), new.name());
            if old.name() != new.name() {
                self.renames.note(&place, false);
            }
            let (now, values) = (of_now(renamed), variants[number].1.take());
            let values = match (old.value().zip(values), new.value()) {
                (Some((old, values)), Some(new)) => {
                    Some(self.column(place, [old, new], &values, now.as_ref()))
                }
                (None, Some(_)) => {
                    let rows = cells.places(number, 0..cells.len()).count();
                    self.added(at, new.name(), now.as_ref(), rows)
                }
                (_, None) => None,
            };
            variants[number] = (new.name().to_owned(), values);
        }
        // There are at most 256 variants.
        let chosen: Vec<u8> = (0..cells.len())
            .map(|row| cells.variant(row) as u8)
            .collect();
        Cells::Variant(VariantCells::new(new.form().clone(), variants, &chosen))
    }

    fn categories(&mut self, at: &PlacePair, features: [&Feature; 2], text: &Text) -> Cells {
        let [old, new] = features.map(categories);
        let parts = [&old, &new].map(|all| {
            let parts = all
                .iter()
                .map(|(name, share)| Correspondent::of_category(name, share));
            parts.collect::<Vec<_>>()
        });
        let [before, after] = parts;
        let pairs = Correspondence::new(before, after);
        let renamed = pairs.pairs().map(|(from, to)| RenamedCategory {
            feature: at.new.clone(),
            old: old[from].0.clone(),
            new: new[to].0.clone(),
        });
        let renamed = renamed.filter(|it| {
            let is_wanted = self.categories.is_none_or(|wanted| wanted.contains(it));
            is_wanted && it.old != it.new && text.iter().any(|value| value == it.old)
        });
        let renamed: Vec<RenamedCategory> = renamed.collect();
        let values = text.iter().map(|value| {
            let renamed = renamed.iter().find(|it| it.old == value);
            renamed.map_or(value, |renamed| &renamed.new)
        });
        let cells = Cells::Text(values.collect());
        let note = |category| self.renames.note_category(category);
        renamed.into_iter().for_each(note);
        cells
    }
}

/// Returns the members of a feature's values, and the form in which they are written.
fn object(feature: &Feature) -> Option<(ObjectForm, &[Feature])> {
    match feature.parts() {
        Parts::Members(members) => Some((ObjectForm::Object, members)),
        Parts::Tuple(members) => Some((ObjectForm::Array, members)),
        _ => None,
    }
}

fn element(feature: &Feature) -> Option<(ListForm, &Feature)> {
    match feature.parts() {
        Parts::Element(element) => Some((ListForm::Array, element)),
        Parts::Entries(element) => Some((ListForm::Map, element)),
        _ => None,
    }
}

/// Returns true if a value became a list of such values.
fn is_element_of(old: &Feature, new: &Feature) -> bool {
    let is_list_of =
        |it: Parts<'_>| matches!(it, Parts::Element(element) if is_of_one_type(old, element));
    element(old).is_none() && is_list_of(new.parts())
}

/// Returns the categories of strings with their probabilities.
fn categories(feature: &Feature) -> Vec<(String, Value)> {
    let feature = feature.to_value();
    let categories = feature
        .get("distribution")
        .and_then(|it| it.get("categories"));
    let category = |it: &Value| {
        let name = it.get("value")?.as_str()?;
        Some((name.to_owned(), it.get("probability")?.clone()))
    };
    let categories = categories.and_then(Value::as_array).unwrap_or_default();
    categories.iter().filter_map(category).collect()
}

fn is_of_one_type(one: &Feature, other: &Feature) -> bool {
    one.feature_type() == other.feature_type()
}

/// Returns the column of an object's member.
fn find<'a>(column: &'a Column, name: &str) -> Option<&'a Column> {
    let Cells::Object(objects) = column.cells() else {
        return None;
    };
    let mut members = objects.members();
    members
        .find(|(it, _)| *it == name)
        .map(|(_, member)| member)
}

/// Returns the elements of all lists as one column.
fn elements(lists: &ListCells) -> Column {
    let positions: Vec<usize> = (0..lists.len()).flat_map(|row| lists.range(row)).collect();
    lists.elements().gather(&positions)
}

/// Returns the values of a variant, in row order.
fn values(cells: &VariantCells, variant: usize) -> Option<Column> {
    let (_, values) = cells.variants().nth(variant)?;
    let places: Vec<usize> = cells.places(variant, 0..cells.len()).collect();
    values.map(|values| values.gather(&places))
}

/// Returns the column with the nulls of the surrounding one added.
fn with_nulls(column: &Column, around: &Column) -> Column {
    let rows = 0..column.cells().len();
    let nulls = rows.map(|row| column.is_null(row) || around.is_null(row));
    Column::new(column.cells().clone(), Some(nulls.collect()))
}
