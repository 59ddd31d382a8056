//! The value of one of a list's elements, like a foreign key in a database.

use std::sync::Arc;

use crate::column::{Cells, Column};
use crate::feature::part_reader::{PartReader, ReadStructured};
use crate::feature::path::{Reference, ReferenceUse, members_of};
use crate::feature::structure::{FeatureValues, Structure};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::{Purpose, StreamRows, Threshold, uniform};
use crate::scalar::{self, Canonical, CatalogueEntry, Distribution, Sampler, Work};

pub(crate) const ENTRY: CatalogueEntry<ReadStructured> = CatalogueEntry::new(
    "one_of",
    &["of", "missing", "else"],
    &FeatureType::SCALARS,
    read,
);

/// The value of any element, all equally likely; absent if the list is empty.
struct OneOf {
    of: Reference,
    feature_type: FeatureType,
    otherwise: Option<Otherwise>,
}

/// Replaces the values of a share of rows, and of rows with nothing to refer to.
#[derive(Debug)]
struct Otherwise {
    probability: f64,
    distribution: Arc<dyn Distribution>,
}

fn read(fields: &mut Fields<'_>, kind: FeatureType, reader: &PartReader) -> Option<FeatureValues> {
    let of = Reference::read(fields, "of", ReferenceUse::Values(kind));
    let otherwise = read_otherwise(fields, kind, reader);
    let (of, otherwise) = (of?, otherwise?);
    Some(FeatureValues::structured(OneOf {
        of,
        feature_type: kind,
        otherwise,
    }))
}

#[allow(clippy::option_option)]
fn read_otherwise(
    fields: &mut Fields<'_>,
    kind: FeatureType,
    reader: &PartReader,
) -> Option<Option<Otherwise>> {
    match (fields.has("missing"), fields.has("else")) {
        (false, false) => {
            fields.ignore(&["missing", "else"]);
            return Some(None);
        }
        (true, true) => {}
        _ => {
            fields.ignore(&["missing", "else"]);
            let message = "needs `missing`, a share, and `else`, a distribution, or neither";
            fields.fault_here(message);
            return None;
        }
    }
    let probability = fields.probability("missing");
    let value = fields.required("else")?;
    let pointer = fields.pointer().child("else");
    let distribution = fields.nested(value, pointer, "a distribution")?;
    let Ok(distribution) = (reader.distribution)(distribution, kind)? else {
        let message = "can't refer to a feature too; use a distribution that doesn't";
        fields.fault("else", message);
        return None;
    };
    Some(Some(Otherwise {
        probability: probability?,
        distribution,
    }))
}

impl OneOf {
    /// Chooses an element for each row, if any, and returns the column of values.
    fn chosen<'a>(&self, rows: &StreamRows<'a>) -> (Option<&'a Column>, Vec<Option<usize>>) {
        let Some(referred) = self.of.referred(rows) else {
            return (None, vec![None; rows.len()]);
        };
        let words = rows.words(Purpose::Value, 0);
        let mut values = None;
        let chosen = words.into_iter().enumerate().map(|(row, word)| {
            let (column, place) = referred.get(row)?;
            let Cells::List(lists) = column.cells() else {
                return None;
            };
            let (column, is_null) = members_of(lists.elements(), self.of.of_element());
            values = Some(column);
            let range = lists.range(place);
            let last = (range.len() as u64).checked_sub(1)?;
            let element = range.start + uniform::up_to(word, last) as usize;
            (!is_null(element)).then_some(element)
        });
        let chosen = chosen.collect();
        (values, chosen)
    }

    /// Marks the rows that get another value.
    fn is_missing(&self, rows: &StreamRows<'_>) -> Vec<bool> {
        let Some(otherwise) = &self.otherwise else {
            return vec![false; rows.len()];
        };
        let share = Threshold::of(otherwise.probability);
        let words = rows.words(Purpose::Component, 0).into_iter();
        words.map(|word| share.is_above(word)).collect()
    }
}

impl Distribution for OneOf {
    fn canonical(&self) -> Canonical {
        let mut parameters = vec![("of", self.of.to_value())];
        if let Some(otherwise) = &self.otherwise {
            parameters.push(("missing", otherwise.probability.into()));
            parameters.push(("else", scalar::to_value(&*otherwise.distribution)));
        }
        (ENTRY.name, parameters)
    }

    fn work(&self) -> Work {
        let otherwise = self.otherwise.as_ref();
        let otherwise = otherwise.map(|it| it.distribution.work());
        let own = Work::each(300);
        otherwise.map_or(own, |otherwise| own.and(otherwise))
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let mut cells = match &self.otherwise {
                Some(otherwise) => otherwise.distribution.sampler().draw(rows),
                None => Cells::blank(self.feature_type, rows.len()),
            };
            let (values, chosen) = self.chosen(rows);
            let is_missing = self.is_missing(rows);
            let chosen = chosen.into_iter().enumerate();
            let of_list = |(row, element): (usize, Option<usize>)| Some((row, element?));
            let chosen = chosen.filter_map(of_list);
            let chosen: Vec<(usize, usize)> = chosen.filter(|(row, _)| !is_missing[*row]).collect();
            if let Some(values) = values {
                cells.replace(&chosen, values.cells());
            }
            cells
        })
    }
}

impl Structure for OneOf {
    fn has_others(&self) -> bool {
        self.otherwise.is_some()
    }

    fn reference(&self) -> Option<&Reference> {
        Some(&self.of)
    }

    fn follows(&self, value: &Value, referred: Option<&Value>) -> bool {
        self.otherwise.is_some() || self.of.values_in(referred).contains(value)
    }

    fn adjusted(&self, _: &Value, referred: Option<&Value>, _: Option<&Value>) -> Option<Value> {
        let mut values = self.of.values_in(referred).into_iter();
        Some(values.next().unwrap_or_default())
    }

    fn may_be_absent(&self) -> bool {
        let target = self.of.target();
        let may_be_absent = target.is_none_or(|it| it.may_be_null || it.counts.0 < 1);
        self.otherwise.is_none() && may_be_absent
    }

    fn absent(&self, rows: &StreamRows<'_>) -> Option<Vec<bool>> {
        if self.otherwise.is_some() {
            return None;
        }
        Some(self.chosen(rows).1.iter().map(Option::is_none).collect())
    }
}
