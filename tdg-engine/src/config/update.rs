//! The handling of new and changed benchmarks.

use std::fmt;

/// The handling of new and changed benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// New ones are recorded, changed ones become pending.
    Auto,
    /// New ones are recorded, changed ones are accepted.
    Always,
    /// New and changed ones become pending.
    New,
    /// Nothing is written.
    No,
}

impl Update {
    const ALL: [Self; 4] = [Self::Auto, Self::Always, Self::New, Self::No];

    /// Returns the name in `TDG_UPDATE` and `tdg.toml`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::New => "new",
            Self::No => "no",
        }
    }

    /// Returns the mode with this name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|update| update.as_str() == name)
    }

    /// Returns all names, as listed in messages.
    pub(super) fn names() -> String {
        Self::ALL.map(Self::as_str).join(", ")
    }
}

impl fmt::Display for Update {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
