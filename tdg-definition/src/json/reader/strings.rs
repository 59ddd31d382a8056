//! Strings and their escapes.

use std::borrow::Cow;

use super::Reader;
use crate::json::Error;
use crate::json::scan::plain_length;

impl<'a> Reader<'a> {
    /// Reads a string; borrowed from the text if it has no escapes.
    ///
    /// # Errors
    ///
    /// If another value follows, or the string is malformed.
    pub fn string(&mut self) -> Result<Cow<'a, str>, Error> {
        self.skip_white_space();
        if self.byte() != b'"' {
            return Err(self.expected("a string"));
        }
        let start = self.position + 1;
        let end = start + plain_length(&self.bytes[start..]);
        let plain = &self.text[start..end];
        self.position = end;
        if self.byte() == b'"' {
            self.position = end + 1;
            return Ok(Cow::Borrowed(plain));
        }
        self.rest_of_string(plain.to_owned()).map(Cow::Owned)
    }

    /// Reads the rest of a string from its first escape.
    fn rest_of_string(&mut self, mut string: String) -> Result<String, Error> {
        loop {
            match self.byte() {
                b'"' => {
                    self.position += 1;
                    return Ok(string);
                }
                b'\\' => string.push(self.escape()?),
                _ if self.position >= self.bytes.len() => {
                    return Err(self.expected("the closing `\"` of the string"));
                }
                control => {
                    let message = format!(
                        "expected a string without control characters, \
                         found one: write it as `\\u{control:04x}`"
                    );
                    return Err(self.error_at(self.position, message));
                }
            }
            let end = self.position + plain_length(&self.bytes[self.position..]);
            string.push_str(&self.text[self.position..end]);
            self.position = end;
        }
    }

    fn escape(&mut self) -> Result<char, Error> {
        let start = self.position;
        self.position += 1;
        let character = match self.byte() {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(start),
            _ => return Err(self.expected("one of `\"\\/bfnrtu` after a backslash")),
        };
        self.position += 1;
        Ok(character)
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, Error> {
        let first = self.hex_digits()?;
        let mut code = first;
        if (0xd800..0xdc00).contains(&first) && self.at_word("\\u") {
            self.position += 1;
            let second = self.hex_digits()?;
            if (0xdc00..0xe000).contains(&second) {
                code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            }
        }
        // Only an unpaired surrogate isn't a character.
        char::from_u32(code).ok_or_else(|| {
            let message = format!("expected a pair of surrogates, found only `\\u{first:04x}`");
            self.error_at(start, message)
        })
    }

    /// Reads `u` and four hexadecimal digits.
    fn hex_digits(&mut self) -> Result<u32, Error> {
        self.position += 1;
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = char::from(self.byte()).to_digit(16) else {
                return Err(self.expected("four hexadecimal digits after `\\u`"));
            };
            code = code * 16 + digit;
            self.position += 1;
        }
        Ok(code)
    }
}
