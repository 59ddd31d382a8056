//! One value of a row, as serde hands it on.

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{Deserializer, Visitor};
use serde_core::forward_to_deserialize_any;
use tdg_definition::Cells;

use super::BindError;
use tdg_engine::generate::VectorsFeature;

/// One value of a row.
#[derive(Clone, Copy)]
pub(super) struct Cell<'a> {
    pub(super) feature: &'a VectorsFeature,
    pub(super) row: usize,
}

impl<'a> Cell<'a> {
    fn is_null(self) -> bool {
        self.feature.column.is_null(self.row)
    }

    /// The text of a string, a date or a time.
    fn text(self) -> Option<&'a str> {
        match self.feature.column.cells() {
            Cells::Text(text) => Some(text.get(self.row)),
            Cells::DateTime(_) | Cells::Date(_) => Some(self.feature.calendar_text(self.row)),
            _ => None,
        }
    }
}

impl<'de> Deserializer<'de> for Cell<'de> {
    type Error = BindError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        let column = &self.feature.column;
        if column.is_null(self.row) {
            return visitor.visit_unit();
        }
        match column.cells() {
            Cells::Float(values) => visitor.visit_f64(values[self.row]),
            Cells::Integer(values) => visitor.visit_i64(values[self.row]),
            Cells::Unsigned(values) => visitor.visit_u64(values[self.row]),
            Cells::Boolean(values) => visitor.visit_bool(values[self.row]),
            Cells::Text(text) => visitor.visit_borrowed_str(text.get(self.row)),
            Cells::DateTime(_) | Cells::Date(_) => {
                visitor.visit_borrowed_str(self.feature.calendar_text(self.row))
            }
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

    /// A string names the variant.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BindError> {
        match self.text() {
            Some(text) if !self.is_null() => {
                visitor.visit_enum(BorrowedStrDeserializer::<BindError>::new(text))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
