//! Enums whose variants have names.

use std::error::Error;
use std::fmt;

/// The error for a text that isn't one of the names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    name: String,
}

impl UnknownName {
    #[doc(hidden)]
    pub fn new(what: &'static str, name: &str) -> Self {
        let name = name.to_owned();
        Self { what, name }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} `{}`", self.what, self.name)
    }
}

impl Error for UnknownName {}

/// Implements `ALL`, in this order, and a function that returns the name. With a noun for errors,
/// also implements `Display` and `FromStr`.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Color { Red, Blue }
/// tdg_definition::names!("color", Color::name { Red = "red", Blue = "blue" });
///
/// assert_eq!(Color::ALL.map(Color::name), ["red", "blue"]);
/// assert_eq!("red".parse(), Ok(Color::Red));
/// assert_eq!("green".parse::<Color>().unwrap_err().to_string(), "unknown color `green`");
/// ```
#[macro_export]
macro_rules! names {
    ($type:ident::$as_str:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// Every variant, in order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Returns the name.
            #[must_use]
            pub const fn $as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
    ($noun:literal, $type:ident::$as_str:ident $names:tt) => {
        $crate::names!($type::$as_str $names);

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.$as_str())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, $crate::UnknownName> {
                let found = Self::ALL.into_iter().find(|it| it.$as_str() == name);
                found.ok_or_else(|| $crate::UnknownName::new($noun, name))
            }
        }
    };
}
