//! Lists whose values rise or fall.

use std::cmp::Ordering;

use super::Parts;
use crate::column::Cells;
use crate::feature::Feature;
use crate::fields::{Fields, kind};
use crate::json::Value;
use crate::sort;

/// The member that states it.
pub(super) const NAME: &str = "sorted";

const FALLING: &str = "falling";

/// Whether the values of a list are dealt again after they are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sorted {
    AsDrawn,
    Rising,
    Falling,
}

impl Sorted {
    /// For lists of that element, if it is known.
    pub(super) fn read(fields: &mut Fields<'_>, element: Option<&Feature>) -> Option<Self> {
        let sorted = match fields.optional(NAME) {
            None | Some(Value::Bool(false)) => return Some(Self::AsDrawn),
            Some(Value::Bool(true)) => Self::Rising,
            Some(Value::String(text)) if text.eq_ignore_ascii_case(FALLING) => Self::Falling,
            Some(other) => {
                let message = format!(
                    "must be true, false or \"{FALLING}\", but is {}",
                    kind(other)
                );
                fields.fault(NAME, message);
                return None;
            }
        };
        if element.is_some_and(|element| !matches!(element.parts(), Parts::None)) {
            let message =
                "needs elements that are single values; lists, objects and variants have no order";
            fields.fault(NAME, message);
            return None;
        }
        Some(sorted)
    }

    /// In canonical form.
    pub(super) fn to_value(self) -> Option<Value> {
        match self {
            Self::AsDrawn => None,
            Self::Rising => Some(Value::from(true)),
            Self::Falling => Some(Value::from(FALLING)),
        }
    }

    /// The values in order within each list.
    pub(super) fn deal(self, lengths: &[u32], cells: Cells) -> Cells {
        if self == Self::AsDrawn {
            return cells;
        }
        let mut order: Vec<u32> = (0..cells.len() as u32).collect();
        let mut rest = &mut order[..];
        for &length in lengths {
            let (list, others) = rest.split_at_mut(length as usize);
            let mut places = list.to_vec();
            sort::by(&mut places, |one, other| {
                let rising = compare(&cells, *one as usize, *other as usize);
                match self {
                    Self::Falling => rising.reverse(),
                    _ => rising,
                }
            });
            list.copy_from_slice(&places);
            rest = others;
        }
        cells.into_gathered(order)
    }
}

/// 0.0 and -0.0 are equal; equal values keep their order.
fn compare(cells: &Cells, one: usize, other: usize) -> Ordering {
    match cells {
        Cells::Float(values) => {
            let order = values[one].partial_cmp(&values[other]);
            order.unwrap_or(Ordering::Equal)
        }
        Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
            values[one].cmp(&values[other])
        }
        Cells::Unsigned(values) => values[one].cmp(&values[other]),
        Cells::Boolean(values) => values[one].cmp(&values[other]),
        Cells::Text(text) => text.get(one).cmp(text.get(other)),
        Cells::Bytes(bytes) => bytes.get(one).cmp(bytes.get(other)),
        Cells::List(_) | Cells::Object(_) | Cells::Variant(_) => Ordering::Equal,
    }
}
