//! Sequences of bytes, each stored once.

use super::Text;
use crate::bytes;
use crate::fault::Invalid;

/// Sequences of bytes, one for each row. Rows may share an entry.
///
/// Kept as text too, since only the function under test needs the bytes.
#[derive(Clone, Debug, Default)]
pub struct ByteCells {
    escaped: Text,
    /// The concatenated bytes of all entries.
    bytes: Vec<u8>,
    /// The end of each entry.
    ends: Vec<usize>,
}

impl ByteCells {
    /// Adds a row with a new entry.
    pub fn push(&mut self, value: &[u8]) {
        let mut escaped = String::new();
        bytes::escape(value, &mut escaped);
        self.escaped.push(&escaped);
        self.bytes.extend_from_slice(value);
        self.ends.push(self.bytes.len());
    }

    /// Adds a row with the bytes of an escaped text.
    ///
    /// # Errors
    /// The part of the text that isn't a byte, and the fix.
    pub fn push_escaped(&mut self, text: &str) -> Result<(), Invalid> {
        self.push(&bytes::unescape(text)?);
        Ok(())
    }

    /// Returns the bytes of a row.
    #[must_use]
    pub fn get(&self, row: usize) -> &[u8] {
        self.entry(self.escaped.rows()[row] as usize)
    }

    /// Returns the bytes of all rows as text, with the escapes of `b"…"`.
    #[must_use]
    pub fn escaped(&self) -> &Text {
        &self.escaped
    }

    /// Returns true if all bytes are printable ASCII that needs no escapes.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let texts = self.escaped.entries().map(str::as_bytes);
        texts.eq(self.entries())
    }

    /// Returns the entries that rows refer to, in the same order as the text's.
    pub fn entries(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len()).map(|entry| self.entry(entry))
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.escaped.len()
    }

    /// Returns true if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.escaped.is_empty()
    }

    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        let entries = rows.iter().map(|row| self.escaped.rows()[*row as usize]);
        Self {
            escaped: self.escaped.with_rows(entries.collect()),
            bytes: self.bytes.clone(),
            ends: self.ends.clone(),
        }
    }

    /// Replaces the entries of some rows with entries of `others`.
    pub(super) fn replace(&mut self, rows: &[(usize, usize)], others: &Self) {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(&others.bytes);
        self.ends.extend(others.ends.iter().map(|end| offset + end));
        self.escaped.replace(rows, &others.escaped);
    }

    fn entry(&self, entry: usize) -> &[u8] {
        let start = match entry {
            0 => 0,
            _ => self.ends[entry - 1],
        };
        &self.bytes[start..self.ends[entry]]
    }
}

impl PartialEq for ByteCells {
    fn eq(&self, other: &Self) -> bool {
        self.escaped == other.escaped
    }
}

impl<'a> FromIterator<&'a [u8]> for ByteCells {
    fn from_iter<I: IntoIterator<Item = &'a [u8]>>(values: I) -> Self {
        let mut cells = Self::default();
        for value in values {
            cells.push(value);
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_text_stay_together() {
        let cells: ByteCells = [&b"\xff"[..], b"", b"GIF"].into_iter().collect();
        let mut cells = cells.gather(&[2, 0, 2, 1]);
        let others: ByteCells = [&b"\0\n"[..]].into_iter().collect();
        cells.replace(&[(1, 0), (3, 0)], &others);
        let bytes: Vec<&[u8]> = (0..4).map(|row| cells.get(row)).collect();
        assert_eq!(bytes, [&b"GIF"[..], b"\0\n", b"GIF", b"\0\n"]);
        let texts: Vec<&str> = cells.escaped().iter().collect();
        assert_eq!(texts, ["GIF", r"\x00\n", "GIF", r"\x00\n"]);
    }
}
