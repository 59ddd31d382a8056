//! The JSON form of values that aren't objects of the interface.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use tdg_definition::json::{self, Value};
use tdg_definition::{Faults, Policy};
use tdg_engine::output::Outputs;
use uuid::Uuid;

use super::{JsonForm, Malformed, write_list, write_object};
use crate::Timestamp;

/// An object with these keys.
impl<K: fmt::Display + FromStr + Ord, T: JsonForm> JsonForm for BTreeMap<K, T> {
    fn write_json(&self, text: &mut String) {
        write_object(text, |members| {
            for (key, value) in self {
                members.add(&key.to_string(), value);
            }
        });
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let object = value
            .as_object()
            .ok_or_else(|| Malformed::new("an object"))?;
        let entry = |(key, value): &(String, Value)| {
            let unknown = |_| Malformed::new(format_args!("no key {key:?}"));
            Ok((key.parse().map_err(unknown)?, T::from_json(value)?))
        };
        object.iter().map(entry).collect()
    }
}

/// A JSON array.
impl<T: JsonForm> JsonForm for Vec<T> {
    fn write_json(&self, text: &mut String) {
        write_list(text, self, T::write_json);
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let elements = value.as_array().ok_or_else(|| Malformed::new("a list"))?;
        let read = |element| T::from_json(element).map_err(Malformed::of_each);
        elements.iter().map(read).collect()
    }
}

/// A value or `null`.
impl<T: JsonForm> JsonForm for Option<T> {
    fn write_json(&self, text: &mut String) {
        match self {
            Some(value) => value.write_json(text),
            None => text.push_str("null"),
        }
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        (!value.is_null()).then(|| T::from_json(value)).transpose()
    }
}

/// Implements the JSON form of a non-object type, from its name in errors, a writer and a reader;
/// without these two, its text is written and parsed.
macro_rules! value {
    ($type:ty, $kind:expr) => {
        $crate::object::value! {
            $type, $kind,
            |text, it| tdg_definition::json::write_str(text, &it.to_string()),
            |value| value.as_str()?.parse().ok()
        }
    };
    ($type:ty, $kind:expr, $write:expr, $read:expr) => {
        impl $crate::JsonForm for $type {
            fn write_json(&self, text: &mut String) {
                let write: fn(&mut String, &Self) = $write;
                write(text, self);
            }

            fn from_json(
                value: &tdg_definition::json::Value,
            ) -> std::result::Result<Self, $crate::Malformed> {
                let read: fn(&tdg_definition::json::Value) -> Option<Self> = $read;
                read(value).ok_or_else(|| $crate::Malformed::new($kind))
            }
        }
    };
}
pub(crate) use value;

macro_rules! integers {
    ($($type:ty),+) => {
        $(value! {
            $type, "an integer",
            |text, it| json::write_u64(text, *it as u64), |value| value.as_u64()?.try_into().ok()
        })+
    };
}

value! {
    String, "a string",
    |text, it| json::write_str(text, it), |value| value.as_str().map(str::to_owned)
}
value! {
    bool, "a boolean",
    |text, it| text.push_str(if *it { "true" } else { "false" }), Value::as_bool
}
integers!(u8, u32, u64, usize);
value! { Value, "a value", json::write_value, |value| Some(value.clone()) }
value! { Uuid, "a UUID", write_uuid, |value| Uuid::try_parse(value.as_str()?).ok() }
value! {
    Outputs, "a list with an element for each row",
    |text, it| text.push_str(it.as_json()), |value| Some(value.as_array()?.iter().collect())
}
// With microseconds, which order histories.
value! {
    Timestamp, "a time such as \"2021-03-08 22:14:28.473646\"",
    |text, it| json::write_str(text, &it.to_precise()),
    |value| Timestamp::parse_precise(value.as_str()?)
}

impl JsonForm for Policy {
    fn write_json(&self, text: &mut String) {
        json::write_value(text, &self.to_json());
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let malformed = |faults: Faults| Malformed::new("a comparison policy").caused_by(faults);
        Policy::from_json(value).map_err(malformed)
    }
}

fn write_uuid(text: &mut String, uuid: &Uuid) {
    let mut buffer = Uuid::encode_buffer();
    text.push('"');
    text.push_str(uuid.hyphenated().encode_lower(&mut buffer));
    text.push('"');
}
