//! The JSON form of the interface's objects. Each lists its members once, and is written and read
//! by this list: the same in every build, and without building a [`Value`] first.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use tdg_definition::json::{self, Value};
use tdg_definition::{Faults, Policy};
use tdg_engine::output::Outputs;
use tdg_engine::store::FactError;
use uuid::Uuid;

use super::Timestamp;

/// What has one JSON form in the interface: an object, a list, or the value of a member.
pub trait JsonForm: Sized {
    /// Appends the JSON form.
    fn write_json(&self, text: &mut String);

    /// Reads the JSON form. Unknown members are skipped: a later service may have more.
    ///
    /// # Errors
    ///
    /// If it is of another type, or if a member is missing or of another type.
    fn from_json(value: &Value) -> Result<Self, Malformed>;

    /// The JSON form.
    fn to_json(&self) -> String {
        let mut text = String::new();
        self.write_json(&mut text);
        text
    }
}

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

/// `null`, or a value.
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

/// The form of a type whose values are not objects: how it is called, written, and read.
macro_rules! value {
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
pub(super) use value;

value!(
    String,
    "a string",
    |text, it| json::write_str(text, it),
    |value| value.as_str().map(str::to_owned)
);
value!(
    bool,
    "a boolean",
    |text, it| text.push_str(if *it { "true" } else { "false" }),
    Value::as_bool
);
value!(
    u64,
    "an integer",
    |text, it| json::write_u64(text, *it),
    Value::as_u64
);
value!(
    u32,
    "an integer",
    |text, it| json::write_u64(text, (*it).into()),
    |value| { value.as_u64()?.try_into().ok() }
);
value!(
    u8,
    "an integer",
    |text, it| json::write_u64(text, (*it).into()),
    |value| { value.as_u64()?.try_into().ok() }
);
value!(
    usize,
    "an integer",
    |text, it| json::write_u64(text, *it as u64),
    |value| { value.as_u64()?.try_into().ok() }
);
value!(Value, "a value", json::write_value, |value| Some(
    value.clone()
));
value!(Uuid, "a UUID", write_uuid, |value| Uuid::try_parse(
    value.as_str()?
)
.ok());
value!(
    Outputs,
    "a list with an element for each row",
    |text, it| text.push_str(it.as_json()),
    |value| Some(value.as_array()?.iter().collect())
);
// To the microsecond, as histories are ordered by.
value!(
    Timestamp,
    "a time such as \"2021-03-08 22:14:28.473646\"",
    |text, it| json::write_str(text, &it.to_precise()),
    |value| Timestamp::parse_precise(value.as_str()?)
);

impl JsonForm for Policy {
    fn write_json(&self, text: &mut String) {
        json::write_value(text, &self.to_json());
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let malformed = |faults: Faults| Malformed::new("a comparison policy").caused_by(faults);
        Policy::from_json(value).map_err(malformed)
    }
}

/// The members of a type, which are those of an object or among those of one.
pub(super) trait ListedMembers: Sized {
    fn write(&self, members: &mut Members<'_>);

    fn read(object: &Value) -> Result<Self, Malformed>;
}

/// How a type stands among the members of an object.
pub(super) trait MemberAs<Form>: Sized {
    fn write_member(&self, members: &mut Members<'_>, name: &str);

    fn read_member(object: &Value, name: &str) -> Result<Self, Malformed>;
}

/// Always there.
pub(super) struct Required;

impl<T: JsonForm> MemberAs<Required> for T {
    #[inline]
    fn write_member(&self, members: &mut Members<'_>, name: &str) {
        self.write_json(members.value(name));
    }

    fn read_member(object: &Value, name: &str) -> Result<Self, Malformed> {
        T::from_json(member(object, name)?).map_err(|error| error.at(name))
    }
}

/// Left out, if there is none. `null` is none as well.
pub(super) struct Optional;

impl<T: JsonForm> MemberAs<Optional> for Option<T> {
    fn write_member(&self, members: &mut Members<'_>, name: &str) {
        if let Some(value) = self {
            value.write_json(members.value(name));
        }
    }

    fn read_member(object: &Value, name: &str) -> Result<Self, Malformed> {
        let found = object.get(name).filter(|value| !value.is_null());
        let read = |value| T::from_json(value).map_err(|error| error.at(name));
        found.map(read).transpose()
    }
}

/// Always sent, but not by every service.
pub(super) struct New;

impl<T: JsonForm + Default> MemberAs<New> for T {
    fn write_member(&self, members: &mut Members<'_>, name: &str) {
        self.write_json(members.value(name));
    }

    fn read_member(object: &Value, name: &str) -> Result<Self, Malformed> {
        <Option<T> as MemberAs<Optional>>::read_member(object, name).map(Option::unwrap_or_default)
    }
}

/// Its members are the object's own.
pub(super) struct Flat;

impl<T: ListedMembers> MemberAs<Flat> for T {
    fn write_member(&self, members: &mut Members<'_>, _: &str) {
        self.write(members);
    }

    fn read_member(object: &Value, _: &str) -> Result<Self, Malformed> {
        T::read(object)
    }
}

/// The identity of a record, which is written before its members.
pub(super) struct Identity;

impl MemberAs<Identity> for Uuid {
    fn write_member(&self, _: &mut Members<'_>, _: &str) {}

    fn read_member(object: &Value, _: &str) -> Result<Self, Malformed> {
        read(object, "uuid")
    }
}

/// As HTTP writes dates, to the second.
pub(super) struct HttpDate;

impl MemberAs<HttpDate> for Timestamp {
    fn write_member(&self, members: &mut Members<'_>, name: &str) {
        let text = members.value(name);
        text.push('"');
        self.write_http_date(text);
        text.push('"');
    }

    fn read_member(object: &Value, name: &str) -> Result<Self, Malformed> {
        let found = member(object, name)?.as_str();
        let kind = "a date such as \"Mon, 08 Mar 2021 22:14:28 GMT\"";
        let read = found.and_then(Timestamp::parse_http_date);
        read.ok_or_else(|| Malformed::new(kind).at(name))
    }
}

/// Lists the members of a type in order, each with how it stands among them unless it is
/// [`Required`]: `size`, `policy as Optional`, `kind named "decision"`.
macro_rules! members {
    (@name $field:tt) => { stringify!($field) };
    (@name $field:tt $name:literal) => { $name };
    (@form) => { $crate::object::Required };
    (@form $form:ident) => { $form };
    ($type:ident { $($field:tt $(named $name:literal)? $(as $form:ident)?),+ $(,)? }) => {
        impl $crate::object::ListedMembers for $type {
            fn write(&self, members: &mut $crate::object::Members<'_>) {
                $(<_ as $crate::object::MemberAs<$crate::object::members!(@form $($form)?)>>::write_member(
                    &self.$field,
                    members,
                    $crate::object::members!(@name $field $($name)?),
                );)+
            }

            fn read(
                object: &tdg_definition::json::Value,
            ) -> std::result::Result<Self, $crate::Malformed> {
                Ok(Self {
                    $($field: <_ as $crate::object::MemberAs<$crate::object::members!(@form $($form)?)>>::read_member(
                        object,
                        $crate::object::members!(@name $field $($name)?),
                    )?,)+
                })
            }
        }
    };
}
pub(super) use members;

/// An object with these [`members!`].
macro_rules! object {
    ($type:ident { $($member:tt)* }) => {
        $crate::object::members!($type { $($member)* });

        impl $crate::JsonForm for $type {
            fn write_json(&self, text: &mut String) {
                $crate::object::write_object(text, |members| {
                    $crate::object::ListedMembers::write(self, members);
                });
            }

            fn from_json(
                value: &tdg_definition::json::Value,
            ) -> std::result::Result<Self, $crate::Malformed> {
                $crate::object::ListedMembers::read(value)
            }
        }
    };
}
pub(super) use object;

/// A JSON value that is not of an object's form.
#[derive(Clone, Debug)]
pub struct Malformed {
    expected: String,
    /// How `expected` goes on before the name of the member, as long as it has none.
    joint: Option<&'static str>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl Malformed {
    pub(super) fn new(expected: impl fmt::Display) -> Self {
        Malformed {
            expected: expected.to_string(),
            joint: Some(" as"),
            source: None,
        }
    }

    pub(super) fn of_fact(error: FactError) -> Self {
        let malformed = Malformed {
            joint: None,
            ..Malformed::new(error.expected)
        };
        match error.cause {
            Some(faults) => malformed.caused_by(faults),
            None => malformed,
        }
    }

    pub(super) fn caused_by(mut self, cause: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(cause));
        self
    }

    /// It was expected as the value of this member, unless that was said already.
    pub(super) fn at(mut self, name: &str) -> Self {
        if let Some(joint) = self.joint.take() {
            self.expected += &format!("{joint} `{name}`");
        }
        self
    }

    /// It was expected as each element of a list.
    fn of_each(mut self) -> Self {
        self.joint = self.joint.map(|_| " as each of");
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

impl Members<'_> {
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

    /// A whole member.
    pub(super) fn add<T: JsonForm>(&mut self, name: &str, value: &T) {
        MemberAs::<Required>::write_member(value, self, name);
    }

    /// A member that may be left out.
    pub(super) fn add_optional<T: JsonForm>(&mut self, name: &str, value: &Option<T>) {
        MemberAs::<Optional>::write_member(value, self, name);
    }
}

/// Appends an object with whatever `write` writes as its members.
pub(super) fn write_object(text: &mut String, write: impl FnOnce(&mut Members<'_>)) {
    text.push('{');
    write(&mut Members {
        text: &mut *text,
        first: true,
    });
    text.push('}');
}

/// An object with whatever `write` writes as its members.
pub(super) fn object_text(write: impl FnOnce(&mut Members<'_>)) -> String {
    let mut text = String::new();
    write_object(&mut text, write);
    text
}

/// Appends a list of whatever `write` writes for each of these.
pub(super) fn write_list<T>(text: &mut String, elements: &[T], write: impl Fn(&T, &mut String)) {
    text.push('[');
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write(element, text);
    }
    text.push(']');
}

fn write_uuid(text: &mut String, uuid: &Uuid) {
    let mut buffer = Uuid::encode_buffer();
    text.push('"');
    text.push_str(uuid.hyphenated().encode_lower(&mut buffer));
    text.push('"');
}

/// A member of an object that was received.
pub(super) fn member<'a>(object: &'a Value, name: &str) -> Result<&'a Value, Malformed> {
    let missing = || Malformed {
        joint: None,
        ..Malformed::new(format_args!("a member `{name}`"))
    };
    object.get(name).ok_or_else(missing)
}

/// A member of an object that was received, in its form.
pub(super) fn read<T: JsonForm>(object: &Value, name: &str) -> Result<T, Malformed> {
    <T as MemberAs<Required>>::read_member(object, name)
}
