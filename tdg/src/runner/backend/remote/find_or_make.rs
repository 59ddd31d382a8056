//! What a benchmark needs on the server: project, definition and ensemble.

use std::fmt;

use hmac_sha256::Hash;
use tdg_definition::{Definition, Faults, json::Value};

use super::Remote;
use crate::runner::error::Result;
use crate::runner::plan::Plan;
use tdg_definition::limits::NAME_BYTES;
use tdg_engine::Ensemble;
use tdg_engine::hex;
use tdg_service::{IdempotencyKey, NewDefinition, NewEnsemble, NewProject, Page, Service};

impl Remote {
    /// Finds project, definition and ensemble, or makes them.
    ///
    /// The tests of many processes do that at once. So each thing that they share has an
    /// idempotency key that follows from its content: every later request gets what the first one
    /// made.
    pub(super) fn ensemble(
        &self,
        plan: &Plan,
        ensemble: &Ensemble,
    ) -> Result<tdg_service::Ensemble> {
        let definition = match self.definition.get() {
            Some(&id) => self.service.definition(id),
            None => self
                .project()
                .and_then(|project| self.definition_in(&project, plan)),
        };
        let definition = definition.map_err(|error| self.refused(error))?;
        self.ensemble_in(definition, ensemble)
            .map_err(|error| self.refused(error))
    }

    fn ensemble_in(
        &self,
        definition: tdg_service::Definition,
        ensemble: &Ensemble,
    ) -> tdg_service::Result<tdg_service::Ensemble> {
        let is_ours = |found: &tdg_service::Ensemble| {
            (found.size, found.seed, &found.digest)
                == (ensemble.size, ensemble.seed, &ensemble.digest)
        };
        if let Some(found) = definition.ensembles.into_iter().find(is_ours) {
            return Ok(found);
        }
        let name = Some(ensemble.name.clone());
        let request = NewEnsemble {
            ensemble_name: name.filter(|name| name.len() <= NAME_BYTES),
            size: ensemble.size,
            seed: Some(ensemble.seed),
        };
        let definition = definition.definition_uuid;
        let key = key(&[&definition, &request.to_json()])?;
        self.service
            .create_ensemble(definition, &request, Some(&key))
    }

    fn project(&self) -> tdg_service::Result<tdg_service::Project> {
        let mut page = Page::default();
        loop {
            let list = self.service.projects(&page)?;
            let found = list
                .items
                .into_iter()
                .find(|found| found.project_name == self.project);
            match (found, list.next) {
                (Some(found), _) => return Ok(found),
                (None, Some(next)) => page = Page::after(next),
                (None, None) => break,
            }
        }
        let request = NewProject {
            project_name: Some(self.project.clone()),
        };
        self.service
            .create_project(&request, Some(&key(&[&self.project])?))
    }

    fn definition_in(
        &self,
        project: &tdg_service::Project,
        plan: &Plan,
    ) -> tdg_service::Result<tdg_service::Definition> {
        let definition = named(&plan.definition, &plan.definition_name)?;
        let is_ours =
            |found: &&tdg_service::Definition| found.to_definition().as_ref() == Ok(&definition);
        if let Some(found) = project.definitions.iter().find(is_ours) {
            return Ok(found.clone());
        }
        let request = NewDefinition {
            definition,
            project_uuid: project.project_uuid,
        };
        let key = key(&[&project.project_uuid, &request.to_json()])?;
        self.service.create_definition(&request, Some(&key))
    }
}

/// Definitions on a server are told apart by name; one without a name gets that of its file.
fn named(definition: &Definition, name: &str) -> Result<Definition, Faults> {
    let mut value = definition.to_value();
    if definition.name().is_none()
        && let Value::Object(members) = &mut value
    {
        members.insert("definition_name", name.into());
    }
    Definition::from_recorded(&value)
}

/// A key that follows from these parts.
fn key(parts: &[&dyn fmt::Display]) -> tdg_service::Result<IdempotencyKey> {
    let mut hash = Hash::new();
    for part in parts {
        let part = part.to_string();
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    format!("tdg-{}", hex(&hash.finalize())).parse()
}
