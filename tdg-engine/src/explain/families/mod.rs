//! What conditions can be about: one file a family.

mod aggregates;
mod arithmetic;
mod base;
mod comparable;
mod dates;
mod differences;
mod expected;
mod lists;
mod properties;
mod relations;
mod strings;

use super::attribute::{Attribute, Family};
use super::table::ExplanationTable;
pub(super) use comparable::{difference, rounded, sum};

/// All families. The values of the features have half of the prior probability; the others that
/// have any attribute share the other half.
pub(super) const FAMILIES: [AddAttributes; 12] = [
    base::attributes,
    relations::attributes,
    differences::attributes,
    aggregates::attributes,
    arithmetic::attributes,
    strings::attributes,
    dates::attributes,
    expected::attributes,
    lists::aggregates::attributes,
    lists::order::attributes,
    lists::membership::attributes,
    lists::quantified::attributes,
];
/// From this one on, they are about the elements of lists.
pub(super) const LISTS: usize = 8;

/// A family: adds its attributes.
pub(super) type AddAttributes = fn(&mut Family<'_, '_>);

/// The attributes of the rows.
pub(super) fn attributes<'t>(
    table: &'t ExplanationTable<'t>,
    failing: &[Option<bool>],
) -> Vec<Attribute<'t>> {
    of_families(&FAMILIES, table, failing)
}

fn of_families<'t>(
    families: &[AddAttributes],
    table: &'t ExplanationTable<'t>,
    failing: &[Option<bool>],
) -> Vec<Attribute<'t>> {
    let mut attributes = Vec::new();
    for (position, family) in families.iter().enumerate() {
        family(&mut Family {
            table,
            position,
            failing,
            attributes: &mut attributes,
        });
    }
    attributes
}
