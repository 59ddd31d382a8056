//! The rows that a sampler draws.

use std::iter;
use std::ops::Range;

use super::elements::ListAddress;
use super::{ListElements, Permutation, Purpose, RowStream, Stream};
use crate::column::ValueScope;

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
    scope: Option<&'a ValueScope<'a>>,
    /// The draw that stands for draw 0.
    first_draw: u64,
}

/// Where rows are, in whatever stream.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowPlaces<'a> {
    Rows {
        first: u64,
        count: usize,
    },
    Elements(&'a ListElements),
    /// Some of others, rising.
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
                // A block has four words: others between them cost as much as single ones.
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

    /// Where a list in the row at that position is.
    #[inline(always)]
    fn list(self, position: usize) -> ListAddress {
        let (mut places, mut position) = (self, position);
        // A loop can be inlined, which a recursion can't.
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

    /// How many lists they are in.
    fn level(self) -> u32 {
        match self {
            RowPlaces::Rows { .. } => 0,
            RowPlaces::Elements(elements) => elements.level(),
            RowPlaces::Picked { of, .. } => of.level(),
        }
    }
}

impl<'a> StreamRows<'a> {
    /// The rows `first .. first + count`.
    #[must_use]
    pub fn new(stream: &'a Stream, first: u64, count: usize) -> Self {
        Self::at(stream, RowPlaces::Rows { first, count })
    }

    /// Elements, of which each is a row.
    #[must_use]
    pub fn of_elements(stream: &'a Stream, elements: &'a ListElements) -> Self {
        Self::at(stream, RowPlaces::Elements(elements))
    }

    /// The same rows of another stream.
    pub(crate) fn at(stream: &'a Stream, places: RowPlaces<'a>) -> Self {
        Self {
            stream,
            places,
            scope: None,
            first_draw: 0,
        }
    }

    /// The same rows, which can refer to what is there.
    pub(crate) fn with_scope(self, scope: Option<&'a ValueScope<'a>>) -> Self {
        Self { scope, ..self }
    }

    /// What they can refer to; nothing where nothing refers.
    pub(crate) fn scope(&self) -> Option<&'a ValueScope<'a>> {
        self.scope
    }

    /// The same rows, drawn again for the n-th time.
    pub(crate) fn again(self, n: u64) -> Self {
        let first_draw = n << 32;
        Self { first_draw, ..self }
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
        let draw = self.first_draw.wrapping_add(draw);
        self.places.fill(self.stream, purpose, draw, from, words);
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
        let draws = self.places.draws(self.stream, purpose, position);
        draws.skipping(self.first_draw)
    }

    /// The number of the row at a position, of an element the number within its list. Rows beyond
    /// the largest ensemble wrap around.
    #[must_use]
    pub fn number(&self, position: usize) -> u64 {
        self.places.number(position)
    }

    /// The position of the row of that number, if it is one of them; elements have none.
    pub(crate) fn find(&self, number: u64) -> Option<usize> {
        self.places.find(number)
    }

    /// Whether they are elements of lists.
    pub(crate) fn are_elements(&self) -> bool {
        self.places.are_elements()
    }

    /// The rows of each table, that is of the ensemble or of a list, by their positions, with a
    /// permutation of its own of the numbers up to `last`.
    pub(crate) fn orders(&self, purpose: Purpose, last: u64) -> Vec<(Range<usize>, Permutation)> {
        self.places.orders(self.stream, purpose, last)
    }

    /// The rows of each table by their positions: of the ensemble, or of each list.
    pub(crate) fn tables(&self) -> Vec<Range<usize>> {
        self.places.tables()
    }

    /// The elements of a list in each row, by their lengths.
    #[must_use]
    pub fn lists(&self, lengths: &[u32]) -> ListElements {
        debug_assert_eq!(lengths.len(), self.len());
        self.stretches(lengths.iter().map(|length| (0, *length)))
    }

    /// Some elements of a list in each row: from that number on, and so many.
    pub(crate) fn stretches(&self, stretches: impl Iterator<Item = (u32, u32)>) -> ListElements {
        self.places.lists(stretches)
    }
}
