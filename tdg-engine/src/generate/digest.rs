//! The digest of an ensemble's data.

use hmac_sha256::Hash;
use tdg_definition::{
    ByteCells, Cells, Column, ListCells, ObjectCells, ObjectForm, Text, VariantCells,
};

use super::Vectors;
use crate::hex::hex;

impl Vectors {
    /// Returns 32 hexadecimal digits that identify the data: names, types and every cell.
    ///
    /// They are the first 16 bytes of a SHA-256 over the names, the types and a 128-bit fold of
    /// each column, as docs/reference/sampling.md specifies. The digest detects accidents, not
    /// attacks: a cryptographic hash of the cells would take longer than drawing them.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut summary = Vec::new();
        summary.extend_from_slice(b"tdg vectors 1\n");
        push_number(&mut summary, self.size() as u64);
        push_number(&mut summary, self.width() as u64);
        for feature in self.features() {
            push_name(&mut summary, &feature.name);
            push_column(&mut summary, &feature.column);
        }
        hex(&Hash::hash(&summary)[..16])
    }
}

fn push_name(summary: &mut Vec<u8>, name: &str) {
    push_number(summary, name.len() as u64);
    summary.extend_from_slice(name.as_bytes());
}

fn push_number(summary: &mut Vec<u8>, number: u64) {
    summary.extend_from_slice(&number.to_le_bytes());
}

fn push_column(summary: &mut Vec<u8>, column: &Column) {
    let nulls = column.nulls();
    let (tag, cells) = match column.cells() {
        Cells::Float(values) => (b'F', fold(values, nulls, f64::to_bits)),
        Cells::Integer(values) => (b'I', fold(values, nulls, |value| value as u64)),
        Cells::Unsigned(values) => (b'U', fold(values, nulls, |value| value)),
        Cells::Boolean(values) => (b'B', fold(values, nulls, u64::from)),
        Cells::DateTime(values) => (b'T', fold(values, nulls, |value| value as u64)),
        Cells::Date(values) => (b'D', fold(values, nulls, |value| value as u64)),
        Cells::Text(text) => (b'S', fold_text(text, nulls)),
        Cells::Bytes(bytes) => (b'Y', fold_bytes(bytes, nulls)),
        Cells::List(lists) => return push_lists(summary, lists, nulls),
        Cells::Object(objects) => return push_objects(summary, objects, nulls),
        Cells::Variant(variants) => return push_variants(summary, variants, nulls),
    };
    summary.push(tag);
    push_fold(summary, &cells);
    push_nulls(summary, nulls);
}

/// Adds the lengths, and the elements as a column.
fn push_lists(summary: &mut Vec<u8>, lists: &ListCells, nulls: Option<&[bool]>) {
    let is_null = |row: usize| nulls.is_some_and(|nulls| nulls[row]);
    let ranges: Vec<_> = (0..lists.len()).map(|row| lists.range(row)).collect();
    summary.push(b'L');
    push_fold(summary, &fold(&ranges, nulls, |range| range.len() as u64));
    push_nulls(summary, nulls);
    let rows = (0..lists.len()).filter(|row| !is_null(*row));
    let elements: Vec<usize> = rows.flat_map(|row| ranges[row].clone()).collect();
    push_column(summary, &lists.elements().gather(&elements));
}

/// Adds each member as a column of the rows that aren't null.
fn push_objects(summary: &mut Vec<u8>, objects: &ObjectCells, nulls: Option<&[bool]>) {
    let is_null = |row: &usize| nulls.is_some_and(|nulls| nulls[*row]);
    let rows: Vec<usize> = (0..objects.len()).filter(|row| !is_null(row)).collect();
    let is_array = objects.form() == ObjectForm::Array;
    summary.push(if is_array { b'A' } else { b'O' });
    push_number(summary, objects.members().len() as u64);
    push_nulls(summary, nulls);
    for (name, member) in objects.members() {
        if !is_array {
            push_name(summary, name);
        }
        push_column(summary, &member.gather(&rows));
    }
}

/// Adds the variant of each row, and the values of each variant as a column.
fn push_variants(summary: &mut Vec<u8>, variants: &VariantCells, nulls: Option<&[bool]>) {
    let is_null = |row: usize| nulls.is_some_and(|nulls| nulls[row]);
    let rows = 0..variants.len();
    let numbers: Vec<usize> = rows.clone().map(|row| variants.variant(row)).collect();
    summary.push(b'V');
    push_fold(summary, &fold(&numbers, nulls, |number| number as u64));
    push_nulls(summary, nulls);
    push_number(summary, variants.variants().len() as u64);
    for (number, (name, values)) in variants.variants().enumerate() {
        push_name(summary, name);
        summary.push(u8::from(values.is_some()));
        if let Some(values) = values {
            let rows = rows.clone().filter(|row| !is_null(*row));
            let places: Vec<usize> = variants.places(number, rows).collect();
            push_column(summary, &values.gather(&places));
        }
    }
}

fn push_nulls(summary: &mut Vec<u8>, nulls: Option<&[bool]>) {
    match nulls {
        None => summary.push(0),
        Some(nulls) => {
            summary.push(1);
            push_fold(summary, &fold(nulls, None, u64::from));
        }
    }
}

fn push_fold(summary: &mut Vec<u8>, fold: &DigestFold) {
    push_number(summary, fold.a);
    push_number(summary, fold.b);
}

/// A fold with 128 bits of state. Each step is a bijection, so columns that differ in one cell
/// never fold to the same state.
struct DigestFold {
    a: u64,
    b: u64,
}

impl DigestFold {
    const START: Self = Self { a: 0, b: 0 };

    /// `a ← x ⊕ (x ≫ 32)` with `x = (a ⊕ w) × A`, and `b ← y ⊕ (y ≫ 29)` with `y = (b + w) × B`,
    /// modulo 2⁶⁴.
    #[inline(always)]
    fn push(&mut self, word: u64) {
        // The odd constants nearest to 2⁶⁴ / φ and 2⁶⁴ × (√3 − 1).
        let a = (self.a ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let b = self
            .b
            .wrapping_add(word)
            .wrapping_mul(0xBB67_AE85_84CA_A73B);
        self.a = a ^ (a >> 32);
        self.b = b ^ (b >> 29);
    }
}

/// Folds one word for each row; a null counts as 0.
fn fold<T: Clone>(values: &[T], nulls: Option<&[bool]>, word: impl Fn(T) -> u64) -> DigestFold {
    let mut fold = DigestFold::START;
    // Without optimization, an iterator costs more than everything else.
    let mut row = 0;
    while row < values.len() {
        let is_null = match nulls {
            Some(nulls) => nulls[row],
            None => false,
        };
        fold.push(if is_null {
            0
        } else {
            word(values[row].clone())
        });
        row += 1;
    }
    fold
}

/// Folds strings. A string's word is the `a` of the fold of its bytes, eight to a word
/// (little-endian, the last one padded with zeros), and then of its length.
fn fold_text(text: &Text, nulls: Option<&[bool]>) -> DigestFold {
    let words: Vec<u64> = text.entries().map(str::as_bytes).map(string_word).collect();
    fold(text.rows(), nulls, |row| words[row as usize])
}

/// Folds byte strings like strings with the same bytes.
fn fold_bytes(bytes: &ByteCells, nulls: Option<&[bool]>) -> DigestFold {
    let words: Vec<u64> = bytes.entries().map(string_word).collect();
    fold(bytes.escaped().rows(), nulls, |row| words[row as usize])
}

fn string_word(string: &[u8]) -> u64 {
    let mut fold = DigestFold::START;
    for chunk in string.chunks(8) {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        fold.push(u64::from_le_bytes(bytes));
    }
    fold.push(string.len() as u64);
    fold.a
}
