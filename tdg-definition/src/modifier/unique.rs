//! Values without repetition.

use crate::column::Cells;
use crate::distribution::{Distribution, Domain};
use crate::feature_type::FeatureType;
use crate::fields::{Fields, kind};
use crate::random::{Purpose, StreamRows};

pub(super) const NAME: &str = "unique";

/// `Some(false)` if it is left out, `None` if it is faulty.
pub(super) fn read(
    fields: &mut Fields<'_>,
    feature_type: Option<FeatureType>,
    distribution: Option<&dyn Distribution>,
) -> Option<bool> {
    match fields.optional(NAME) {
        None => return Some(false),
        Some(value) => match value.as_bool() {
            Some(false) => return Some(false),
            Some(true) => {}
            None => {
                let message = format!("must be true or false, but is {}", kind(value));
                fields.fault(NAME, message);
                return None;
            }
        },
    }
    let (feature_type, distribution) = (feature_type?, distribution?);
    let Domain::Other(reason) = distribution.domain() else {
        return Some(true);
    };
    let message = match reason {
        Some(reason) => reason.to_owned(),
        None => format!(
            "{} {feature_type} values can't be unique; use a uniform INTEGER, DATE or DATETIME, a categorical with \
             equal probabilities, a sequence or a uuid",
            distribution.name()
        ),
    };
    fields.fault(NAME, message);
    None
}

/// Whether there are enough values for this size.
///
/// # Errors
/// There are fewer values than rows.
pub(super) fn check_size(
    distribution: &dyn Distribution,
    size: usize,
    of: &str,
) -> Result<(), String> {
    match distribution.domain() {
        Domain::Numbered { last, .. } if size as u64 > last.saturating_add(1) => Err(format!(
            "there are only {} different values for {size} {of}; use fewer {of}, allow more values, or remove `{NAME}`",
            last + 1
        )),
        _ => Ok(()),
    }
}

/// Row i has the value whose number a permutation makes of i; beyond the last value, rows begin
/// again with the first.
pub(super) fn draw(distribution: &dyn Distribution, rows: &StreamRows<'_>) -> Cells {
    let Domain::Numbered { last, values } = distribution.domain() else {
        return distribution.sampler().draw(rows);
    };
    let mut numbers = Vec::with_capacity(rows.len());
    for (table, order) in rows.orders(Purpose::Unique, last) {
        for row in table {
            let row = rows.number(row);
            let number = match last.checked_add(1) {
                Some(count) => row % count,
                None => row,
            };
            numbers.push(order.of(number));
        }
    }
    values(&numbers)
}
