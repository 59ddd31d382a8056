//! The characters of texts.

use tdg_definition::sort;

use super::super::attribute::Family;
use super::super::table::ColumnKind;
use super::comparable::contents;

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    for position in family.table.positions(false, &[ColumnKind::Text]) {
        of_column(family, position);
    }
}

/// Adds the characters of a column of texts.
pub(super) fn of_column(family: &mut Family<'_, '_>, position: usize) {
    if contents(family.table, position).is_some() {
        let column = &family.table.columns[position];
        let words = ("{0} containing", "{0} not containing");
        family.texts(words, &[position], |row| {
            column
                .text(row)
                .map(distinct_characters)
                .unwrap_or_default()
        });
    }
}

/// Returns the characters, each as a text.
pub(super) fn characters(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.char_indices()
        .map(|(at, character)| &text[at..at + character.len_utf8()])
}

pub(super) fn distinct<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut texts: Vec<&str> = texts.collect();
    sort::by(&mut texts, Ord::cmp);
    texts.dedup();
    texts
}

/// Doesn't sort ASCII characters, which took a fifth of a search among texts in a dev build.
pub(super) fn distinct_characters(text: &str) -> Vec<&str> {
    let mut known = [false; 128];
    let mut found = Vec::new();
    let mut others = Vec::new();
    for character in characters(text) {
        match character.as_bytes() {
            [byte] if known[usize::from(*byte)] => {}
            [byte] => {
                known[usize::from(*byte)] = true;
                found.push(character);
            }
            _ => others.push(character),
        }
    }
    if !others.is_empty() {
        found.extend(distinct(others.into_iter()));
    }
    found
}
