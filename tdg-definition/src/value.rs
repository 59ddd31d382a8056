//! Single values of a feature's type, as stated in definitions.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use crate::bytes;
use crate::calendar;
use crate::column::Cells;
use crate::fault::{Invalid, invalid};
use crate::feature_type::FeatureType;
use crate::fields::{Fields, kind};
use crate::json::{self, Object, Value};

/// The longest string in bytes.
const STRING_BYTES: usize = 64 * 1024;

/// A value of a feature's type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scalar {
    Float(f64),
    Integer(i64),
    /// Above `i64::MAX`
    Unsigned(u64),
    Text(String),
    Boolean(bool),
    DateTime(i64),
    Date(i64),
    Bytes(Vec<u8>),
}

/// Returns a member of an OBJECT by name; in an array, names are positions.
pub(crate) fn member<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    match object {
        Value::Array(members) => members.get(name.parse::<usize>().ok()?),
        object => object.get(name),
    }
}

/// Converts a name in JSON to the key of a map; `None` if the type is wrong.
#[must_use]
pub fn key_of(kind: FeatureType, name: &str) -> Option<Value> {
    match kind {
        FeatureType::Integer | FeatureType::Boolean => json::parse(name).ok(),
        _ => Some(name.into()),
    }
}

/// Converts the key of a map to a name in JSON.
#[must_use]
pub fn name_of(key: &Value) -> String {
    key.as_str().map_or_else(|| key.to_string(), str::to_owned)
}

/// Converts the entries of a map with keys of this type to elements of a list.
pub(crate) fn entries(keys: FeatureType, map: &Object) -> Vec<Value> {
    let entry = |(name, value): &(String, Value)| {
        let key = key_of(keys, name).unwrap_or_default();
        Value::object([("key", key), ("value", value.clone())])
    };
    map.iter().map(entry).collect()
}

/// Like [`member`], but mutable.
pub(crate) fn member_mut<'a>(object: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    match object {
        Value::Array(members) => members.get_mut(name.parse::<usize>().ok()?),
        Value::Object(members) => members.get_mut(name),
        _ => None,
    }
}

impl Scalar {
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Float(value) => Value::from(*value),
            Self::Integer(value) => Value::from(*value),
            Self::Unsigned(value) => Value::from(*value),
            Self::Text(value) => Value::from(value.as_str()),
            Self::Boolean(value) => Value::from(*value),
            Self::DateTime(seconds) => written(|text| calendar::write_datetime(text, *seconds)),
            Self::Date(days) => written(|text| calendar::write_date(text, *days)),
            Self::Bytes(bytes) => written(|text| bytes::escape(bytes, text)),
        }
    }

    /// Compares two values of one type; `None` for types without an order.
    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Float(left), Self::Float(right)) => left.partial_cmp(right),
            (Self::Date(left), Self::Date(right))
            | (Self::DateTime(left), Self::DateTime(right)) => Some(left.cmp(right)),
            _ => Some(self.integer()?.cmp(&other.integer()?)),
        }
    }

    /// Orders values in sorted lists: like [`compare`](Self::compare), text and bytes bytewise.
    pub(crate) fn sorts(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Text(left), Self::Text(right)) => left.cmp(right),
            (Self::Bytes(left), Self::Bytes(right)) => left.cmp(right),
            (Self::Boolean(left), Self::Boolean(right)) => left.cmp(right),
            _ => self.compare(other).unwrap_or(Ordering::Equal),
        }
    }

    /// Returns the value of an `INTEGER`.
    pub(crate) fn integer(&self) -> Option<i128> {
        match self {
            Self::Integer(value) => Some((*value).into()),
            Self::Unsigned(value) => Some((*value).into()),
            _ => None,
        }
    }
}

fn written(write: impl FnOnce(&mut String)) -> Value {
    let mut text = String::new();
    write(&mut text);
    Value::from(text)
}

/// Reads a required member of this type.
pub(crate) fn read_member(
    fields: &mut Fields<'_>,
    name: &'static str,
    feature_type: FeatureType,
) -> Option<Scalar> {
    let mut value = fields.required(name)?;
    if feature_type == FeatureType::Integer {
        value = fields.unrounded(name, value)?;
    }
    read(value, feature_type)
        .map_err(|message| fields.fault(name, message))
        .ok()
}

/// Reads a value of this type.
///
/// # Errors
/// The fault, and the fix.
pub(crate) fn read(value: &Value, feature_type: FeatureType) -> Result<Scalar, Invalid> {
    let wrong = |right: &str| format!("must be {right}, but is {}", kind(value));
    match feature_type {
        FeatureType::Float => match value.as_f64().filter(|float| float.is_finite()) {
            Some(float) => Ok(Scalar::Float(float)),
            None => Err(wrong("a finite number").into()),
        },
        FeatureType::Integer => match (value.as_i64(), value.as_u64()) {
            (Some(integer), _) => Ok(Scalar::Integer(integer)),
            (None, Some(integer)) => Ok(Scalar::Unsigned(integer)),
            (None, None) => Err(wrong("a 64-bit integer").into()),
        },
        FeatureType::String => match value.as_str() {
            Some(text) if text.len() <= STRING_BYTES => Ok(Scalar::Text(text.to_owned())),
            Some(text) => {
                invalid!("must be at most 65536 bytes long, but is {}", text.len())
            }
            None => Err(wrong("a string").into()),
        },
        FeatureType::Boolean => match value.as_bool() {
            Some(boolean) => Ok(Scalar::Boolean(boolean)),
            None => Err(wrong("true or false").into()),
        },
        FeatureType::DateTime => match value.as_str() {
            Some(text) => calendar::parse_datetime(text).map(Scalar::DateTime),
            None => Err(wrong("a string such as \"2021-03-08T22:14:28Z\"").into()),
        },
        FeatureType::Date => match value.as_str() {
            Some(text) => calendar::parse_date(text).map(Scalar::Date),
            None => Err(wrong("a string such as \"2021-03-08\"").into()),
        },
        FeatureType::Bytes => match value.as_str().map(bytes::unescape) {
            Some(Ok(bytes)) if bytes.len() > STRING_BYTES => {
                invalid!("must be at most 65536 bytes long, but is {}", bytes.len())
            }
            Some(bytes) => bytes.map(Scalar::Bytes),
            None => Err(wrong("a string such as \"GIF89a\\\\x00\"").into()),
        },
        FeatureType::List | FeatureType::Object | FeatureType::Variant => {
            let right = match feature_type {
                FeatureType::List => "a list",
                FeatureType::Variant => "a variant",
                _ => "an object",
            };
            Err(wrong(right).into())
        }
    }
}

/// The range of the values; values other than integers count as 0.
pub(crate) fn integers(values: &[Scalar]) -> RangeInclusive<i128> {
    let integers = || values.iter().map(|value| value.integer().unwrap_or(0));
    integers().min().unwrap_or(0)..=integers().max().unwrap_or(0)
}

/// A column of these values, which must have one type and fit into one column.
pub(crate) fn column(values: &[Scalar]) -> Cells {
    fn all<T>(values: &[Scalar], of: impl Fn(&Scalar) -> Option<T>) -> Vec<T> {
        values.iter().filter_map(of).collect()
    }
    macro_rules! all {
        ($variant:ident) => {
            all(values, |value| match value {
                Scalar::$variant(value) => Some(value.clone()),
                _ => None,
            })
        };
    }
    match values.first() {
        Some(Scalar::Float(_)) | None => Cells::Float(all!(Float)),
        Some(Scalar::Boolean(_)) => Cells::Boolean(all!(Boolean)),
        Some(Scalar::DateTime(_)) => Cells::DateTime(all!(DateTime)),
        Some(Scalar::Date(_)) => Cells::Date(all!(Date)),
        Some(Scalar::Bytes(_)) => Cells::Bytes(all!(Bytes).iter().map(Vec::as_slice).collect()),
        Some(Scalar::Text(_)) => Cells::Text(all!(Text).iter().map(String::as_str).collect()),
        Some(Scalar::Integer(_) | Scalar::Unsigned(_)) => {
            Cells::from_integers(&all(values, Scalar::integer))
        }
    }
}
