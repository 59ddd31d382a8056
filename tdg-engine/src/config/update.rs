//! The handling of new and changed benchmarks.

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

// The names in `TDG_UPDATE` and `tdg.toml`.
tdg_definition::names!("update mode", Update::as_str {
    Auto = "auto", Always = "always", New = "new", No = "no",
});

impl Update {
    /// Returns all names, as listed in messages.
    pub(super) fn names() -> String {
        Self::ALL.map(Self::as_str).join(", ")
    }
}
