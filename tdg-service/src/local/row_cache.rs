//! A cache of values computed from rows that never change.

use std::collections::HashMap;

use tdg_definition::{Definition, json};
use tdg_engine::Vectors;
use tdg_engine::output::Outputs;
use tdg_engine::store::records::{EnsembleRow, Id, Tables};
use uuid::Uuid;

use crate::Result;
use crate::record::identity;

/// A cache of values computed from rows that never change. `None` marks damaged rows.
#[derive(Debug, Default)]
pub(super) struct RowCache {
    /// Set if stored digests are not trusted, so that damage is detected.
    pub(super) reads_all: bool,
    /// The rows from files that count as stored, by the identity of their ensemble.
    pub(super) foreseen: HashMap<Uuid, String>,
    /// The identities of definitions, by the UUID of their row.
    definitions: HashMap<Uuid, Option<Uuid>>,
    /// True if the definition draws these rows.
    drawn: HashMap<(Uuid, u64, usize, String), bool>,
    /// The digests of outputs, by the UUID of the benchmark's row.
    digests: HashMap<Uuid, Option<String>>,
}

impl RowCache {
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

    /// Returns true if the definition draws the rows of an ensemble. Rows of another sampler
    /// version can't be drawn again, so they count as drawn.
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

    /// Clears the digests, after outputs were restored.
    pub(super) fn forget_digests(&mut self) {
        self.digests.clear();
    }
}
