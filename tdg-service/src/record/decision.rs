//! Records of people's decisions: about benchmarks, and about deleting objects.

use tdg_definition::json::Value;
use tdg_engine::TestId;
use tdg_engine::checkout::Checkout;
use tdg_engine::store::{Channel, Decision, DecisionKind};
use uuid::Uuid;

use super::super::Timestamp;
use super::super::object::{
    self, Flat, Identity, Malformed, MemberAs, Members, Optional, members, value,
};
use super::{RecordBody, RecordKind, identity};

/// A decision about a test's benchmark. If two people decide differently, both decisions stay.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionRecord {
    /// Its identity, of version 7.
    pub uuid: Uuid,
    /// The test.
    pub test: Uuid,
    /// The benchmark that the decision created, if any.
    pub benchmark: Option<Uuid>,
    /// The time of the decision, by the clock of its author.
    pub time: Timestamp,
    /// The decision with its reason, author and place.
    pub decision: Decision,
    /// The earlier name of the test, if it was renamed.
    pub from: Option<TestId>,
}

impl DecisionRecord {
    /// Returns the time of the decision, or of its arrival at a server if that is earlier.
    pub fn credible(&self) -> Timestamp {
        let arrived = self.decision.arrived.map(Timestamp::from_micros);
        arrived.map_or(self.time, |arrived| arrived.min(self.time))
    }
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
}

members! {
    DecisionRecord: uuid as Identity, test, benchmark as Optional, time, decision as Flat,
    from as Optional
}

members! {
    Decision: kind named "decision", reason as Optional, author as Optional, ci as Optional,
    replaces as Optional, through as Optional, arrived as OptionalMoment, checkout as Flat,
    dirty as Optional
}

members! { Checkout: commit as Optional, branch as Optional }

value! { DecisionKind, "a decision" }
value! { Channel, "`page`, or `key` and the name of one" }

/// An optional time, in microseconds since 1970 UTC.
struct OptionalMoment;

impl MemberAs<OptionalMoment> for Option<i64> {
    fn write_member(&self, members: &mut Members<'_>, name: &str) {
        members.add_optional(name, &self.map(Timestamp::from_micros));
    }

    fn read_member(object: &Value, name: &str) -> Result<Self, Malformed> {
        let time = <Option<Timestamp> as MemberAs<Optional>>::read_member(object, name)?;
        Ok(time.map(Timestamp::as_micros))
    }
}

/// The kinds that can be deleted.
const OBJECTS: [RecordKind; 4] = [
    RecordKind::Project,
    RecordKind::Definition,
    RecordKind::Ensemble,
    RecordKind::Benchmark,
];

/// A deleted object. Everything that belonged to it, and its content, is gone.
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
    /// Returns the reason why a project refuses it, or `None`. `found` is the kind and project of
    /// its object, if the object exists.
    pub fn misfit(&self, project: Uuid, found: Option<(RecordKind, Uuid)>) -> Option<String> {
        let (of, object) = (self.of, self.object);
        match found {
            _ if of == RecordKind::Project && object != project => {
                Some("it belongs to another project".to_owned())
            }
            Some((_, other)) if other != project => {
                Some(format!("the {of} {object} belongs to another project"))
            }
            Some((kind, _)) if kind != of => Some(format!("{object} is a {kind}, not a {of}")),
            _ => None,
        }
    }
}

impl RecordBody for TombstoneRecord {
    const KIND: RecordKind = RecordKind::Tombstone;

    fn uuid(&self) -> Uuid {
        self.uuid
    }
}

members! { TombstoneRecord: uuid as Identity, of as Deletable, object, deleted }

/// The kind of a deletable object.
struct Deletable;

impl MemberAs<Deletable> for RecordKind {
    fn write_member(&self, members: &mut Members<'_>, name: &str) {
        members.add(name, self);
    }

    fn read_member(object: &Value, name: &str) -> Result<Self, Malformed> {
        let found = object::read::<RecordKind>(object, name).ok();
        let found = found.filter(|it| OBJECTS.contains(it));
        found.ok_or_else(|| Malformed::new("the kind of an object").at(name))
    }
}

/// Revokes a tombstone, because its object is wanted again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevivalRecord {
    /// The tombstone that no longer holds.
    pub tombstone: Uuid,
}

/// A revival has no parent. If it arrives before its tombstone, the tombstone deletes nothing.
impl RecordBody for RevivalRecord {
    const KIND: RecordKind = RecordKind::Revival;

    fn uuid(&self) -> Uuid {
        identity::revival(self.tombstone)
    }
}

members! { RevivalRecord: tombstone }
