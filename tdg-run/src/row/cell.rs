//! One value of a row for serde.

use std::ops::Range;

use serde_core::de::value::{BorrowedStrDeserializer, SeqDeserializer};
use serde_core::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;
use tdg_definition::{Cells, Column, ObjectCells, ObjectForm};

use super::BindError;
use super::variant::ChosenVariant;

/// One value of a row, of a list in it, or of an object.
#[derive(Clone, Copy)]
pub(super) struct Cell<'a> {
    pub(super) column: &'a Column,
    pub(super) row: usize,
}

impl<'a> Cell<'a> {
    fn is_null(self) -> bool {
        self.column.is_null(self.row)
    }

    /// Returns the text of a string, a date or a time.
    fn text(self) -> Option<&'a str> {
        match self.column.cells() {
            Cells::Text(text) => Some(text.get(self.row)),
            Cells::DateTime(_) | Cells::Date(_) => Some(self.column.calendar_text(self.row)),
            _ => None,
        }
    }

    pub(super) fn members(
        self,
        objects: &'a ObjectCells,
    ) -> impl Iterator<Item = (&'a str, CellMember<'a>)> {
        let row = self.row;
        let members = objects.members();
        members.map(move |(name, column)| (name, CellMember::Value(Cell { column, row })))
    }
}

impl<'de> Deserializer<'de> for Cell<'de> {
    type Error = BindError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        let column = self.column;
        if column.is_null(self.row) {
            return visitor.visit_unit();
        }
        match column.cells() {
            Cells::Float(values) => visitor.visit_f64(values[self.row]),
            Cells::Integer(values) => visitor.visit_i64(values[self.row]),
            Cells::Unsigned(values) => visitor.visit_u64(values[self.row]),
            Cells::Boolean(values) => visitor.visit_bool(values[self.row]),
            Cells::Text(text) => visitor.visit_borrowed_str(text.get(self.row)),
            Cells::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes.get(self.row)),
            Cells::DateTime(_) | Cells::Date(_) => {
                visitor.visit_borrowed_str(column.calendar_text(self.row))
            }
            Cells::List(lists) => match lists.entries() {
                Some((keys, values)) => visitor.visit_map(CellEntries {
                    keys,
                    values,
                    rest: lists.range(self.row),
                    value: None,
                }),
                None => visitor.visit_seq(CellElements {
                    column: lists.elements(),
                    rest: lists.range(self.row),
                    first: lists.range(self.row).start,
                }),
            },
            Cells::Variant(variants) => {
                ChosenVariant::new(variants, self.row).deserialize_any(visitor)
            }
            Cells::Object(objects) => match objects.form() {
                ObjectForm::Array => visitor.visit_seq(CellMembers::new(self.members(objects))),
                _ => visitor.visit_map(CellMembers::new(self.members(objects))),
            },
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        if self.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        visitor.visit_newtype_struct(self)
    }

    /// Reads a string as the name of a variant without a value.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BindError> {
        match (self.column.cells(), self.text()) {
            (Cells::Variant(variants), _) if !self.is_null() => {
                ChosenVariant::new(variants, self.row).deserialize_enum(visitor)
            }
            (_, Some(text)) if !self.is_null() => {
                visitor.visit_enum(BorrowedStrDeserializer::<BindError>::new(text))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    /// Reads bytes as a sequence of numbers if the type requests one, like `Vec<u8>` and unlike
    /// `&[u8]`.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        match self.column.cells() {
            Cells::Bytes(bytes) if !self.is_null() => {
                let bytes = bytes.get(self.row).iter().copied();
                SeqDeserializer::new(bytes).deserialize_any(visitor)
            }
            _ => self.deserialize_any(visitor),
        }
    }

    /// Reads an object as a tuple of its members in order.
    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        match self.column.cells() {
            Cells::Object(objects) if !self.is_null() => {
                visitor.visit_seq(CellMembers::new(self.members(objects)))
            }
            _ => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        self.deserialize_tuple(length, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct map struct identifier ignored_any
    }
}

/// The elements of a list.
struct CellElements<'a> {
    column: &'a Column,
    rest: Range<usize>,
    first: usize,
}

impl<'de> SeqAccess<'de> for CellElements<'de> {
    type Error = BindError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, BindError> {
        let Some(row) = self.rest.next() else {
            return Ok(None);
        };
        let column = self.column;
        match seed.deserialize(Cell { column, row }) {
            Ok(element) => Ok(Some(element)),
            Err(error) => Err(error.of_part(&format!("element {}", row - self.first))),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// The entries of a map.
struct CellEntries<'a> {
    keys: &'a Column,
    values: &'a Column,
    rest: Range<usize>,
    value: Option<Cell<'a>>,
}

impl<'de> MapAccess<'de> for CellEntries<'de> {
    type Error = BindError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, BindError> {
        let Some(row) = self.rest.next() else {
            return Ok(None);
        };
        let column = self.values;
        self.value = Some(Cell { column, row });
        let column = self.keys;
        let key = seed.deserialize(Cell { column, row });
        key.map(Some).map_err(|error| error.of_part("a key"))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, BindError> {
        let value = self.value.take();
        let value = value.ok_or_else(|| BindError::new("a map has no more values"))?;
        seed.deserialize(value)
            .map_err(|error| error.of_part("a value"))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// A member of a JSON object.
pub(super) enum CellMember<'a> {
    Value(Cell<'a>),
    /// The name of a variant.
    Name(&'a str),
}

/// The members of an object.
pub(super) struct CellMembers<'a, I> {
    rest: I,
    next: Option<(&'a str, CellMember<'a>)>,
}

impl<'de, I: Iterator<Item = (&'de str, CellMember<'de>)>> CellMembers<'de, I> {
    pub(super) fn new(rest: I) -> Self {
        Self { rest, next: None }
    }

    fn value<T: DeserializeSeed<'de>>(
        (name, member): (&str, CellMember<'de>),
        seed: T,
    ) -> Result<T::Value, BindError> {
        let value = match member {
            CellMember::Value(cell) => seed.deserialize(cell),
            CellMember::Name(name) => seed.deserialize(BorrowedStrDeserializer::new(name)),
        };
        value.map_err(|error| error.of_part(&format!("`{name}`")))
    }
}

impl<'de, I: Iterator<Item = (&'de str, CellMember<'de>)>> MapAccess<'de> for CellMembers<'de, I> {
    type Error = BindError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, BindError> {
        self.next = self.rest.next();
        let Some((name, _)) = self.next else {
            return Ok(None);
        };
        seed.deserialize(BorrowedStrDeserializer::new(name))
            .map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, BindError> {
        let member = self.next.take().or_else(|| self.rest.next());
        let member = member.ok_or_else(|| BindError::new("an object has no more members"))?;
        Self::value(member, seed)
    }
}

impl<'de, I: Iterator<Item = (&'de str, CellMember<'de>)>> SeqAccess<'de> for CellMembers<'de, I> {
    type Error = BindError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, BindError> {
        let member = self.rest.next();
        member.map(|member| Self::value(member, seed)).transpose()
    }
}
