//! Finds or creates the project, definition and ensemble for a benchmark.

use std::fmt;

use hmac_sha256::Hash;
use tdg_definition::Faults;
use tdg_definition::json::Value;
use tdg_definition::limits::NAME_BYTES;
use tdg_engine::hex;
use uuid::Uuid;

use super::{Found, RemoteService};
use crate::record::{ProjectRecord, Record};
use crate::sync::{RecordOutcome, Replica as _};
use crate::{
    Benchmark, Definition, Ensemble, IdempotencyKey, NewBenchmark, NewDefinition, NewEnsemble,
    NewProject, Project, Result, ServiceError,
};

/// Finds or creates the objects that a benchmark needs.
///
/// Tests do this from many processes at once. The idempotency keys of shared objects are therefore
/// derived from the content, and later requests get the object that the first one created.
impl RemoteService {
    /// Returns the project with this UUID or, without a UUID, the first one with this name.
    ///
    /// # Errors
    ///
    /// See [`RemoteService`]. Also fails if the project with this UUID was deleted.
    pub fn find_or_create_project(&self, uuid: Option<Uuid>, name: &str) -> Result<Found<Project>> {
        if let Some(uuid) = uuid {
            return match self.first_part(uuid) {
                Err(ServiceError::NotFound(..)) => self.add_project(uuid, name),
                found => found,
            };
        }
        if let Some(found) = self.find_project(|project| project.project_name == name)? {
            return Ok(found);
        }
        let request = NewProject {
            project_name: Some(name.to_owned()),
        };
        let created = self.create_project(&request, Some(&key(&[&name])?));
        created.map(Found::whole)
    }

    /// Adds a project that already has an identity, as synchronising does.
    fn add_project(&self, uuid: Uuid, name: &str) -> Result<Found<Project>> {
        let name = name.to_owned();
        let project = Record::Project(ProjectRecord { uuid, name });
        match self.replica(uuid).add(&[project])?.as_slice() {
            [RecordOutcome::Made | RecordOutcome::Had] => self.first_part(uuid),
            [RecordOutcome::Refused(reason)] => Err(ServiceError::Conflict(
                format!("the server at {} refuses the project: {reason}", self.url()).into(),
            )),
            _ => Err(ServiceError::Conflict(
                format!(
                    "the project {uuid} was deleted from the server at {}: run `cargo tdg push \
                     --revive` to send it again, or remove its project_uuid from tdg.toml to use \
                     another",
                    self.url()
                )
                .into(),
            )),
        }
    }

    /// Returns the project's definition with this content. A server identifies definitions by name,
    /// so an unnamed one gets `name`.
    ///
    /// # Errors
    ///
    /// See [`RemoteService`].
    pub fn find_or_create_definition(
        &self,
        project: &Found<Project>,
        definition: &tdg_definition::Definition,
        name: &str,
    ) -> Result<Found<Definition>> {
        let definition = named(definition, name)?;
        let is_ours = |found: &Definition| found.to_definition().as_ref() == Ok(&definition);
        if let Some(found) = self.find_definition(project, is_ours)? {
            return Ok(found);
        }
        let project_uuid = project.object.project_uuid;
        let request = NewDefinition {
            definition,
            project_uuid,
        };
        let key = key(&[&project_uuid, &request.to_json()])?;
        self.create_definition(&request, Some(&key))
            .map(Found::whole)
    }

    /// Returns the definition's ensemble with this size, seed and digest. A new one has a different
    /// digest if the server draws other rows.
    ///
    /// # Errors
    ///
    /// See [`RemoteService`].
    pub fn find_or_create_ensemble(
        &self,
        definition: &Found<Definition>,
        ensemble: &tdg_engine::Ensemble,
    ) -> Result<Found<Ensemble>> {
        let is_ours = |found: &Ensemble| {
            (found.size, found.seed, &found.digest)
                == (ensemble.size, ensemble.seed, &ensemble.digest)
        };
        if let Some(found) = self.find_ensemble(definition, is_ours)? {
            return Ok(found);
        }
        let name = Some(ensemble.name.clone());
        let request = NewEnsemble {
            ensemble_name: name.filter(|name| name.len() <= NAME_BYTES),
            size: ensemble.size,
            seed: Some(ensemble.seed),
        };
        let definition = definition.object.definition_uuid;
        let key = key(&[&definition, &request.to_json()])?;
        let created = self.create_ensemble(definition, &request, Some(&key));
        created.map(Found::whole)
    }

    /// Returns the ensemble's benchmark with these outputs and this policy.
    ///
    /// # Errors
    ///
    /// See [`RemoteService`].
    pub fn find_or_create_benchmark(
        &self,
        ensemble: &Found<Ensemble>,
        request: &NewBenchmark,
    ) -> Result<Benchmark> {
        let digest = request.expected_output.digest();
        let is_ours = |found: &Benchmark| found.digest == digest && found.policy == request.policy;
        if let Some(found) = self.find_benchmark(ensemble, is_ours)? {
            return Ok(found);
        }
        let ensemble = &ensemble.object;
        let (definition, ensemble) = (ensemble.definition_uuid, ensemble.ensemble_uuid);
        self.create_benchmark(definition, ensemble, request, None)
    }
}

fn named(
    definition: &tdg_definition::Definition,
    name: &str,
) -> std::result::Result<tdg_definition::Definition, Faults> {
    let mut value = definition.to_value();
    if definition.name().is_none()
        && let Value::Object(members) = &mut value
    {
        members.insert("definition_name", name.into());
    }
    tdg_definition::Definition::from_recorded(&value)
}

/// Derives a key from these parts.
fn key(parts: &[&dyn fmt::Display]) -> Result<IdempotencyKey> {
    let mut hash = Hash::new();
    for part in parts {
        let part = part.to_string();
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    format!("tdg-{}", hex(&hash.finalize())).parse()
}
