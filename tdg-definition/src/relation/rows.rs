//! Rows that are drawn together.

use std::ops::Range;

use crate::column::ValueScope;
use crate::random::{Purpose, RowPlaces, Stream, StreamRows};

/// Some rows of an ensemble, with the random words of all features.
pub(crate) struct DrawnRows<'a> {
    streams: Vec<Stream>,
    /// The size of the whole ensemble.
    size: u64,
    places: RowPlaces<'a>,
    scope: Option<&'a ValueScope<'a>>,
}

impl<'a> DrawnRows<'a> {
    /// Creates rows for features with these names.
    pub(crate) fn new<'n>(
        names: impl Iterator<Item = &'n str>,
        seed: u64,
        size: u64,
        rows: Range<u64>,
    ) -> Self {
        Self {
            streams: names.map(|name| Stream::new(seed, name)).collect(),
            size,
            places: RowPlaces::Rows {
                first: rows.start,
                count: rows.end.saturating_sub(rows.start) as usize,
            },
            scope: None,
        }
    }

    /// Creates rows for nested features with these names.
    pub(crate) fn within<'n>(names: impl Iterator<Item = &'n str>, rows: &StreamRows<'a>) -> Self {
        let stream = rows.stream();
        Self {
            streams: names.map(|name| stream.within(name)).collect(),
            size: rows.len() as u64,
            places: rows.places(),
            scope: rows.scope(),
        }
    }

    /// The columns that the rows can refer to.
    pub(crate) fn scope(&self) -> Option<&'a ValueScope<'a>> {
        self.scope
    }

    /// The number of rows in the whole ensemble.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// The number of these rows.
    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// The number of the first of these rows.
    pub(super) fn first(&self) -> u64 {
        match self.places {
            RowPlaces::Rows { first, .. } => first,
            RowPlaces::Elements(_) | RowPlaces::Picked { .. } => 0,
        }
    }

    /// The stream of the feature at `position`.
    pub(super) fn stream(&self, position: usize) -> &Stream {
        &self.streams[position]
    }

    /// The default words for the values of the feature at `position`.
    pub(super) fn own_words(&self, position: usize) -> Vec<u64> {
        self.of(position).words(Purpose::Value, 0)
    }

    /// The default words that decide which rows of the feature at `position` are null.
    pub(super) fn own_null_words(&self, position: usize) -> Vec<u64> {
        self.of(position).words(Purpose::Null, 0)
    }

    /// The rows of the feature at `position`.
    pub(crate) fn of(&self, position: usize) -> StreamRows<'_> {
        StreamRows::at(&self.streams[position], self.places).with_scope(self.scope)
    }
}

/// The words supplied by relations: one for each row, for some of the features.
pub(crate) struct Supplied {
    values: Vec<Option<Vec<u64>>>,
    nulls: Vec<Option<Vec<u64>>>,
}

impl Supplied {
    pub(super) fn new(rows: &DrawnRows<'_>) -> Self {
        let none = vec![None; rows.streams.len()];
        Self {
            values: none.clone(),
            nulls: none,
        }
    }

    /// The words supplied for values of the feature at `position`; `None` if it uses its own.
    pub(crate) fn of(&self, position: usize) -> Option<&[u64]> {
        self.values[position].as_deref()
    }

    /// Supplies words for values of the feature at `position`.
    pub(super) fn set(&mut self, position: usize, words: Vec<u64>) {
        self.values[position] = Some(words);
    }

    /// The words supplied to decide which rows of the feature at `position` are null; `None` if
    /// it uses its own.
    pub(crate) fn nulls_of(&self, position: usize) -> Option<&[u64]> {
        self.nulls[position].as_deref()
    }

    /// Supplies the words that decide which rows of the feature at `position` are null.
    pub(super) fn set_nulls(&mut self, position: usize, words: Vec<u64>) {
        self.nulls[position] = Some(words);
    }
}
