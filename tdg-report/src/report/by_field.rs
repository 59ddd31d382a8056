//! Differences by field.

use std::collections::HashMap;

use tdg_definition::json::Pointer;
use tdg_definition::sort;
use tdg_engine::compare::{DifferingCase, FieldDifference};

/// A difference and the number of its case.
pub(super) type CaseDifference<'a> = (usize, &'a FieldDifference);

/// Groups the differences of all cases by `field` of their pointers, sorted.
pub(super) fn by_field(
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

/// Counts the cases.
pub(super) fn cases(found: &[CaseDifference<'_>]) -> usize {
    found
        .chunk_by(|(left, _), (right, _)| left == right)
        .count()
}
