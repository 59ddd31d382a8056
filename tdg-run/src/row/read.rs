//! Support for derived structs with `via` or `parse`.

#![allow(missing_docs)]

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, Error, Visitor};
use serde_core::forward_to_deserialize_any;

/// Reads the name of a field as its index among these, or as `None` if it isn't among them.
pub struct FieldIndex(pub &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for FieldIndex {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for FieldIndex {
    type Value = Option<usize>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a field")
    }

    fn visit_u64<E>(self, position: u64) -> Result<Self::Value, E> {
        Ok(usize::try_from(position).ok())
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|field| *field == name))
    }

    fn visit_bytes<E>(self, name: &[u8]) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|field| field.as_bytes() == name))
    }
}

/// Returns the error of a field without a value.
pub fn missing<E: Error>(name: &'static str) -> E {
    E::missing_field(name)
}

/// Returns the value of a missing field, which is `None` for an `Option`.
///
/// # Errors
/// Fails if the type isn't an `Option`.
pub fn unset<'de, T: Deserialize<'de>, E: Error>(name: &'static str) -> Result<T, E> {
    T::deserialize(Unset(name, PhantomData))
}

struct Unset<E>(&'static str, PhantomData<E>);

impl<'de, E: Error> Deserializer<'de> for Unset<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(missing(self.0))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
