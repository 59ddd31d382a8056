//! Assertions: comparisons of outputs with a benchmark.

use tdg_definition::json::Value;
use tdg_engine::output::Outputs;
use uuid::Uuid;

use super::object::{
    self, Flat, HttpDate, JsonForm, Malformed, MemberAs, New, Optional, members, write_object,
};
use super::record::RunRecord;
use super::{Result, Timestamp, body};

/// An assertion in a benchmark's history.
#[derive(Clone, Debug, PartialEq)]
pub struct AssertionEntry {
    /// Its identifier.
    pub assertion_uuid: Uuid,
    /// When the outputs were compared.
    pub timestamp: Timestamp,
    /// True if the outputs are the expected ones.
    pub asserted: bool,
    /// The run, included only in histories and only if the run was synchronised.
    pub run: Option<RunRecord>,
}

members! { AssertionEntry: assertion_uuid, timestamp as HttpDate, asserted, run as Flat }

/// An assertion with its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// Its entry in the history.
    pub entry: AssertionEntry,
    /// The benchmark that the outputs were compared with.
    pub benchmark_uuid: Uuid,
    /// Its ensemble.
    pub ensemble_uuid: Uuid,
    /// The rows whose outputs differ; `None` if the outputs are the expected ones.
    pub diff: Option<Diff>,
}

impl JsonForm for Assertion {
    fn write_json(&self, text: &mut String) {
        write_object(text, |members| {
            members.add("assertion_uuid", &self.entry.assertion_uuid);
            MemberAs::<HttpDate>::write_member(&self.entry.timestamp, members, "timestamp");
            members.add("benchmark_uuid", &self.benchmark_uuid);
            members.add("ensemble_uuid", &self.ensemble_uuid);
            members.add("asserted", &self.entry.asserted);
            members.add("diff", &self.diff);
        });
    }

    fn from_json(value: &Value) -> std::result::Result<Self, Malformed> {
        Ok(Assertion {
            entry: AssertionEntry::from_json(value)?,
            benchmark_uuid: object::read(value, "benchmark_uuid")?,
            ensemble_uuid: object::read(value, "ensemble_uuid")?,
            diff: object::read(value, "diff")?,
        })
    }
}

/// The rows whose outputs differ, in order. A very long diff only has the first ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// The rows, from 0.
    pub indices: Vec<usize>,
    /// The rows' values, an array per row.
    pub inputs: Outputs,
    /// The outputs that the benchmark expects.
    pub expected: Outputs,
    /// The outputs that were asserted.
    pub actual: Outputs,
    /// The number of rows whose outputs differ, if more than are included.
    pub differing: Option<usize>,
    /// The number of rows of the ensemble.
    pub size: usize,
    /// Sentences on what these rows and their outputs share, as in the report of a failing test.
    pub explanation: Vec<String>,
}

members! {
    Diff: indices, inputs, expected, actual, differing as Optional, size, explanation as New
}

/// A request to compare outputs with a benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAssertion {
    /// The outputs, one for each row of the ensemble.
    pub output_to_assert: Outputs,
}

impl NewAssertion {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// [`Malformed`](super::ServiceError::Malformed) and [`Invalid`](super::ServiceError::Invalid).
    pub fn parse(text: &str) -> Result<Self> {
        body::read_with_outputs(text, "output_to_assert", |fields, outputs| {
            let output_to_assert = body::outputs(fields, "output_to_assert", outputs)?;
            Some(NewAssertion { output_to_assert })
        })
    }

    /// Returns the request as JSON.
    pub fn to_json(&self) -> String {
        let outputs = self.output_to_assert.as_json();
        let mut text = String::with_capacity(outputs.len() + 30);
        write_object(&mut text, |members| {
            members.value("output_to_assert").push_str(outputs);
        });
        text
    }
}
