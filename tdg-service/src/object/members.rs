//! The members of an object, and the ways in which they are written.

use tdg_definition::json::Value;
use uuid::Uuid;

use super::{JsonForm, Malformed, Members, write_object};
use crate::Timestamp;

/// A type with members: an object, or a part whose members are written into an object.
pub(crate) trait ListedMembers: Sized {
    fn write(&self, members: &mut Members<'_>);

    fn read(object: &Value) -> Result<Self, Malformed>;
}

impl<T: ListedMembers> JsonForm for T {
    fn write_json(&self, text: &mut String) {
        write_object(text, |members| self.write(members));
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        T::read(value)
    }
}

/// A way to write a value as a member of an object.
pub(crate) trait MemberAs<Form>: Sized {
    fn write_member(&self, members: &mut Members<'_>, name: &str);

    fn read_member(object: &Value, name: &str) -> Result<Self, Malformed>;
}

/// Always present.
pub(crate) struct Required;

impl<T: JsonForm> MemberAs<Required> for T {
    #[inline]
    fn write_member(&self, members: &mut Members<'_>, name: &str) {
        members.add(name, self);
    }

    fn read_member(object: &Value, name: &str) -> Result<Self, Malformed> {
        T::from_json(member(object, name)?).map_err(|error| error.at(name))
    }
}

/// Omitted if `None`. `null` is read as `None`, too.
pub(crate) struct Optional;

impl<T: JsonForm> MemberAs<Optional> for Option<T> {
    fn write_member(&self, members: &mut Members<'_>, name: &str) {
        members.add_optional(name, self);
    }

    fn read_member(object: &Value, name: &str) -> Result<Self, Malformed> {
        let found = object.get(name).filter(|value| !value.is_null());
        let read = |value| T::from_json(value).map_err(|error| error.at(name));
        found.map(read).transpose()
    }
}

/// Always written. Read as the default if absent, because older services don't send it.
pub(crate) struct New;

impl<T: JsonForm + Default> MemberAs<New> for T {
    fn write_member(&self, members: &mut Members<'_>, name: &str) {
        members.add(name, self);
    }

    fn read_member(object: &Value, name: &str) -> Result<Self, Malformed> {
        <Option<T> as MemberAs<Optional>>::read_member(object, name).map(Option::unwrap_or_default)
    }
}

/// The value's members are written directly into the object.
pub(crate) struct Flat;

impl<T: ListedMembers> MemberAs<Flat> for T {
    fn write_member(&self, members: &mut Members<'_>, _: &str) {
        self.write(members);
    }

    fn read_member(object: &Value, _: &str) -> Result<Self, Malformed> {
        T::read(object)
    }
}

/// The identity of a record, which is written before its members.
pub(crate) struct Identity;

impl MemberAs<Identity> for Uuid {
    fn write_member(&self, _: &mut Members<'_>, _: &str) {}

    fn read_member(object: &Value, _: &str) -> Result<Self, Malformed> {
        read(object, "uuid")
    }
}

/// A date in HTTP's notation, to the second.
pub(crate) struct HttpDate;

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

/// Lists the members of a type in order. Members are [`Required`] unless another way is given, as
/// in `size`, `policy as Optional`, `kind named "decision"`.
macro_rules! members {
    (@name $field:tt) => { stringify!($field) };
    (@name $field:tt $name:literal) => { $name };
    (@form) => { $crate::object::Required };
    (@form $form:ident) => { $form };
    ($type:ident: $($field:tt $(named $name:literal)? $(as $form:ident)?),+) => {
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
pub(crate) use members;

/// Returns a member of a received object.
pub(crate) fn member<'a>(object: &'a Value, name: &str) -> Result<&'a Value, Malformed> {
    object.get(name).ok_or_else(|| Malformed::missing(name))
}

/// Reads a member of a received object.
pub(crate) fn read<T: JsonForm>(object: &Value, name: &str) -> Result<T, Malformed> {
    <T as MemberAs<Required>>::read_member(object, name)
}
