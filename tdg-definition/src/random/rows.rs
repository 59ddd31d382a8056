//! The rows that a sampler draws.

use super::{Purpose, RowStream, Stream};

/// Consecutive rows of a stream. A sampler knows them by their position, so it has no part in how
/// they are addressed.
///
/// ```
/// use tdg_definition::random::{Purpose, Stream, StreamRows};
///
/// let stream = Stream::new(7, "amount");
/// let rows = StreamRows::new(&stream, 1000, 100);
/// let mut words = [0; 10];
/// rows.fill(Purpose::Value, 0, 5, &mut words);
/// assert_eq!(words[0], stream.word(Purpose::Value, 1005, 0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StreamRows<'a> {
    stream: &'a Stream,
    first: u64,
    count: usize,
}

impl<'a> StreamRows<'a> {
    /// The rows `first .. first + count`.
    #[must_use]
    pub fn new(stream: &'a Stream, first: u64, count: usize) -> Self {
        Self {
            stream,
            first,
            count,
        }
    }

    /// How many they are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of the first row.
    #[must_use]
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Their stream.
    #[must_use]
    pub fn stream(&self) -> &'a Stream {
        self.stream
    }

    /// One word of each row from position `from` on.
    pub fn fill(&self, purpose: Purpose, draw: u64, from: usize, words: &mut [u64]) {
        self.stream.fill(purpose, draw, self.number(from), words);
    }

    /// One word of every row.
    #[must_use]
    pub fn words(&self, purpose: Purpose, draw: u64) -> Vec<u64> {
        let mut words = vec![0; self.count];
        self.fill(purpose, draw, 0, &mut words);
        words
    }

    /// One word of the row at a position.
    #[must_use]
    pub fn word(&self, purpose: Purpose, position: usize, draw: u64) -> u64 {
        self.stream.word(purpose, self.number(position), draw)
    }

    /// The draws of the row at a position.
    #[must_use]
    pub fn draws(&self, purpose: Purpose, position: usize) -> RowStream {
        self.stream.row(purpose, self.number(position))
    }

    /// The number of the row at a position. Rows beyond the largest ensemble wrap around.
    #[must_use]
    pub fn number(&self, position: usize) -> u64 {
        self.first.wrapping_add(position as u64)
    }
}
