//! Reads request bodies: checks the syntax first, then reports all faults together.

use tdg_definition::json::{Error, Kind, Pointer, Reader, Value};
use tdg_definition::{Faults, Fields};
use tdg_engine::output::Outputs;
use uuid::Uuid;

use super::{Result, ServiceError};

/// Reads a request that is a JSON object.
pub(super) fn read<T>(text: &str, request: impl FnOnce(&mut Fields<'_>) -> Option<T>) -> Result<T> {
    read_with_outputs(text, "", |fields, _| request(fields))
}

/// Reads a request with a list of outputs as one of its members. The list may be long, so its
/// elements are read one at a time and kept as text.
pub(super) fn read_with_outputs<T>(
    text: &str,
    name: &'static str,
    request: impl FnOnce(&mut Fields<'_>, Option<Outputs>) -> Option<T>,
) -> Result<T> {
    let malformed =
        |error: Error| ServiceError::malformed(format!("not valid JSON: {error}")).caused_by(error);
    let (value, outputs) = split(text, name).map_err(malformed)?;
    let mut faults = Faults::default();
    let read =
        Fields::of(&value, Pointer::root(), "a request", &mut faults).and_then(|mut fields| {
            let read = request(&mut fields, outputs);
            fields.finish();
            read
        });
    faults.check()?;
    read.ok_or_else(|| ServiceError::malformed("not a request"))
}

/// Splits a request into its other members and its outputs.
fn split(text: &str, name: &str) -> std::result::Result<(Value, Option<Outputs>), Error> {
    let mut reader = Reader::new(text);
    if reader.peek()? != Kind::Object {
        let value = reader.value()?;
        reader.finish()?;
        return Ok((value, None));
    }
    let (mut members, mut outputs) = (Vec::new(), None);
    let (start, mut is_named) = (reader.clone(), false);
    reader.begin_object()?;
    while let Some(key) = reader.next_key()? {
        if key == name {
            if is_named {
                let message = format!("duplicate key {key:?}");
                return Err(reader.error_at(reader.key_offset(), message));
            }
            is_named = true;
        }
        if key == name && reader.peek()? == Kind::Array {
            outputs = Some(Outputs::read(&mut reader)?);
        } else {
            members.push((key.into_owned(), reader.value()?));
        }
    }
    reader.finish()?;
    Ok((Value::Object(start.object(members)?), outputs))
}

/// Returns the outputs, which are required.
pub(super) fn outputs(
    fields: &mut Fields<'_>,
    name: &'static str,
    outputs: Option<Outputs>,
) -> Option<Outputs> {
    match outputs {
        Some(_) => fields.ignore(&[name]),
        None => {
            if let Some(other) = fields.required(name) {
                let kind = other.kind();
                fields.fault(
                    name,
                    format!("must be a list with one output for each row, but is {kind}"),
                );
            }
        }
    }
    outputs
}

pub(super) fn uuid(fields: &mut Fields<'_>, name: &'static str) -> Option<Uuid> {
    let text = fields.text(name)?;
    // Only the hyphenated form, as in paths: the other forms differ in length.
    let fault = match Uuid::try_parse(text) {
        Ok(uuid) if text.len() == 36 => return Some(uuid),
        Ok(uuid) => format!("must be a UUID with hyphens: \"{uuid}\""),
        Err(_) => "must be a UUID such as \"6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10\"".to_owned(),
    };
    fields.fault(name, fault);
    None
}

/// Reads a member that has its own language. The pointers of its faults are rebased onto the
/// request.
pub(super) fn nested<T>(
    fields: &mut Fields<'_>,
    name: &'static str,
    value: &Value,
    read: impl FnOnce(&Value) -> std::result::Result<T, Faults>,
) -> Option<T> {
    match read(value) {
        Ok(read) => Some(read),
        Err(faults) => {
            let place = fields.pointer().child(name);
            fields.faults().extend_at(&place, faults);
            None
        }
    }
}
