//! What to do with new and changed benchmarks.

use std::fmt;

/// What to do with new and changed benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// New ones are recorded, changed ones are pending.
    Auto,
    /// New ones are recorded, changed ones accepted.
    Always,
    /// Both new and changed ones are pending.
    New,
    /// Nothing is written.
    No,
}

impl Update {
    const ALL: [Self; 4] = [Self::Auto, Self::Always, Self::New, Self::No];

    /// Its name in `TDG_UPDATE` and `tdg.toml`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::New => "new",
            Self::No => "no",
        }
    }

    /// The mode of that name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|update| update.as_str() == name)
    }

    /// All names, as messages list them.
    pub(super) fn names() -> String {
        Self::ALL.map(Self::as_str).join(", ")
    }
}

impl fmt::Display for Update {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
