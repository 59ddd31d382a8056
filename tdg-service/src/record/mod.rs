//! Records: what a store keeps for others to see.
//!
//! A record never changes. Two stores are synchronised when both have the union of their records,
//! so no side has to win, and no clock decides anything. A record of content has its
//! [identity](mod@identity) from the content: two clones that record the same have the same.

mod content;
mod decided;
pub mod identity;
mod kind;
mod run;
mod set;
#[cfg(test)]
pub(crate) mod tests;

use tdg_definition::json::Value;
use uuid::Uuid;

pub use self::content::{
    BenchmarkRecord, DefinitionRecord, EnsembleRecord, ProjectRecord, RowSource, TestRecord,
};
pub use self::decided::{DecisionRecord, RevivalRecord, TombstoneRecord};
pub use self::kind::RecordKind;
pub use self::run::{AssertionRecord, RunRecord};
pub use self::set::{SetDigest, SetDigests};
use super::object::{self, Malformed, Members, ServiceObject};

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

/// Calls the same function of whichever record it is.
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
    /// Its kind.
    pub fn kind(&self) -> RecordKind {
        each!(self, it => it.kind())
    }

    /// Its identity, made from the content where there is content.
    pub fn uuid(&self) -> Uuid {
        each!(self, it => it.uuid())
    }

    /// The records that it refers to, which have to be there before it.
    pub fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        each!(self, it => it.parents())
    }
}

/// A kind of record.
trait RecordBody: Sized {
    const KIND: RecordKind;

    fn uuid(&self) -> Uuid;

    fn parents(&self) -> Vec<(RecordKind, Uuid)>;

    fn write(&self, members: &mut Members<'_>);

    /// `uuid` is the identity that the record claims to have.
    fn read(value: &Value, uuid: Uuid) -> Result<Self, Malformed>;

    fn kind(&self) -> RecordKind {
        Self::KIND
    }
}

impl object::sealed::Sealed for Record {}

/// `{"kind": "test", "uuid": "…", …}`
impl ServiceObject for Record {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.string("kind", self.kind().as_str());
        members.uuid("uuid", self.uuid());
        each!(self, it => it.write(&mut members));
        members.end();
    }

    /// Refuses content that is not what the identity says.
    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let kind = object::read(value, "kind", "a kind of record", |value| {
            value.as_str()?.parse().ok()
        })?;
        let uuid = object::uuid(value, "uuid")?;
        let record = match kind {
            RecordKind::Project => Record::Project(RecordBody::read(value, uuid)?),
            RecordKind::Definition => Record::Definition(RecordBody::read(value, uuid)?),
            RecordKind::Ensemble => Record::Ensemble(RecordBody::read(value, uuid)?),
            RecordKind::Test => Record::Test(RecordBody::read(value, uuid)?),
            RecordKind::Benchmark => Record::Benchmark(RecordBody::read(value, uuid)?),
            RecordKind::Assertion => Record::Assertion(RecordBody::read(value, uuid)?),
            RecordKind::Decision => Record::Decision(RecordBody::read(value, uuid)?),
            RecordKind::Tombstone => Record::Tombstone(RecordBody::read(value, uuid)?),
            RecordKind::Revival => Record::Revival(RecordBody::read(value, uuid)?),
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

fn optional_string(value: &Value, name: &str) -> Result<Option<String>, Malformed> {
    let is_there = value.get(name).is_some();
    is_there.then(|| object::string(value, name)).transpose()
}

fn optional_uuid(value: &Value, name: &str) -> Result<Option<Uuid>, Malformed> {
    let is_there = value.get(name).is_some();
    is_there.then(|| object::uuid(value, name)).transpose()
}
