//! The rows that a sampler draws.

use std::iter;
use std::ops::Range;

use super::elements::ListAddress;
use super::{ListElements, Permutation, Purpose, RowStream, Stream};
use crate::column::ValueScope;

/// Consecutive rows of a stream, or the elements of lists in them. Samplers refer to them by
/// position, independent of their addresses.
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
    scope: Option<&'a ValueScope<'a>>,
    /// The draw used as draw 0.
    first_draw: u64,
}

/// The places of rows, in any stream.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowPlaces<'a> {
    Rows {
        first: u64,
        count: usize,
    },
    Elements(&'a ListElements),
    /// A selection of other rows, in rising order.
    Picked {
        of: &'a RowPlaces<'a>,
        positions: &'a [u32],
    },
}

impl RowPlaces<'_> {
    pub(crate) fn len(self) -> usize {
        match self {
            RowPlaces::Rows { count, .. } => count,
            RowPlaces::Elements(elements) => elements.len(),
            RowPlaces::Picked { positions, .. } => positions.len(),
        }
    }

    fn fill(self, stream: &Stream, purpose: Purpose, draw: u64, from: usize, words: &mut [u64]) {
        match self {
            RowPlaces::Rows { .. } => stream.fill(purpose, draw, self.number(from), words),
            RowPlaces::Elements(elements) => elements.fill(stream, purpose, draw, from, words),
            RowPlaces::Picked { of, positions } => {
                let picked = &positions[from..from + words.len()];
                let (Some(&first), Some(&last)) = (picked.first(), picked.last()) else {
                    return;
                };
                // A block has four words, so filling short gaps costs as much as single words.
                let span = (last - first) as usize + 1;
                if span > 4 * picked.len() {
                    for (word, &position) in words.iter_mut().zip(picked) {
                        *word = of.draws(stream, purpose, position as usize).word(draw);
                    }
                    return;
                }
                let mut all = vec![0; span];
                of.fill(stream, purpose, draw, first as usize, &mut all);
                for (word, &position) in words.iter_mut().zip(picked) {
                    *word = all[(position - first) as usize];
                }
            }
        }
    }

    fn draws(self, stream: &Stream, purpose: Purpose, position: usize) -> RowStream {
        match self {
            RowPlaces::Rows { .. } => stream.row(purpose, self.number(position)),
            RowPlaces::Elements(elements) => elements.draws(stream, purpose, position),
            RowPlaces::Picked { of, positions } => {
                of.draws(stream, purpose, positions[position] as usize)
            }
        }
    }

    fn number(self, position: usize) -> u64 {
        match self {
            RowPlaces::Rows { first, .. } => first.wrapping_add(position as u64),
            RowPlaces::Elements(elements) => elements.number(position),
            RowPlaces::Picked { of, positions } => of.number(positions[position] as usize),
        }
    }

    fn find(self, number: u64) -> Option<usize> {
        match self {
            RowPlaces::Rows { first, count } => {
                let position = number.checked_sub(first)? as usize;
                (position < count).then_some(position)
            }
            RowPlaces::Elements(_) => None,
            RowPlaces::Picked { of, positions } => {
                let position = of.find(number)? as u32;
                positions.binary_search(&position).ok()
            }
        }
    }

    fn are_elements(self) -> bool {
        match self {
            RowPlaces::Rows { .. } => false,
            RowPlaces::Elements(_) => true,
            RowPlaces::Picked { of, .. } => of.are_elements(),
        }
    }

    fn orders(
        self,
        stream: &Stream,
        purpose: Purpose,
        last: u64,
    ) -> Vec<(Range<usize>, Permutation)> {
        match self {
            RowPlaces::Rows { count, .. } => {
                vec![(0..count, Permutation::new(stream, purpose, 0, last))]
            }
            RowPlaces::Elements(elements) => elements.orders(stream, purpose, last).collect(),
            RowPlaces::Picked { of, positions } => {
                let before = |end: usize| positions.partition_point(|it| (*it as usize) < end);
                let orders = of.orders(stream, purpose, last).into_iter();
                let picked =
                    orders.map(|(rows, order)| (before(rows.start)..before(rows.end), order));
                picked.collect()
            }
        }
    }

    /// The positions of the elements of each list.
    fn tables(self) -> Vec<Range<usize>> {
        match self {
            RowPlaces::Elements(elements) => elements.ranges().collect(),
            rows => iter::once(0..rows.len()).collect(),
        }
    }

    fn lists(self, stretches: impl Iterator<Item = (u32, u32)>) -> ListElements {
        let lists = stretches.enumerate();
        let lists =
            lists.map(|(position, (first, count))| (self.list(position).from(first), count));
        ListElements::new(lists, self.level() + 1)
    }

    /// The address of a list in the row at a position.
    #[inline(always)]
    fn list(self, position: usize) -> ListAddress {
        let (mut places, mut position) = (self, position);
        // Unlike a recursion, a loop can be inlined.
        loop {
            match places {
                RowPlaces::Rows { first, .. } => {
                    return ListAddress::of_row(first.wrapping_add(position as u64));
                }
                RowPlaces::Elements(elements) => return elements.inner(position),
                RowPlaces::Picked { of, positions } => {
                    position = positions[position] as usize;
                    places = *of;
                }
            }
        }
    }

    /// The number of lists around the rows.
    fn level(self) -> u32 {
        match self {
            RowPlaces::Rows { .. } => 0,
            RowPlaces::Elements(elements) => elements.level(),
            RowPlaces::Picked { of, .. } => of.level(),
        }
    }
}

impl<'a> StreamRows<'a> {
    /// Creates the rows `first .. first + count`.
    #[must_use]
    pub fn new(stream: &'a Stream, first: u64, count: usize) -> Self {
        Self::at(stream, RowPlaces::Rows { first, count })
    }

    /// Treats each element as a row.
    #[must_use]
    pub fn of_elements(stream: &'a Stream, elements: &'a ListElements) -> Self {
        Self::at(stream, RowPlaces::Elements(elements))
    }

    /// Creates the same rows of another stream.
    pub(crate) fn at(stream: &'a Stream, places: RowPlaces<'a>) -> Self {
        Self {
            stream,
            places,
            scope: None,
            first_draw: 0,
        }
    }

    /// Sets the columns that the rows can refer to.
    pub(crate) fn with_scope(self, scope: Option<&'a ValueScope<'a>>) -> Self {
        Self { scope, ..self }
    }

    /// Returns the columns that the rows can refer to, if any.
    pub(crate) fn scope(&self) -> Option<&'a ValueScope<'a>> {
        self.scope
    }

    /// Returns the same rows, drawn again for the n-th time.
    pub(crate) fn again(self, n: u64) -> Self {
        let first_draw = n << 32;
        Self { first_draw, ..self }
    }

    pub(crate) fn places(&self) -> RowPlaces<'a> {
        self.places
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns true if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the stream of the rows.
    #[must_use]
    pub fn stream(&self) -> &'a Stream {
        self.stream
    }

    /// Writes one word for each row from position `from` on.
    pub fn fill(&self, purpose: Purpose, draw: u64, from: usize, words: &mut [u64]) {
        let draw = self.first_draw.wrapping_add(draw);
        self.places.fill(self.stream, purpose, draw, from, words);
    }

    /// Returns one word for every row.
    #[must_use]
    pub fn words(&self, purpose: Purpose, draw: u64) -> Vec<u64> {
        let mut words = vec![0; self.len()];
        self.fill(purpose, draw, 0, &mut words);
        words
    }

    /// Returns one word of the row at a position.
    #[must_use]
    pub fn word(&self, purpose: Purpose, position: usize, draw: u64) -> u64 {
        self.draws(purpose, position).word(draw)
    }

    /// Returns the draws of the row at a position.
    #[must_use]
    pub fn draws(&self, purpose: Purpose, position: usize) -> RowStream {
        let draws = self.places.draws(self.stream, purpose, position);
        draws.skipping(self.first_draw)
    }

    /// Returns the number of the row at a position, or of an element within its list. Rows past the
    /// largest ensemble wrap around.
    #[must_use]
    pub fn number(&self, position: usize) -> u64 {
        self.places.number(position)
    }

    /// Returns the position of the row with this number, if included; `None` for elements.
    pub(crate) fn find(&self, number: u64) -> Option<usize> {
        self.places.find(number)
    }

    /// Returns true if the rows are elements of lists.
    pub(crate) fn are_elements(&self) -> bool {
        self.places.are_elements()
    }

    /// Returns the positions of each table's rows (the ensemble's or a list's), each table with a
    /// separate permutation of the numbers up to `last`.
    pub(crate) fn orders(&self, purpose: Purpose, last: u64) -> Vec<(Range<usize>, Permutation)> {
        self.places.orders(self.stream, purpose, last)
    }

    /// Returns the positions of each table's rows: the ensemble's, or each list's.
    pub(crate) fn tables(&self) -> Vec<Range<usize>> {
        self.places.tables()
    }

    /// Returns the elements of a list in each row, given the lengths.
    #[must_use]
    pub fn lists(&self, lengths: &[u32]) -> ListElements {
        debug_assert_eq!(lengths.len(), self.len());
        self.stretches(lengths.iter().map(|length| (0, *length)))
    }

    /// Returns part of a list's elements in each row: from a number on, and a count.
    pub(crate) fn stretches(&self, stretches: impl Iterator<Item = (u32, u32)>) -> ListElements {
        self.places.lists(stretches)
    }
}
