//! The addressing of random bits: the word and block for each row.

use std::convert::Infallible;

use hmac_sha256::Hash;
use rand_core::TryRng;

use super::philox;

/// The version of everything that maps seeds to values: hashing, addressing, samplers, math.
///
/// It is stored with every ensemble. A change that moves a single bit needs a new version, while
/// the old one remains.
pub const SAMPLER_VERSION: u32 = 1;

/// The purpose of a feature's bits. Every purpose has separate bits, so that, for example, adding
/// nulls doesn't change values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u64)]
#[non_exhaustive]
pub enum Purpose {
    /// The value itself
    Value = 0,
    /// The choice of null rows
    Null = 1,
    /// The component of a mixture that the row comes from
    Component = 2,
    /// The order in which rows take unique values
    Unique = 3,
    /// The choice of rows with an edge value
    EdgeRow = 4,
    /// The order in which rows take edge values
    EdgeValue = 5,
    /// The order of the strata
    Stratum = 6,
    /// The choice of rows with a listed value
    ListedRow = 7,
    /// The order in which rows take listed values
    ListedValue = 8,
}

/// The random bits of one feature: an endless table of words, addressed by purpose, row and draw.
///
/// Samplers with one word per row use draw 0. Rejection samplers use draws 0, 1, 2, … of their row.
///
/// ```
/// use tdg_definition::random::{Purpose, Stream};
///
/// let stream = Stream::new(7, "amount");
/// let mut words = [0; 100];
/// stream.fill(Purpose::Value, 0, 1000, &mut words);
/// assert_eq!(words[5], stream.word(Purpose::Value, 1005, 0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// The hashed text of the key.
    text: String,
    key: [u64; 2],
}

impl Stream {
    /// Returns the bits of the feature with this name under this seed.
    ///
    /// The key is the first 16 bytes, read as two little-endian words, of SHA-256 over the UTF-8
    /// text `tdg:<sampler version>:<seed>:<feature name>`, with both numbers in decimal. The name
    /// comes last, so no two triples share a text.
    pub fn new(seed: u64, feature_name: &str) -> Stream {
        Self::from_text(format!("tdg:{SAMPLER_VERSION}:{seed}:{feature_name}"))
    }

    /// Returns the bits of a nested feature: of a member by its name, or of a list's elements with
    /// an empty name.
    ///
    /// The key's text is this one's, U+001F and the name; names can't contain control characters.
    #[must_use]
    pub fn within(&self, name: &str) -> Stream {
        Self::from_text(format!("{}\u{1f}{name}", self.text))
    }

    fn from_text(text: String) -> Stream {
        let digest = Hash::hash(text.as_bytes());
        let (words, _) = digest.as_chunks::<8>();
        Stream {
            text,
            key: [u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1])],
        }
    }

    /// Returns one word: number `row mod 4` of the Philox block with counter (`row / 4`, `draw`,
    /// `purpose`, 0).
    pub fn word(&self, purpose: Purpose, row: u64, draw: u64) -> u64 {
        philox::block(counter(purpose, row, draw), self.key)[lane(row)]
    }

    /// Writes the words of consecutive rows from `first_row` on, which are the same as from
    /// [`word`](Stream::word).
    pub fn fill(&self, purpose: Purpose, draw: u64, first_row: u64, words: &mut [u64]) {
        let mut row = first_row;
        let mut next = || {
            let counter = counter(purpose, row, draw);
            row = row.wrapping_add(4);
            counter
        };
        let lane = lane(first_row);
        // Up to the first whole block, then two blocks at a time, then the rest.
        let (head, words) = words.split_at_mut(words.len().min((4 - lane) % 4));
        if lane > 0 {
            let block = philox::block(next(), self.key);
            head.copy_from_slice(&block[lane..][..head.len()]);
        }
        let (pairs, tail) = words.as_chunks_mut::<8>();
        for pair in pairs {
            *pair = philox::pair(next(), next(), self.key);
        }
        let (blocks, tail) = tail.as_chunks_mut::<4>();
        for words in blocks {
            *words = philox::block(next(), self.key);
        }
        if !tail.is_empty() {
            tail.copy_from_slice(&philox::block(next(), self.key)[..tail.len()]);
        }
    }

    /// Returns the draws 0, 1, 2, … of one row, for samplers with a variable number of draws.
    pub fn row(&self, purpose: Purpose, row: u64) -> RowStream {
        RowStream {
            key: self.key,
            counter: counter(purpose, row, 0),
            lane: lane(row),
        }
    }

    /// Writes the words of `count` list elements from `first` on, and returns how many words of the
    /// next list were added: its first block fills the waiting time of an unpaired last one. Later
    /// words may change too, because copying a few is slow.
    #[inline(always)]
    pub(super) fn fill_elements(
        &self,
        first: ElementAddress,
        count: usize,
        next: Option<ElementAddress>,
        words: &mut [u64],
    ) -> usize {
        let [row, draw, purpose, mut block] = first.counter();
        let mut counter = || {
            let counter = [row, draw, purpose, block];
            block += 1;
            counter
        };
        let first_lane = lane(first.number);
        let head = count.min((4 - first_lane) % 4);
        if head > 0 {
            let block = philox::block(counter(), self.key);
            words[..head].copy_from_slice(&block[first_lane..][..head]);
        }
        let (mut count, mut words) = (count - head, &mut words[head..]);
        while count > 4 && words.len() >= 8 {
            words[..8].copy_from_slice(&philox::pair(counter(), counter(), self.key));
            (count, words) = (count.saturating_sub(8), &mut words[8..]);
        }
        match next.filter(|next| lane(next.number) == 0) {
            _ if count == 0 => 0,
            Some(next) if count <= 4 && words.len() >= count + 4 => {
                let pair = philox::pair(counter(), next.counter(), self.key);
                words[..4].copy_from_slice(&pair[..4]);
                words[count..count + 4].copy_from_slice(&pair[4..]);
                4
            }
            _ => {
                for words in words[..count].chunks_mut(4) {
                    let block = philox::block(counter(), self.key);
                    words.copy_from_slice(&block[..words.len()]);
                }
                0
            }
        }
    }

    /// Returns the draws 0, 1, 2, … of one element.
    pub(super) fn element(&self, address: ElementAddress) -> RowStream {
        RowStream {
            key: self.key,
            counter: address.counter(),
            lane: lane(address.number),
        }
    }
}

/// An element of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementAddress {
    pub(super) row: u64,
    pub(super) draw: u64,
    pub(super) purpose: Purpose,
    /// The enclosing lists of its list.
    pub(super) outer: u64,
    /// The number in its list, from 0.
    pub(super) number: u64,
}

impl ElementAddress {
    /// The counter, whose last word is never 0, unlike for the values of rows.
    fn counter(self) -> [u64; 4] {
        let block = self.outer + self.number / 4 + 1;
        [self.row, self.draw, self.purpose as u64, block]
    }
}

fn counter(purpose: Purpose, row: u64, draw: u64) -> [u64; 4] {
    [row / 4, draw, purpose as u64, 0]
}

fn lane(row: u64) -> usize {
    (row % 4) as usize
}

/// The consecutive draws of one row; created by [`Stream::row`].
///
/// Implements the traits of `rand_core`, so that code written for `rand` can draw from it.
///
/// ```
/// use rand::RngExt;
/// use tdg_definition::random::{Purpose, Stream};
///
/// let mut draws = Stream::new(7, "amount").row(Purpose::Value, 12);
/// let dice = draws.random_range(1..=6);
/// assert!((1..=6).contains(&dice));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowStream {
    key: [u64; 2],
    /// The counter of the next draw.
    counter: [u64; 4],
    lane: usize,
}

impl RowStream {
    /// The word of a draw.
    pub(super) fn word(&self, draw: u64) -> u64 {
        let [row, first, purpose, block] = self.counter;
        let counter = [row, first.wrapping_add(draw), purpose, block];
        philox::block(counter, self.key)[self.lane]
    }

    /// Skips to the draw `first`.
    pub(super) fn skipping(mut self, first: u64) -> Self {
        self.counter[1] = self.counter[1].wrapping_add(first);
        self
    }

    /// Returns the word of the next draw.
    pub fn next_word(&mut self) -> u64 {
        let word = self.word(0);
        self.counter[1] = self.counter[1].wrapping_add(1);
        word
    }
}

/// A `u32` is the upper half of a word; bytes are words in little-endian order, and the rest of the
/// last one is discarded.
impl TryRng for RowStream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next_word() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next_word())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        rand_core::utils::fill_bytes_via_next_word(bytes, || self.try_next_u64())
    }
}
