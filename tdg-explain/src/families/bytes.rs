//! Contents of bytes: single bytes, prefixes, and validity as text.

use tdg_definition::bytes::escapes;
use tdg_definition::sort;

use super::super::attribute::Family;
use super::super::table::{ColumnKind, ExplanationColumn};
use super::comparable::is_categorical;
use super::properties::Properties;

/// The maximum length of a prefix: file formats have signatures of up to eight bytes.
const BEGINNING: usize = 8;

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    for position in family.table.positions(false, &[ColumnKind::Bytes]) {
        of_column(family, position);
    }
}

/// Adds the properties of a column of bytes.
fn of_column(family: &mut Family<'_, '_>, position: usize) {
    if is_categorical(family.table, position) {
        return;
    }
    let mut bytes = Properties::new(family, position, ExplanationColumn::bytes);
    bytes.flag(("{0} UTF-8", "{0} not UTF-8"), |bytes| {
        str::from_utf8(bytes).is_ok()
    });
    bytes.flag(
        ("{0} all ASCII", "{0} with a non-ASCII byte"),
        <[u8]>::is_ascii,
    );
    let of_byte = |byte: &u8| i64::from(*byte);
    bytes.number("first byte of {0}", move |bytes| bytes.first().map(of_byte));
    bytes.number("last byte of {0}", move |bytes| bytes.last().map(of_byte));
    let mut rare = bytes.rare();
    rare.count("non-ASCII bytes in {0}", |bytes| {
        bytes.iter().filter(|byte| !byte.is_ascii()).count()
    });
    rare.flag(
        (
            "{0} with a byte twice in a row",
            "{0} without a byte twice in a row",
        ),
        |bytes| bytes.windows(2).any(|pair| pair[0] == pair[1]),
    );
    rare.flag(("length of {0} even", "length of {0} odd"), |bytes| {
        bytes.len() % 2 == 0
    });
    rare.code("length of {0} modulo 4", |bytes| bytes.len() as i64 % 4);

    let mut texts = Properties::new(family, position, ExplanationColumn::text);
    texts.texts(("{0} containing", "{0} not containing"), |text| {
        sort::distinct(escapes(text).collect())
    });
    texts.texts(("{0} starting with", "{0} not starting with"), beginnings);
    texts.texts(("{0} ending with", "{0} not ending with"), |text| {
        escapes(text).last().into_iter().collect()
    });
}

/// Returns the prefixes of one byte, two bytes, etc.
fn beginnings(text: &str) -> Vec<&str> {
    let lengths = escapes(text).map(str::len).scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    lengths.take(BEGINNING).map(|end| &text[..end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_ends_between_bytes() {
        assert_eq!(beginnings(r"\xffG\n"), [r"\xff", r"\xffG", r"\xffG\n"]);
        assert_eq!(beginnings("").len(), 0);
    }
}
