//! The two structs in which serde_json hides text: its numbers, if a crate in the graph enables
//! `arbitrary_precision`, and its `RawValue`.

use tdg_definition::json::{self, Kind, Reader, Value};
use tdg_engine::output::{Depth, users_key};

use super::OutputError;
use super::members::object;

/// The meaning of the text in such a struct.
#[derive(Clone, Copy, Debug)]
pub(super) enum HiddenText {
    Number,
    Json,
}

impl HiddenText {
    /// Recognises the name of the struct, which is also the name of its field.
    pub(super) fn of_struct(name: &str) -> Option<Self> {
        match name {
            "$serde_json::private::Number" => Some(Self::Number),
            "$serde_json::private::RawValue" => Some(Self::Json),
            _ => None,
        }
    }

    pub(super) fn to_value(self, text: &str, depth: Depth) -> Result<Value, OutputError> {
        let mut reader = Reader::new(text);
        let value = match self {
            Self::Number => reader.number().map_err(fault)?.into(),
            Self::Json => read(&mut reader, depth)?,
        };
        reader.finish().map_err(fault)?;
        Ok(value)
    }
}

/// Reads a value as if it had been serialised. Its keys are the user's, even `$float`.
fn read(reader: &mut Reader<'_>, depth: Depth) -> Result<Value, OutputError> {
    match reader.peek().map_err(fault)? {
        Kind::Array => {
            let depth = depth.level()?;
            let mut elements = Vec::new();
            reader.begin_array().map_err(fault)?;
            while reader.next_element().map_err(fault)? {
                elements.push(read(reader, depth)?);
            }
            Ok(elements.into())
        }
        Kind::Object => {
            let depth = depth.level()?;
            let mut members = Vec::new();
            reader.begin_object().map_err(fault)?;
            while let Some(key) = reader.next_key().map_err(fault)? {
                members.push((users_key(&key), read(reader, depth)?));
            }
            object(members)
        }
        Kind::Null | Kind::Bool | Kind::Number | Kind::String => reader.value().map_err(fault),
    }
}

fn fault(error: json::Error) -> OutputError {
    OutputError::new(format!("serde_json's text of a value: {error}"))
}
