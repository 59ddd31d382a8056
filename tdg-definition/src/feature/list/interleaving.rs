//! Features whose values rise along a list, such as intervals that don't overlap.

use std::cmp::Ordering;

use crate::column::{Cells, Column, ObjectCells};
use crate::fault::Fault;
use crate::feature::reference::graph::references_of;
use crate::feature::{Feature, Parts};
use crate::fields::Fields;
use crate::json::Value;
use crate::relation::{Declared, RelatedFeature};
use crate::sort;
use crate::value;

/// The member that names the dealt features.
pub(super) const NAME: &str = "sorted";

/// Features of a list's elements whose values are redistributed: the smallest of all values in a
/// list goes to the first feature of the first element, the next to its second feature, etc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interleaving {
    names: Vec<String>,
}

/// A value by the positions of its element and its feature.
type InterleavedPlace = (usize, usize);

impl Interleaving {
    /// Reads a list of names for lists of `element`, if the element is valid.
    pub(super) fn read(
        names: &Value,
        element: Option<&Feature>,
        fields: &mut Fields<'_>,
    ) -> Option<Self> {
        let element = element?;
        if element.structure().is_shape() {
            let message = "names features, but the features of a shape can't be sorted; write the \
                           elements as an OBJECT without `shape`";
            fields.fault(NAME, message);
            return None;
        }
        let (Parts::Members(members) | Parts::Tuple(members)) = element.parts() else {
            let message = "names features, but the elements are not OBJECTs; write true or \
                           \"falling\" to sort single values";
            fields.fault(NAME, message);
            return None;
        };
        let pointer = fields.pointer().child(NAME);
        let declared = Declared::new(members.iter().map(|it| (it.name(), Some(it))));
        let positions = declared.positions(names, &pointer, fields.faults())?;
        if positions.is_empty() {
            fields.fault(NAME, "names no features; name one, or remove it");
            return None;
        }
        let dealt: Vec<&Feature> = positions
            .iter()
            .map(|&position| &members[position])
            .collect();
        let problem = |(index, feature): (usize, &&Feature)| {
            let message = problem(element, members, feature, &dealt)?;
            let pointer = pointer.child(index.to_string());
            Some(Fault { pointer, message })
        };
        let problems: Vec<Fault> = dealt.iter().enumerate().filter_map(problem).collect();
        let all_well = problems.is_empty();
        fields.faults().extend(problems);
        let names = dealt.iter().map(|feature| feature.name().to_owned());
        all_well.then(|| Self {
            names: names.collect(),
        })
    }

    pub(super) fn to_value(&self) -> Value {
        let names = self.names.iter().map(|name| Value::from(name.as_str()));
        Value::Array(names.collect())
    }

    /// The number of dealt values in an element.
    pub(super) fn count(&self) -> usize {
        self.names.len()
    }

    /// Deals the values of elements in lists of these lengths. Nulls stay in place.
    pub(super) fn deal(&self, lengths: &[u32], mut elements: ObjectCells) -> ObjectCells {
        let member = |name: &String| elements.members().find(|(it, _)| it == name);
        let columns: Vec<Column> = self
            .names
            .iter()
            .filter_map(member)
            .map(|it| it.1.clone())
            .collect();
        let count = columns.len();
        let mut moves: Vec<Vec<InterleavedPlace>> = vec![Vec::new(); count * count];
        let mut start = 0;
        for length in lengths {
            let list = start..start + *length as usize;
            start = list.end;
            let places = list.flat_map(|element| (0..count).map(move |feature| (element, feature)));
            let is_there =
                |(element, feature): &InterleavedPlace| !columns[*feature].is_null(*element);
            let places: Vec<InterleavedPlace> = places.filter(is_there).collect();
            let mut sources = places.clone();
            sort::by(&mut sources, |one, other| {
                let cells = |place: &InterleavedPlace| (columns[place.1].cells(), place.0);
                compare(cells(one), cells(other))
            });
            for ((element, feature), (source, of)) in places.into_iter().zip(sources) {
                moves[feature * count + of].push((element, source));
            }
        }
        for (to, name) in self.names.iter().enumerate() {
            let mut cells = columns[to].cells().clone();
            for (from, column) in columns.iter().enumerate() {
                cells.replace(&moves[to * count + from], column.cells());
            }
            let nulls = columns[to].nulls().map(<[bool]>::to_vec);
            elements.replace(name, Column::new(cells, nulls));
        }
        elements
    }

    /// Returns true if the values of these elements rise.
    pub(super) fn rise(&self, element: &Feature, elements: &[Value]) -> bool {
        let (Parts::Members(members) | Parts::Tuple(members)) = element.parts() else {
            return true;
        };
        let values = elements.iter().flat_map(|element| {
            let value = move |name: &String| {
                let feature = members.iter().find(|it| it.name() == name)?;
                value::read(value::member(element, name)?, feature.feature_type()).ok()
            };
            self.names.iter().filter_map(value)
        });
        values.is_sorted_by(|one, other| one.sorts(other).is_le())
    }
}

/// The reason why the feature's values can't be dealt with the `dealt` ones.
fn problem(
    element: &Feature,
    members: &[Feature],
    feature: &Feature,
    dealt: &[&Feature],
) -> Option<String> {
    let name = feature.name();
    if !matches!(feature.parts(), Parts::None) {
        let kind = feature.feature_type();
        return Some(format!(
            "`{name}` is {kind}, which has no order; name single values"
        ));
    }
    if feature.is_computed() {
        return feature.inversion().err().map(|it| it.to_string());
    }
    let refers = |other: &&Feature| references_of(other).iter().any(|it| it.first() == name);
    if let Some(other) = members.iter().find(refers) {
        return Some(format!(
            "`{}` refers to `{name}`, whose values would be rearranged; remove one of the two",
            other.name()
        ));
    }
    if is_in_order(element, name) {
        return Some(format!(
            "`{name}` is in an `order` of the elements, which would be lost; name all features of \
             the order here instead"
        ));
    }
    if feature.is_unique() && dealt.len() > 1 {
        return Some(format!(
            "`{name}` is `unique`, but it could get repeated values from other features; remove \
             one of the two"
        ));
    }
    let first = dealt[0];
    (!is_drawn_alike(feature, first)).then(|| {
        format!(
            "`{}` and `{name}` exchange values, so both need the same type, distribution \
             and modifiers",
            first.name()
        )
    })
}

fn is_in_order(element: &Feature, name: &str) -> bool {
    let has_name = |list: &Value| {
        let mut names = list.as_array().unwrap_or_default().iter();
        names.any(|it| it.as_str() == Some(name))
    };
    let mut parameters = element.distribution().parameters().into_iter();
    let order = parameters.find(|(member, _)| *member == "order");
    order.is_some_and(|(_, lists)| lists.as_array().unwrap_or_default().iter().any(has_name))
}

fn is_drawn_alike(one: &Feature, other: &Feature) -> bool {
    let drawn = |feature: &Feature| {
        let mut members = feature.members();
        members.retain(|(name, _)| *name != "null_probability");
        Value::object(members)
    };
    drawn(one) == drawn(other)
}

/// Compares two values of one type. 0.0 and -0.0 are equal; equal values keep their order.
pub(super) fn compare((one, at): (&Cells, usize), (other, to): (&Cells, usize)) -> Ordering {
    match (one, other) {
        (Cells::Float(one), Cells::Float(other)) => {
            one[at].partial_cmp(&other[to]).unwrap_or(Ordering::Equal)
        }
        (Cells::Integer(one), Cells::Integer(other))
        | (Cells::DateTime(one), Cells::DateTime(other))
        | (Cells::Date(one), Cells::Date(other)) => one[at].cmp(&other[to]),
        (Cells::Unsigned(one), Cells::Unsigned(other)) => one[at].cmp(&other[to]),
        (Cells::Integer(one), Cells::Unsigned(other)) => (one[at] as u64).cmp(&other[to]),
        (Cells::Unsigned(one), Cells::Integer(other)) => one[at].cmp(&(other[to] as u64)),
        (Cells::Boolean(one), Cells::Boolean(other)) => one[at].cmp(&other[to]),
        (Cells::Text(one), Cells::Text(other)) => one.get(at).cmp(other.get(to)),
        (Cells::Bytes(one), Cells::Bytes(other)) => one.get(at).cmp(other.get(to)),
        _ => Ordering::Equal,
    }
}
