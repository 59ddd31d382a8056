//! Lists of values that are drawn alike.

use std::sync::Arc;

use super::length::ListLength;
use super::sorted::{self, Sorted};
use super::{CatalogueEntry, Distribution, Domain, Parts, Reference, Sampler, Support, Work};
use crate::column::{Cells, ListCells, Scope};
use crate::feature::Feature;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::StreamRows;

pub(super) const ENTRY: CatalogueEntry = CatalogueEntry {
    name: "list",
    aliases: &[],
    parameters: &["length", "element", "sorted"],
    types: &[FeatureType::List],
    read,
};

/// The work of dealing an element of a long list again.
const DEALT: f64 = 500.0;

/// As many elements as the length says, each drawn as a row is.
#[derive(Debug)]
struct ListOf {
    length: ListLength,
    element: Feature,
    sorted: Sorted,
}

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let length = ListLength::read(fields);
    let element = fields.required("element").and_then(|value| {
        let pointer = fields.pointer().child("element");
        Feature::read_element(fields.nested(value, pointer, "an element")?)
    });
    let sorted = Sorted::read(fields, element.as_ref());
    let (length, element, sorted) = (length?, element?, sorted?);
    let pointer = fields.pointer().child("element");
    if length.reference().is_some() && element.is_unique() {
        let message = "can't be `unique` in a list that is as long as another feature says; state \
                       a length";
        fields.fault("element", message);
        return None;
    }
    element.check_values(length.longest(), "elements", &pointer, fields.faults());
    let list = ListOf {
        length,
        element,
        sorted,
    };
    list.element
        .check_within(fields, "element")
        .then(|| Arc::new(list) as _)
}

/// The list of each element.
fn lists_of(lengths: &[u32]) -> Vec<u32> {
    let lists = lengths.iter().enumerate();
    let lists = lists.map(|(list, length)| std::iter::repeat_n(list as u32, *length as usize));
    lists.flatten().collect()
}

impl Distribution for ListOf {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        let sorted = self.sorted.to_value();
        let mut parameters = vec![
            ("length", self.length.to_value()),
            ("element", self.element.to_value()),
        ];
        parameters.extend(sorted.map(|sorted| (sorted::NAME, sorted)));
        parameters
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

    fn reference(&self) -> Option<&Reference> {
        self.length.reference()
    }

    fn follows(&self, value: &Value, referred: Option<&Value>) -> bool {
        self.length.follows(value, referred)
    }

    fn parts(&self) -> Parts<'_> {
        Parts::Element(&self.element)
    }

    fn cells(&self) -> f64 {
        1.0 + self.length.mean() * self.element.cells_of_value()
    }

    fn work(&self) -> Work {
        let dealt = match self.sorted {
            Sorted::AsDrawn => 0.0,
            _ => self.length.mean() * DEALT,
        };
        let work = self.length.work(&self.element);
        work.and(Work {
            once: 0,
            each: dealt as u64,
        })
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let lengths = self.length.draw(rows);
            let elements = rows.lists(&lengths);
            let stream = rows.stream().within("");
            let lists = rows.scope().map(|_| lists_of(&lengths));
            let scope = rows.scope().zip(lists.as_deref());
            let scope = scope.map(|(around, lists)| Scope::within(lists, around));
            let elements = StreamRows::of_elements(&stream, &elements).with_scope(scope.as_ref());
            let deal = |cells| self.sorted.deal(&lengths, cells);
            let column = self.element.draw_moved(&elements, deal);
            Cells::List(ListCells::new(&lengths, column))
        })
    }
}
