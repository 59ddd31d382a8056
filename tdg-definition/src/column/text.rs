//! Strings, each stored once.

use crate::memory;

/// Strings, one for each row. Rows may share an entry.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The concatenated bytes of all entries.
    bytes: String,
    /// The end of each entry.
    ends: Vec<usize>,
    /// The entry of each row.
    rows: Vec<u32>,
}

impl Text {
    /// Adds a row with a new entry.
    pub fn push(&mut self, value: &str) {
        memory::take(value.len());
        self.rows.push(self.ends.len() as u32);
        self.bytes.push_str(value);
        self.ends.push(self.bytes.len());
    }

    /// Returns the string of a row.
    #[must_use]
    pub fn get(&self, row: usize) -> &str {
        self.entry(self.rows[row] as usize)
    }

    /// Returns the entry number of each row.
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Returns the entries that rows refer to; two of them may be equal.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|entry| self.entry(entry))
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the strings in the order of rows.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|row| self.get(row))
    }

    /// Copies the entries for other rows.
    pub(super) fn with_rows(&self, rows: Vec<u32>) -> Self {
        memory::take(self.bytes.len());
        Self {
            bytes: self.bytes.clone(),
            ends: self.ends.clone(),
            rows,
        }
    }

    /// Reuses the entries for other rows.
    pub(super) fn into_rows(self, rows: Vec<u32>) -> Self {
        Self { rows, ..self }
    }

    /// Replaces the entries of some rows with entries of `others`.
    pub(super) fn replace(&mut self, rows: &[(usize, usize)], others: &Self) {
        memory::take(others.bytes.len());
        let (first, offset) = (self.ends.len() as u32, self.bytes.len());
        self.bytes.push_str(&others.bytes);
        self.ends.extend(others.ends.iter().map(|end| offset + end));
        for &(row, other) in rows {
            self.rows[row] = first + others.rows[other];
        }
    }

    fn entry(&self, entry: usize) -> &str {
        let start = match entry {
            0 => 0,
            _ => self.ends[entry - 1],
        };
        &self.bytes[start..self.ends[entry]]
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<'a> FromIterator<&'a str> for Text {
    fn from_iter<I: IntoIterator<Item = &'a str>>(values: I) -> Self {
        let mut text = Self::default();
        for value in values {
            text.push(value);
        }
        text
    }
}
