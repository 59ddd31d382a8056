//! Parsing of escaped characters and classes in brackets.

use super::{Parser, PatternFault, fault, number};
use crate::scalar::text::pattern::class::CharacterClass;

impl Parser {
    /// Parses an escape after the `\` into the characters that it denotes.
    pub(super) fn escaped(&mut self, start: usize) -> Result<Vec<(char, char)>, PatternFault> {
        let unfinished = |_| fault(start, "`\\` at the end; write `\\\\` for the character");
        let character = self.take().map_err(unfinished)?;
        if let Some(ranges) = CharacterClass::escaped(character) {
            return Ok(ranges);
        }
        let character = match character {
            'p' | 'P' => return self.category(start, character == 'P'),
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'x' | 'u' => self.numbered(start, if character == 'x' { 2 } else { 4 })?,
            letter if letter.is_ascii_alphanumeric() => {
                return Err(fault(start, format!("`\\{letter}` is unknown")));
            }
            plain if !plain.is_ascii() || "<>".contains(plain) => {
                let message = format!("`\\{plain}` is unknown; write `{plain}` for the character");
                return Err(fault(start, message));
            }
            mark => mark,
        };
        Ok(vec![(character, character)])
    }

    /// Parses the number after `\x` or `\u`: `digits` hexadecimal digits, or any number in braces.
    fn numbered(&mut self, start: usize, digits: usize) -> Result<char, PatternFault> {
        let mut written = String::new();
        if self.skip('{') {
            let unfinished = |_| fault(start, "unclosed `{`");
            while !self.skip('}') {
                written.push(self.take().map_err(unfinished)?);
            }
        } else {
            let unfinished = |_| fault(start, format!("{digits} hexadecimal digits must follow"));
            for _ in 0..digits {
                written.push(self.take().map_err(unfinished)?);
            }
        }
        let code = number(&written, 16);
        match code.and_then(char::from_u32) {
            Some(character) => Ok(character),
            None => {
                let message = format!("`{written}` is not a code point");
                Err(fault(start, message))
            }
        }
    }

    /// Parses a category after `\p` or `\P`.
    fn category(&mut self, start: usize, negated: bool) -> Result<Vec<(char, char)>, PatternFault> {
        let mut name = String::new();
        let unfinished = |_| fault(start, "unclosed category");
        if self.skip('{') {
            while !self.skip('}') {
                name.push(self.take().map_err(unfinished)?);
            }
        } else {
            name.push(self.take().map_err(unfinished)?);
        }
        let letter_first = name.starts_with(|first: char| first.is_ascii_uppercase());
        match CharacterClass::named(&name).filter(|_| letter_first) {
            Some(ranges) if negated => Ok(CharacterClass::rest(&ranges)),
            Some(ranges) => Ok(ranges),
            None => {
                let message = format!(
                    "unknown category `{name}`; the categories are L, Lu, Ll, N, Nd, P and S, \
                     within printable ASCII; list other characters in brackets"
                );
                Err(fault(start, message))
            }
        }
    }

    /// Parses a class after its `[`.
    pub(super) fn class(&mut self, start: usize) -> Result<Vec<(char, char)>, PatternFault> {
        let unfinished = |_| fault(start, "unclosed `[`; write `\\[` for the character");
        let negated = self.skip('^');
        let mut ranges = Vec::new();
        // At the start, `-` (repeatedly) and `]` are literal and don't begin a range.
        while self.skip('-') {
            ranges.push(('-', '-'));
        }
        if ranges.is_empty() && self.skip(']') {
            ranges.push((']', ']'));
        }
        loop {
            let at = self.next;
            let character = self.take().map_err(unfinished)?;
            let set = match character {
                ']' => break,
                '[' => self.posix(at)?,
                '\\' => self.escaped(at)?,
                '&' | '~' | '-' if self.peek() == Some(character) => {
                    let message = format!(
                        "operations on classes are not supported; write `\\{character}` for the character"
                    );
                    return Err(fault(at, message));
                }
                _ => vec![(character, character)],
            };
            let after = self.characters.get(self.next + 1);
            if self.peek() == Some('-') && !matches!(after, Some(']' | '-')) {
                ranges.push(self.range(at, &set)?);
            } else {
                ranges.extend(set);
            }
        }
        Ok(if negated {
            CharacterClass::rest(&ranges)
        } else {
            ranges
        })
    }

    /// Parses the end of a range whose start was read; `-` is next.
    fn range(&mut self, start: usize, from: &[(char, char)]) -> Result<(char, char), PatternFault> {
        self.next += 1;
        let at = self.next;
        let unfinished = |_| fault(start, "the range has no end");
        let to = match self.take().map_err(unfinished)? {
            '\\' => self.escaped(at)?,
            character => vec![(character, character)],
        };
        match (from, &to[..]) {
            (&[(a, b)], &[(c, d)]) if a == b && c == d && a <= c => Ok((a, c)),
            (&[(a, b)], &[(c, d)]) if a == b && c == d => {
                let message = format!("the range is reversed; write `{c}-{a}`");
                Err(fault(start, message))
            }
            _ => Err(fault(
                start,
                "a range needs a character at each end; write `\\-` for the character `-`",
            )),
        }
    }

    /// Parses `:name:]` after a `[` within a class.
    fn posix(&mut self, start: usize) -> Result<Vec<(char, char)>, PatternFault> {
        let rest: String = self.characters[self.next..].iter().take(12).collect();
        let name = rest
            .strip_prefix(':')
            .and_then(|rest| rest.split_once(":]"));
        let Some((name, _)) = name else {
            let message = "classes don't nest; write `\\[` for the character";
            return Err(fault(start, message));
        };
        let letter_first = name.starts_with(|first: char| first.is_ascii_lowercase());
        let Some(ranges) = CharacterClass::named(name).filter(|_| letter_first) else {
            let message = format!(
                "unknown class `[:{name}:]`; the names are alpha, upper, lower, digit, alnum, \
                 xdigit and punct"
            );
            return Err(fault(start, message));
        };
        self.next += name.chars().count() + 3;
        Ok(ranges)
    }
}
