//! Lists of values that are drawn alike.

use std::sync::Arc;

use super::length::ListLength;
use super::sorted::{self, Sorted};
use super::{
    CatalogueEntry, Distribution, Domain, Parts, Recursion, Reference, Sampler, Support, Work,
};
use crate::column::{Cells, ListCells, ListForm, ValueScope};
use crate::feature::Feature;
use crate::feature_type::FeatureType;
use crate::fields::{Fields, kind};
use crate::json::Value;
use crate::random::StreamRows;
use crate::shape::nodes;

pub(super) const ENTRY: CatalogueEntry = CatalogueEntry {
    name: "list",
    aliases: &[],
    parameters: &["length", "element", "sorted", FORM],
    types: &[FeatureType::List],
    read,
};

/// The member that states how it is written.
const FORM: &str = "form";

const ARRAY: &str = "array";
const MAP: &str = "map";

/// The work of dealing an element of a long list again.
const DEALT: f64 = 500.0;

/// As many elements as the length says, each drawn as a row is.
#[derive(Debug)]
struct ListOf {
    length: ListLength,
    element: Feature,
    sorted: Sorted,
    form: ListForm,
}

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let length = ListLength::read(fields);
    let element = fields.required("element").and_then(|value| {
        let pointer = fields.pointer().child("element");
        Feature::read_element(fields.nested(value, pointer, "an element")?.in_list(true))
    });
    let sorted = Sorted::read(fields, element.as_ref());
    let form = read_form(fields, element.as_ref());
    let (length, element, sorted, form) = (length?, element?, sorted?, form?);
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
        form,
    };
    list.element
        .check_within(fields, "element")
        .then(|| Arc::new(list) as _)
}

impl ListOf {
    /// How long the list of each row is: empty where no further nodes of a shape are to be.
    fn lengths(&self, rows: &StreamRows<'_>) -> Vec<u32> {
        let mut lengths = self.length.draw(rows);
        let has_nodes = self.element.recursion().is_any() && self.length.can_be_empty();
        if let Some(closed) = has_nodes.then(|| nodes::closed(rows)).flatten() {
            let mut of_rows = lengths.iter_mut().zip(closed);
            of_rows
                .by_ref()
                .filter(|(_, is_closed)| *is_closed)
                .for_each(|(length, _)| *length = 0);
        }
        lengths
    }
}

/// The list of each element.
fn lists_of(lengths: &[u32]) -> Vec<u32> {
    let lists = lengths.iter().enumerate();
    let lists = lists.map(|(list, length)| std::iter::repeat_n(list as u32, *length as usize));
    lists.flatten().collect()
}

fn read_form(fields: &mut Fields<'_>, element: Option<&Feature>) -> Option<ListForm> {
    let form = match fields.optional(FORM).map(|value| (value.as_str(), value)) {
        None => return Some(ListForm::Array),
        Some((Some(text), _)) if text.eq_ignore_ascii_case(ARRAY) => return Some(ListForm::Array),
        Some((Some(text), _)) if text.eq_ignore_ascii_case(MAP) => ListForm::Map,
        Some((_, other)) => {
            let message = format!("must be \"{ARRAY}\" or \"{MAP}\", but is {}", kind(other));
            fields.fault(FORM, message);
            return None;
        }
    };
    let Some(problem) = not_entries(element?) else {
        return Some(form);
    };
    fields.fault(FORM, problem);
    None
}

/// Why elements like these are no entries of a map.
fn not_entries(element: &Feature) -> Option<&'static str> {
    let Parts::Members([key, value]) = element.parts() else {
        return Some("needs elements that are an OBJECT of two features, `key` and `value`");
    };
    if element.null_probability() > 0.0 || key.null_probability() > 0.0 {
        return Some("needs elements and keys that can't be null");
    }
    let is_single = matches!(key.parts(), Parts::None) && key.feature_type() != FeatureType::Float;
    if key.name() != "key" || value.name() != "value" || !is_single {
        return Some(
            "needs elements of two features, `key` and `value`, the key a STRING, INTEGER, BOOLEAN, \
             DATE or DATETIME",
        );
    }
    match key.is_unique() {
        true => None,
        false => Some("needs keys that differ: add `\"unique\": true` to `key`"),
    }
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
        if self.form == ListForm::Map {
            parameters.push((FORM, MAP.into()));
        }
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
        match self.form {
            ListForm::Array => Parts::Element(&self.element),
            ListForm::Map => Parts::Entries(&self.element),
        }
    }

    fn recursion(&self) -> Recursion {
        let (mean, longest) = (self.length.mean(), self.length.longest());
        self.element
            .recursion()
            .of_list(mean, longest, self.length.can_be_empty())
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
            let lengths = self.lengths(rows);
            let elements = rows.lists(&lengths);
            let stream = rows.stream().within("");
            let lists = rows.scope().map(|_| lists_of(&lengths));
            let scope = rows.scope().zip(lists.as_deref());
            let scope = scope.map(|(around, lists)| ValueScope::within(lists, around));
            let elements = StreamRows::of_elements(&stream, &elements).with_scope(scope.as_ref());
            let deal = |cells| self.sorted.deal(&lengths, cells);
            let column = self.element.draw_moved(&elements, deal);
            Cells::List(ListCells::new(self.form, &lengths, column))
        })
    }
}
