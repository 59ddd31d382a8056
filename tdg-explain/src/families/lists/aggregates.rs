//! The first, last, largest and smallest element, their sum, mean and range: compared with
//! constants, features and expected outputs.

use super::super::comparable::pairs;
use super::super::{base, relations};
use crate::attribute::Family;

/// With more columns, there would be too many pairs.
const MANY: usize = 24;

pub(crate) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    let is_ordered = |position: &usize| table.columns[*position].kind.is_ordered();
    let is_aggregate = |position: &usize| table.columns[*position].list.is_some();
    let (aggregates, others): (Vec<usize>, Vec<usize>) =
        (0..table.columns.len()).partition(is_aggregate);
    for &position in &aggregates {
        base::of_column(family, position);
    }
    let aggregates: Vec<usize> = aggregates.into_iter().filter(is_ordered).collect();
    let others: Vec<usize> = others.into_iter().filter(is_ordered).collect();
    let all = [others, aggregates.clone()].concat();
    if all.len() > MANY {
        return;
    }
    let columns = &table.columns;
    for (aggregate, other) in pairs(family, &aggregates, &all) {
        // Comparisons of one list's aggregates belong to the order of its elements.
        if columns[aggregate].list == columns[other].list {
            continue;
        }
        let before = family.attributes.len();
        relations::numbers(family, aggregate, other);
        for attribute in &mut family.attributes[before..] {
            attribute.rarer(if columns[other].is_expected { 1.0 } else { 0.0 });
        }
    }
}
