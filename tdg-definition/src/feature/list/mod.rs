//! Lists of values drawn from one feature.

use super::length::{ListLength, as_lengths};
use super::part_reader::{PartReader, ReadStructured};
use super::path::Reference;
use super::recursion::{self, Recursion};
use super::structure::{FeatureValues, ListDistribution, Structure};
use super::{Feature, Parts};
use crate::column::{Cells, ListCells, ListForm, ValueScope};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::memory;
use crate::random::StreamRows;
use crate::scalar::{
    Canonical, CatalogueEntry, Distribution, Domain, Inversion, Sampler, Words, Work,
};

mod edges;
mod element_order;
mod interleaving;

use edges::{ListEdges, ListShape};
use element_order::ElementOrder;

pub(crate) const ENTRY: CatalogueEntry<ReadStructured> = CatalogueEntry::new(
    "list",
    &["length", "element", "sorted", FORM],
    &[FeatureType::List],
    read,
);

/// The member that states the written form.
const FORM: &str = "form";

const ARRAY: &str = "array";
const MAP: &str = "map";

/// The work of sorting one value of a long list.
const SORTED: f64 = 500.0;

/// The approximate bytes of a cell while it's drawn.
const CELL: usize = 32;

/// A list whose elements are each drawn like a row.
#[derive(Clone)]
struct ListOf {
    length: ListLength,
    element: Feature,
    sorted: ElementOrder,
    form: ListForm,
    edges: Option<ListEdges>,
}

fn read(fields: &mut Fields<'_>, _: FeatureType, reader: &PartReader) -> Option<FeatureValues> {
    let length = ListLength::read(fields, reader);
    let element = fields.required("element").and_then(|value| {
        let pointer = fields.pointer().child("element");
        reader.element(fields.nested(value, pointer, "an element")?.in_list(true))
    });
    let sorted = ElementOrder::read(fields, element.as_ref());
    let form = read_form(fields, element.as_ref());
    let (length, element, sorted, form) = (length?, element?, sorted?, form?);
    let pointer = fields.pointer().child("element");
    if length.reference().is_some() && element.is_unique() {
        let message = "can't be `unique` in a list whose length is another feature; state a length";
        fields.fault("element", message);
        return None;
    }
    let of = match form {
        ListForm::Array => "elements",
        ListForm::Map => "entries",
    };
    element.check_values(length.longest(), of, &pointer, fields.faults());
    let list = ListOf {
        length,
        element,
        sorted,
        form,
        edges: None,
    };
    list.element
        .check_within(fields, "element")
        .then(|| FeatureValues::structured(list))
}

/// The list number of each element.
fn lists_of(lengths: &[u32]) -> Vec<u32> {
    let lists = lengths.iter().enumerate();
    let lists = lists.map(|(list, length)| std::iter::repeat_n(list as u32, *length as usize));
    lists.flatten().collect()
}

fn read_form(fields: &mut Fields<'_>, element: Option<&Feature>) -> Option<ListForm> {
    if !fields.is_second(FORM, [ARRAY, MAP])? {
        return Some(ListForm::Array);
    }
    let Some(problem) = not_entries(element?) else {
        return Some(ListForm::Map);
    };
    fields.fault(FORM, problem);
    None
}

/// The reason why such elements can't be the entries of a map.
fn not_entries(element: &Feature) -> Option<&'static str> {
    let Parts::Members([key, value]) = element.parts() else {
        return Some("needs OBJECT elements with two features, `key` and `value`");
    };
    if element.null_probability() > 0.0 || key.null_probability() > 0.0 {
        return Some("needs elements and keys that can't be null");
    }
    let is_single = matches!(key.parts(), Parts::None) && key.feature_type() != FeatureType::Float;
    if key.name() != "key" || value.name() != "value" || !is_single {
        return Some(
            "needs elements with two features, `key` and `value`; the key must be a STRING, \
             INTEGER, BOOLEAN, DATE or DATETIME",
        );
    }
    match key.is_unique() {
        true => None,
        false => Some("needs keys that differ: add `\"unique\": true` to `key`"),
    }
}

impl ListOf {
    fn shapes(&self) -> Vec<ListShape> {
        ListShape::all_of(&self.length, &self.element, &self.sorted)
    }

    fn of_lengths(&self, rows: &StreamRows<'_>, mut lengths: Vec<u32>) -> Cells {
        let edges = self.edges.as_ref();
        let shaped = edges.map(|edges| edges.place(rows, &mut lengths));
        self.close(rows, &mut lengths);
        let elements = rows.lists(&lengths);
        let cells = elements.len() as f64 * self.element.cells_of_value();
        memory::take(cells as usize * CELL);
        let stream = rows.stream().within("");
        let lists = rows.scope().map(|_| lists_of(&lengths));
        let scope = rows.scope().zip(lists.as_deref());
        let scope = scope.map(|(around, lists)| ValueScope::within(lists, around));
        let elements = StreamRows::of_elements(&stream, &elements).with_scope(scope.as_ref());
        let deal = |cells| {
            let cells = match &shaped {
                Some(lists) => edges::shape(lists, &lengths, &self.element, &elements, cells),
                None => cells,
            };
            self.sorted.deal(&lengths, cells)
        };
        let column = self.element.draw_moved(&elements, deal);
        Cells::List(ListCells::new(self.form, &lengths, column))
    }

    /// Empties the lists that must not contain further nodes of a shape.
    fn close(&self, rows: &StreamRows<'_>, lengths: &mut [u32]) {
        let has_nodes = self.element.recursion().is_any() && self.length.can_be_empty();
        let closed = has_nodes.then(|| recursion::closed(rows)).flatten();
        for (length, is_closed) in lengths.iter_mut().zip(closed.into_iter().flatten()) {
            if is_closed {
                *length = 0;
            }
        }
    }
}

impl ListDistribution for ListOf {
    fn mean(&self) -> f64 {
        let mean = self.length.mean();
        self.edges.as_ref().map_or(mean, |edges| edges.mean(mean))
    }

    fn lengths(&self, rows: &StreamRows<'_>, supplied: Option<&[u64]>) -> Cells {
        let supplied = supplied.map(|words| Words::Supplied { rows: *rows, words });
        let lengths = supplied.and_then(|words| self.length.of_words(&words));
        let lengths = lengths.unwrap_or_else(|| self.length.draw(rows));
        Cells::Integer(lengths.into_iter().map(i64::from).collect())
    }

    fn lists(&self, rows: &StreamRows<'_>, lengths: &Cells) -> Cells {
        self.of_lengths(rows, as_lengths(lengths))
    }

    fn has_shapes(&self) -> bool {
        !self.shapes().is_empty()
    }

    fn with_shapes(&self, share: f64) -> FeatureValues {
        let edges = ListEdges::new(share, self.shapes(), self.length.longest());
        FeatureValues::structured(Self {
            edges: Some(edges),
            ..self.clone()
        })
    }
}

impl Distribution for ListOf {
    fn canonical(&self) -> Canonical {
        let sorted = self.sorted.to_value();
        let mut parameters = vec![
            ("length", self.length.to_value()),
            ("element", self.element.to_value()),
        ];
        parameters.extend(sorted.map(|sorted| (interleaving::NAME, sorted)));
        if self.form == ListForm::Map {
            parameters.push((FORM, MAP.into()));
        }
        (ENTRY.name, parameters)
    }

    /// Returns the bounds of the lengths.
    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        let (shortest, longest) = self.length.bounds();
        (Some(shortest.into()), Some(longest.into()))
    }

    fn domain(&self) -> Domain<'_> {
        Domain::Other(Some(
            "a list can't be unique; make its element or another feature unique",
        ))
    }

    fn cells(&self) -> f64 {
        1.0 + self.mean() * self.element.cells_of_value()
    }

    fn work(&self) -> Work {
        let dealt = self.mean() * self.sorted.count() as f64 * SORTED;
        let (once, one) = (self.element.work(0, false), self.element.work(1, false));
        let each = one.saturating_sub(once);
        let work = self.length.work_of(self.mean(), Work { once, each });
        work.and(Work {
            once: 0,
            each: dealt as u64,
        })
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| self.of_lengths(rows, self.length.draw(rows)))
    }

    /// A list comes from the word of its length and from the words of its elements.
    fn inversion(&self) -> Option<Inversion<'_>> {
        let values = |words: &Words<'_>| {
            let lengths = self.length.of_words(words).unwrap_or_default();
            match words.rows() {
                Some(rows) => self.of_lengths(&rows, lengths),
                // Without rows, lists differ only in their lengths.
                None => Cells::Integer(lengths.into_iter().map(i64::from).collect()),
            }
        };
        Some(Inversion::new(self.length.direction()?, values))
    }
}

impl Structure for ListOf {
    fn reference(&self) -> Option<&Reference> {
        self.length.reference()
    }

    fn follows(&self, value: &Value, referred: Option<&Value>) -> bool {
        self.length.follows(value, referred) && self.sorted.holds(&self.element, value)
    }

    fn adjusted(&self, value: &Value, to: Option<&Value>, was: Option<&Value>) -> Option<Value> {
        self.length.adjusted(value, to, was)
    }

    fn parts(&self) -> Parts<'_> {
        match self.form {
            ListForm::Array => Parts::Element(&self.element),
            ListForm::Map => Parts::Entries(&self.element),
        }
    }

    fn recursion(&self) -> Recursion {
        let (mean, longest) = (self.mean(), self.length.longest());
        self.element
            .recursion()
            .of_list(mean, longest, self.length.can_be_empty())
    }

    fn list(&self) -> Option<&dyn ListDistribution> {
        Some(self)
    }
}
