//! Values that hold other values.

use serde_core::Serialize;
use serde_core::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};
use tdg_definition::json::{Object, Value};
use tdg_definition::sort;
use tdg_engine::output::{Depth, users_key};

use super::OutputError;
use super::members::{insert, object, tagged};
use super::serde_json_private::HiddenText;
use super::serializer::Serializer;

/// The limit on reserved elements. A length is only a hint and must not exhaust the memory.
const MOST_RESERVED: usize = 1024;

fn tagged_if_variant(variant: Option<&'static str>, content: Value) -> Result<Value, OutputError> {
    match variant {
        Some(variant) => tagged(variant, content),
        None => Ok(content),
    }
}

fn within_variant(error: OutputError, variant: Option<&'static str>) -> OutputError {
    match variant {
        Some(variant) => error.within(variant),
        None => error,
    }
}

/// Collects the elements of sequences and tuples.
pub(super) struct Elements {
    depth: Depth,
    elements: Vec<Value>,
    variant: Option<&'static str>,
}

impl Elements {
    pub(super) fn new(
        depth: Depth,
        length: usize,
        variant: Option<&'static str>,
    ) -> Result<Self, OutputError> {
        Ok(Self {
            depth: depth.level()?,
            elements: Vec::with_capacity(length.min(MOST_RESERVED)),
            variant,
        })
    }

    fn push<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<(), OutputError> {
        let element = element
            .serialize(Serializer::at(self.depth))
            .map_err(|error| {
                within_variant(error.within(self.elements.len().to_string()), self.variant)
            })?;
        self.elements.push(element);
        Ok(())
    }
}

macro_rules! elements {
    ($($trait:ident $method:ident)*) => {$(
        impl $trait for Elements {
            type Ok = Value;
            type Error = OutputError;

            fn $method<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<(), OutputError> {
                self.push(element)
            }

            fn end(self) -> Result<Value, OutputError> {
                tagged_if_variant(self.variant, self.elements.into())
            }
        }
    )*};
}

elements! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

/// Collects the fields of structs, including the two in which serde_json hides text.
pub(super) struct StructFields {
    depth: Depth,
    content: Content,
    variant: Option<&'static str>,
}

enum Content {
    Members(Object),
    /// The value that the text represents, once the field with the text has come.
    Hidden(HiddenText, Value),
}

impl StructFields {
    pub(super) fn new(depth: Depth, variant: Option<&'static str>) -> Result<Self, OutputError> {
        Ok(Self {
            depth: depth.level()?,
            content: Content::Members(Object::new()),
            variant,
        })
    }

    pub(super) fn of_text(depth: Depth, text: HiddenText) -> Self {
        Self {
            depth,
            content: Content::Hidden(text, Value::Null),
            variant: None,
        }
    }

    fn push<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        field: &T,
    ) -> Result<(), OutputError> {
        let serialized = field.serialize(Serializer::at(self.depth));
        match &mut self.content {
            Content::Members(members) => {
                let field =
                    serialized.map_err(|error| within_variant(error.within(key), self.variant))?;
                insert(members, key, field)
            }
            Content::Hidden(text, value) => {
                let hidden = serialized?;
                *value = text.to_value(hidden.as_str().unwrap_or_default(), self.depth)?;
                Ok(())
            }
        }
    }

    fn finish(self) -> Result<Value, OutputError> {
        let content = match self.content {
            Content::Members(members) => members.into(),
            Content::Hidden(_, value) => value,
        };
        tagged_if_variant(self.variant, content)
    }
}

macro_rules! struct_fields {
    ($($trait:ident)*) => {$(
        impl $trait for StructFields {
            type Ok = Value;
            type Error = OutputError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                field: &T,
            ) -> Result<(), OutputError> {
                self.push(key, field)
            }

            fn end(self) -> Result<Value, OutputError> {
                self.finish()
            }
        }
    )*};
}

struct_fields! { SerializeStruct SerializeStructVariant }

/// Collects the entries of maps. Only the last key decides if a map is an object.
pub(super) struct Entries {
    depth: Depth,
    pairs: Vec<(Value, Value)>,
    key: Value,
}

impl Entries {
    pub(super) fn new(depth: Depth) -> Result<Self, OutputError> {
        Ok(Self {
            depth: depth.level()?,
            pairs: Vec::new(),
            key: Value::Null,
        })
    }
}

/// Returns a key as the segment of a pointer.
fn segment(key: &Value) -> String {
    match key {
        Value::String(string) => string.clone(),
        other => other.to_string(),
    }
}

impl SerializeMap for Entries {
    type Ok = Value;
    type Error = OutputError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), OutputError> {
        self.key = key.serialize(Serializer::at(self.depth))?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), OutputError> {
        let key = std::mem::take(&mut self.key);
        let value = value
            .serialize(Serializer::at(self.depth))
            .map_err(|error| error.within(segment(&key)))?;
        self.pairs.push((key, value));
        Ok(())
    }

    fn end(self) -> Result<Value, OutputError> {
        let is_object = self.pairs.iter().all(|(key, _)| key.as_str().is_some());
        if is_object {
            let pairs = self.pairs.into_iter();
            let member =
                |(key, value): (Value, Value)| (users_key(key.as_str().unwrap_or_default()), value);
            return object(pairs.map(member).collect());
        }
        let mut pairs = self.pairs;
        for (key, value) in &pairs {
            // Each entry has become a pair, one level more than counted so far.
            self.depth.level()?.check_room_for(key)?;
            self.depth.level()?.check_room_for(value)?;
        }
        // Sorts by value too, so that the order of equal keys doesn't depend on the input's.
        sort::by(&mut pairs, Ord::cmp);
        let pairs: Vec<Value> = pairs
            .into_iter()
            .map(|(key, value)| vec![key, value].into())
            .collect();
        Ok(pairs.into())
    }
}
