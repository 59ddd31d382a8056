//! Differences by field.

use std::collections::HashMap;

use tdg_definition::json::Pointer;
use tdg_definition::sort;

use super::{DifferingCase, FieldDifference};

/// A difference, with the case that it was found in.
pub(crate) type CaseDifference<'a> = (usize, &'a FieldDifference);

/// The differences of all cases, grouped by `field` of their pointers, in order.
pub(crate) fn by_field(
    differing: &[DifferingCase],
    field: impl Fn(&Pointer) -> Pointer,
) -> Vec<(Pointer, Vec<CaseDifference<'_>>)> {
    let mut fields: HashMap<Pointer, Vec<CaseDifference<'_>>> = HashMap::new();
    for differing in differing {
        for difference in &differing.comparison.differences {
            fields
                .entry(field(&difference.pointer))
                .or_default()
                .push((differing.case, difference));
        }
    }
    let mut fields: Vec<_> = fields.into_iter().collect();
    sort::by(&mut fields, |(left, _), (right, _)| left.cmp(right));
    fields
}

/// The number of cases.
pub(crate) fn cases(found: &[CaseDifference<'_>]) -> usize {
    found
        .chunk_by(|(left, _), (right, _)| left == right)
        .count()
}
