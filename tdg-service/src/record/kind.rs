//! The kinds of records.

use std::fmt;
use std::str::FromStr;

use tdg_definition::json;

use super::super::object::value;

/// A kind of record. Records are sent in the order of the variants, so that every record comes
/// after those it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RecordKind {
    /// The project that all other records belong to.
    Project,
    /// A definition of rows.
    Definition,
    /// The rows that a definition draws for a seed and a size.
    Ensemble,
    /// An ensemble test.
    Test,
    /// Expected outputs for the rows of an ensemble.
    Benchmark,
    /// A decision about a test's benchmark.
    Decision,
    /// A run that was compared with a benchmark.
    Assertion,
    /// An object that was deleted.
    Tombstone,
    /// A tombstone that no longer holds.
    Revival,
}

impl RecordKind {
    /// Every kind, in order.
    pub const ALL: [RecordKind; 9] = [
        RecordKind::Project,
        RecordKind::Definition,
        RecordKind::Ensemble,
        RecordKind::Test,
        RecordKind::Benchmark,
        RecordKind::Decision,
        RecordKind::Assertion,
        RecordKind::Tombstone,
        RecordKind::Revival,
    ];

    /// Returns its name, such as `benchmark`.
    pub fn as_str(self) -> &'static str {
        match self {
            RecordKind::Project => "project",
            RecordKind::Definition => "definition",
            RecordKind::Ensemble => "ensemble",
            RecordKind::Test => "test",
            RecordKind::Benchmark => "benchmark",
            RecordKind::Decision => "decision",
            RecordKind::Assertion => "assertion",
            RecordKind::Tombstone => "tombstone",
            RecordKind::Revival => "revival",
        }
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

value!(
    RecordKind,
    "a kind of record",
    |text, it| json::write_str(text, it.as_str()),
    |value| value.as_str()?.parse().ok()
);

impl FromStr for RecordKind {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == name);
        found.ok_or(())
    }
}
