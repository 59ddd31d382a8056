//! Quantified conditions: any, all or a number of elements meet a condition.
//!
//! The conditions are not enumerated: the ordinary search finds the ones that separate the elements
//! of failing rows from the others, and these are lifted to the rows.

use std::ops::Range;
use std::rc::Rc;

use super::super::{AddAttributes, base, characters, of_families, relations};
#[cfg(feature = "full")]
use super::super::{arithmetic, dates, differences, strings};
use crate::Vocabulary;
#[cfg(feature = "full")]
use crate::attribute::Notation;
use crate::attribute::{Attribute, Family, Measure};
use crate::catalogue::{COARSE, Catalogue, Thresholds};
use crate::condition::{AttributeCondition, Literal};
use crate::condition_text::{Phrase, join, phrase};
use crate::prior::costs;
use crate::score::LogarithmTables;
use crate::search::{ElementRows, searched, targets, terms, terms_of_elements};
use crate::table::PooledElements;

/// The everyday families for conditions on elements.
const EVERYDAY: [AddAttributes; 3] = [
    base::attributes,
    relations::attributes,
    characters::attributes,
];
/// All families for conditions on elements.
#[cfg(feature = "full")]
const FULL: [AddAttributes; 7] = [
    base::attributes,
    relations::attributes,
    characters::attributes,
    differences::attributes,
    arithmetic::attributes,
    strings::attributes,
    dates::attributes,
];
/// Tests the number of elements of a row that meet a condition, and the number of all.
type Quantifier = (&'static str, &'static str, fn([usize; 2]) -> bool);

const QUANTIFIERS: [Quantifier; 2] = [
    ("an element", "no element", |[count, _]| count > 0),
    ("every element", "not every element", |[count, all]| {
        count == all
    }),
];
/// The maximum number of elements in a column.
const ELEMENTS: usize = 100_000;
/// The maximum number of elements that are searched by row. Of more, each fails or passes as its
/// row does.
const SEARCHED: usize = 6_000;

pub(crate) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    for list in table.lists.iter().chain(&table.inner_lists) {
        if list.table.size * list.own().len() <= ELEMENTS {
            let (terms, attributes) = terms_of(list, family);
            for term in terms {
                term.lift(family, list, &attributes);
            }
        }
    }
}

/// Conditions that a single element meets together.
struct ElementTerm<'t> {
    conditions: Vec<(AttributeCondition<'t>, bool)>,
    cost: f64,
}

/// Returns the best conditions that separate the elements of failing rows from the others.
fn terms_of<'t>(
    list: &'t PooledElements<'t>,
    family: &Family<'t, '_>,
) -> (Vec<ElementTerm<'t>>, Vec<Attribute<'t>>) {
    let mut of_elements = vec![None; list.table.size];
    for (range, failing) in list.ranges.iter().zip(family.failing) {
        of_elements[range.clone().unwrap_or_default()].fill(*failing);
    }
    let own = list.own().len();
    let families: &[AddAttributes] = match family.vocabulary {
        Vocabulary::Everyday => &EVERYDAY,
        #[cfg(feature = "full")]
        Vocabulary::Full => &FULL,
    };
    let attributes = of_families(families, &list.table, &of_elements, family.vocabulary);
    let is_own = |attribute: &Attribute<'_>| attribute.words.columns.iter().any(|it| *it < own);
    let attributes: Vec<Attribute<'t>> = attributes.into_iter().filter(is_own).collect();
    let searched = SearchedElements::new(list, family.failing, &of_elements);
    let mut found = Vec::new();
    if !searched.elements.is_empty() && !attributes.is_empty() {
        let (elements, rows) = (&searched.elements, &searched.rows);
        let costs = costs(&attributes);
        let thresholds = Thresholds::new(COARSE, family.table.constants);
        let mut catalogue = Catalogue::new(&attributes, &costs, elements, thresholds, |_| true);
        // Any letters fit few elements.
        let is_letter =
            |attribute: usize| matches!(attributes[attribute].measure, Measure::Texts(_));
        catalogue.sets.retain(|it| !is_letter(it.attribute));
        let tables = LogarithmTables::new(elements.len().max(rows.len()));
        let [failing, passing] = targets(&tables, &of_elements, elements);
        let mut terms = terms(&mut catalogue, [&failing, &passing]);
        if let Some(row_of) = &searched.row_of {
            let [failing, _] = targets(&tables, family.failing, rows);
            let rows = ElementRows {
                rows: row_of,
                failing: &failing,
            };
            terms.extend(terms_of_elements(&mut catalogue, &rows));
        }
        for term in terms {
            let condition = |literal: &Literal| {
                let condition = &catalogue.conditions[literal.condition as usize];
                (condition.clone(), literal.is_negated)
            };
            found.push(ElementTerm {
                conditions: term.literals.iter().map(condition).collect(),
                cost: term.cost,
            });
        }
    }
    (found, attributes)
}

/// The elements to search, and their rows.
struct SearchedElements {
    elements: Vec<u32>,
    rows: Vec<u32>,
    /// The position of each element's row, unless there are too many elements.
    row_of: Option<Vec<u32>>,
}

impl SearchedElements {
    fn new(
        list: &PooledElements<'_>,
        failing_rows: &[Option<bool>],
        failing_elements: &[Option<bool>],
    ) -> Self {
        let sample = |failing: &[Option<bool>]| {
            let [failed, passed] = [true, false].map(|side| {
                let all = failing.iter().zip(0..);
                let of_side = all.filter(|(failing, _)| **failing == Some(side));
                of_side.map(|(_, at)| at).collect::<Vec<u32>>()
            });
            searched(&failed, &passed)
        };
        let rows = sample(failing_rows);
        let (mut elements, mut row_of) = (Vec::new(), Vec::new());
        for (at, row) in (0..).zip(&rows) {
            let range = list.ranges[*row as usize].clone().unwrap_or_default();
            row_of.extend(range.clone().map(|_| at));
            elements.extend(range.map(|element| element as u32));
        }
        let has_all = elements.len() <= SEARCHED;
        Self {
            elements: if has_all {
                elements
            } else {
                sample(failing_elements)
            },
            rows,
            row_of: has_all.then_some(row_of),
        }
    }
}

impl<'t> ElementTerm<'t> {
    /// Returns the number of elements of each row that meet it, and the number of all.
    fn counts(
        &self,
        list: &PooledElements<'t>,
        attributes: &[Attribute<'t>],
    ) -> Rc<[Option<[usize; 2]>]> {
        let holds = |element: &usize| {
            self.conditions.iter().all(|(condition, is_negated)| {
                condition.holds(&attributes[condition.attribute], *element, *is_negated)
            })
        };
        let count = |range: &Option<Range<usize>>| {
            let range = range.clone()?;
            Some([range.clone().filter(holds).count(), range.len()])
        };
        list.ranges.iter().map(count).collect()
    }

    /// Writes the condition in words; `element` names an element that isn't an object.
    fn words(
        &self,
        list: &PooledElements<'t>,
        attributes: &[Attribute<'t>],
        element: &str,
    ) -> String {
        join(self.phrases(list, attributes, element, false))
    }

    /// Writes the opposite in words, if the conditions have opposites.
    fn opposite(
        &self,
        list: &PooledElements<'t>,
        attributes: &[Attribute<'t>],
        element: &str,
    ) -> Option<String> {
        let mut conditions = self.conditions.iter();
        if !conditions.all(|(condition, _)| condition.has_negation) {
            return None;
        }
        let phrases = self.phrases(list, attributes, element, true);
        let texts: Vec<String> = phrases.into_iter().map(|it| join(vec![it])).collect();
        Some(texts.join(" or "))
    }

    fn phrases(
        &self,
        list: &PooledElements<'t>,
        attributes: &[Attribute<'t>],
        element: &str,
        is_opposite: bool,
    ) -> Vec<Phrase> {
        let mut names = list.table.names();
        if list.is_whole(0) {
            names[0] = element;
        }
        let phrases = self.conditions.iter().map(|(condition, is_negated)| {
            let attribute = &attributes[condition.attribute];
            phrase(&names, attribute, condition, *is_negated != is_opposite)
        });
        phrases.collect()
    }

    /// Adds attributes for any element, for all elements, and for the number that meet it.
    fn lift(
        &self,
        family: &mut Family<'t, '_>,
        list: &PooledElements<'t>,
        attributes: &[Attribute<'t>],
    ) {
        let name = &list.name;
        let own = list.own().len();
        let columns = self.conditions.iter();
        let columns = columns.flat_map(|(it, _)| &attributes[it.attribute].words.columns);
        let is_of_whole = columns.clone().all(|it| *it >= own || list.is_whole(*it));
        let words = self.words(list, attributes, "it");
        // `|no element of xs| > 3` would have no subject.
        let is_plain = is_of_whole && self.conditions.len() == 1 && !words.starts_with('|');
        let said = |elements: &str| match is_plain {
            true => self.words(list, attributes, &format!("{elements} of {name}")),
            false => format!("{elements} of {name} with {words}"),
        };
        let of_row = columns.filter(|it| **it >= own);
        let of_row = of_row.map(|it| list.compared[it - own]);
        let columns: Vec<usize> = std::iter::once(list.list).chain(of_row).collect();
        let counts = self.counts(list, attributes);
        // "Not every element != 0" would be a double negation, and so would "no element != 0".
        let opposite = |elements: &str| match is_plain {
            true => self.opposite(list, attributes, &format!("{elements} of {name}")),
            false => (self.opposite(list, attributes, "it"))
                .map(|words| format!("{elements} of {name} with {words}")),
        };
        let is_negation = matches!(self.conditions[..], [(_, true)]);
        // "Not every element with one and the other" is hard to read.
        let mut attributes_in_use = self.conditions.iter().map(|(it, _)| it.attribute);
        let first = attributes_in_use.next();
        let quantifiers = match attributes_in_use.all(|it| Some(it) == first) {
            true => &QUANTIFIERS[..],
            false => &QUANTIFIERS[..1],
        };
        for &(some, not, holds) in quantifiers {
            let counts = Rc::clone(&counts);
            let flag = Measure::Flag(Box::new(move |row| counts[row].map(holds)));
            let is_not = match some {
                "every element" => opposite("an element"),
                _ if is_negation => opposite("every element"),
                _ => None,
            };
            let is_not = is_not.unwrap_or_else(|| said(not));
            let attribute = family.push(said(some), is_not, &columns, flag);
            attribute.rarer(self.cost);
        }
        #[cfg(feature = "full")]
        if family.vocabulary == Vocabulary::Full {
            let subject = format!("number of elements of {name} with ({words})");
            let count = move |row: usize| counts[row].map(|[count, _]| (count as i64).into());
            let number = Measure::Number(Notation::Number, Box::new(count));
            // A count is a less likely cause than existence.
            let attribute = family.push(subject, "", &columns, number);
            attribute.rarer(self.cost + 1.0);
        }
    }
}
