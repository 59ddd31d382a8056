//! Lists of values that are drawn alike.

use std::sync::Arc;

use super::length::Length;
use super::{CatalogueEntry, Distribution, Domain, Parts, Sampler, Support, Work};
use crate::column::{Cells, Lists};
use crate::feature::Feature;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::StreamRows;

pub(super) const ENTRY: CatalogueEntry = CatalogueEntry {
    name: "list",
    aliases: &[],
    parameters: &["length", "element"],
    types: &[FeatureType::List],
    read,
};

/// As many elements as the length says, each drawn as a row is.
#[derive(Debug)]
struct List {
    length: Length,
    element: Feature,
}

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let length = Length::read(fields);
    let element = fields.required("element").and_then(|value| {
        let pointer = fields.pointer().child("element");
        Feature::read_element(fields.nested(value, pointer, "an element")?)
    });
    let (length, element) = (length?, element?);
    let pointer = fields.pointer().child("element");
    element.check_values(length.longest(), "elements", &pointer, fields.faults());
    let list = List { length, element };
    list.element
        .check_within(fields, "element")
        .then(|| Arc::new(list) as _)
}

impl Distribution for List {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("length", self.length.to_value()),
            ("element", self.element.to_value()),
        ]
    }

    /// Of the lengths.
    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        let (shortest, longest) = self.length.bounds();
        (Some(shortest.into()), Some(longest.into()))
    }

    fn support(&self) -> Support<'_> {
        Support::Drawn
    }

    fn domain(&self) -> Domain<'_> {
        Domain::Other(Some(
            "a list can't be unique; make its element or another feature unique",
        ))
    }

    fn parts(&self) -> Parts<'_> {
        Parts::Element(&self.element)
    }

    fn cells(&self) -> f64 {
        1.0 + self.length.mean() * self.element.cells_of_value()
    }

    fn work(&self) -> Work {
        self.length.work(&self.element)
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let lengths = self.length.draw(rows);
            let elements = rows.lists(&lengths);
            let stream = rows.stream().within("");
            let column = self
                .element
                .draw(&StreamRows::of_elements(&stream, &elements));
            Cells::List(Lists::new(&lengths, column))
        })
    }
}
