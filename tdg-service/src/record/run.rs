//! Records of runs.

use std::ops::RangeInclusive;

use tdg_definition::json::{self, Value};
use tdg_engine::store::RunFacts;
use uuid::Uuid;

use super::super::JsonForm as _;
use super::super::Timestamp;
use super::super::object::{Flat, Identity, ListedMembers, Malformed, MemberAs, Members, members};
use super::{RecordBody, RecordKind};

/// A run whose outputs were compared with a benchmark. Histories are ordered by time, then
/// identity.
#[derive(Clone, Debug, PartialEq)]
pub struct AssertionRecord {
    /// Its identity, of version 7.
    pub uuid: Uuid,
    /// The benchmark.
    pub benchmark: Uuid,
    /// The time of the run, by the clock of the machine that ran it.
    pub time: Timestamp,
    /// True if the outputs were as expected.
    pub asserted: bool,
    /// The run's details, or `None` if only outputs were sent to a server.
    pub run: Option<RunRecord>,
}

impl AssertionRecord {
    /// Returns the range of times that match its identity, which contains the time to the
    /// millisecond. Lookups only search this range.
    pub fn moments(&self) -> RangeInclusive<Timestamp> {
        let first = 1000 * (self.uuid.as_u128() >> 80) as i64;
        Timestamp::from_micros(first)..=Timestamp::from_micros(first + 999)
    }
}

/// A test's details about its run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRecord {
    /// The test.
    pub test: Uuid,
    /// The facts that the test recorded.
    pub facts: RunFacts,
}

impl RecordBody for AssertionRecord {
    const KIND: RecordKind = RecordKind::Assertion;

    fn uuid(&self) -> Uuid {
        self.uuid
    }

    fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        let test = self.run.iter().map(|run| (RecordKind::Test, run.test));
        let benchmark = (RecordKind::Benchmark, self.benchmark);
        [benchmark].into_iter().chain(test).collect()
    }
}

members! { AssertionRecord: uuid as Identity, benchmark, time, asserted, run as Flat }

members! { RunRecord: test, facts as Flat }

impl RunRecord {
    /// Reads it from a JSON object, the form in which databases keep it.
    ///
    /// # Errors
    ///
    /// If the text has another form.
    pub fn from_text(text: &str) -> Result<Self, Malformed> {
        let value = json::parse(text).map_err(|error| Malformed::new("JSON").caused_by(error))?;
        Self::from_json(&value)
    }
}

/// Writes a run's members into its assertion, which may have no run.
impl MemberAs<Flat> for Option<RunRecord> {
    fn write_member(&self, members: &mut Members<'_>, _: &str) {
        if let Some(run) = self {
            run.write(members);
        }
    }

    fn read_member(object: &Value, _: &str) -> Result<Self, Malformed> {
        let is_there = object.get("test").is_some();
        is_there.then(|| RunRecord::read(object)).transpose()
    }
}

impl ListedMembers for RunFacts {
    fn write(&self, members: &mut Members<'_>) {
        for (name, fact) in self.members() {
            members.add(name, &fact);
        }
    }

    fn read(object: &Value) -> Result<Self, Malformed> {
        RunFacts::from_members(object).map_err(Malformed::of_fact)
    }
}
