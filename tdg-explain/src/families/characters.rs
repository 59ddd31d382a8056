//! The characters and fields of texts.

use tdg_definition::sort;

use super::super::attribute::Family;
use super::super::table::{ColumnKind, ExplanationColumn};
use super::comparable::contents;
use super::delimited_texts;
use super::properties::Properties;

/// The words for a text within another.
pub(in super::super) const CONTAINING: &str = "{0} containing";

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    for position in family.table.positions(false, &[ColumnKind::Text]) {
        of_column(family, position);
    }
}

/// Adds the characters and fields of a column of texts.
pub(super) fn of_column(family: &mut Family<'_, '_>, position: usize) {
    if let Some(values) = contents(family.table, position) {
        let mut texts = Properties::new(family, position, ExplanationColumn::text);
        let words = (CONTAINING, "{0} not containing");
        texts.texts(words, distinct_characters);
        delimited_texts::fields(&mut texts, &values);
    }
}

/// Returns the characters, each as a text.
pub(super) fn characters(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.char_indices()
        .map(|(at, character)| &text[at..at + character.len_utf8()])
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
    found.extend(sort::distinct(others));
    found
}
