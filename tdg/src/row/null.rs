//! Null in place of a value: it tells whether a type can be null.

use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use super::deserialize::CellsInOrder;
use super::{BindError, Row};

/// A value that is null.
pub(super) struct Null;

/// A row that was read as `T`, with null at that position.
#[derive(Clone, Copy)]
struct WithNull<'a> {
    row: Row<'a>,
    position: usize,
}

/// Whether `T`, as which the row was read, refuses null at that position.
pub(super) fn is_refused<'a, T: Deserialize<'a>>(row: Row<'a>, position: usize) -> bool {
    match T::deserialize(WithNull { row, position }) {
        Ok(_) => false,
        // Another error is about the row as a whole, which no row that is drawn may give.
        Err(error) => error.is_about_null(),
    }
}

impl<'de> Deserializer<'de> for Null {
    type Error = BindError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'a> WithNull<'a> {
    fn cells(self) -> CellsWithNull<'a> {
        CellsWithNull {
            cells: self.row.cells(),
            null: self.position,
        }
    }
}

macro_rules! only_value {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
            Null.$method(visitor).map_err(BindError::about_null)
        }
    )*};
}

/// As of [`Row`].
impl<'de> Deserializer<'de> for WithNull<'de> {
    type Error = BindError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        visitor.visit_map(self.cells())
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        visitor.visit_seq(self.cells())
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        visitor.visit_seq(self.cells())
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        visitor.visit_seq(self.cells())
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        match self.row.vectors().table.width() {
            1 => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BindError> {
        Null.deserialize_enum(name, variants, visitor)
            .map_err(BindError::about_null)
    }

    only_value! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf
    }

    forward_to_deserialize_any! { map struct unit unit_struct identifier ignored_any }
}

/// The cells of a row, one of them null.
struct CellsWithNull<'a> {
    cells: CellsInOrder<'a>,
    /// The position of that one.
    null: usize,
}

impl<'a> CellsWithNull<'a> {
    /// The value of a cell, if that is the one.
    fn null<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Result<T::Value, BindError>, T> {
        if self.cells.position != self.null {
            return Err(seed);
        }
        self.cells.position += 1;
        Ok(seed.deserialize(Null).map_err(BindError::about_null))
    }
}

impl<'de> SeqAccess<'de> for CellsWithNull<'de> {
    type Error = BindError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, BindError> {
        match self.null(seed) {
            Ok(value) => value.map(Some),
            Err(seed) => self.cells.next_element_seed(seed),
        }
    }
}

impl<'de> MapAccess<'de> for CellsWithNull<'de> {
    type Error = BindError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, BindError> {
        self.cells.next_key_seed(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, BindError> {
        self.null(seed)
            .unwrap_or_else(|seed| self.cells.next_value_seed(seed))
    }
}
