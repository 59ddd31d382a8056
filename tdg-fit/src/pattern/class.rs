//! Classes of characters.

use std::collections::BTreeMap;

/// The kind of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum CharKind {
    Digit,
    Upper,
    Lower,
    Other(char),
}

impl CharKind {
    pub(super) fn from_char(character: char) -> Self {
        match character {
            '0'..='9' => Self::Digit,
            'A'..='Z' => Self::Upper,
            'a'..='z' => Self::Lower,
            other => Self::Other(other),
        }
    }
}

/// The ranges to which characters of a kind are widened, unless only a few of them occur.
const WIDENED: [(char, char); 5] = [('0', '9'), ('A', 'F'), ('a', 'f'), ('A', 'Z'), ('a', 'z')];
/// The average number of occurrences per character that a small class needs.
const OCCURRENCES: usize = 20;
/// The maximum number of characters in a small class.
const FEW: usize = 4;
/// The number of distinct characters above which non-ASCII ones are merged into ranges.
const MOST: usize = 100;
/// The largest gap in such a range: larger than gaps within a script, smaller than most others.
const APART: u32 = 0x100;

/// Characters with their counts, or the ranges they are widened to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Characters {
    seen: BTreeMap<char, usize>,
    ranges: Vec<(char, char)>,
}

impl Characters {
    pub(super) fn add(&mut self, character: char) {
        *self.seen.entry(character).or_default() += 1;
    }

    /// Widens the characters to the ranges they are probably sampled from: some letters become all
    /// letters. If only a few characters occur, they are kept as they are.
    pub(super) fn widened(mut self) -> Self {
        let total: usize = self.seen.values().sum();
        let seen = std::mem::take(&mut self.seen);
        let is_few = seen.len() <= FEW && total >= OCCURRENCES * seen.len();
        if is_few {
            self.ranges = seen.keys().map(|&it| (it, it)).collect();
            return self;
        }
        let has = |from: char, to: char| seen.range(from..=to).next().is_some();
        // Hexadecimal, if there are digits but no letters after `f`.
        let is_hexadecimal = has('0', '9') && total >= OCCURRENCES;
        for (from, to) in WIDENED {
            let is_part = to.eq_ignore_ascii_case(&'f');
            let beyond = if from == 'A' {
                has('G', 'Z')
            } else {
                has('g', 'z')
            };
            let is_wanted = match from {
                '0' => true,
                _ => is_part == (is_hexadecimal && !beyond),
            };
            if has(from, to) && is_wanted {
                self.ranges.push((from, to));
            }
        }
        let are_many = seen.len() > MOST;
        let is_near = |to: char, other: char| u32::from(other) - u32::from(to) <= APART;
        for &other in seen.keys().filter(|it| !it.is_ascii_alphanumeric()) {
            match self.ranges.last_mut() {
                Some((_, to)) if are_many && !to.is_ascii() && is_near(*to, other) => *to = other,
                _ => self.ranges.push((other, other)),
            }
        }
        self.ranges.sort_unstable();
        self
    }

    /// Returns the number of characters in the ranges.
    pub(super) fn count(&self) -> usize {
        let width = |&(from, to): &(char, char)| (u32::from(to) - u32::from(from) + 1) as usize;
        self.ranges.iter().map(width).sum()
    }

    pub(super) fn regex(&self) -> String {
        if let [(from, to)] = self.ranges.as_slice()
            && from == to
        {
            return escaped(*from);
        }
        let range = |&(from, to): &(char, char)| match from {
            _ if from != to => format!("{}-{}", escaped(from), escaped(to)),
            '-' => "\\-".to_owned(),
            _ => escaped(from),
        };
        format!("[{}]", self.ranges.iter().map(range).collect::<String>())
    }
}

/// Returns a character as a literal. A `-` isn't escaped, although a class would need that.
pub(super) fn escaped(character: char) -> String {
    match character {
        character if ".^$*+?()[]{}|\\&~#".contains(character) => format!("\\{character}"),
        character if character.is_control() || (character.is_whitespace() && character != ' ') => {
            format!("\\x{{{:x}}}", u32::from(character))
        }
        character => character.to_string(),
    }
}
