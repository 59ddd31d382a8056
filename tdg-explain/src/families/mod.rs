//! The attributes that conditions can test, one file per family.

mod aggregates;
mod arithmetic;
mod base;
mod bytes;
mod comparable;
mod dates;
mod delimited_texts;
mod differences;
mod expected_outputs;
mod lists;
mod properties;
mod relations;
mod strings;

use std::rc::Rc;

use super::attribute::{Attribute, Family};
use super::table::ExplanationTable;

/// All families. The features' values have half of the prior probability; the other families with
/// any attributes share the other half.
pub(super) const FAMILIES: [AddAttributes; 13] = [
    base::attributes,
    relations::attributes,
    differences::attributes,
    aggregates::attributes,
    arithmetic::attributes,
    strings::attributes,
    bytes::attributes,
    dates::attributes,
    expected_outputs::attributes,
    lists::aggregates::attributes,
    lists::order::attributes,
    lists::membership::attributes,
    lists::quantifiers::attributes,
];
/// The first family for elements of lists; all later ones are as well.
pub(super) const LISTS: usize = 9;

/// A function that adds the attributes of a family.
pub(super) type AddAttributes = fn(&mut Family<'_, '_>);

/// Returns the attributes of the rows.
pub(super) fn attributes<'t>(
    table: &'t ExplanationTable<'t>,
    failing: &[Option<bool>],
) -> Vec<Attribute<'t>> {
    let mut attributes = of_families(&FAMILIES, table, failing);
    for list in &table.lists {
        let lengths = list.lengths();
        let is_of_list = |attribute: &&mut Attribute<'_>| {
            let first = attribute.words.columns[0];
            attribute.family >= LISTS && table.columns[first].list.unwrap_or(first) == list.list
        };
        for attribute in attributes.iter_mut().filter(is_of_list) {
            attribute.lengths = Some(Rc::clone(&lengths));
        }
    }
    attributes
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
