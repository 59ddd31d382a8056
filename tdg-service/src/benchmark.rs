//! Benchmarks.

use tdg_definition::json::{self, Value};
use uuid::Uuid;

use super::object::{self, Malformed, Members, Object};
use super::{AssertionEntry, Result, Timestamp, body};
use tdg_definition::Policy;
use tdg_engine::output::Outputs;

/// The expected outputs for one ensemble, without the outputs. It never changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Benchmark {
    /// Its identifier.
    pub benchmark_uuid: Uuid,
    /// The ensemble whose rows the outputs belong to.
    pub ensemble_uuid: Uuid,
    /// The definition of that ensemble.
    pub definition_uuid: Uuid,
    /// When it was made.
    pub added: Timestamp,
    /// What identifies the outputs: [`rules::output_digest`](super::rules::output_digest).
    pub digest: String,
    /// How outputs are compared with it; exactly if there is none.
    pub policy: Option<Policy>,
    /// Its assertions, newest first: [`HISTORY`](Self::HISTORY) of them, [`HISTORY_IN_LIST`](Self::HISTORY_IN_LIST)
    /// where it stands in a list or within an ensemble.
    pub history: Vec<AssertionEntry>,
}

impl Benchmark {
    /// How many assertions the object shows.
    pub const HISTORY: usize = 100;
    /// How many it shows in a list.
    pub const HISTORY_IN_LIST: usize = 10;
}

impl Object for Benchmark {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.uuid("benchmark_uuid", self.benchmark_uuid);
        members.uuid("ensemble_uuid", self.ensemble_uuid);
        members.uuid("definition_uuid", self.definition_uuid);
        members.time("added", self.added);
        members.string("digest", &self.digest);
        if let Some(policy) = &self.policy {
            json::write_value(members.value("policy"), &policy.to_json());
        }
        members.object("history", &self.history);
        members.end();
    }

    fn from_json(value: &Value) -> std::result::Result<Self, Malformed> {
        let policy = match value.get("policy") {
            None | Some(Value::Null) => None,
            Some(policy) => Some(
                Policy::from_json(policy)
                    .map_err(|_| Malformed::new("a comparison policy as `policy`"))?,
            ),
        };
        Ok(Benchmark {
            benchmark_uuid: object::uuid(value, "benchmark_uuid")?,
            ensemble_uuid: object::uuid(value, "ensemble_uuid")?,
            definition_uuid: object::uuid(value, "definition_uuid")?,
            added: object::time(value, "added")?,
            digest: object::string(value, "digest")?,
            policy,
            history: object::objects(value, "history")?,
        })
    }
}

/// A benchmark to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBenchmark {
    /// The outputs, one for each row of the ensemble.
    pub expected_output: Outputs,
    /// How outputs are to be compared with them; exactly if there is none.
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
                None | Some(Value::Null) => Some(None),
                Some(value) => body::nested(fields, "policy", value, Policy::from_json).map(Some),
            };
            Some(NewBenchmark {
                expected_output: expected_output?,
                policy: policy?,
            })
        })
    }

    /// The request as JSON.
    pub fn to_json(&self) -> String {
        let outputs = self.expected_output.as_json();
        let mut text = String::with_capacity(outputs.len() + 100);
        let mut members = Members::begin(&mut text);
        members.value("expected_output").push_str(outputs);
        if let Some(policy) = &self.policy {
            json::write_value(members.value("policy"), &policy.to_json());
        }
        members.end();
        text
    }
}
