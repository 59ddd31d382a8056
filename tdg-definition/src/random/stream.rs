//! Which word of which block belongs to which row: the addressing of random bits.

use std::convert::Infallible;

use hmac_sha256::Hash;
use rand_core::TryRng;

use super::philox;

/// The version of everything that determines the values of a seed: hashing, addressing, samplers,
/// math.
///
/// It is stored with every ensemble. A change that moves a single bit is a new version, and the old
/// one stays.
pub const SAMPLER_VERSION: u32 = 1;

/// The purpose of a feature's bits. Every purpose has its own bits, so that, for example, adding
/// nulls changes no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u64)]
#[non_exhaustive]
pub enum Purpose {
    /// The value itself.
    Value = 0,
    /// Whether the row is null.
    Null = 1,
    /// Which component of a mixture the row comes from.
    Component = 2,
    /// The order in which rows take values that are unique.
    Unique = 3,
    /// Which rows take an edge value.
    EdgeRow = 4,
    /// In which order they take them.
    EdgeValue = 5,
    /// The order of the strata.
    Stratum = 6,
    /// Which rows take a value that the definition lists.
    ListedRow = 7,
    /// In which order they take them.
    ListedValue = 8,
}

/// The random bits of one feature: an endless table of words, addressed by purpose, row and draw.
///
/// A sampler with one word per row uses draw 0. Samplers that reject use draws 0, 1, 2, … of their
/// row.
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
    /// The text that the key is a hash of.
    text: String,
    key: [u64; 2],
}

impl Stream {
    /// The bits of the feature with this name under this seed.
    ///
    /// The key is the first 16 bytes, read as two little-endian words, of SHA-256 over the UTF-8
    /// text `tdg:<sampler version>:<seed>:<feature name>`, both numbers in decimal. The name comes
    /// last, so no two triples share a text.
    pub fn new(seed: u64, feature_name: &str) -> Stream {
        Self::of(format!("tdg:{SAMPLER_VERSION}:{seed}:{feature_name}"))
    }

    /// The bits of a feature within this one: of a member by its name, of the elements of a list
    /// without a name.
    ///
    /// The key's text is this one's, U+001F and the name; names have no control characters.
    #[must_use]
    pub fn within(&self, name: &str) -> Stream {
        Self::of(format!("{}\u{1f}{name}", self.text))
    }

    fn of(text: String) -> Stream {
        let digest = Hash::hash(text.as_bytes());
        let (words, _) = digest.as_chunks::<8>();
        Stream {
            text,
            key: [u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1])],
        }
    }

    /// One word: number `row mod 4` of the Philox block with counter (`row / 4`, `draw`, `purpose`,
    /// 0).
    pub fn word(&self, purpose: Purpose, row: u64, draw: u64) -> u64 {
        philox::block(counter(purpose, row, draw), self.key)[lane(row)]
    }

    /// The words of consecutive rows from `first_row` on, the same as [`word`](Stream::word) gives
    /// one by one.
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

    /// The draws 0, 1, 2, … of one row, for samplers that don't know beforehand how many they need.
    pub fn row(&self, purpose: Purpose, row: u64) -> RowStream {
        RowStream {
            key: self.key,
            counter: counter(purpose, row, 0),
            lane: lane(row),
        }
    }

    /// The words of so many elements of a list from that one on, and how many of the next list are
    /// there as well: its first block fills the waiting time of a last one without a pair. Words
    /// after these may change too, because a few are slow to copy.
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

    /// The draws 0, 1, 2, … of one element.
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
    /// The lists around its list.
    pub(super) outer: u64,
    /// In its list, from 0.
    pub(super) number: u64,
}

impl ElementAddress {
    /// The last word is never 0, which it is for the values of rows.
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

/// The draws of one row, one after another; made by [`Stream::row`].
///
/// It implements the traits of `rand_core`, so that everything written for `rand` can draw from it.
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
    /// Of the next draw.
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

    /// From that draw on.
    pub(super) fn skipping(mut self, first: u64) -> Self {
        self.counter[1] = self.counter[1].wrapping_add(first);
        self
    }

    /// The word of the next draw.
    pub fn next_word(&mut self) -> u64 {
        let word = self.word(0);
        self.counter[1] = self.counter[1].wrapping_add(1);
        word
    }
}

/// A `u32` is the upper half of a word; bytes are words in little-endian order, what is left of the
/// last one discarded.
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
