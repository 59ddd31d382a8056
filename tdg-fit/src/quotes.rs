//! Finds a quote that is still open at the end of a CSV file, where the csv crate reads the rest of
//! the file as one field.

use std::io::{self, Read};

/// Passes a source on, and follows its quotes.
pub(crate) struct QuoteCheck<R> {
    source: R,
    delimiter: u8,
    state: QuoteState,
    line: u64,
    opened: u64,
    is_at_end: bool,
}

/// Where in a field the last byte was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QuoteState {
    FieldStart,
    Unquoted,
    Quoted,
    /// After a quote in a quoted field: it ends the field, unless another one follows.
    QuoteInQuoted,
}

impl<R> QuoteCheck<R> {
    pub(crate) fn new(source: R, delimiter: u8) -> Self {
        Self {
            source,
            delimiter,
            state: QuoteState::FieldStart,
            line: 1,
            opened: 0,
            is_at_end: false,
        }
    }

    /// The line of the quote that is open at the end of the source, once it was read to its end.
    pub(crate) fn unclosed(&self) -> Option<u64> {
        (self.is_at_end && self.state == QuoteState::Quoted).then_some(self.opened)
    }

    fn follow(&mut self, byte: u8) {
        self.state = match (self.state, byte) {
            (QuoteState::FieldStart, b'"') => {
                self.opened = self.line;
                QuoteState::Quoted
            }
            (QuoteState::Quoted, b'"') => QuoteState::QuoteInQuoted,
            (QuoteState::Quoted, _) | (QuoteState::QuoteInQuoted, b'"') => QuoteState::Quoted,
            (_, b'\n' | b'\r') => QuoteState::FieldStart,
            (_, byte) if byte == self.delimiter => QuoteState::FieldStart,
            _ => QuoteState::Unquoted,
        };
        self.line += u64::from(byte == b'\n');
    }
}

impl<R: Read> Read for QuoteCheck<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(buffer)?;
        self.is_at_end = length == 0 && !buffer.is_empty();
        for &byte in &buffer[..length] {
            self.follow(byte);
        }
        Ok(length)
    }
}
