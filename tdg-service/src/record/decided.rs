//! Records of what people decided: about benchmarks, and about deleting.

use tdg_definition::json::Value;
use tdg_engine::TestId;
use tdg_engine::checkout::Checkout;
use tdg_engine::store::{Decision, DecisionKind};
use uuid::Uuid;

use super::super::Timestamp;
use super::super::object::{self, Malformed, Members};
use super::content::{read_test, write_test};
use super::{RecordBody, RecordKind, identity, optional_string, optional_uuid};

/// A decision about a test's benchmark. Of two decisions, both stay.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionRecord {
    /// Its identity, of version 7.
    pub uuid: Uuid,
    /// The test.
    pub test: Uuid,
    /// The benchmark that the decision made, if any.
    pub benchmark: Option<Uuid>,
    /// When it was, by the clock of whoever made it.
    pub time: Timestamp,
    /// What was decided, why, by whom and where.
    pub decision: Decision,
    /// The earlier name of a test that was renamed.
    pub from: Option<TestId>,
}

impl RecordBody for DecisionRecord {
    const KIND: RecordKind = RecordKind::Decision;

    fn uuid(&self) -> Uuid {
        self.uuid
    }

    fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        let benchmark = self.benchmark.map(|uuid| (RecordKind::Benchmark, uuid));
        let test = (RecordKind::Test, self.test);
        [test].into_iter().chain(benchmark).collect()
    }

    fn write(&self, members: &mut Members<'_>) {
        let Decision {
            kind,
            reason,
            author,
            checkout,
            dirty,
            ci,
        } = &self.decision;
        members.uuid("test", self.test);
        if let Some(benchmark) = self.benchmark {
            members.uuid("benchmark", benchmark);
        }
        members.precise_time("time", self.time);
        members.string("decision", kind.as_str());
        for (name, text) in [("reason", reason), ("author", author), ("ci", ci)] {
            if let Some(text) = text {
                members.string(name, text);
            }
        }
        write_checkout(members, checkout);
        if let Some(dirty) = dirty {
            members.boolean("dirty", *dirty);
        }
        if let Some(from) = &self.from {
            let mut test = Members::begin(members.value("from"));
            write_test(&mut test, from);
            test.end();
        }
    }

    fn read(value: &Value, uuid: Uuid) -> Result<Self, Malformed> {
        let kind: DecisionKind = object::read(value, "decision", "a decision", |value| {
            value.as_str()?.parse().ok()
        })?;
        Ok(DecisionRecord {
            uuid,
            test: object::uuid(value, "test")?,
            benchmark: optional_uuid(value, "benchmark")?,
            time: object::precise_time(value, "time")?,
            decision: Decision {
                reason: optional_string(value, "reason")?,
                author: optional_string(value, "author")?,
                checkout: read_checkout(value)?,
                dirty: value.get("dirty").and_then(Value::as_bool),
                ci: optional_string(value, "ci")?,
                ..Decision::new(kind)
            },
            from: value.get("from").map(read_test).transpose()?,
        })
    }
}

/// The kinds of objects, which are what is deleted.
const OBJECTS: [RecordKind; 4] = [
    RecordKind::Project,
    RecordKind::Definition,
    RecordKind::Ensemble,
    RecordKind::Benchmark,
];

/// An object that was deleted, with all that was beneath it. Its content is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TombstoneRecord {
    /// Its identity, of version 7.
    pub uuid: Uuid,
    /// The kind of the object.
    pub of: RecordKind,
    /// The identity of the object.
    pub object: Uuid,
    /// When it was deleted.
    pub deleted: Timestamp,
}

impl TombstoneRecord {
    /// Why a project doesn't take it, where its object is of the kind and in the project that are
    /// given, if it is there.
    pub fn misfit(&self, project: Uuid, found: Option<(RecordKind, Uuid)>) -> Option<String> {
        let (of, object) = (self.of, self.object);
        match found {
            _ if of == RecordKind::Project && object != project => {
                Some("it is of another project".to_owned())
            }
            Some((_, other)) if other != project => {
                Some(format!("the {of} {object} belongs to another project"))
            }
            Some((kind, _)) if kind != of => Some(format!("{object} is a {kind}, and no {of}")),
            _ => None,
        }
    }
}

impl RecordBody for TombstoneRecord {
    const KIND: RecordKind = RecordKind::Tombstone;

    fn uuid(&self) -> Uuid {
        self.uuid
    }

    fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        Vec::new()
    }

    fn write(&self, members: &mut Members<'_>) {
        members.string("of", self.of.as_str());
        members.uuid("object", self.object);
        members.precise_time("deleted", self.deleted);
    }

    fn read(value: &Value, uuid: Uuid) -> Result<Self, Malformed> {
        Ok(TombstoneRecord {
            uuid,
            of: object::read(value, "of", "the kind of an object", |value| {
                value
                    .as_str()?
                    .parse()
                    .ok()
                    .filter(|it| OBJECTS.contains(it))
            })?,
            object: object::uuid(value, "object")?,
            deleted: object::precise_time(value, "deleted")?,
        })
    }
}

/// Somebody wants the object of a tombstone again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevivalRecord {
    /// The tombstone that no longer holds.
    pub tombstone: Uuid,
}

impl RecordBody for RevivalRecord {
    const KIND: RecordKind = RecordKind::Revival;

    fn uuid(&self) -> Uuid {
        identity::revival(self.tombstone)
    }

    /// It may come before its tombstone, which then deletes nothing.
    fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        Vec::new()
    }

    fn write(&self, members: &mut Members<'_>) {
        members.uuid("tombstone", self.tombstone);
    }

    fn read(value: &Value, _: Uuid) -> Result<Self, Malformed> {
        Ok(RevivalRecord {
            tombstone: object::uuid(value, "tombstone")?,
        })
    }
}

fn write_checkout(members: &mut Members<'_>, checkout: &Checkout) {
    for (name, text) in [("commit", &checkout.commit), ("branch", &checkout.branch)] {
        if let Some(text) = text {
            members.string(name, text);
        }
    }
}

fn read_checkout(value: &Value) -> Result<Checkout, Malformed> {
    Ok(Checkout {
        commit: optional_string(value, "commit")?,
        branch: optional_string(value, "branch")?,
    })
}
