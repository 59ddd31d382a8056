//! The attributes that conditions can test, one file per family.

#[cfg(feature = "full")]
mod aggregates;
#[cfg(feature = "full")]
mod arithmetic;
mod base;
#[cfg(feature = "full")]
mod bytes;
mod characters;
mod comparable;
#[cfg(feature = "full")]
mod dates;
mod delimited_texts;
#[cfg(feature = "full")]
mod differences;
#[cfg(feature = "full")]
mod expected_outputs;
mod lists;
mod properties;
mod relations;
#[cfg(feature = "full")]
mod strings;

use std::rc::Rc;

use super::Vocabulary;
use super::attribute::{Attribute, Family};
use super::table::ExplanationTable;

pub(super) use characters::CONTAINING;

/// The everyday families of scalars, and the ones of lists. The first has the features' values and
/// half of the prior probability. The others with any attributes share the other half.
const EVERYDAY: [&[AddAttributes]; 2] = [
    &[
        base::attributes,
        relations::attributes,
        characters::attributes,
    ],
    &[
        lists::membership::attributes,
        lists::quantifiers::attributes,
    ],
];

/// The other families of scalars, and the ones of lists.
#[cfg(feature = "full")]
const OTHERS: [&[AddAttributes]; 2] = [
    &[
        differences::attributes,
        aggregates::attributes,
        arithmetic::attributes,
        strings::attributes,
        bytes::attributes,
        dates::attributes,
        expected_outputs::attributes,
    ],
    &[lists::aggregates::attributes, lists::order::attributes],
];

/// A function that adds the attributes of a family.
type AddAttributes = fn(&mut Family<'_, '_>);

/// Returns the attributes of the rows.
pub(super) fn attributes<'t>(
    table: &'t ExplanationTable<'t>,
    failing: &[Option<bool>],
    vocabulary: Vocabulary,
) -> Vec<Attribute<'t>> {
    let vocabularies = match vocabulary {
        Vocabulary::Everyday => vec![EVERYDAY],
        #[cfg(feature = "full")]
        Vocabulary::Full => vec![EVERYDAY, OTHERS],
    };
    let of = |kind: usize| vocabularies.iter().flat_map(move |it| it[kind]).copied();
    let families: Vec<AddAttributes> = of(0).chain(of(1)).collect();
    let mut attributes = of_families(&families, table, failing, vocabulary);
    let lists = of(0).count();
    for attribute in &mut attributes {
        let family = attribute.family;
        attribute.is_of_list = family >= lists;
        attribute.is_everyday = match attribute.is_of_list {
            true => family - lists < EVERYDAY[1].len(),
            false => family < EVERYDAY[0].len(),
        };
    }
    for list in &table.lists {
        let lengths = list.lengths();
        let is_of_list = |attribute: &&mut Attribute<'_>| {
            let first = attribute.words.columns[0];
            attribute.is_of_list && table.columns[first].list.unwrap_or(first) == list.list
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
    vocabulary: Vocabulary,
) -> Vec<Attribute<'t>> {
    let mut attributes = Vec::new();
    for (position, family) in families.iter().enumerate() {
        family(&mut Family {
            table,
            position,
            failing,
            vocabulary,
            attributes: &mut attributes,
        });
    }
    attributes
}
