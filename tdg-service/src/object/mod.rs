//! The JSON form of the interface's objects. Each lists its members once, and is written and read
//! by this list: the same in every build, and without building a
//! [`Value`](tdg_definition::json::Value) first.

mod form;
mod malformed;
mod members;
mod values;
mod writer;

pub use self::form::JsonForm;
pub use self::malformed::Malformed;
pub(crate) use self::members::{
    Flat, HttpDate, Identity, ListedMembers, MemberAs, New, Optional, Required, member, members,
    object, read,
};
pub(crate) use self::values::value;
pub(crate) use self::writer::{Members, object_text, write_list, write_object};
