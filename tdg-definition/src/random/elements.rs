//! Which words belong to which element of a list.

use std::ops::Range;

use super::permutation::{Permutation, ROUNDS};
use super::stream::ElementAddress;
use super::{Purpose, RowStream, Stream};

/// The elements of some lists, all those of one list before those of the next.
///
/// An element has words of its own, whatever the lengths of its list and of others are: a longer
/// list begins with the elements of a shorter one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListElements {
    /// Each with the positions of its elements.
    lists: Vec<(ListAddress, Range<usize>)>,
    /// How deep the lists are in each other, from 1.
    level: u32,
}

/// Where a list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ListAddress {
    row: u64,
    /// The lists around this one: for each, the number of the element, plus 1, in 16 bits.
    outer: u64,
    /// The number of its first element.
    first: u64,
}

impl ListAddress {
    /// Of a list in a row, and in no other list.
    pub(super) fn of_row(row: u64) -> Self {
        let (outer, first) = (0, 0);
        Self { row, outer, first }
    }

    /// Of its elements from that number on.
    pub(super) fn from(self, first: u32) -> Self {
        let first = first.into();
        Self { first, ..self }
    }

    /// Of so many elements after its first.
    fn element(self, count: usize, purpose: Purpose, draw: u64) -> ElementAddress {
        ElementAddress {
            row: self.row,
            draw,
            purpose,
            outer: self.outer,
            number: self.first + count as u64,
        }
    }
}

impl ListElements {
    /// How deep lists can be in each other.
    pub const LEVELS: u32 = 4;

    /// Where a list within the element at that position is.
    pub(super) fn inner(&self, position: usize) -> ListAddress {
        debug_assert!(self.level < Self::LEVELS);
        let &(ListAddress { row, outer, .. }, _) = self.find(position);
        let outer = outer + ((self.number(position) + 1) << (16 * self.level));
        let first = 0;
        ListAddress { row, outer, first }
    }

    /// How deep the lists are in each other, from 1.
    pub(super) fn level(&self) -> u32 {
        self.level
    }

    pub(super) fn new(lists: impl Iterator<Item = (ListAddress, u32)>, level: u32) -> Self {
        let mut end = 0;
        let lists = lists.map(|(list, length)| {
            let start = end;
            end += length as usize;
            (list, start..end)
        });
        let lists = lists.collect();
        Self { lists, level }
    }

    /// How many elements all lists have together.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lists.last().map_or(0, |(_, positions)| positions.end)
    }

    /// Whether there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn fill(
        &self,
        stream: &Stream,
        purpose: Purpose,
        draw: u64,
        mut from: usize,
        mut words: &mut [u64],
    ) {
        for (list, positions) in &self.lists[self.list_at(from)..] {
            let count = words.len().min(positions.end - from);
            let first = list.element(from - positions.start, purpose, draw);
            stream.fill_elements(first, count, words);
            words = &mut words[count..];
            from = positions.end;
            if words.is_empty() {
                break;
            }
        }
    }

    pub(super) fn draws(&self, stream: &Stream, purpose: Purpose, position: usize) -> RowStream {
        let (list, positions) = self.find(position);
        stream.element(list.element(position - positions.start, purpose, 0))
    }

    /// The elements of each list, with the permutation whose keys are the words of its first ones.
    pub(super) fn orders(
        &self,
        stream: &Stream,
        purpose: Purpose,
        last: u64,
    ) -> impl Iterator<Item = (Range<usize>, Permutation)> {
        self.lists.iter().map(move |(list, positions)| {
            let mut keys = [0; ROUNDS];
            stream.fill_elements(list.element(0, purpose, 0), ROUNDS, &mut keys);
            (positions.clone(), Permutation::with_keys(keys, last))
        })
    }

    /// The positions of the elements of each list.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.lists.iter().map(|(_, positions)| positions.clone())
    }

    /// The number of the element at a position within its list, from 0.
    pub(super) fn number(&self, position: usize) -> u64 {
        let (list, positions) = self.find(position);
        list.first + (position - positions.start) as u64
    }

    /// The list of the element at a position.
    fn find(&self, position: usize) -> &(ListAddress, Range<usize>) {
        &self.lists[self.list_at(position)]
    }

    fn list_at(&self, position: usize) -> usize {
        self.lists
            .partition_point(|(_, positions)| positions.end <= position)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::random::StreamRows;

    fn lengths() -> impl Strategy<Value = Vec<u32>> {
        prop::collection::vec(0..20_u32, 1..12)
    }

    proptest! {
        #[test]
        fn words_are_the_same_one_by_one_and_together(lengths in lengths(), first: u64, from in 0..30_usize, count in 0..60_usize) {
            let stream = Stream::new(7, "x");
            let elements = StreamRows::new(&stream, first, lengths.len()).lists(&lengths);
            let rows = StreamRows::of_elements(&stream, &elements);
            let words = rows.words(Purpose::Value, 3);
            for (position, word) in words.iter().enumerate() {
                prop_assert_eq!(*word, rows.word(Purpose::Value, position, 3));
            }
            let from = from.min(words.len());
            let to = (from + count).min(words.len());
            let mut some = vec![0; to - from];
            rows.fill(Purpose::Value, 3, from, &mut some);
            prop_assert_eq!(&words[from..to], some);
        }

        #[test]
        fn a_longer_list_begins_with_the_shorter_one(lengths in lengths(), more in 1..20_u32) {
            let stream = Stream::new(7, "x");
            let words = |lengths: &[u32]| -> Vec<Vec<u64>> {
                let elements = StreamRows::new(&stream, 0, lengths.len()).lists(lengths);
                let words = StreamRows::of_elements(&stream, &elements).words(Purpose::Value, 0);
                let mut words = words.into_iter();
                let of_list = |length: &u32| words.by_ref().take(*length as usize).collect();
                lengths.iter().map(of_list).collect()
            };
            let longer: Vec<u32> = lengths.iter().map(|length| length + more).collect();
            for (short, long) in words(&lengths).iter().zip(words(&longer)) {
                prop_assert_eq!(&long[..short.len()], short);
            }
        }
    }

    #[test]
    fn no_word_belongs_to_two_elements() {
        let stream = Stream::new(7, "x");
        let rows = StreamRows::new(&stream, 0, 9);
        let mut words: HashSet<u64> = rows.words(Purpose::Value, 0).into_iter().collect();
        let mut count = words.len();
        let mut elements = rows.lists(&[5; 9]);
        for level in 1.. {
            let rows = StreamRows::of_elements(&stream, &elements);
            words.extend(rows.words(Purpose::Value, 0));
            count += elements.len();
            if level == ListElements::LEVELS {
                break;
            }
            elements = rows.lists(&vec![5; elements.len()]);
        }
        assert_eq!((count, words.len()), (9 * (1 + 5 + 25 + 125 + 625), count));
    }

    #[test]
    fn elements_are_numbered_in_their_list() {
        let stream = Stream::new(7, "x");
        let elements = StreamRows::new(&stream, 4, 3).lists(&[2, 0, 3]);
        let rows = StreamRows::of_elements(&stream, &elements);
        let numbers: Vec<u64> = (0..rows.len()).map(|it| rows.number(it)).collect();
        assert_eq!(numbers, [0, 1, 0, 1, 2]);
    }
}
