//! Values without repetition.

use std::collections::HashSet;

use crate::column::Cells;
use crate::fault::{Invalid, invalid};
use crate::feature_type::FeatureType;
use crate::fields::{Fields, kind};
use crate::random::{Purpose, RowPlaces, StreamRows};
use crate::scalar::{Distribution, Domain};

pub(super) const NAME: &str = "unique";

/// The required ratio of possible values to needed ones, if repeated values are drawn again.
const SPARE: f64 = 4.0;

/// The most attempts for a value. The probability that all of them repeat is 4⁻⁶⁴.
const TRIES: u64 = 64;

/// Reads the member: `Some(false)` if it's left out, `None` if it's faulty.
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
    let reason = match distribution.domain() {
        Domain::Other(reason) => reason,
        Domain::Many { of_rows, .. } if !fields.is_in_list() => of_rows,
        _ => return Some(true),
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

/// Checks that there are enough values for this size.
///
/// # Errors
/// If there are fewer values than rows.
pub(super) fn check_size(
    distribution: &dyn Distribution,
    size: usize,
    of: &str,
) -> Result<(), Invalid> {
    let remedy = match of {
        // The keys of a map must differ.
        "entries" => format!("use fewer {of}, or allow more values"),
        _ => format!("use fewer {of}, allow more values, or remove `{NAME}`"),
    };
    match distribution.domain() {
        Domain::Numbered { last, .. } if size as u64 > last.saturating_add(1) => invalid!(
            "there are only {} different values for {size} {of}; {remedy}",
            last + 1
        ),
        Domain::Many { least, .. } if size as f64 * SPARE > least => invalid!(
            "there may be only {least} different values, too few to find {size} by drawing; {remedy}"
        ),
        _ => Ok(()),
    }
}

/// Returns true if repeated values are drawn again, after all other modifiers.
pub(super) fn draws_again(distribution: &dyn Distribution) -> bool {
    matches!(distribution.domain(), Domain::Many { .. })
}

/// Draws each element until its value differs from all earlier ones.
fn draw_again(rows: &StreamRows<'_>, draw: impl Fn(&StreamRows<'_>) -> Cells) -> Cells {
    let mut cells = draw(rows);
    let places = rows.places();
    for table in rows.tables() {
        let mut seen = HashSet::with_capacity(table.len());
        for position in table {
            if seen.insert(DistinctValue::of(&cells, position)) {
                continue;
            }
            let positions = [position as u32];
            let picked = RowPlaces::Picked {
                of: &places,
                positions: &positions,
            };
            let alone = StreamRows::at(rows.stream(), picked);
            let others = (1..=TRIES).map(|n| draw(&alone.again(n)));
            let mut new = others.filter(|one| seen.insert(DistinctValue::of(one, 0)));
            if let Some(one) = new.next() {
                cells.replace(&[(position, 0)], &one);
            }
        }
    }
    cells
}

/// A value that can be hashed and is equal to others if the values are.
#[derive(PartialEq, Eq, Hash)]
enum DistinctValue {
    Number(i128),
    Bits(u64),
    Text(String),
}

impl DistinctValue {
    fn of(cells: &Cells, row: usize) -> Self {
        match cells {
            // 0.0 equals -0.0.
            Cells::Float(values) => Self::Bits((values[row] + 0.0).to_bits()),
            Cells::Text(text) => Self::Text(text.get(row).to_owned()),
            Cells::Bytes(bytes) => Self::Text(bytes.escaped().get(row).to_owned()),
            Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
                Self::Number(values[row].into())
            }
            Cells::Unsigned(values) => Self::Number(values[row].into()),
            Cells::Boolean(values) => Self::Number(values[row].into()),
            Cells::List(_) | Cells::Object(_) | Cells::Variant(_) => Self::Number(row as i128),
        }
    }
}

/// Gives row i the value whose number is the permutation of i. After the last value, rows start
/// again with the first.
pub(super) fn draw(
    distribution: &dyn Distribution,
    rows: &StreamRows<'_>,
    finish: impl Fn(&StreamRows<'_>, &mut Cells),
) -> Cells {
    let draw = |rows: &StreamRows<'_>| {
        let mut cells = distribution.sampler().draw(rows);
        finish(rows, &mut cells);
        cells
    };
    let (last, values) = match distribution.domain() {
        Domain::Numbered { last, values } => (last, values),
        Domain::Many { .. } => return draw_again(rows, draw),
        _ => return distribution.sampler().draw(rows),
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
