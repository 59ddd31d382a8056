//! What conditions can be about: one file a family.

mod aggregates;
mod arithmetic;
mod base;
mod bytes;
mod comparable;
mod dates;
mod differences;
mod expected;
mod properties;
mod relations;
mod strings;

use super::attribute::{Attribute, Family};
use super::table::ExplanationTable;

/// All families. The values of the features have half of the prior probability; the others that
/// have any attribute share the other half.
pub(super) const FAMILIES: [fn(&mut Family<'_, '_>); 8] = [
    base::attributes,
    relations::attributes,
    differences::attributes,
    aggregates::attributes,
    arithmetic::attributes,
    strings::attributes,
    dates::attributes,
    expected::attributes,
];

/// The attributes of the rows.
pub(super) fn attributes<'t>(table: &'t ExplanationTable<'t>) -> Vec<Attribute<'t>> {
    let mut attributes = Vec::new();
    for (position, family) in FAMILIES.iter().enumerate() {
        family(&mut Family {
            table,
            position,
            attributes: &mut attributes,
        });
    }
    attributes
}
