//! Reading whole values of any kind.

use std::collections::BTreeSet;

use super::Reader;
use crate::json::writer::non_finite;
use crate::json::{Error, FLOAT_KEY, Kind, Object, Value};

/// Reads a text as one JSON value.
///
/// This is strict JSON (RFC 8259), and stricter where the RFC leaves a choice: duplicate keys are
/// errors, nesting is limited to [`DEPTH_LIMIT`](super::DEPTH_LIMIT) levels, and a number is exact
/// or the nearest float. Integers of more than 128 bits and floats out of range are errors.
///
/// # Errors
///
/// The first fault in the text and its location.
pub fn parse(text: &str) -> Result<Value, Error> {
    whole(Reader::new(text))
}

/// Like [`parse`], but allows comments and trailing commas, for files edited by hand.
///
/// ```
/// use tdg_definition::json::{parse, parse_with_comments};
///
/// let value = parse_with_comments("[1, 2,] // two")?;
/// assert_eq!(value, parse("[1, 2]")?);
/// # Ok::<(), tdg_definition::json::Error>(())
/// ```
///
/// # Errors
///
/// The first fault in the text and its location.
pub fn parse_with_comments(text: &str) -> Result<Value, Error> {
    whole(Reader::new(text).with_comments())
}

fn whole(mut reader: Reader<'_>) -> Result<Value, Error> {
    let value = reader.value()?;
    reader.finish()?;
    Ok(value)
}

impl Reader<'_> {
    /// Reads any value.
    ///
    /// # Errors
    ///
    /// As for [`parse`].
    pub fn value(&mut self) -> Result<Value, Error> {
        let mut start = self.clone();
        self.value_unordered().map_err(|error| {
            // A duplicate key may be earlier in the text.
            start.skip_value().err().unwrap_or(error)
        })
    }

    /// Reads any value. Keys are compared at the end of an object, so the reported error isn't
    /// always the first in the text.
    fn value_unordered(&mut self) -> Result<Value, Error> {
        let left = self.values_left.checked_sub(1);
        self.values_left = left.ok_or_else(|| self.error_at(self.position, "too many values"))?;
        Ok(match self.peek()? {
            Kind::Null => {
                self.null()?;
                Value::Null
            }
            Kind::Bool => Value::Bool(self.boolean()?),
            Kind::Number => Value::Number(self.number()?),
            Kind::String => Value::String(self.string()?.into_owned()),
            Kind::Array => {
                let mut elements = Vec::new();
                self.begin_array()?;
                while self.next_element()? {
                    elements.push(self.value_unordered()?);
                }
                Value::Array(elements)
            }
            Kind::Object => {
                if let Some(float) = self.take_non_finite() {
                    return Ok(float.into());
                }
                let mut members = Vec::new();
                let start = self.clone();
                self.begin_object()?;
                while let Some(key) = self.next_key()? {
                    members.push((key.into_owned(), self.value_unordered()?));
                }
                Value::Object(start.object(members)?)
            }
        })
    }

    /// Skips any value. It is checked like in [`value`](Self::value), but not kept.
    ///
    /// # Errors
    ///
    /// As for [`parse`].
    pub fn skip_value(&mut self) -> Result<(), Error> {
        match self.peek()? {
            Kind::Null => self.null()?,
            Kind::Bool => drop(self.boolean()?),
            Kind::Number => drop(self.number()?),
            Kind::String => drop(self.string()?),
            Kind::Array => {
                self.begin_array()?;
                while self.next_element()? {
                    self.skip_value()?;
                }
            }
            Kind::Object => {
                if self.take_non_finite().is_some() {
                    return Ok(());
                }
                let mut keys = BTreeSet::new();
                self.begin_object()?;
                while let Some(key) = self.next_key()? {
                    if keys.contains(&key) {
                        return Err(self.duplicate_key(&key));
                    }
                    keys.insert(key);
                    self.skip_value()?;
                }
            }
        }
        Ok(())
    }

    /// Reads the object that encodes a float, if it's next.
    ///
    /// It counts as a number, not as a level of nesting.
    pub(super) fn take_non_finite(&mut self) -> Option<f64> {
        let mut ahead = self.clone();
        ahead.position += 1;
        ahead.skip_white_space();
        let key_may_match = ahead.byte() == b'"'
            && ahead.position + 1 < ahead.bytes.len()
            && matches!(ahead.bytes[ahead.position + 1], b'$' | b'\\');
        if !key_may_match || ahead.string().ok()? != FLOAT_KEY {
            return None;
        }
        ahead.skip_white_space();
        if ahead.byte() != b':' {
            return None;
        }
        ahead.position += 1;
        let float = non_finite(&ahead.string().ok()?)?;
        ahead.skip_white_space();
        if ahead.byte() != b'}' {
            return None;
        }
        self.position = ahead.position + 1;
        Some(float)
    }

    /// Creates the next object from members that another reader has read.
    ///
    /// # Errors
    ///
    /// If a key is duplicated.
    pub fn object(&self, members: Vec<(String, Value)>) -> Result<Object, Error> {
        Object::from_members(members).map_err(|key| {
            let mut again = self.clone();
            let found = again.skip_value();
            found.err().unwrap_or_else(|| again.duplicate_key(&key))
        })
    }

    #[cold]
    fn duplicate_key(&self, key: &str) -> Error {
        self.error_at(self.key_offset, format!("duplicate key {key:?}"))
    }
}
