//! What a benchmark needs on the server: project, definition and ensemble.

use std::fmt;

use hmac_sha256::Hash;
use tdg_definition::{Definition, Faults, json::Value};

use super::Remote;
use crate::ensemble::Ensemble;
use crate::hex::hex;
use crate::limits::NAME_BYTES;
use crate::runner::plan::Plan;
use crate::service::{self, IdempotencyKey, NewDefinition, NewEnsemble, NewProject, Page, Service};

impl Remote {
    /// Project, definition and ensemble are found, or made.
    ///
    /// The tests of many processes do that at once. So what they all may need has an idempotency key that
    /// follows from what it is: whoever comes second gets what the first has made.
    pub(super) fn ensemble(
        &self,
        plan: &Plan,
        ensemble: &Ensemble,
    ) -> service::Result<service::Ensemble> {
        let definition = match plan.definition_id {
            Some(id) => self.service.definition(id)?,
            None => self.definition_in(&self.project()?, plan)?,
        };
        let is_ours = |found: &service::Ensemble| {
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

    fn project(&self) -> service::Result<service::Project> {
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
        project: &service::Project,
        plan: &Plan,
    ) -> service::Result<service::Definition> {
        let definition = named(&plan.definition, &plan.definition_name)?;
        let is_ours =
            |found: &&service::Definition| found.to_definition().as_ref() == Ok(&definition);
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

/// People tell definitions on a server by their names; one that has none is called after its file.
fn named(definition: &Definition, name: &str) -> Result<Definition, Faults> {
    let mut value = definition.to_value();
    if definition.name().is_none()
        && let Value::Object(members) = &mut value
    {
        members.insert("definition_name", name.into());
    }
    Definition::from_recorded(&value)
}

/// The key of what these parts are, for everybody the same.
fn key(parts: &[&dyn fmt::Display]) -> service::Result<IdempotencyKey> {
    let mut hash = Hash::new();
    for part in parts {
        let part = part.to_string();
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    format!("tdg-{}", hex(&hash.finalize())).parse()
}
