//! Rows that are drawn together.

use std::ops::Range;

use crate::checkpoint;
use crate::column::{Cells, Column, ValueScope};
use crate::feature::Feature;
use crate::random::{Purpose, RowPlaces, Stream, StreamRows};

/// Some rows of an ensemble, with the random words of all features.
pub(crate) struct DrawnRows<'a> {
    features: &'a [Feature],
    streams: Vec<Stream>,
    /// The size of the whole ensemble.
    size: u64,
    places: RowPlaces<'a>,
    scope: Option<&'a ValueScope<'a>>,
}

impl<'a> DrawnRows<'a> {
    pub(crate) fn new(features: &'a [Feature], seed: u64, size: u64, rows: Range<u64>) -> Self {
        let stream = |feature: &Feature| Stream::new(seed, feature.name());
        Self {
            features,
            streams: features.iter().map(stream).collect(),
            size,
            places: RowPlaces::Rows {
                first: rows.start,
                count: rows.end.saturating_sub(rows.start) as usize,
            },
            scope: None,
        }
    }

    /// Creates rows for features nested in those of `rows`.
    pub(crate) fn within(features: &'a [Feature], rows: &StreamRows<'a>) -> Self {
        let stream = |feature: &Feature| rows.stream().within(feature.name());
        Self {
            features,
            streams: features.iter().map(stream).collect(),
            size: rows.len() as u64,
            places: rows.places(),
            scope: rows.scope(),
        }
    }

    /// The features of the definition.
    pub(super) fn features(&self) -> &'a [Feature] {
        self.features
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
    fn of(&self, position: usize) -> StreamRows<'_> {
        StreamRows::at(&self.streams[position], self.places).with_scope(self.scope)
    }

    /// The values of each feature. A list in an order has its length instead, and computed features
    /// are `None`.
    pub(super) fn cells(
        &self,
        words: &Supplied,
        computed: &[usize],
        is_in_order: impl Fn(usize) -> bool,
    ) -> Vec<Option<Cells>> {
        let cells = |(position, feature): (usize, &Feature)| {
            checkpoint();
            let (rows, words) = (self.of(position), words.of(position));
            let list = feature.distribution().list();
            match list.filter(|_| is_in_order(position)) {
                Some(list) => Some(list.lengths(&rows, words)),
                None if computed.contains(&position) => None,
                None => Some(feature.cells(&rows, words)),
            }
        };
        self.features.iter().enumerate().map(cells).collect()
    }

    /// The columns of these values, followed by those computed from others, in that order.
    pub(super) fn columns(
        &self,
        mut cells: Vec<Option<Cells>>,
        words: &Supplied,
        computed: &[usize],
    ) -> Vec<Column> {
        let column = |(position, cells): (usize, &mut Option<Cells>)| {
            checkpoint();
            let supplied = words.nulls_of(position);
            let cells = cells.take_if(|_| !computed.contains(&position))?;
            Some(self.features[position].column(&self.of(position), cells, supplied))
        };
        let mut columns: Vec<_> = cells.iter_mut().enumerate().map(column).collect();
        let names: Vec<&str> = match computed {
            [] => Vec::new(),
            _ => self.features.iter().map(Feature::name).collect(),
        };
        for &position in computed {
            checkpoint();
            let scope = ValueScope::beside(&names, &columns, self.scope);
            let rows = self.of(position).with_scope(Some(&scope));
            let feature = &self.features[position];
            let lengths = cells[position].take();
            let cells = lengths.unwrap_or_else(|| feature.cells(&rows, words.of(position)));
            columns[position] = Some(feature.column(&rows, cells, words.nulls_of(position)));
        }
        columns.into_iter().flatten().collect()
    }
}

/// The words supplied by relations: one for each row, for some of the features.
pub(crate) struct Supplied {
    values: Vec<Option<Vec<u64>>>,
    nulls: Vec<Option<Vec<u64>>>,
}

impl Supplied {
    pub(super) fn new(rows: &DrawnRows<'_>) -> Self {
        let none = vec![None; rows.features.len()];
        Self {
            values: none.clone(),
            nulls: none,
        }
    }

    /// The words supplied for values of the feature at `position`; `None` if it uses its own.
    pub(super) fn of(&self, position: usize) -> Option<&[u64]> {
        self.values[position].as_deref()
    }

    /// Supplies words for values of the feature at `position`.
    pub(super) fn set(&mut self, position: usize, words: Vec<u64>) {
        self.values[position] = Some(words);
    }

    /// The words supplied to decide which rows of the feature at `position` are null; `None` if
    /// it uses its own.
    pub(super) fn nulls_of(&self, position: usize) -> Option<&[u64]> {
        self.nulls[position].as_deref()
    }

    /// Supplies the words that decide which rows of the feature at `position` are null.
    pub(super) fn set_nulls(&mut self, position: usize, words: Vec<u64>) {
        self.nulls[position] = Some(words);
    }
}
