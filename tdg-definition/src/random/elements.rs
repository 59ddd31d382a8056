//! The addressing of words by the elements of lists.

use std::ops::Range;

use super::permutation::{Permutation, ROUNDS};
use super::stream::ElementAddress;
use super::{Purpose, RowStream, Stream};

/// The elements of several lists, list by list.
///
/// An element's words don't depend on the length of its list or of others: a longer list begins
/// with the elements of a shorter one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListElements {
    /// Each list with the position after its last element.
    lists: Vec<(ListAddress, usize)>,
    /// The nesting depth of the lists, from 1.
    level: u32,
}

/// The address of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ListAddress {
    row: u64,
    /// The enclosing lists: the number of the element in each, plus 1, in 16 bits.
    outer: u64,
    /// The number of its first element.
    first: u32,
}

impl ListAddress {
    /// The address of a list in a row, outside other lists.
    pub(super) fn of_row(row: u64) -> Self {
        let (outer, first) = (0, 0);
        Self { row, outer, first }
    }

    /// The address of its elements from number `first` on.
    pub(super) fn from(self, first: u32) -> Self {
        Self { first, ..self }
    }

    /// The address of the element `count` places after the first.
    #[inline(always)]
    fn element(self, count: usize, purpose: Purpose, draw: u64) -> ElementAddress {
        ElementAddress {
            row: self.row,
            draw,
            purpose,
            outer: self.outer,
            number: u64::from(self.first) + count as u64,
        }
    }
}

impl ListElements {
    /// The deepest nesting of lists.
    pub const LEVELS: u32 = 4;

    /// The address of a list within the element at a position.
    pub(super) fn inner(&self, position: usize) -> ListAddress {
        debug_assert!(self.level < Self::LEVELS);
        let (ListAddress { row, outer, .. }, _) = self.lists[self.list_at(position)];
        let outer = outer + ((self.number(position) + 1) << (16 * self.level));
        let first = 0;
        ListAddress { row, outer, first }
    }

    /// The nesting depth of the lists, from 1.
    pub(super) fn level(&self) -> u32 {
        self.level
    }

    pub(super) fn new(lists: impl Iterator<Item = (ListAddress, u32)>, level: u32) -> Self {
        let mut end = 0;
        let lists = lists.map(|(list, length)| {
            end += length as usize;
            (list, end)
        });
        let lists = lists.collect();
        Self { lists, level }
    }

    /// Returns the total number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start(self.lists.len())
    }

    /// Returns true if there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn fill(
        &self,
        stream: &Stream,
        purpose: Purpose,
        draw: u64,
        from: usize,
        words: &mut [u64],
    ) {
        let mut list = self.list_at(from);
        let mut number = from - self.start(list);
        // The number of words written, and how many of those are the current list's.
        let (mut done, mut ahead) = (0, 0);
        while done < words.len() {
            let (address, end) = self.lists[list];
            let count = words.len().min(end - from) - done;
            ahead = match count.checked_sub(ahead) {
                None | Some(0) => 0,
                Some(missing) => {
                    let first = address.element(number + ahead, purpose, draw);
                    let next = self.lists.get(list + 1);
                    let next = next.map(|(next, _)| next.element(0, purpose, draw));
                    stream.fill_elements(first, missing, next, &mut words[done + ahead..])
                }
            };
            done += count;
            (list, number) = (list + 1, 0);
        }
    }

    pub(super) fn draws(&self, stream: &Stream, purpose: Purpose, position: usize) -> RowStream {
        let list = self.list_at(position);
        let number = position - self.start(list);
        stream.element(self.lists[list].0.element(number, purpose, 0))
    }

    /// The elements of each list, with a permutation keyed by the words of its first elements.
    pub(super) fn orders(
        &self,
        stream: &Stream,
        purpose: Purpose,
        last: u64,
    ) -> impl Iterator<Item = (Range<usize>, Permutation)> {
        self.lists
            .iter()
            .zip(self.ranges())
            .map(move |((list, _), positions)| {
                let mut keys = [0; ROUNDS];
                stream.fill_elements(list.element(0, purpose, 0), ROUNDS, None, &mut keys);
                (positions, Permutation::with_keys(keys, last))
            })
    }

    /// The positions of the elements of each list.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.lists.len()).map(|list| self.start(list)..self.start(list + 1))
    }

    /// The number of the element at a position within its list, from 0.
    pub(super) fn number(&self, position: usize) -> u64 {
        let list = self.list_at(position);
        u64::from(self.lists[list].0.first) + (position - self.start(list)) as u64
    }

    /// The list of the element at a position.
    fn list_at(&self, position: usize) -> usize {
        self.lists.partition_point(|&(_, end)| end <= position)
    }

    /// The position of a list's first element.
    fn start(&self, list: usize) -> usize {
        list.checked_sub(1).map_or(0, |before| self.lists[before].1)
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
        fn words_are_the_same_one_by_one_and_together(
            stretches in prop::collection::vec((0..9_u32, 0..20_u32), 1..12),
            first: u64,
            from in 0..30_usize,
            count in 0..60_usize,
        ) {
            let stream = Stream::new(7, "x");
            let rows = StreamRows::new(&stream, first, stretches.len());
            let elements = rows.stretches(stretches.into_iter());
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
