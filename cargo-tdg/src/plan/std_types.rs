//! Values of std types and of well-known types of other crates.

use super::argument::{Argument, ArgumentMaker, DrawnVariant, PassedAs};
use crate::sources::{ForeignType, MadeBy, MakerForm, SCALARS};

/// Std types that a function makes from a scalar.
const MADE: [(&str, &str, &str); 7] = [
    ("Path", "std::path::PathBuf::from", "String"),
    ("PathBuf", "std::path::PathBuf::from", "String"),
    ("OsStr", "std::ffi::OsString::from", "String"),
    ("OsString", "std::ffi::OsString::from", "String"),
    ("Duration", "std::time::Duration::from_millis", "u64"),
    ("Ipv4Addr", "std::net::Ipv4Addr::from", "u32"),
    ("Ipv6Addr", "std::net::Ipv6Addr::from", "u128"),
];

/// Std types that wrap one value, with the function or the path of a tuple struct.
const WRAPPERS: [(&str, &str); 10] = [
    ("Box", "std::boxed::Box::new"),
    ("Rc", "std::rc::Rc::new"),
    ("Arc", "std::sync::Arc::new"),
    ("Cell", "std::cell::Cell::new"),
    ("RefCell", "std::cell::RefCell::new"),
    ("Mutex", "std::sync::Mutex::new"),
    ("RwLock", "std::sync::RwLock::new"),
    ("Cursor", "std::io::Cursor::new"),
    ("Wrapping", "std::num::Wrapping"),
    ("Reverse", "std::cmp::Reverse"),
];

/// Returns the constructor of a std wrapper. Unsized values are wrapped by `from`.
pub(crate) fn wrapper(name: &str, is_unsized: bool) -> Option<String> {
    let (_, function) = WRAPPERS.iter().find(|(it, _)| *it == name)?;
    match is_unsized {
        true => Some(function.replace("::new", "::from")),
        false => Some((*function).to_owned()),
    }
}

/// Returns the argument for a std type without parameters.
pub(crate) fn standard(name: &str) -> Option<Argument> {
    let scalar = |name: &str| SCALARS.iter().find(|it| **it == name).copied();
    if let Some(scalar) = scalar(name) {
        return Some(Argument::Scalar(scalar));
    }
    if let Some((_, path, of)) = MADE.iter().find(|(it, _, _)| *it == name) {
        return Some(made(
            MakerForm::Function,
            path,
            [("value", Argument::Scalar(of))],
        ));
    }
    if name == "Ordering" {
        let names = ["Less", "Equal", "Greater"].map(|it| {
            DrawnVariant::from_maker(ArgumentMaker {
                form: MakerForm::Name,
                path: format!("std::cmp::Ordering::{it}"),
                parts: Vec::new(),
            })
        });
        return Some(Argument::Variant(names.into()));
    }
    if ["RandomState", "DefaultHasher"].contains(&name) {
        return Some(made(MakerForm::Function, "Default::default", []));
    }
    if name == "IpAddr" {
        let path = "std::net::IpAddr::from";
        let address = standard("Ipv4Addr")?;
        return Some(made(MakerForm::Function, path, [("value", address)]));
    }
    let of = scalar(&name.strip_prefix("NonZero")?.to_lowercase())?;
    let path = format!("std::num::{name}::new");
    Some(made(
        MakerForm::Fallible,
        &path,
        [("value", Argument::Scalar(of))],
    ))
}

/// Returns the argument for a well-known type of another crate.
pub(crate) fn known(names: &[String]) -> Option<Argument> {
    let ForeignType { path, drawn, made } = ForeignType::find(names)?;
    let (form, made_by) = match made {
        MadeBy::Reading => return None,
        MadeBy::Parsing => (MakerForm::Fallible, "parse".to_owned()),
        MadeBy::Function(name) => (MakerForm::Function, format!("{path}::{name}")),
        MadeBy::Fallible(name) => (MakerForm::Fallible, format!("{path}::{name}")),
        MadeBy::Closure(code) => (MakerForm::Fallible, format!("({code})")),
        MadeBy::Name => (MakerForm::Name, path.to_owned()),
    };
    let parts = drawn.iter().zip(1..).map(|(part, number)| {
        let passed = match (&made, part.is_text()) {
            (MadeBy::Closure(_), true) => PassedAs::Borrowed { is_unsized: true },
            _ => PassedAs::Owned,
        };
        (format!("value_{number}"), Argument::Known(part), passed)
    });
    Some(Argument::Made(ArgumentMaker {
        form,
        path: made_by,
        parts: parts.collect(),
    }))
}

pub(crate) fn made<const N: usize>(
    form: MakerForm,
    path: &str,
    parts: [(&str, Argument); N],
) -> Argument {
    let parts = parts.map(|(name, part)| (name.to_owned(), part, PassedAs::Owned));
    Argument::Made(ArgumentMaker {
        form,
        path: path.to_owned(),
        parts: parts.into(),
    })
}

/// Returns a `Result` with either variant.
pub(crate) fn result(value: Argument, error: Argument) -> Argument {
    let variants = [("Ok", value), ("Err", error)].map(|(name, value)| {
        DrawnVariant::from_maker(ArgumentMaker {
            form: MakerForm::Function,
            path: name.to_owned(),
            parts: vec![("value".to_owned(), value, PassedAs::Owned)],
        })
    });
    Argument::Variant(variants.into())
}
