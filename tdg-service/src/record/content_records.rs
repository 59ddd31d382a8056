//! Records whose identity is derived from their content.

use tdg_definition::json::{self, Value};
use tdg_engine::output::Outputs;
use tdg_engine::{Ensemble, TestId};
use uuid::Uuid;

use super::super::Timestamp;
use super::super::object::{self, Flat, Identity, ListedMembers, Malformed, Members, members};
use super::{RecordBody, RecordKind, identity};

/// A project. Its identity is set in `tdg.toml` and not derived from its content.
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
}

members! { ProjectRecord: uuid as Identity, name }

/// A definition in its canonical form.
#[derive(Clone, Debug, PartialEq)]
pub struct DefinitionRecord {
    /// Its project.
    pub project: Uuid,
    /// When it was first recorded.
    pub added: Timestamp,
    /// The canonical form, possibly of a later version of tdg.
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
}

members! { DefinitionRecord: project, added, definition }

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
    /// The source of the rows.
    pub rows: RowSource,
    /// The digest of the rows: [`Vectors::digest`](tdg_engine::Vectors::digest).
    pub digest: String,
}

/// The source of an ensemble's rows.
#[derive(Clone, Debug, PartialEq)]
pub enum RowSource {
    /// The rows are drawn from the definition.
    Drawn {
        /// The seed.
        seed: u64,
        /// The version of the samplers.
        sampler_version: u32,
    },
    /// The rows are part of the record, because the definition only specifies their types.
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
}

members! { EnsembleRecord: definition, added, name, size, rows as Flat, digest }

impl ListedMembers for RowSource {
    fn write(&self, members: &mut Members<'_>) {
        match self {
            RowSource::Drawn {
                seed,
                sampler_version,
            } => {
                members.add("seed", seed);
                members.add("sampler_version", sampler_version);
            }
            RowSource::Given(rows) => members.add("rows", rows),
        }
    }

    fn read(object: &Value) -> Result<Self, Malformed> {
        Ok(match object.get("rows") {
            Some(_) => RowSource::Given(object::read(object, "rows")?),
            None => RowSource::Drawn {
                seed: object::read(object, "seed")?,
                sampler_version: object::read(object, "sampler_version")?,
            },
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
}

members! { TestRecord: project, test as Flat }

members! { TestId: package, source, name }

/// The expected outputs for an ensemble. The policy isn't part of it: each assertion keeps the one
/// that it was judged by.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchmarkRecord {
    /// The ensemble.
    pub ensemble: Uuid,
    /// When it was first recorded.
    pub added: Timestamp,
    /// The outputs, one for each row.
    pub outputs: Outputs,
}

impl BenchmarkRecord {
    /// Returns why it doesn't fit an ensemble with this number of rows, or `None` if it does.
    pub fn misfit(&self, rows: usize) -> Option<String> {
        let count = self.outputs.len();
        let reason = || format!("it has {count} outputs, but its ensemble has {rows} rows");
        (count != rows).then(reason)
    }

    /// Returns true if it has expected outputs for the rows of a project's ensemble.
    pub fn has_rows_of(&self, project: Uuid, ensemble: &Ensemble) -> bool {
        let Ok(definition) = json::parse(&ensemble.definition) else {
            return false;
        };
        let definition = identity::definition(project, &definition.to_string());
        let Ensemble {
            seed,
            size,
            sampler_version,
            digest,
            ..
        } = ensemble;
        let drawn = identity::ensemble(definition, *seed, *size, *sampler_version);
        [drawn, identity::rows(definition, digest)].contains(&self.ensemble)
    }
}

impl RecordBody for BenchmarkRecord {
    const KIND: RecordKind = RecordKind::Benchmark;

    fn uuid(&self) -> Uuid {
        identity::benchmark(self.ensemble, &self.outputs.digest())
    }

    fn parents(&self) -> Vec<(RecordKind, Uuid)> {
        vec![(RecordKind::Ensemble, self.ensemble)]
    }
}

members! { BenchmarkRecord: ensemble, added, outputs }
