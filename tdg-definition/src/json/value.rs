//! A JSON value.

use std::collections::BTreeMap;
use std::fmt;

use super::{Number, Object, write_value};

/// A JSON value, with exact numbers and sorted keys.
///
/// Values are equal by value ([`Number`]: `1` equals `1.0`) and have a total order: `null`,
/// booleans, numbers, strings, arrays, objects; then by content. [`Display`](fmt::Display) prints
/// the canonical text, like [`write_value`].
///
/// ```
/// use tdg_definition::json::Value;
///
/// let price = Value::object([("price", Value::from(12.5))]);
/// assert_eq!(price.to_string(), r#"{"price":12.5}"#);
/// assert_eq!(price.get("price").and_then(Value::as_f64), Some(12.5));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, including NaN and the infinities
    Number(Number),
    /// A string
    String(String),
    /// An array
    Array(Vec<Value>),
    /// An object, with keys sorted by their bytes
    ///
    /// An object whose only key is `$float`, with `NaN`, `Infinity` or `-Infinity`, becomes a float
    /// once written and read; use a [`Number`] instead.
    Object(Object),
}

/// The kind of a JSON value, displayed with an article: "a number".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number
    Number,
    /// A string
    String,
    /// An array
    Array,
    /// An object
    Object,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}

impl Value {
    /// Creates an object with these members.
    ///
    /// ```
    /// # use tdg_definition::json::Value;
    /// let point = Value::object([("y", Value::from(2)), ("x", Value::from(1))]);
    /// assert_eq!(point.to_string(), r#"{"x":1,"y":2}"#);
    /// ```
    pub fn object<K: Into<String>>(members: impl IntoIterator<Item = (K, Value)>) -> Self {
        Self::Object(members.into_iter().collect())
    }

    /// Returns the kind of the value.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Bool(_) => Kind::Bool,
            Self::Number(_) => Kind::Number,
            Self::String(_) => Kind::String,
            Self::Array(_) => Kind::Array,
            Self::Object(_) => Kind::Object,
        }
    }

    /// Returns true if this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns the boolean, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(boolean) => Some(*boolean),
            _ => None,
        }
    }

    /// Returns the number, if this is one.
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the nearest float, if this is a number.
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number().map(Number::as_f64)
    }

    /// Returns the integer, if this is an integer number: see [`Number::as_i64`].
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.as_i64()
    }

    /// Returns the integer, if this is an integer number: see [`Number::as_u64`].
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number()?.as_u64()
    }

    /// Returns the string, if this is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(string) => Some(string),
            _ => None,
        }
    }

    /// Returns the elements, if this is an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the entries, if this is an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns the value of a key, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_object()?.get(key)
    }
}

/// Writes the text of [`write_value`].
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        write_value(&mut text, self);
        f.write_str(&text)
    }
}

macro_rules! from {
    ($($variant:ident: $($kind:ty),+;)+) => {$($(
        impl From<$kind> for Value {
            fn from(value: $kind) -> Self {
                Self::$variant(value.into())
            }
        }
    )+)+};
}

from! {
    Bool: bool;
    Number: Number, f64, i32, i64, u64, i128, u128;
    String: String, &str;
    Array: Vec<Value>;
    Object: Object, BTreeMap<String, Value>;
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Self {
        Self::Array(elements.into_iter().collect())
    }
}

/// Converts `None` to `null`.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(option: Option<T>) -> Self {
        option.map_or(Self::Null, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_four_words() {
        assert_eq!(size_of::<Value>(), 32);
    }

    #[test]
    fn values_are_ordered_by_kind_and_then_by_content() {
        let ascending = [
            Value::Null,
            Value::from(false),
            Value::from(true),
            Value::from(-1),
            Value::from(0.5),
            Value::from(f64::NAN),
            Value::from(""),
            Value::from("a"),
            Value::from(vec![]),
            Value::from(vec![Value::Null]),
            Value::from(Object::new()),
        ];
        assert!(ascending.is_sorted_by(|left, right| left < right));
    }

    #[test]
    fn an_accessor_of_another_kind_gives_none() {
        let string = Value::from("1");
        assert_eq!(string.as_str(), Some("1"));
        assert_eq!(string.as_f64(), None);
        assert_eq!(string.as_i64(), None);
        assert_eq!(string.as_bool(), None);
        assert_eq!(string.as_array(), None);
        assert_eq!(string.get("1"), None);
        assert!(!string.is_null());
        assert_eq!(Value::from(None::<i64>), Value::Null);
    }
}
