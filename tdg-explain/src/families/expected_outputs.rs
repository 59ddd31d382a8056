//! Expected outputs: their values and parts, and comparisons with the features.
//!
//! The actual output is never used, since it is the answer.

use super::super::attribute::Family;
use super::super::table::{ColumnKind, ORDERED};
use super::comparable::pairs;
use super::{arithmetic, base, characters, dates, relations};

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    let expected = |kinds: &[ColumnKind]| table.positions(true, kinds);
    let features = |kinds: &[ColumnKind]| table.positions(false, kinds);
    for (output, feature) in pairs(family, &expected(&ORDERED), &features(&ORDERED)) {
        relations::numbers(family, output, feature);
    }
    for &output in &expected(&[ColumnKind::Text]) {
        for &feature in &features(&[ColumnKind::Text]) {
            relations::of_texts(family, output, feature);
        }
    }
    for (output, other) in pairs(family, &expected(&ORDERED), &expected(&ORDERED)) {
        relations::numbers(family, output, other);
    }
    let compared = family.attributes.len();
    let outputs: Vec<usize> = (0..table.columns.len())
        .filter(|position| table.columns[*position].is_expected)
        .collect();
    for &output in &outputs {
        base::of_column(family, output);
    }
    let plain = family.attributes.len();
    // Any few outputs have some digit in common.
    let has_few = family.has_few();
    for output in outputs.into_iter().filter(|_| !has_few) {
        arithmetic::of_column(family, output);
        match table.columns[output].kind {
            ColumnKind::Date => dates::of_column(family, output),
            ColumnKind::Text => characters::of_column(family, output),
            _ => {}
        }
    }
    for (index, attribute) in family.attributes.iter_mut().enumerate().skip(compared) {
        attribute.rarer(if index < plain { 1.0 } else { 1.7 });
    }
}
