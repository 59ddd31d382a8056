//! The serializer of one value of any type.

use serde_core::Serialize;
use tdg_definition::json::{Number, Value};
use tdg_engine::output::Depth;

use super::OutputError;
use super::containers::{Elements, Entries, StructFields};
use super::members::tagged;
use super::serde_json_private::HiddenText;

/// Converts the serialised value to a JSON value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Serializer {
    depth: Depth,
}

impl Serializer {
    pub(super) fn new() -> Self {
        Self::at(Depth::default())
    }

    pub(super) fn at(depth: Depth) -> Self {
        Self { depth }
    }
}

macro_rules! numbers {
    ($($method:ident($type:ty as $wider:ty))*) => {$(
        fn $method(self, number: $type) -> Result<Value, OutputError> {
            Ok(<$wider>::from(number).into())
        }
    )*};
}

impl serde_core::Serializer for Serializer {
    type Ok = Value;
    type Error = OutputError;
    type SerializeSeq = Elements;
    type SerializeTuple = Elements;
    type SerializeTupleStruct = Elements;
    type SerializeTupleVariant = Elements;
    type SerializeMap = Entries;
    type SerializeStruct = StructFields;
    type SerializeStructVariant = StructFields;

    fn serialize_bool(self, boolean: bool) -> Result<Value, OutputError> {
        Ok(boolean.into())
    }

    numbers! {
        serialize_i8(i8 as i64) serialize_i16(i16 as i64) serialize_i32(i32 as i64)
        serialize_i64(i64 as Number) serialize_i128(i128 as Number)
        serialize_u8(u8 as u64) serialize_u16(u16 as u64) serialize_u32(u32 as u64)
        serialize_u64(u64 as Number) serialize_u128(u128 as Number)
        serialize_f32(f32 as Number) serialize_f64(f64 as Number)
    }

    fn serialize_char(self, character: char) -> Result<Value, OutputError> {
        Ok(character.to_string().into())
    }

    fn serialize_str(self, string: &str) -> Result<Value, OutputError> {
        Ok(string.into())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Value, OutputError> {
        let numbers: Vec<Value> = bytes.iter().map(|&byte| u64::from(byte).into()).collect();
        Ok(numbers.into())
    }

    fn serialize_none(self) -> Result<Value, OutputError> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, OutputError> {
        value.serialize(Self::at(self.depth.wrapper()?))
    }

    fn serialize_unit(self) -> Result<Value, OutputError> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Value, OutputError> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Value, OutputError> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<Value, OutputError> {
        value.serialize(Self::at(self.depth.wrapper()?))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, OutputError> {
        let content = value
            .serialize(Self::at(self.depth.level()?))
            .map_err(|error| error.within(variant))?;
        tagged(variant, content)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Elements, OutputError> {
        Elements::new(self.depth, length.unwrap_or_default(), None)
    }

    fn serialize_tuple(self, length: usize) -> Result<Elements, OutputError> {
        Elements::new(self.depth, length, None)
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        length: usize,
    ) -> Result<Elements, OutputError> {
        Elements::new(self.depth, length, None)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Elements, OutputError> {
        Elements::new(self.depth.level()?, length, Some(variant))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Entries, OutputError> {
        Entries::new(self.depth)
    }

    fn serialize_struct(
        self,
        name: &'static str,
        _length: usize,
    ) -> Result<StructFields, OutputError> {
        match HiddenText::of_struct(name) {
            Some(text) => Ok(StructFields::of_text(self.depth, text)),
            None => StructFields::new(self.depth, None),
        }
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<StructFields, OutputError> {
        StructFields::new(self.depth.level()?, Some(variant))
    }
}
