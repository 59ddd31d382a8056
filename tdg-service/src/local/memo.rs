//! What was computed of rows that never change.

use std::collections::HashMap;

use tdg_definition::{Definition, json};
use tdg_engine::Vectors;
use tdg_engine::output::Outputs;
use tdg_engine::store::records::{EnsembleRow, Id, Tables};
use uuid::Uuid;

use crate::Result;
use crate::record::identity;

/// What was computed of rows that never change; `None` of what is damaged.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// Whether nothing counts that was computed before, so that damage shows.
    pub(super) reads_all: bool,
    /// The rows of files that count as stored, by the identities of their ensembles.
    pub(super) foreseen: HashMap<Uuid, String>,
    /// The identities of definitions, by the identifiers of their rows.
    definitions: HashMap<Uuid, Option<Uuid>>,
    /// Whether definitions draw rows.
    drawn: HashMap<(Uuid, u64, usize, String), bool>,
    /// The digests of outputs, by the identifiers of the rows of benchmarks.
    digests: HashMap<Uuid, Option<String>>,
}

impl Memo {
    pub(super) fn definition(
        &mut self,
        tables: &Tables<'_>,
        project: Uuid,
        (row, uuid): (Id, Uuid),
    ) -> Result<Option<Uuid>> {
        if let Some(known) = self.definitions.get(&uuid) {
            return Ok(*known);
        }
        let text = tables.definition(row)?.map(|(_, text)| text);
        let value = text.and_then(|text| json::parse(&text).ok());
        let identity = value.map(|value| identity::definition(project, &value.to_string()));
        self.definitions.insert(uuid, identity);
        Ok(identity)
    }

    /// Whether the definition draws the rows of an ensemble. Those of other samplers can't be drawn
    /// again, so they count as drawn.
    pub(super) fn is_drawn(
        &mut self,
        tables: &Tables<'_>,
        definition: Uuid,
        ensemble: &EnsembleRow,
    ) -> Result<bool> {
        let key = (
            definition,
            ensemble.seed,
            ensemble.size,
            ensemble.digest.clone(),
        );
        if let Some(known) = self.drawn.get(&key) {
            return Ok(*known);
        }
        let is_old = ensemble.sampler_version != tdg_definition::random::SAMPLER_VERSION;
        let text = tables
            .definition(ensemble.definition)?
            .map(|(_, text)| text);
        let definition = text.and_then(|text| Definition::parse_recorded(&text).ok());
        let is_drawn = is_old
            || definition.is_none_or(|definition| {
                definition.check_size(ensemble.size).is_ok()
                    && Vectors::generate(&definition, ensemble.seed, ensemble.size).digest()
                        == ensemble.digest
            });
        self.drawn.insert(key, is_drawn);
        Ok(is_drawn)
    }

    pub(super) fn digest(
        &mut self,
        tables: &Tables<'_>,
        (row, uuid): (Id, Uuid),
    ) -> Result<Option<String>> {
        if let Some(known) = self.digests.get(&uuid) {
            return Ok(known.clone());
        }
        let outputs = tables.benchmark(row)?.map(|(_, outputs)| outputs);
        let outputs = outputs.and_then(|outputs| Outputs::parse(&outputs).ok());
        let digest = outputs.map(|outputs| outputs.digest());
        self.digests.insert(uuid, digest.clone());
        Ok(digest)
    }

    /// After outputs were restored.
    pub(super) fn forget_digests(&mut self) {
        self.digests.clear();
    }
}
