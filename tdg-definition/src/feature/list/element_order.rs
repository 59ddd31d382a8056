//! Lists whose values rise or fall.

use std::cmp::Ordering;

use super::interleaving::{Interleaving, NAME, compare};
use crate::column::Cells;
use crate::feature::{Feature, Parts};
use crate::fields::{Fields, kind};
use crate::json::Value;
use crate::sort;
use crate::value::{self, Scalar};

const FALLING: &str = "falling";

/// The order in which a list's values are dealt again after they are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ElementOrder {
    AsDrawn,
    Rising,
    Falling,
    By(Interleaving),
}

impl ElementOrder {
    /// Reads the order for lists of `element`, if the element is valid.
    pub(super) fn read(fields: &mut Fields<'_>, element: Option<&Feature>) -> Option<Self> {
        let sorted = match fields.optional(NAME) {
            None | Some(Value::Bool(false)) => return Some(Self::AsDrawn),
            Some(names @ Value::Array(_)) => {
                return Interleaving::read(names, element, fields).map(Self::By);
            }
            Some(Value::Bool(true)) => Self::Rising,
            Some(Value::String(text)) if text.eq_ignore_ascii_case(FALLING) => Self::Falling,
            Some(other) => {
                let message = format!(
                    "must be true, false, \"{FALLING}\" or a list of features, but is {}",
                    kind(other)
                );
                fields.fault(NAME, message);
                return None;
            }
        };
        if element.is_some_and(|element| !matches!(element.parts(), Parts::None)) {
            let message = match element.map(Feature::parts) {
                Some(Parts::Members(_) | Parts::Tuple(_)) => {
                    "needs elements that are single values; for objects, name the features whose \
                     values rise: [\"from\", \"to\"]"
                }
                _ => "needs elements that are single values; lists and variants have no order",
            };
            fields.fault(NAME, message);
            return None;
        }
        Some(sorted)
    }

    /// Returns the canonical form.
    pub(super) fn to_value(&self) -> Option<Value> {
        match self {
            Self::AsDrawn => None,
            Self::Rising => Some(Value::from(true)),
            Self::Falling => Some(Value::from(FALLING)),
            Self::By(features) => Some(features.to_value()),
        }
    }

    /// The number of moved values per element.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::AsDrawn => 0,
            Self::Rising | Self::Falling => 1,
            Self::By(features) => features.count(),
        }
    }

    /// Orders the values within each list.
    pub(super) fn deal(&self, lengths: &[u32], cells: Cells) -> Cells {
        match (self, cells) {
            (Self::AsDrawn, cells) => cells,
            (Self::By(features), Cells::Object(elements)) => {
                Cells::Object(features.deal(lengths, elements))
            }
            (_, cells) => sort_lists(lengths, cells, *self == Self::Falling),
        }
    }

    /// Returns true if the values of the list have this order.
    pub(super) fn holds(&self, element: &Feature, list: &Value) -> bool {
        let elements = list.as_array().unwrap_or_default();
        let read = |it: &Value| value::read(it, element.feature_type()).ok();
        let values = elements.iter().filter_map(read);
        let is_ordered = |wrong: Ordering| {
            values.is_sorted_by(|one: &Scalar, other: &Scalar| one.sorts(other) != wrong)
        };
        match self {
            Self::AsDrawn => true,
            Self::Rising => is_ordered(Ordering::Greater),
            Self::Falling => is_ordered(Ordering::Less),
            Self::By(features) => features.rise(element, elements),
        }
    }
}

fn sort_lists(lengths: &[u32], cells: Cells, is_falling: bool) -> Cells {
    let mut order: Vec<u32> = (0..cells.len() as u32).collect();
    let mut rest = &mut order[..];
    for &length in lengths {
        let (list, others) = rest.split_at_mut(length as usize);
        sort_range(&cells, list, is_falling);
        rest = others;
    }
    cells.into_gathered(order)
}

/// Sorts the places of a list by their values.
pub(super) fn sort_range(cells: &Cells, places: &mut [u32], is_falling: bool) {
    sort::by(places, |one, other| {
        let rising = compare((cells, *one as usize), (cells, *other as usize));
        match is_falling {
            true => rising.reverse(),
            false => rising,
        }
    });
}
