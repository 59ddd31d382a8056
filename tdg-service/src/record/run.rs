//! Records of runs.

use std::ops::RangeInclusive;

use tdg_definition::json::{self, Value};
use tdg_engine::store::RunFacts;
use uuid::Uuid;

use super::super::Timestamp;
use super::super::object::{self, Malformed, Members};
use super::{RecordBody, RecordKind};

/// A run whose outputs were compared with a benchmark. Histories are in the order of time and
/// identity.
#[derive(Clone, Debug, PartialEq)]
pub struct AssertionRecord {
    /// Its identity, of version 7.
    pub uuid: Uuid,
    /// The benchmark.
    pub benchmark: Uuid,
    /// When it was, by the clock of whoever ran it.
    pub time: Timestamp,
    /// Whether the outputs were as expected.
    pub asserted: bool,
    /// What is known of the run; nothing of one that was sent to a server as outputs alone.
    pub run: Option<RunRecord>,
}

impl AssertionRecord {
    /// The times that its identity can have: a millisecond of them. No other is looked at when it
    /// is looked for.
    pub fn moments(&self) -> RangeInclusive<Timestamp> {
        let first = 1000 * (self.uuid.as_u128() >> 80) as i64;
        Timestamp::from_micros(first)..=Timestamp::from_micros(first + 999)
    }
}

/// What a test knows of its run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRecord {
    /// The test.
    pub test: Uuid,
    /// What the test knows.
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

    fn write(&self, members: &mut Members<'_>) {
        members.uuid("benchmark", self.benchmark);
        members.precise_time("time", self.time);
        members.boolean("asserted", self.asserted);
        if let Some(run) = &self.run {
            run.write(members);
        }
    }

    fn read(value: &Value, uuid: Uuid) -> Result<Self, Malformed> {
        Ok(AssertionRecord {
            uuid,
            benchmark: object::uuid(value, "benchmark")?,
            time: object::precise_time(value, "time")?,
            asserted: object::boolean(value, "asserted")?,
            run: RunRecord::find(value)?,
        })
    }
}

impl RunRecord {
    /// The members of its record as an object, as a database keeps them.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut members = Members::begin(&mut text);
        self.write(&mut members);
        members.end();
        text
    }

    /// Reads [`to_text`](Self::to_text)'s form.
    ///
    /// # Errors
    ///
    /// If it is another.
    pub fn from_text(text: &str) -> Result<Self, Malformed> {
        let value = json::parse(text).map_err(|error| Malformed::new("JSON").caused_by(error))?;
        Self::read(&value)
    }

    /// Reads the members of a run among those of an assertion, if it has them.
    pub(crate) fn find(value: &Value) -> Result<Option<Self>, Malformed> {
        match value.get("test") {
            None => Ok(None),
            Some(_) => RunRecord::read(value).map(Some),
        }
    }

    pub(crate) fn write(&self, members: &mut Members<'_>) {
        members.uuid("test", self.test);
        for (name, fact) in self.facts.members() {
            json::write_value(members.value(name), &fact);
        }
    }

    fn read(value: &Value) -> Result<Self, Malformed> {
        Ok(RunRecord {
            test: object::uuid(value, "test")?,
            facts: RunFacts::from_members(value).map_err(Malformed::of_fact)?,
        })
    }
}
