//! Features whose values rise from one to the next in every row.

use std::cmp::Ordering;

use super::{Declared, RelatedFeature};
use crate::checkpoint;
use crate::column::Cells;
use crate::fault::Fault;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::{Pointer, Value};
use crate::sort;
use crate::value::{self, Scalar};

pub(super) const NAME: &str = "order";

/// The most features in a list.
const LARGEST: usize = 100;

/// Lists of features. In each row, the values of a list's features are sorted; for a LIST, the
/// lengths. Nothing is drawn again, and each feature gets an order statistic of the values drawn by
/// all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Order {
    /// The positions of the features, each in at most one list.
    lists: Vec<Vec<usize>>,
    /// The work per row.
    work: u64,
}

pub(super) fn read(fields: &mut Fields<'_>, features: &Declared<'_>) -> Option<Order> {
    if !fields.has(NAME) {
        fields.ignore(&[NAME]);
        return Some(Order::default());
    }
    let values = fields.list(NAME)?;
    if values.iter().any(|value| matches!(value, Value::String(_))) {
        fields.fault(
            NAME,
            "must be a list of lists, such as [[\"start\", \"end\"]], but is one list",
        );
        return None;
    }
    let pointer = fields.pointer().child(NAME);
    let mut lists: Vec<Vec<usize>> = Vec::with_capacity(values.len());
    let mut list_of: Vec<Option<usize>> = vec![None; features.count()];
    let mut all_well = true;
    for (index, value) in values.iter().enumerate() {
        let pointer = pointer.child(index.to_string());
        let Some(list) = features.positions(value, &pointer, fields.faults()) else {
            all_well = false;
            continue;
        };
        let problems = problems(&list, &list_of, features, pointer);
        all_well &= problems.is_empty();
        fields.faults().extend(problems);
        for &position in &list {
            list_of[position].get_or_insert(index);
        }
        lists.push(list);
    }
    sort::by(&mut lists, Ord::cmp);
    let work = lists.iter().map(|list| work(list, features)).sum();
    all_well.then_some(Order { lists, work })
}

/// The faults of a list; `list_of` is the earlier list of each feature, if any.
fn problems(
    list: &[usize],
    list_of: &[Option<usize>],
    features: &Declared<'_>,
    pointer: Pointer,
) -> Vec<Fault> {
    if !(2..=LARGEST).contains(&list.len()) {
        let message = format!("must have 2 to {LARGEST} features, but has {}", list.len());
        return vec![Fault { pointer, message }];
    }
    let problem = |(index, &position): (usize, &usize)| {
        let message = match list_of[position] {
            Some(other) => Some(format!(
                "`{}` is also in /{NAME}/{other}; put all features of an order into one list",
                features.name(position)
            )),
            None => {
                let previous = index.checked_sub(1).map(|previous| list[previous]);
                alone(features, position).or_else(|| after(features, previous?, position))
            }
        };
        message.map(|message| Fault {
            pointer: pointer.child(index.to_string()),
            message,
        })
    };
    list.iter().enumerate().filter_map(problem).collect()
}

/// The reason why the feature can't be ordered.
fn alone(features: &Declared<'_>, position: usize) -> Option<String> {
    let (name, feature) = (features.name(position), features.get(position)?);
    if !is_number_or_date(ordered_type(feature)) {
        let kind = feature.feature_type();
        return Some(format!(
            "`{name}` is {kind}, which has no order; only numbers, dates and lengths of lists can \
             be ordered"
        ));
    }
    if let Some(problem) = feature.unordered() {
        return Some(problem);
    }
    if feature.modifiers().is_unique() {
        return Some(format!(
            "`{name}` is `unique`, but sorting could make its values repeat; remove one of the two"
        ));
    }
    let problem = if feature.distribution().edge_share() > 0.0 {
        format!(
            "`{name}` is {}, whose edge cases are placed after sorting; give it \
             `edge_cases` of probability 0",
            feature.distribution().name()
        )
    } else {
        format!("`{name}` has `edge_cases`, which are placed after sorting; remove one of the two")
    };
    feature.modifiers().has_edge_cases().then_some(problem)
}

/// The type that orders the values; for a list, the type of its length.
fn ordered_type(feature: &dyn RelatedFeature) -> FeatureType {
    match feature.feature_type() {
        FeatureType::List => FeatureType::Integer,
        other => other,
    }
}

/// The smallest and the largest value that the distribution can draw, if bounded; for a list, its
/// shortest and longest length.
fn bounds(feature: &dyn RelatedFeature) -> (Option<Scalar>, Option<Scalar>) {
    let read = |bound: Option<Value>| value::read(&bound?, ordered_type(feature)).ok();
    let (min, max) = feature.distribution().bounds();
    (read(min), read(max))
}

/// The work of sorting a list per row.
fn work(list: &[usize], features: &Declared<'_>) -> u64 {
    // Columns of different signs are converted for each step.
    let is_beyond = |&at: &usize| {
        let feature = features.get(at);
        feature.is_some_and(|it| *it.distribution().integers().end() > i64::MAX.into())
    };
    let step = if list.iter().any(is_beyond) { 40 } else { 3 };
    (list.len() * list.len() / 2) as u64 * step
}

fn is_number_or_date(kind: FeatureType) -> bool {
    use FeatureType::{Date, DateTime, Float, Integer};
    matches!(kind, Float | Integer | Date | DateTime)
}

/// The reason why one feature can't follow another.
fn after(features: &Declared<'_>, left: usize, right: usize) -> Option<String> {
    let (one, other) = (features.get(left)?, features.get(right)?);
    let named = |feature: &dyn RelatedFeature, name| match feature.feature_type() {
        FeatureType::List => format!("the length of `{name}`"),
        _ => format!("`{name}`"),
    };
    let (left, right) = (
        named(one, features.name(left)),
        named(other, features.name(right)),
    );
    let (one_type, other_type) = (ordered_type(one), ordered_type(other));
    if one_type != other_type {
        return Some(format!(
            "{right} is {other_type}, but {left} is {one_type}; the features of a list must have \
             one type"
        ));
    }
    if one.modifiers().decimals() != other.modifiers().decimals() {
        return Some(format!(
            "{right} and {left} have different `decimals`, so rounding could reverse their order; use the same"
        ));
    }
    let ((min, one_max), (other_min, other_max)) = (bounds(one), bounds(other));
    if let Some(min) = min
        && other_min.is_none_or(|other| other.compare(&min) == Some(Ordering::Less))
    {
        return Some(format!(
            "{right} can be less than {}, the minimum of {left}, which would get that value; raise \
             the minimum of {right} or lower the minimum of {left}",
            min.to_value()
        ));
    }
    if let Some(max) = other_max
        && one_max.is_none_or(|one| one.compare(&max) == Some(Ordering::Greater))
    {
        return Some(format!(
            "{left} can be greater than {}, the maximum of {right}, which would get that value; \
             lower the maximum of {left} or raise the maximum of {right}",
            max.to_value()
        ));
    }
    None
}

impl Order {
    /// Returns true if the feature at `position` is in a list.
    pub(super) fn has(&self, position: usize) -> bool {
        self.lists.iter().any(|list| list.contains(&position))
    }

    /// Returns true if the values of a row are in order, ignoring `None`.
    pub(super) fn holds(&self, row: &[Option<Scalar>]) -> bool {
        self.lists.iter().all(|list| {
            let values: Vec<&Scalar> = list.iter().filter_map(|&at| row[at].as_ref()).collect();
            let mut pairs = values.windows(2);
            pairs.all(|pair| pair[0].compare(pair[1]) != Some(Ordering::Greater))
        })
    }

    /// Returns the canonical form; `None` without lists.
    pub(super) fn to_value(&self, features: &Declared<'_>) -> Option<Value> {
        let name = |&position: &usize| Value::from(features.name(position));
        let list = |list: &Vec<usize>| Value::Array(list.iter().map(name).collect());
        let lists: Vec<Value> = self.lists.iter().map(list).collect();
        (!lists.is_empty()).then_some(Value::Array(lists))
    }

    /// The work per row.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Sorts the values of each row.
    pub(super) fn sort(&self, cells: &mut [Option<Cells>]) {
        // Bubble sort by column: lists are short, and each step is a simple loop over all rows.
        for list in &self.lists {
            for last in (1..list.len()).rev() {
                checkpoint();
                for place in 0..last {
                    exchange(cells, list[place], list[place + 1]);
                }
            }
        }
    }
}

/// Swaps the values in rows where the first is larger.
fn exchange(cells: &mut [Option<Cells>], first: usize, second: usize) {
    let Ok([Some(first), Some(second)]) = cells.get_disjoint_mut([first, second]) else {
        return;
    };
    match (first, second) {
        (Cells::Float(first), Cells::Float(second)) => exchange_values(first, second),
        (Cells::Unsigned(first), Cells::Unsigned(second)) => exchange_values(first, second),
        (Cells::Integer(first), Cells::Integer(second))
        | (Cells::Date(first), Cells::Date(second))
        | (Cells::DateTime(first), Cells::DateTime(second)) => exchange_values(first, second),
        (first, second) => {
            let (mut firsts, mut seconds) = (first.integers(), second.integers());
            exchange_values(&mut firsts, &mut seconds);
            *first = Cells::from_integers(&firsts);
            *second = Cells::from_integers(&seconds);
        }
    }
}

fn exchange_values<T: Copy + PartialOrd>(first: &mut [T], second: &mut [T]) {
    // Indexed, because iterators are slow in unoptimized builds.
    let mut i = 0;
    while i < first.len() {
        if second[i] < first[i] {
            (first[i], second[i]) = (second[i], first[i]);
        }
        i += 1;
    }
}
