//! The JSON form of the interface's objects, written and read by hand: it is the same in every
//! build, and written without building a [`Value`] first.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use tdg_definition::json::{self, Value};
use tdg_engine::store::FactError;
use uuid::Uuid;

use super::Timestamp;

/// Only the interface's own objects are [`ServiceObject`]s.
pub(crate) mod sealed {
    pub trait Sealed {}

    impl<T: Sealed> Sealed for Vec<T> {}
}

/// An object of the interface, or an array of them. It can't be implemented outside of this crate.
pub trait ServiceObject: Sized + sealed::Sealed {
    /// Appends the JSON form.
    fn write_json(&self, text: &mut String);

    /// Reads the JSON form. Unknown members are skipped: a later service may have more.
    ///
    /// # Errors
    ///
    /// If a member is missing or of another type.
    fn from_json(value: &Value) -> Result<Self, Malformed>;

    /// The JSON form.
    fn to_json(&self) -> String {
        let mut text = String::new();
        self.write_json(&mut text);
        text
    }
}

/// A JSON array.
impl<T: ServiceObject> ServiceObject for Vec<T> {
    fn write_json(&self, text: &mut String) {
        text.push('[');
        for (index, element) in self.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            element.write_json(text);
        }
        text.push(']');
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let elements = value.as_array().ok_or_else(|| Malformed::new("a list"))?;
        elements.iter().map(T::from_json).collect()
    }
}

/// A JSON value that is not of an object's form.
#[derive(Clone, Debug)]
pub struct Malformed {
    expected: String,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl Malformed {
    pub(super) fn new(expected: impl fmt::Display) -> Self {
        Malformed {
            expected: expected.to_string(),
            source: None,
        }
    }

    pub(super) fn of_fact(error: FactError) -> Self {
        let malformed = Malformed::new(error.expected);
        match error.cause {
            Some(faults) => malformed.caused_by(faults),
            None => malformed,
        }
    }

    pub(super) fn caused_by(mut self, cause: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(cause));
        self
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl Error for Malformed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let source = self.source.as_deref()?;
        Some(source)
    }
}

/// Writes the members of one object.
pub(super) struct Members<'a> {
    text: &'a mut String,
    first: bool,
}

impl<'a> Members<'a> {
    pub(super) fn begin(text: &'a mut String) -> Self {
        text.push('{');
        Members { text, first: true }
    }

    /// Begins a member. The caller appends its value.
    #[inline]
    pub(super) fn value(&mut self, name: &str) -> &mut String {
        if !self.first {
            self.text.push(',');
        }
        self.first = false;
        // The names are the interface's own: none needs an escape.
        self.text.push('"');
        self.text.push_str(name);
        self.text.push_str("\":");
        self.text
    }

    pub(super) fn string(&mut self, name: &str, string: &str) {
        json::write_str(self.value(name), string);
    }

    pub(super) fn strings(&mut self, name: &str, strings: &[String]) {
        self.list(name, strings, |text, string| json::write_str(text, string));
    }

    pub(super) fn uuid(&mut self, name: &str, uuid: Uuid) {
        write_uuid(self.value(name), uuid);
    }

    pub(super) fn uuids(&mut self, name: &str, uuids: &[Uuid]) {
        self.list(name, uuids, |text, uuid| write_uuid(text, *uuid));
    }

    pub(super) fn time(&mut self, name: &str, time: Timestamp) {
        let text = self.value(name);
        text.push('"');
        time.write_http_date(text);
        text.push('"');
    }

    /// To the microsecond, as histories are ordered by.
    pub(super) fn precise_time(&mut self, name: &str, time: Timestamp) {
        json::write_str(self.value(name), &time.to_precise());
    }

    pub(super) fn integer(&mut self, name: &str, integer: u64) {
        json::write_u64(self.value(name), integer);
    }

    pub(super) fn boolean(&mut self, name: &str, boolean: bool) {
        let text = if boolean { "true" } else { "false" };
        self.value(name).push_str(text);
    }

    /// A list of whatever `write` writes.
    pub(super) fn list<T>(
        &mut self,
        name: &str,
        elements: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut String, T),
    ) {
        let text = self.value(name);
        text.push('[');
        for (index, element) in elements.into_iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            write(text, element);
        }
        text.push(']');
    }

    pub(super) fn object(&mut self, name: &str, object: &impl ServiceObject) {
        object.write_json(self.value(name));
    }

    pub(super) fn end(self) {
        self.text.push('}');
    }
}

pub(super) fn write_uuid(text: &mut String, uuid: Uuid) {
    let mut buffer = Uuid::encode_buffer();
    text.push('"');
    text.push_str(uuid.hyphenated().encode_lower(&mut buffer));
    text.push('"');
}

/// A member of an object that was received.
pub(super) fn member<'a>(value: &'a Value, name: &str) -> Result<&'a Value, Malformed> {
    let found = value.get(name);
    found.ok_or_else(|| Malformed::new(format_args!("a member `{name}`")))
}

/// A member, read by `read`; `kind` names the expected type.
pub(super) fn read<'a, T>(
    value: &'a Value,
    name: &str,
    kind: &str,
    read: impl FnOnce(&'a Value) -> Option<T>,
) -> Result<T, Malformed> {
    let found = read(member(value, name)?);
    found.ok_or_else(|| Malformed::new(format_args!("{kind} as `{name}`")))
}

pub(super) fn string(value: &Value, name: &str) -> Result<String, Malformed> {
    let string = read(value, name, "a string", Value::as_str)?;
    Ok(string.to_owned())
}

pub(super) fn uuid(value: &Value, name: &str) -> Result<Uuid, Malformed> {
    read(value, name, "a UUID", |value| {
        Uuid::try_parse(value.as_str()?).ok()
    })
}

pub(super) fn time(value: &Value, name: &str) -> Result<Timestamp, Malformed> {
    let shape = "a date such as \"Mon, 08 Mar 2021 22:14:28 GMT\"";
    read(value, name, shape, |value| {
        Timestamp::parse_http_date(value.as_str()?)
    })
}

/// A time to the microsecond.
pub(super) fn precise_time(value: &Value, name: &str) -> Result<Timestamp, Malformed> {
    let shape = "a time such as \"2021-03-08 22:14:28.473646\"";
    read(value, name, shape, |value| {
        Timestamp::parse_precise(value.as_str()?)
    })
}

/// A list of whatever `element` reads.
pub(super) fn list<T>(
    value: &Value,
    name: &str,
    element: impl FnMut(&Value) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    let elements = read(value, name, "a list", Value::as_array)?;
    elements.iter().map(element).collect()
}

pub(super) fn strings(value: &Value, name: &str) -> Result<Vec<String>, Malformed> {
    list(value, name, |value| {
        let string = value.as_str().map(str::to_owned);
        string.ok_or_else(|| Malformed::new(format_args!("strings in `{name}`")))
    })
}

pub(super) fn uuids(value: &Value, name: &str) -> Result<Vec<Uuid>, Malformed> {
    list(value, name, |value| {
        let uuid = value.as_str().and_then(|text| Uuid::try_parse(text).ok());
        uuid.ok_or_else(|| Malformed::new(format_args!("UUIDs in `{name}`")))
    })
}

pub(super) fn integer(value: &Value, name: &str) -> Result<u64, Malformed> {
    read(value, name, "an integer", Value::as_u64)
}

pub(super) fn size(value: &Value, name: &str) -> Result<usize, Malformed> {
    read(value, name, "an integer", |value| {
        usize::try_from(value.as_u64()?).ok()
    })
}

pub(super) fn boolean(value: &Value, name: &str) -> Result<bool, Malformed> {
    read(value, name, "a boolean", Value::as_bool)
}

pub(super) fn objects<T: ServiceObject>(value: &Value, name: &str) -> Result<Vec<T>, Malformed> {
    Vec::from_json(member(value, name)?)
}
