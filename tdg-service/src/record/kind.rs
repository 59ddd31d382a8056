//! The kinds of records.

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

tdg_definition::names!("kind of record", RecordKind::as_str {
    Project = "project", Definition = "definition", Ensemble = "ensemble", Test = "test",
    Benchmark = "benchmark", Decision = "decision", Assertion = "assertion",
    Tombstone = "tombstone", Revival = "revival",
});

value! { RecordKind, "a kind of record" }
