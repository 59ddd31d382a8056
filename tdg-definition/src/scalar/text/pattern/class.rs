//! Sets of characters.

use crate::sort;

/// Characters in rising order, as ranges that neither touch nor overlap; never empty.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CharacterClass {
    ranges: Vec<(char, char)>,
}

/// The characters of `.` and of negated classes.
pub(super) const PRINTABLE: (char, char) = (' ', '~');

impl CharacterClass {
    /// Creates a class from ranges in any order; `None` without ranges.
    pub(super) fn from_ranges(mut ranges: Vec<(char, char)>) -> Option<Self> {
        sort::by(&mut ranges, Ord::cmp);
        let mut apart: Vec<(char, char)> = Vec::new();
        for (first, last) in ranges {
            match apart.last_mut() {
                Some((_, end)) if first <= *end || position(first) == position(*end) + 1 => {
                    *end = (*end).max(last);
                }
                _ => apart.push((first, last)),
            }
        }
        (!apart.is_empty()).then_some(Self { ranges: apart })
    }

    /// The class `\d`, `\w` or `\s`; in upper case, the other characters of [`PRINTABLE`].
    pub(super) fn escaped(letter: char) -> Option<Vec<(char, char)>> {
        let ranges: &[(char, char)] = match letter.to_ascii_lowercase() {
            'd' => &[('0', '9')],
            'w' => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
            's' => &[('\t', '\r'), (' ', ' ')],
            _ => return None,
        };
        if letter.is_ascii_uppercase() {
            return Some(Self::rest(ranges));
        }
        Some(ranges.to_vec())
    }

    /// The class with this POSIX name (`[:alpha:]`) or one-letter Unicode category (`\p{L}`),
    /// within [`PRINTABLE`].
    pub(super) fn named(name: &str) -> Option<Vec<(char, char)>> {
        let holds: fn(&char) -> bool = match name {
            "alpha" | "L" => char::is_ascii_alphabetic,
            "upper" | "Lu" => char::is_ascii_uppercase,
            "lower" | "Ll" => char::is_ascii_lowercase,
            "digit" | "N" | "Nd" => char::is_ascii_digit,
            "alnum" => char::is_ascii_alphanumeric,
            "xdigit" => char::is_ascii_hexdigit,
            "punct" => char::is_ascii_punctuation,
            "S" => is_symbol,
            "P" => |character| character.is_ascii_punctuation() && !is_symbol(character),
            _ => return None,
        };
        let (first, last) = PRINTABLE;
        Some((first..=last).filter(holds).map(|c| (c, c)).collect())
    }

    /// The characters of [`PRINTABLE`] outside the ranges.
    pub(super) fn rest(ranges: &[(char, char)]) -> Vec<(char, char)> {
        let (first, last) = PRINTABLE;
        let left = |character: &char| {
            !ranges
                .iter()
                .any(|(first, last)| (first..=last).contains(&character))
        };
        (first..=last).filter(left).map(|c| (c, c)).collect()
    }

    /// The number of characters.
    pub(super) fn size(&self) -> u64 {
        self.ranges.iter().map(|&range| size(range)).sum()
    }

    /// The character at `index` in rising order; the index is below [`size`](Self::size).
    pub(super) fn character(&self, index: u64) -> char {
        let mut index = index;
        for &range in &self.ranges {
            if index < size(range) {
                return at(position(range.0) + index as u32);
            }
            index -= size(range);
        }
        self.ranges[0].0
    }

    /// Returns true if the class contains the character.
    pub(super) fn has(&self, character: char) -> bool {
        let mut ranges = self.ranges.iter();
        ranges.any(|(first, last)| (first..=last).contains(&&character))
    }

    /// A letter or a digit if possible, otherwise the first character.
    pub(super) fn plainest(&self) -> char {
        let plain = ['a', 'A', '0'].into_iter();
        let ranges = self.ranges.iter().map(|range| range.0);
        let alphanumeric = ranges.filter(char::is_ascii_alphanumeric);
        plain
            .filter(|character| self.has(*character))
            .chain(alphanumeric)
            .next()
            .unwrap_or(self.ranges[0].0)
    }

    /// The last character.
    pub(super) fn last(&self) -> char {
        self.ranges[self.ranges.len() - 1].1
    }

    /// The character, if there is only one.
    pub(super) fn single(&self) -> Option<char> {
        (self.size() == 1).then(|| self.ranges[0].0)
    }

    /// The largest number of bytes in a character.
    pub(super) fn longest(&self) -> u64 {
        let lengths = self.ranges.iter().map(|(_, last)| last.len_utf8() as u64);
        lengths.max().unwrap_or(0)
    }
}

/// `$+<=>^`|~`, the ASCII characters of Unicode's categories Sc, Sk and Sm.
fn is_symbol(character: &char) -> bool {
    "$+<=>^`|~".contains(*character)
}

fn size((first, last): (char, char)) -> u64 {
    u64::from(position(last) - position(first) + 1)
}

/// The number of surrogates between U+D7FF and U+E000, which are not characters.
const SURROGATES: u32 = 0x800;

/// The character's position among all characters, whose numbers have a gap.
fn position(character: char) -> u32 {
    let number = u32::from(character);
    if number < 0xD800 {
        number
    } else {
        number - SURROGATES
    }
}

fn at(position: u32) -> char {
    let number = if position < 0xD800 {
        position
    } else {
        position + SURROGATES
    };
    char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER)
}
