//! What becomes of benchmarks that are new or changed.

use std::fmt;

/// What becomes of benchmarks that are new or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// New ones are recorded, changed ones wait for a decision.
    Auto,
    /// New ones are recorded, changed ones accepted.
    Always,
    /// New ones wait for a decision as changed ones do.
    New,
    /// Nothing is written.
    No,
}

impl Update {
    const ALL: [Self; 4] = [Self::Auto, Self::Always, Self::New, Self::No];

    /// The word for it in `TDG_UPDATE` and `tdg.toml`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::New => "new",
            Self::No => "no",
        }
    }

    /// The mode that [`word`](Self::word) names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|update| update.word() == word)
    }

    /// All words, as messages list them.
    pub(super) fn words() -> String {
        Self::ALL.map(Self::word).join(", ")
    }
}

impl fmt::Display for Update {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}
