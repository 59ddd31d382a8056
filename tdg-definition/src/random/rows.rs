//! The rows that a sampler draws.

use std::ops::Range;

use super::{ListElements, Permutation, Purpose, RowStream, Stream};

/// Consecutive rows of a stream, or the elements of lists in them. A sampler knows them by their
/// position, so it has no part in how they are addressed.
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
    places: RowPlaces<'a>,
}

/// Where rows are, in whatever stream.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowPlaces<'a> {
    Rows { first: u64, count: usize },
    Elements(&'a ListElements),
}

impl RowPlaces<'_> {
    pub(crate) fn len(self) -> usize {
        match self {
            RowPlaces::Rows { count, .. } => count,
            RowPlaces::Elements(elements) => elements.len(),
        }
    }
}

impl<'a> StreamRows<'a> {
    /// The rows `first .. first + count`.
    #[must_use]
    pub fn new(stream: &'a Stream, first: u64, count: usize) -> Self {
        let places = RowPlaces::Rows { first, count };
        Self { stream, places }
    }

    /// Elements, of which each is a row.
    #[must_use]
    pub fn of_elements(stream: &'a Stream, elements: &'a ListElements) -> Self {
        let places = RowPlaces::Elements(elements);
        Self { stream, places }
    }

    /// The same rows of another stream.
    pub(crate) fn at(stream: &'a Stream, places: RowPlaces<'a>) -> Self {
        Self { stream, places }
    }

    pub(crate) fn places(&self) -> RowPlaces<'a> {
        self.places
    }

    /// How many they are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Their stream.
    #[must_use]
    pub fn stream(&self) -> &'a Stream {
        self.stream
    }

    /// One word of each row from position `from` on.
    pub fn fill(&self, purpose: Purpose, draw: u64, from: usize, words: &mut [u64]) {
        match self.places {
            RowPlaces::Rows { .. } => self.stream.fill(purpose, draw, self.number(from), words),
            RowPlaces::Elements(elements) => elements.fill(self.stream, purpose, draw, from, words),
        }
    }

    /// One word of every row.
    #[must_use]
    pub fn words(&self, purpose: Purpose, draw: u64) -> Vec<u64> {
        let mut words = vec![0; self.len()];
        self.fill(purpose, draw, 0, &mut words);
        words
    }

    /// One word of the row at a position.
    #[must_use]
    pub fn word(&self, purpose: Purpose, position: usize, draw: u64) -> u64 {
        self.draws(purpose, position).word(draw)
    }

    /// The draws of the row at a position.
    #[must_use]
    pub fn draws(&self, purpose: Purpose, position: usize) -> RowStream {
        match self.places {
            RowPlaces::Rows { .. } => self.stream.row(purpose, self.number(position)),
            RowPlaces::Elements(elements) => elements.draws(self.stream, purpose, position),
        }
    }

    /// The number of the row at a position, of an element the number within its list. Rows beyond
    /// the largest ensemble wrap around.
    #[must_use]
    pub fn number(&self, position: usize) -> u64 {
        match self.places {
            RowPlaces::Rows { first, .. } => first.wrapping_add(position as u64),
            RowPlaces::Elements(elements) => elements.number(position),
        }
    }

    /// Whether they are elements of lists.
    pub(crate) fn are_elements(&self) -> bool {
        matches!(self.places, RowPlaces::Elements(_))
    }

    /// The rows of each table, that is of the ensemble or of a list, by their positions, with a
    /// permutation of its own of the numbers up to `last`.
    pub(crate) fn orders(
        &self,
        purpose: Purpose,
        last: u64,
    ) -> impl Iterator<Item = (Range<usize>, Permutation)> {
        let (of_rows, elements) = match self.places {
            RowPlaces::Rows { count, .. } => {
                let order = Permutation::new(self.stream, purpose, 0, last);
                (Some((0..count, order)), None)
            }
            RowPlaces::Elements(elements) => (None, Some(elements)),
        };
        let of_lists = elements.map(|elements| elements.orders(self.stream, purpose, last));
        of_rows.into_iter().chain(of_lists.into_iter().flatten())
    }

    /// The elements of a list in each row, by their lengths.
    #[must_use]
    pub fn lists(&self, lengths: &[u32]) -> ListElements {
        debug_assert_eq!(lengths.len(), self.len());
        match self.places {
            RowPlaces::Rows { first, .. } => ListElements::of_rows(first, lengths),
            RowPlaces::Elements(elements) => elements.lists(lengths),
        }
    }
}
