//! Benchmarks.

use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_engine::output::Outputs;
use uuid::Uuid;

use super::object::{HttpDate, New, Optional, members, write_object};
use super::{AssertionEntry, Result, Timestamp, body};

/// The expected outputs for one ensemble, without the outputs themselves. It never changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Benchmark {
    /// Its identifier.
    pub benchmark_uuid: Uuid,
    /// The ensemble whose rows the outputs belong to.
    pub ensemble_uuid: Uuid,
    /// The definition of that ensemble.
    pub definition_uuid: Uuid,
    /// When it was created.
    pub added: Timestamp,
    /// The digest of the outputs: [`rules::output_digest`](super::rules::output_digest).
    pub digest: String,
    /// The policy for comparing outputs, or `None` for an exact comparison.
    pub policy: Option<Policy>,
    /// Its newest assertions, newest first: [`HISTORY`](Self::HISTORY) of them, or
    /// [`HISTORY_IN_LIST`](Self::HISTORY_IN_LIST) in lists and within an ensemble.
    pub history: Vec<AssertionEntry>,
    /// True if `history` has all of its assertions.
    pub history_complete: bool,
}

impl Benchmark {
    /// The maximum number of assertions in the object.
    pub const HISTORY: usize = 100;
    /// The maximum number of assertions in lists and within an ensemble.
    pub const HISTORY_IN_LIST: usize = 10;
}

members! {
    Benchmark: benchmark_uuid, ensemble_uuid, definition_uuid, added as HttpDate, digest,
    policy as Optional, history, history_complete as New
}

/// A request to create a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBenchmark {
    /// The outputs, one for each row of the ensemble.
    pub expected_output: Outputs,
    /// The policy for comparing outputs, or `None` for an exact comparison.
    pub policy: Option<Policy>,
}

impl NewBenchmark {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// [`Malformed`](super::ServiceError::Malformed) and [`Invalid`](super::ServiceError::Invalid).
    pub fn parse(text: &str) -> Result<Self> {
        body::read_with_outputs(text, "expected_output", |fields, outputs| {
            let expected_output = body::outputs(fields, "expected_output", outputs);
            let policy = match fields.optional("policy") {
                None | Some(Value::Null) => None,
                Some(value) => Some(body::nested(fields, "policy", value, Policy::from_json)?),
            };
            Some(NewBenchmark {
                expected_output: expected_output?,
                policy,
            })
        })
    }

    /// Returns the request as JSON.
    pub fn to_json(&self) -> String {
        let outputs = self.expected_output.as_json();
        let mut text = String::with_capacity(outputs.len() + 100);
        write_object(&mut text, |members| {
            members.value("expected_output").push_str(outputs);
            members.add_optional("policy", &self.policy);
        });
        text
    }
}
