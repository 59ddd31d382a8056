//! Reading JSON text piece by piece.

mod strings;
#[cfg(test)]
mod tests;
mod values;

use std::borrow::Cow;

use super::number_text::{NumberText, TOO_LARGE_FLOAT, plain_integer};
use super::{Error, Kind, Number};

pub use values::{parse, parse_with_comments};

/// The deepest nesting of arrays and objects; the outermost is level 1.
pub const DEPTH_LIMIT: usize = 64;

/// Reads JSON text piece by piece, in order.
///
/// Each method reads one expected item, or returns an error that describes the actual one. Rows can
/// thus be read straight into typed columns, without intermediate values.
///
/// ```
/// use tdg_definition::json::{Error, Reader};
///
/// let mut reader = Reader::new(r#"[[12.5, 3], [0.25, 4]]"#);
/// let (mut amounts, mut quantities) = (Vec::new(), Vec::new());
/// reader.begin_array()?;
/// while reader.next_element()? {
///     reader.begin_array()?;
///     reader.element()?;
///     amounts.push(reader.f64()?);
///     reader.element()?;
///     quantities.push(reader.i64()?);
///     reader.end_array()?;
/// }
/// reader.finish()?;
/// assert_eq!((amounts, quantities), (vec![12.5, 0.25], vec![3, 4]));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    position: usize,
    depth: usize,
    /// The start of the latest key.
    key_offset: usize,
    /// Set right after the opening bracket of an array or object.
    at_first: bool,
    /// Set if comments and trailing commas are allowed.
    comments: bool,
    /// The number of values that may still be kept.
    values_left: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the beginning of the text.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            position: 0,
            depth: 0,
            key_offset: 0,
            at_first: false,
            comments: false,
            values_left: usize::MAX,
        }
    }

    /// Allows comments (`// …` and `/* … */`) between tokens, and a comma after the last element or
    /// member, as in files edited by hand.
    #[must_use]
    pub fn with_comments(mut self) -> Self {
        self.comments = true;
        self
    }

    /// Limits the number of kept values. A short text, such as `[[],[],[]]`, can have many, and
    /// each takes dozens of bytes of memory.
    #[must_use]
    pub fn with_most_values(mut self, most: usize) -> Self {
        self.values_left = most;
        self
    }

    /// Returns the offset in bytes of the next item.
    pub fn offset(&self) -> usize {
        self.position
    }

    /// Returns the offset in bytes of the latest key.
    pub fn key_offset(&self) -> usize {
        self.key_offset
    }

    /// Returns the kind of the next value, without reading it.
    ///
    /// # Errors
    ///
    /// If no value starts at this position.
    pub fn peek(&mut self) -> Result<Kind, Error> {
        self.skip_white_space();
        match self.byte() {
            b'"' => Ok(Kind::String),
            b'[' => Ok(Kind::Array),
            b'{' => Ok(Kind::Object),
            b'-' | b'0'..=b'9' => Ok(Kind::Number),
            b'n' if self.at_word("null") => Ok(Kind::Null),
            b't' if self.at_word("true") => Ok(Kind::Bool),
            b'f' if self.at_word("false") => Ok(Kind::Bool),
            _ => Err(self.expected("a value")),
        }
    }

    /// Enters an array. Call [`next_element`](Self::next_element) before each element.
    ///
    /// # Errors
    ///
    /// If the next value isn't an array, or is nested too deep.
    pub fn begin_array(&mut self) -> Result<(), Error> {
        self.begin(b'[', "an array")
    }

    /// Advances to the next element of the innermost array, or leaves the array and returns false.
    ///
    /// # Errors
    ///
    /// If neither `,` nor `]` follows.
    #[inline]
    pub fn next_element(&mut self) -> Result<bool, Error> {
        self.next(b']', "`,` or `]`")
    }

    /// Advances to a required element.
    ///
    /// # Errors
    ///
    /// If the array has ended.
    #[inline]
    pub fn element(&mut self) -> Result<(), Error> {
        if self.next_element()? {
            return Ok(());
        }
        self.position -= 1;
        Err(self.expected("another element"))
    }

    /// Leaves an array, which must end at this position.
    ///
    /// # Errors
    ///
    /// If the array continues.
    #[inline]
    pub fn end_array(&mut self) -> Result<(), Error> {
        self.skip_white_space();
        if self.byte() != b']' {
            return Err(self.expected("the end of the array, `]`"));
        }
        self.next_element().map(|_| ())
    }

    /// Enters an object. Call [`next_key`](Self::next_key) before each value.
    ///
    /// # Errors
    ///
    /// If the next value isn't an object, or is nested too deep.
    pub fn begin_object(&mut self) -> Result<(), Error> {
        self.begin(b'{', "an object")
    }

    /// Advances to the next key of the innermost object, or leaves the object and returns `None`.
    ///
    /// The caller has to check for duplicate keys, and can report one with
    /// [`error_at`](Self::error_at) [`key_offset`](Self::key_offset). [`value`](Self::value) and
    /// [`skip_value`](Self::skip_value) check for them.
    ///
    /// # Errors
    ///
    /// If neither a key with its `:` nor the end of the object follows.
    pub fn next_key(&mut self) -> Result<Option<Cow<'a, str>>, Error> {
        if !self.next(b'}', "`,` or `}`")? {
            return Ok(None);
        }
        self.skip_white_space();
        if self.byte() != b'"' {
            return Err(self.expected("a key in double quotes"));
        }
        self.key_offset = self.position;
        let key = self.string()?;
        self.skip_white_space();
        if self.byte() != b':' {
            return Err(self.expected("`:`"));
        }
        self.position += 1;
        Ok(Some(key))
    }

    /// Reads `null`.
    ///
    /// # Errors
    ///
    /// If another value follows.
    pub fn null(&mut self) -> Result<(), Error> {
        if self.take_null() {
            return Ok(());
        }
        Err(self.expected("null"))
    }

    /// Reads `null` if it's next, and returns true if so.
    pub fn take_null(&mut self) -> bool {
        self.skip_white_space();
        self.byte() == b'n' && self.take_word("null")
    }

    /// Reads `true` or `false`.
    ///
    /// # Errors
    ///
    /// If another value follows.
    pub fn boolean(&mut self) -> Result<bool, Error> {
        self.skip_white_space();
        if self.byte() == b't' && self.take_word("true") {
            return Ok(true);
        }
        if self.byte() == b'f' && self.take_word("false") {
            return Ok(false);
        }
        Err(self.expected("a boolean"))
    }

    /// Reads a number as the nearest float, or a special float such as `{"$float":"NaN"}`.
    ///
    /// # Errors
    ///
    /// If another value follows, or the number exceeds the largest float.
    #[inline]
    pub fn f64(&mut self) -> Result<f64, Error> {
        self.skip_white_space();
        if self.byte() == b'{'
            && let Some(float) = self.take_non_finite()
        {
            return Ok(float);
        }
        let start = self.position;
        let float = self.number_text("a number")?.to_f64();
        if float.is_infinite() {
            return Err(self.unsuitable(start, TOO_LARGE_FLOAT));
        }
        Ok(float)
    }

    /// Reads a number as a signed 64-bit integer, which can be written `2.0`.
    ///
    /// # Errors
    ///
    /// If another value follows.
    #[inline]
    pub fn i64(&mut self) -> Result<i64, Error> {
        self.skip_white_space();
        if let Some((integer, end)) = plain_integer(self.bytes, self.position) {
            self.position = end;
            return Ok(integer);
        }
        let start = self.position;
        let number = self.number_text("an integer")?;
        let integer = number.to_number().ok().and_then(Number::as_i64);
        integer.ok_or_else(|| self.unsuitable(start, "a 64-bit integer"))
    }

    /// Reads a number as an unsigned 64-bit integer, which can be written `2.0`.
    ///
    /// # Errors
    ///
    /// If another value follows.
    pub fn u64(&mut self) -> Result<u64, Error> {
        self.skip_white_space();
        let start = self.position;
        let number = self.number_text("an integer")?;
        let integer = number.to_number().ok().and_then(Number::as_u64);
        integer.ok_or_else(|| self.unsuitable(start, "an unsigned 64-bit integer"))
    }

    /// Reads a number exactly: an integer if written as one, otherwise the nearest float.
    ///
    /// # Errors
    ///
    /// If another value follows, or the number is out of range.
    pub fn number(&mut self) -> Result<Number, Error> {
        self.skip_white_space();
        if self.byte() == b'{'
            && let Some(float) = self.take_non_finite()
        {
            return Ok(float.into());
        }
        let start = self.position;
        let number = self.number_text("a number")?.to_number();
        number.map_err(|expected| self.unsuitable(start, expected))
    }

    /// Finishes reading: only white space may follow.
    ///
    /// # Errors
    ///
    /// If anything else follows.
    pub fn finish(mut self) -> Result<(), Error> {
        self.skip_white_space();
        if self.position < self.bytes.len() {
            return Err(self.expected("the end of the text"));
        }
        Ok(())
    }

    /// Creates an error at this offset, for faults that only the caller can find.
    pub fn error_at(&self, offset: usize, message: impl Into<String>) -> Error {
        Error::at(self.text, offset, message.into())
    }

    /// The next byte; 0 at the end of the text, because JSON never starts with it.
    #[inline]
    fn byte(&self) -> u8 {
        if self.position < self.bytes.len() {
            self.bytes[self.position]
        } else {
            0
        }
    }

    #[inline]
    fn skip_white_space(&mut self) {
        while self.position < self.bytes.len() {
            let byte = self.bytes[self.position];
            if byte > b' ' || !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                if byte == b'/' && self.skip_comment() {
                    continue;
                }
                return;
            }
            self.position += 1;
        }
    }

    /// Skips a comment that starts at this position, if allowed and terminated.
    #[cold]
    fn skip_comment(&mut self) -> bool {
        let rest = &self.bytes[self.position..];
        if !self.comments || rest.len() < 2 || !matches!(rest[1], b'/' | b'*') {
            return false;
        }
        let ends_with_line = rest[1] == b'/';
        let mut length = 2;
        while length < rest.len() {
            let byte = rest[length];
            if ends_with_line && byte == b'\n' {
                break;
            }
            length += 1;
            if !ends_with_line && length > 3 && byte == b'/' && rest[length - 2] == b'*' {
                self.position += length;
                return true;
            }
        }
        self.position += if ends_with_line { length } else { 0 };
        ends_with_line
    }

    fn at_word(&self, word: &str) -> bool {
        self.bytes[self.position..].starts_with(word.as_bytes())
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.position += word.len();
        }
        found
    }

    fn begin(&mut self, bracket: u8, what: &str) -> Result<(), Error> {
        self.skip_white_space();
        if self.byte() != bracket {
            return Err(self.expected(what));
        }
        if self.depth == DEPTH_LIMIT {
            let message = format!("nested deeper than {DEPTH_LIMIT} levels");
            return Err(self.error_at(self.position, message));
        }
        self.position += 1;
        self.depth += 1;
        self.at_first = true;
        Ok(())
    }

    #[inline]
    fn next(&mut self, closing: u8, expected: &str) -> Result<bool, Error> {
        self.skip_white_space();
        if self.at_first {
            self.at_first = false;
            return Ok(self.byte() != closing || !self.leave());
        }
        if self.byte() == b',' {
            self.position += 1;
            if !self.comments {
                return Ok(true);
            }
            self.skip_white_space();
            return Ok(self.byte() != closing || !self.leave());
        }
        if self.byte() == closing && self.leave() {
            return Ok(false);
        }
        Err(self.expected(expected))
    }

    /// Leaves the innermost array or object, if any, at its closing bracket.
    fn leave(&mut self) -> bool {
        if self.depth == 0 {
            return false;
        }
        self.position += 1;
        self.depth -= 1;
        true
    }

    #[inline]
    fn number_text(&mut self, expected: &str) -> Result<NumberText<'a>, Error> {
        if !matches!(self.byte(), b'-' | b'0'..=b'9') {
            return Err(self.expected(expected));
        }
        match NumberText::scan(self.text, self.position) {
            Ok(number) => {
                self.position += number.text.len();
                Ok(number)
            }
            Err((offset, expected)) => {
                self.position = offset;
                Err(self.expected(expected))
            }
        }
    }

    /// Reports well-formed text since `start` that isn't what the caller expected.
    #[cold]
    fn unsuitable(&self, start: usize, expected: &str) -> Error {
        let found = &self.text[start..self.position];
        self.error_at(start, format!("expected {expected}, found {found}"))
    }

    #[cold]
    fn expected(&self, expected: &str) -> Error {
        let message = format!("expected {expected}, found {}", self.found());
        self.error_at(self.position, message)
    }

    /// Describes the next item in words.
    fn found(&self) -> String {
        let rest = self.text.get(self.position..).unwrap_or_default();
        let word = rest
            .split(|character: char| !character.is_ascii_alphanumeric())
            .next()
            .unwrap_or_default();
        match rest.chars().next() {
            None => "the end of the text".to_owned(),
            Some('/') if self.comments && rest.starts_with("/*") => {
                "an unclosed comment, without `*/`".to_owned()
            }
            Some('/') if rest.starts_with("//") || rest.starts_with("/*") => {
                "a comment, which JSON doesn't have".to_owned()
            }
            Some('"') => "a string".to_owned(),
            Some('-' | '0'..='9') => "a number".to_owned(),
            Some('[') => "an array, `[`".to_owned(),
            Some('{') => "an object, `{`".to_owned(),
            Some(_) if (2..=16).contains(&word.len()) => format!("`{word}`"),
            Some(character) if !character.is_alphanumeric() && !character.is_ascii_graphic() => {
                format!("`{}`", character.escape_unicode())
            }
            Some(character) => format!("`{character}`"),
        }
    }
}
