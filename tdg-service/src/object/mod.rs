//! The JSON form of the interface's objects. Each type lists its members once, and both writing and
//! reading follow that list. The output is the same in every build, and no
//! [`Value`](tdg_definition::json::Value) is built for it.

mod error;
mod form;
mod members;
mod values;
mod writer;

pub use self::error::Malformed;
pub use self::form::JsonForm;
pub(crate) use self::members::{
    Flat, HttpDate, Identity, ListedMembers, MemberAs, New, Optional, Required, member, members,
    read,
};
pub(crate) use self::values::value;
pub(crate) use self::writer::{Members, object_text, write_list, write_object};
