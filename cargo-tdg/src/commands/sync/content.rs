//! Verifies the content of a place: all records are readable, and the rows of ensembles match their
//! definitions.

use std::collections::{BTreeMap, BTreeSet};

use tdg_definition::Definition;
use tdg_definition::random::SAMPLER_VERSION;
use tdg_engine::Vectors;
use tdg_service::record::{DefinitionRecord, EnsembleRecord, Record, RecordKind, RowSource};
use tdg_service::sync::{Replica, Wanted};
use tdg_service::{Result, Uuid};

/// The verified content of a place.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CheckedContent {
    /// The number of ensembles with correct rows.
    pub(super) fine: u64,
    /// The number of ensembles drawn by another version of the samplers.
    pub(super) of_other_versions: u64,
    /// Descriptions of faulty ensembles.
    pub(super) faults: Vec<String>,
    /// Records that the place lists but can't return.
    pub(super) damaged: BTreeSet<(RecordKind, Uuid)>,
}

impl CheckedContent {
    /// Reads all records except assertions, and redraws the rows of all ensembles.
    pub(super) fn read(place: &dyn Replica) -> Result<Self> {
        let mut checked = Self::default();
        let mut by_definition: BTreeMap<Uuid, Vec<EnsembleRecord>> = BTreeMap::new();
        checked.each(place, RecordKind::Ensemble, |_, record| {
            if let Record::Ensemble(ensemble) = record {
                by_definition
                    .entry(ensemble.definition)
                    .or_default()
                    .push(ensemble);
            }
        })?;
        checked.each(place, RecordKind::Definition, |checked, record| {
            let uuid = record.uuid();
            if let Record::Definition(definition) = record
                && let Some(ensembles) = by_definition.remove(&uuid)
            {
                checked.definition(&definition, ensembles);
            }
        })?;
        for ensemble in by_definition.into_values().flatten() {
            checked.fault(&ensemble, "its definition is missing");
        }
        use RecordKind::{Benchmark, Decision, Project, Revival, Test, Tombstone};
        for kind in [Project, Benchmark, Test, Decision, Tombstone, Revival] {
            checked.each(place, kind, |_, _| {})?;
        }
        // Sorted by name, since identities have no order.
        checked.faults.sort_unstable();
        Ok(checked)
    }

    /// Calls a function with each record of a kind.
    fn each(
        &mut self,
        place: &dyn Replica,
        kind: RecordKind,
        mut with: impl FnMut(&mut Self, Record),
    ) -> Result<()> {
        let parts: Vec<u8> = (0..=u8::MAX).collect();
        let uuids = place.identities(kind, &parts)?;
        let wanted: Vec<Wanted> = uuids.iter().map(|it| Wanted::Other(kind, *it)).collect();
        let mut rest = wanted.as_slice();
        while !rest.is_empty() {
            let found = place.records(rest)?;
            let (asked, later) = rest.split_at(found.len());
            rest = later;
            for (asked, record) in asked.iter().zip(found) {
                match record.filter(|record| record.uuid() == asked.uuid()) {
                    Some(record) => with(self, record),
                    None => drop(self.damaged.insert((kind, asked.uuid()))),
                }
            }
        }
        Ok(())
    }

    fn definition(&mut self, record: &DefinitionRecord, ensembles: Vec<EnsembleRecord>) {
        let definition = Definition::parse_recorded(&record.definition.to_string());
        for ensemble in ensembles {
            match &definition {
                Ok(definition) => self.ensemble(definition, &ensemble),
                Err(_) => self.fault(&ensemble, "this version of tdg can't read its definition"),
            }
        }
    }

    fn ensemble(&mut self, definition: &Definition, ensemble: &EnsembleRecord) {
        let digest = match &ensemble.rows {
            RowSource::Drawn {
                sampler_version, ..
            } if *sampler_version != SAMPLER_VERSION => {
                self.of_other_versions += 1;
                return;
            }
            RowSource::Drawn { seed, .. } if definition.check_size(ensemble.size).is_ok() => {
                Some(Vectors::generate(definition, *seed, ensemble.size).digest())
            }
            RowSource::Drawn { .. } => None,
            RowSource::Given(rows) => {
                let rows = Vectors::from_json(definition, rows.as_json());
                rows.ok().map(|rows| rows.digest())
            }
        };
        match digest {
            Some(digest) if digest == ensemble.digest => self.fine += 1,
            Some(digest) => {
                let recorded = &ensemble.digest;
                self.fault(
                    ensemble,
                    &format!("its rows have the digest {digest}, but {recorded} was recorded"),
                );
            }
            None => self.fault(ensemble, "its rows do not fit its definition"),
        }
    }

    fn fault(&mut self, ensemble: &EnsembleRecord, what: &str) {
        let uuid = Record::Ensemble(ensemble.clone()).uuid();
        let name = tdg_definition::control::escape(&ensemble.name);
        let size = ensemble.size;
        self.faults
            .push(format!("the ensemble {name} ({size} rows, {uuid}): {what}"));
    }
}
