//! Assertions: comparisons of outputs with a benchmark.

use tdg_definition::json::{self, Value};
use tdg_engine::output::Outputs;
use uuid::Uuid;

use super::object::{self, Malformed, Members, ServiceObject};
use super::record::RunRecord;
use super::{Result, Timestamp, body};

/// An assertion in a benchmark's history.
#[derive(Clone, Debug, PartialEq)]
pub struct AssertionEntry {
    /// Its identifier.
    pub assertion_uuid: Uuid,
    /// When the outputs were compared.
    pub timestamp: Timestamp,
    /// Whether the outputs are the expected ones.
    pub asserted: bool,
    /// What is known of the run: only a history says it, of runs that were synchronised.
    pub run: Option<RunRecord>,
}

impl object::sealed::Sealed for AssertionEntry {}

impl ServiceObject for AssertionEntry {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.uuid("assertion_uuid", self.assertion_uuid);
        members.time("timestamp", self.timestamp);
        members.boolean("asserted", self.asserted);
        if let Some(run) = &self.run {
            run.write(&mut members);
        }
        members.end();
    }

    fn from_json(value: &Value) -> std::result::Result<Self, Malformed> {
        Ok(AssertionEntry {
            assertion_uuid: object::uuid(value, "assertion_uuid")?,
            timestamp: object::time(value, "timestamp")?,
            asserted: object::boolean(value, "asserted")?,
            run: RunRecord::find(value)?,
        })
    }
}

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

impl object::sealed::Sealed for Assertion {}

impl ServiceObject for Assertion {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.uuid("assertion_uuid", self.entry.assertion_uuid);
        members.time("timestamp", self.entry.timestamp);
        members.uuid("benchmark_uuid", self.benchmark_uuid);
        members.uuid("ensemble_uuid", self.ensemble_uuid);
        members.boolean("asserted", self.entry.asserted);
        match &self.diff {
            Some(diff) => members.object("diff", diff),
            None => members.value("diff").push_str("null"),
        }
        members.end();
    }

    fn from_json(value: &Value) -> std::result::Result<Self, Malformed> {
        Ok(Assertion {
            entry: AssertionEntry::from_json(value)?,
            benchmark_uuid: object::uuid(value, "benchmark_uuid")?,
            ensemble_uuid: object::uuid(value, "ensemble_uuid")?,
            diff: match object::member(value, "diff")? {
                Value::Null => None,
                diff => Some(Diff::from_json(diff)?),
            },
        })
    }
}

/// The rows whose outputs differ, in order. If they are very long, only the first of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// The rows, from 0.
    pub indices: Vec<usize>,
    /// The values of those rows, an array for each.
    pub inputs: Outputs,
    /// The outputs that the benchmark expects for them.
    pub expected: Outputs,
    /// The outputs that were asserted for them.
    pub actual: Outputs,
    /// The number of rows whose outputs differ, if not all of them are here.
    pub differing: Option<usize>,
    /// The number of rows of the ensemble.
    pub size: usize,
    /// Sentences about what those rows and their outputs have in common, as in the report of a
    /// failing test.
    pub explanation: Vec<String>,
}

impl object::sealed::Sealed for Diff {}

impl ServiceObject for Diff {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        let indices = members.value("indices");
        indices.push('[');
        for (position, index) in self.indices.iter().enumerate() {
            if position > 0 {
                indices.push(',');
            }
            json::write_u64(indices, *index as u64);
        }
        indices.push(']');
        members.value("inputs").push_str(self.inputs.as_json());
        members.value("expected").push_str(self.expected.as_json());
        members.value("actual").push_str(self.actual.as_json());
        if let Some(differing) = self.differing {
            members.integer("differing", differing as u64);
        }
        members.integer("size", self.size as u64);
        members.strings("explanation", &self.explanation);
        members.end();
    }

    fn from_json(value: &Value) -> std::result::Result<Self, Malformed> {
        let list = |name| object::read(value, name, "a list", Value::as_array);
        let index = |value: &Value| usize::try_from(value.as_u64()?).ok();
        let indices: Option<Vec<_>> = list("indices")?.iter().map(index).collect();
        let sentence = |value: &Value| value.as_str().map(str::to_owned);
        let explanation = match value.get("explanation") {
            Some(sentences) => sentences
                .as_array()
                .and_then(|sentences| sentences.iter().map(sentence).collect()),
            // Older services don't send it.
            None => Some(Vec::new()),
        };
        Ok(Diff {
            indices: indices.ok_or_else(|| Malformed::new("integers as `indices`"))?,
            inputs: list("inputs")?.iter().collect(),
            expected: list("expected")?.iter().collect(),
            actual: list("actual")?.iter().collect(),
            differing: match value.get("differing") {
                Some(_) => Some(object::size(value, "differing")?),
                None => None,
            },
            size: object::size(value, "size")?,
            explanation: explanation.ok_or_else(|| Malformed::new("strings as `explanation`"))?,
        })
    }
}

/// The request to compare outputs with a benchmark.
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

    /// The request as JSON.
    pub fn to_json(&self) -> String {
        let outputs = self.output_to_assert.as_json();
        let mut text = String::with_capacity(outputs.len() + 30);
        let mut members = Members::begin(&mut text);
        members.value("output_to_assert").push_str(outputs);
        members.end();
        text
    }
}
