//! Records: the contents of a store that can be synchronised.
//!
//! A record never changes. Two stores are synchronised when both have the union of their records,
//! so conflicts can't occur, and clocks don't matter. The identity of a content record is [derived
//! from its content](mod@identity), so two clones that record the same have equal records.

mod content_records;
mod decision;
pub mod identity;
mod kind;
mod run;
mod set;
#[cfg(test)]
pub(crate) mod tests;

use tdg_definition::json::Value;
use uuid::Uuid;

pub use self::content_records::{
    BenchmarkRecord, DefinitionRecord, EnsembleRecord, ProjectRecord, RowSource, TestRecord,
};
pub use self::decision::{DecisionRecord, RevivalRecord, TombstoneRecord};
pub use self::kind::RecordKind;
pub use self::run::{AssertionRecord, RunRecord};
pub use self::set::{SetDigest, SetDigests};
use super::object::{self, JsonForm, ListedMembers, Malformed, write_object};

/// A record of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A project.
    Project(ProjectRecord),
    /// A definition.
    Definition(DefinitionRecord),
    /// An ensemble.
    Ensemble(EnsembleRecord),
    /// A test.
    Test(TestRecord),
    /// A benchmark.
    Benchmark(BenchmarkRecord),
    /// A run that was compared with a benchmark.
    Assertion(AssertionRecord),
    /// A decision about a test's benchmark.
    Decision(DecisionRecord),
    /// An object that was deleted.
    Tombstone(TombstoneRecord),
    /// A tombstone that no longer holds.
    Revival(RevivalRecord),
}

/// Calls the same function on any kind of record.
macro_rules! each {
    ($record:expr, $it:ident => $call:expr) => {
        match $record {
            Record::Project($it) => $call,
            Record::Definition($it) => $call,
            Record::Ensemble($it) => $call,
            Record::Test($it) => $call,
            Record::Benchmark($it) => $call,
            Record::Assertion($it) => $call,
            Record::Decision($it) => $call,
            Record::Tombstone($it) => $call,
            Record::Revival($it) => $call,
        }
    };
}

impl Record {
    /// Returns its kind.
    pub fn kind(&self) -> RecordKind {
        each!(self, it => it.kind())
    }

    /// Returns its identity, derived from its content if it has any.
    pub fn uuid(&self) -> Uuid {
        each!(self, it => it.uuid())
    }

    /// Returns the records that it refers to, which must be added before it.
    pub fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        each!(self, it => it.parents())
    }

    /// Returns the bytes of its large values.
    pub fn large_bytes(&self) -> usize {
        match self {
            Record::Definition(it) => it.definition.to_string().len(),
            Record::Benchmark(it) => it.outputs.as_json().len(),
            Record::Ensemble(it) => match &it.rows {
                RowSource::Given(rows) => rows.as_json().len(),
                RowSource::Drawn { .. } => 0,
            },
            _ => 0,
        }
    }
}

/// A kind of record.
trait RecordBody: ListedMembers {
    const KIND: RecordKind;

    fn uuid(&self) -> Uuid;

    /// Returns its parents; none by default.
    fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        Vec::new()
    }

    fn kind(&self) -> RecordKind {
        Self::KIND
    }
}

/// The form is `{"kind": "test", "uuid": "…", …}`.
impl JsonForm for Record {
    fn write_json(&self, text: &mut String) {
        write_object(text, |members| {
            members.add("kind", &self.kind());
            members.add("uuid", &self.uuid());
            each!(self, it => it.write(members));
        });
    }

    /// Refuses content that doesn't match the identity.
    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let kind = object::read(value, "kind")?;
        let uuid: Uuid = object::read(value, "uuid")?;
        let record = match kind {
            RecordKind::Project => Record::Project(ListedMembers::read(value)?),
            RecordKind::Definition => Record::Definition(ListedMembers::read(value)?),
            RecordKind::Ensemble => Record::Ensemble(ListedMembers::read(value)?),
            RecordKind::Test => Record::Test(ListedMembers::read(value)?),
            RecordKind::Benchmark => Record::Benchmark(ListedMembers::read(value)?),
            RecordKind::Assertion => Record::Assertion(ListedMembers::read(value)?),
            RecordKind::Decision => Record::Decision(ListedMembers::read(value)?),
            RecordKind::Tombstone => Record::Tombstone(ListedMembers::read(value)?),
            RecordKind::Revival => Record::Revival(ListedMembers::read(value)?),
        };
        let made = record.uuid();
        if made != uuid {
            let expected = format!(
                "the {} with the identity {uuid}, but its content has {made}",
                kind
            );
            return Err(Malformed::new(expected));
        }
        Ok(record)
    }
}
