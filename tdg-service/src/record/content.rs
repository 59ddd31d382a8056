//! Records whose identity is their content.

use tdg_definition::json::{self, Value};
use tdg_engine::TestId;
use tdg_engine::output::Outputs;
use uuid::Uuid;

use super::super::Timestamp;
use super::super::object::{self, Malformed, Members};
use super::{RecordBody, RecordKind, identity};

/// A project. Its identity is in `tdg.toml`, and nobody's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectRecord {
    /// Its identity.
    pub uuid: Uuid,
    /// Its name.
    pub name: String,
}

impl RecordBody for ProjectRecord {
    const KIND: RecordKind = RecordKind::Project;

    fn uuid(&self) -> Uuid {
        self.uuid
    }

    fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        Vec::new()
    }

    fn write(&self, members: &mut Members<'_>) {
        members.string("name", &self.name);
    }

    fn read(value: &Value, uuid: Uuid) -> Result<Self, Malformed> {
        Ok(ProjectRecord {
            uuid,
            name: object::string(value, "name")?,
        })
    }
}

/// A definition in its canonical form.
#[derive(Clone, Debug, PartialEq)]
pub struct DefinitionRecord {
    /// Its project.
    pub project: Uuid,
    /// When it was first recorded.
    pub added: Timestamp,
    /// The canonical form. It may come from a later version of tdg.
    pub definition: Value,
}

impl RecordBody for DefinitionRecord {
    const KIND: RecordKind = RecordKind::Definition;

    fn uuid(&self) -> Uuid {
        identity::definition(self.project, &self.definition.to_string())
    }

    fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        vec![(RecordKind::Project, self.project)]
    }

    fn write(&self, members: &mut Members<'_>) {
        members.uuid("project", self.project);
        members.precise_time("added", self.added);
        json::write_value(members.value("definition"), &self.definition);
    }

    fn read(value: &Value, _: Uuid) -> Result<Self, Malformed> {
        Ok(DefinitionRecord {
            project: object::uuid(value, "project")?,
            added: object::precise_time(value, "added")?,
            definition: object::member(value, "definition")?.clone(),
        })
    }
}

/// An ensemble.
#[derive(Clone, Debug, PartialEq)]
pub struct EnsembleRecord {
    /// Its definition.
    pub definition: Uuid,
    /// When it was first recorded.
    pub added: Timestamp,
    /// Its name.
    pub name: String,
    /// The number of rows.
    pub size: usize,
    /// Where the rows come from.
    pub rows: RowSource,
    /// Identifies the rows: [`Vectors::digest`](tdg_engine::Vectors::digest).
    pub digest: String,
}

/// Where the rows of an ensemble come from.
#[derive(Clone, Debug, PartialEq)]
pub enum RowSource {
    /// The definition draws them.
    Drawn {
        /// The seed.
        seed: u64,
        /// The version of the samplers.
        sampler_version: u32,
    },
    /// The definition gives their types alone, so they are part of the record.
    Given(Outputs),
}

impl RecordBody for EnsembleRecord {
    const KIND: RecordKind = RecordKind::Ensemble;

    fn uuid(&self) -> Uuid {
        match &self.rows {
            &RowSource::Drawn {
                seed,
                sampler_version,
            } => identity::ensemble(self.definition, seed, self.size, sampler_version),
            RowSource::Given(_) => identity::rows(self.definition, &self.digest),
        }
    }

    fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        vec![(RecordKind::Definition, self.definition)]
    }

    fn write(&self, members: &mut Members<'_>) {
        members.uuid("definition", self.definition);
        members.precise_time("added", self.added);
        members.string("name", &self.name);
        members.integer("size", self.size as u64);
        match &self.rows {
            RowSource::Drawn {
                seed,
                sampler_version,
            } => {
                members.integer("seed", *seed);
                members.integer("sampler_version", (*sampler_version).into());
            }
            RowSource::Given(rows) => members.value("rows").push_str(rows.as_json()),
        }
        members.string("digest", &self.digest);
    }

    fn read(value: &Value, _: Uuid) -> Result<Self, Malformed> {
        let version = |value: &Value| u32::try_from(value.as_u64()?).ok();
        let rows = match value.get("rows") {
            Some(rows) => RowSource::Given(outputs(rows)?),
            None => RowSource::Drawn {
                seed: object::integer(value, "seed")?,
                sampler_version: object::read(value, "sampler_version", "an integer", version)?,
            },
        };
        Ok(EnsembleRecord {
            definition: object::uuid(value, "definition")?,
            added: object::precise_time(value, "added")?,
            name: object::string(value, "name")?,
            size: object::size(value, "size")?,
            rows,
            digest: object::string(value, "digest")?,
        })
    }
}

/// A test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRecord {
    /// Its project.
    pub project: Uuid,
    /// Its package, source file and name.
    pub test: TestId,
}

impl RecordBody for TestRecord {
    const KIND: RecordKind = RecordKind::Test;

    fn uuid(&self) -> Uuid {
        identity::test(self.project, &self.test)
    }

    fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        vec![(RecordKind::Project, self.project)]
    }

    fn write(&self, members: &mut Members<'_>) {
        members.uuid("project", self.project);
        write_test(members, &self.test);
    }

    fn read(value: &Value, _: Uuid) -> Result<Self, Malformed> {
        Ok(TestRecord {
            project: object::uuid(value, "project")?,
            test: read_test(value)?,
        })
    }
}

pub(super) fn write_test(members: &mut Members<'_>, test: &TestId) {
    members.string("package", &test.package);
    members.string("source", &test.source);
    members.string("name", &test.name);
}

pub(super) fn read_test(value: &Value) -> Result<TestId, Malformed> {
    Ok(TestId {
        package: object::string(value, "package")?,
        source: object::string(value, "source")?,
        name: object::string(value, "name")?,
    })
}

/// The expected outputs for an ensemble. A policy is no part of it: each assertion has the one that
/// judged it.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchmarkRecord {
    /// The ensemble.
    pub ensemble: Uuid,
    /// When it was first recorded.
    pub added: Timestamp,
    /// The outputs, one for each row.
    pub outputs: Outputs,
}

impl RecordBody for BenchmarkRecord {
    const KIND: RecordKind = RecordKind::Benchmark;

    fn uuid(&self) -> Uuid {
        identity::benchmark(self.ensemble, &self.outputs.digest())
    }

    fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        vec![(RecordKind::Ensemble, self.ensemble)]
    }

    fn write(&self, members: &mut Members<'_>) {
        members.uuid("ensemble", self.ensemble);
        members.precise_time("added", self.added);
        members.value("outputs").push_str(self.outputs.as_json());
    }

    fn read(value: &Value, _: Uuid) -> Result<Self, Malformed> {
        Ok(BenchmarkRecord {
            ensemble: object::uuid(value, "ensemble")?,
            added: object::precise_time(value, "added")?,
            outputs: outputs(object::member(value, "outputs")?)?,
        })
    }
}

fn outputs(value: &Value) -> Result<Outputs, Malformed> {
    let elements = value.as_array();
    let elements = elements.ok_or_else(|| Malformed::new("a list with an element for each row"))?;
    Ok(elements.iter().collect())
}
