//! Adding records.

use std::collections::HashSet;
use std::slice;

use tdg_service::record::{
    BenchmarkRecord, DefinitionRecord, EnsembleRecord, ProjectRecord, Record, RecordKind,
    RowSource, TombstoneRecord,
};
use tdg_service::sync::RecordOutcome;
use tdg_service::{Timestamp, Uuid};

use super::outcome::{GIVEN, gone_of, is_deletion, objects_of};
use crate::database::deletion;
use crate::database::error::DatabaseResult;
use crate::database::row::DatabaseRow;
use crate::database::session::ProjectSession;
use crate::database::sql::{Sql, SqlValues, sql};
use crate::database::tombstone::{self, buried_kind};
use crate::packed_rows::PackedRows;

impl ProjectSession<'_> {
    /// Adds records. Consecutive assertions are written together.
    pub(in crate::database) async fn add_all(
        self,
        records: &[Record],
    ) -> DatabaseResult<Vec<RecordOutcome>> {
        let is_assertion = |record: &Record| record.kind() == RecordKind::Assertion;
        let mut outcomes = Vec::with_capacity(records.len());
        for part in records.chunk_by(|one, other| is_assertion(one) == is_assertion(other)) {
            let gone = self.gone_among(part).await?;
            if is_assertion(&part[0]) {
                outcomes.extend(self.add_assertions(part, &gone).await?);
                continue;
            }
            let changes = part.iter().any(is_deletion);
            for record in part {
                let gone = match changes {
                    true => &self.gone_among(slice::from_ref(record)).await?,
                    false => &gone,
                };
                outcomes.push(match gone_of(record, gone) {
                    Some(gone) => RecordOutcome::Gone(gone),
                    None => self.add(record).await?,
                });
            }
        }
        self.announce(records, &outcomes).await?;
        Ok(outcomes)
    }

    /// Returns the identities of records, and of the objects that they refer to, that were deleted.
    async fn gone_among(self, records: &[Record]) -> DatabaseResult<HashSet<Uuid>> {
        let objects: HashSet<Uuid> = records.iter().flat_map(objects_of).collect();
        let objects: Vec<Uuid> = objects.into_iter().collect();
        let gone = self.gone(&objects).await?;
        Ok(gone.into_iter().collect())
    }

    async fn add(self, record: &Record) -> DatabaseResult<RecordOutcome> {
        let identity = record.uuid();
        match record {
            Record::Project(record) => self.add_project(record).await,
            Record::Definition(record) => self.add_definition(record, identity).await,
            Record::Ensemble(record) => self.add_ensemble(record, identity).await,
            Record::Benchmark(record) => self.add_benchmark(record, identity).await,
            Record::Tombstone(it) => self.add_tombstone(record, it).await,
            _ => self.add_stored(record).await,
        }
    }

    async fn add_project(self, record: &ProjectRecord) -> DatabaseResult<RecordOutcome> {
        if record.uuid != self.project {
            return Ok(RecordOutcome::Refused("it is another project".to_owned()));
        }
        let sql = sql!(
            "INSERT INTO project (account, uuid, added, name) VALUES ($1, $2, $3, $4)
             ON CONFLICT DO NOTHING"
        );
        let added = Timestamp::now().as_micros();
        let values: SqlValues<'_> = &[&record.uuid, &added, &record.name];
        let inserted = self.session.execute(sql, values).await?;
        Ok(RecordOutcome::added(inserted > 0))
    }

    async fn add_definition(
        self,
        record: &DefinitionRecord,
        identity: Uuid,
    ) -> DatabaseResult<RecordOutcome> {
        let had = sql!("SELECT 1 FROM definition WHERE account = $1 AND identity = $2 LIMIT 1");
        if record.project != self.project {
            return Ok(RecordOutcome::missing(RecordKind::Project, record.project));
        }
        if self.exists(had, identity).await? {
            return Ok(RecordOutcome::Had);
        }
        let text = record.definition.to_string();
        let sql = sql!(
            "INSERT INTO definition (account, uuid, project, added, bytes, text, identity)
             SELECT account, $3, uuid, $4, $5, $6, $3 FROM project
             WHERE account = $1 AND uuid = $2"
        );
        let values: SqlValues<'_> = &[
            &record.project,
            &identity,
            &record.added.as_micros(),
            &(text.len() as i64),
            &text,
        ];
        Ok(match self.session.execute(sql, values).await? {
            0 => RecordOutcome::missing(RecordKind::Project, record.project),
            _ => RecordOutcome::Made,
        })
    }

    async fn add_ensemble(
        self,
        record: &EnsembleRecord,
        identity: Uuid,
    ) -> DatabaseResult<RecordOutcome> {
        let sql = sql!(
            "SELECT ensemble.digest
             FROM ensemble JOIN definition ON definition.account = ensemble.account
                 AND definition.uuid = ensemble.definition
             WHERE ensemble.account = $1 AND ensemble.identity = $2 AND definition.project = $3
             LIMIT 1"
        );
        // The version of samplers is part of the identity, so different rows mean an error of one
        // of the two that drew them.
        let compare = |row: DatabaseRow<'_>| {
            let is_same = row.text(0)? == record.digest;
            Ok(RecordOutcome::stored(is_same))
        };
        let values: SqlValues<'_> = &[&identity, &self.project];
        if let Some(outcome) = self.session.first(sql, values, compare).await? {
            return Ok(outcome);
        }
        let (seed, sampler_version, packed) = match &record.rows {
            RowSource::Drawn {
                seed,
                sampler_version,
            } => (*seed, *sampler_version, None),
            RowSource::Given(rows) => (0, GIVEN, Some(PackedRows::pack(rows.as_json()))),
        };
        let bytes = packed.as_ref().map_or(0, |packed| packed.gzip().len());
        let uuid = self.free_uuid(identity, DELETED_ENSEMBLE).await?;
        let values: SqlValues<'_> = &[
            &record.definition,
            &self.project,
            &uuid,
            &record.added.as_micros(),
            &record.name,
            &i32::try_from(record.size).unwrap_or(i32::MAX),
            &seed.cast_signed(),
            &sampler_version.cast_signed(),
            &record.digest,
            &(bytes as i64),
            &identity,
        ];
        if self.session.execute(ADD_ENSEMBLE, values).await? == 0 {
            return Ok(RecordOutcome::missing(
                RecordKind::Definition,
                record.definition,
            ));
        }
        if let Some(packed) = packed {
            let gzip: &[u8] = packed.gzip();
            let sql = sql!("INSERT INTO packed_rows (account, ensemble, gzip) VALUES ($1, $2, $3)");
            let values: SqlValues<'_> = &[&uuid, &gzip];
            self.session.execute(sql, values).await?;
        }
        Ok(RecordOutcome::Made)
    }

    async fn add_benchmark(
        self,
        record: &BenchmarkRecord,
        identity: Uuid,
    ) -> DatabaseResult<RecordOutcome> {
        if self.has_benchmark(identity).await? {
            return Ok(RecordOutcome::Had);
        }
        let Some((ensemble, definition, rows)) = self.ensemble_of(record).await? else {
            return Ok(RecordOutcome::missing(
                RecordKind::Ensemble,
                record.ensemble,
            ));
        };
        if let Some(reason) = record.misfit(rows) {
            return Ok(RecordOutcome::Refused(reason));
        }
        let outputs = record.outputs.as_json();
        let uuid = self.free_uuid(identity, DELETED_BENCHMARK).await?;
        let sql = sql!(
            "INSERT INTO benchmark (account, uuid, ensemble, definition, added, digest,
                 bytes, changes, identity)
             VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8)"
        );
        let values: SqlValues<'_> = &[
            &uuid,
            &ensemble,
            &definition,
            &record.added.as_micros(),
            &record.outputs.digest(),
            &(outputs.len() as i64),
            &identity,
        ];
        self.session.execute(sql, values).await?;
        let sql = sql!("INSERT INTO outputs (account, benchmark, text) VALUES ($1, $2, $3)");
        let values: SqlValues<'_> = &[&uuid, &outputs];
        self.session.execute(sql, values).await?;
        Ok(RecordOutcome::Made)
    }

    /// Returns the ensemble of a benchmark, its definition and its size.
    async fn ensemble_of(
        self,
        record: &BenchmarkRecord,
    ) -> DatabaseResult<Option<(Uuid, Uuid, usize)>> {
        let sql = sql!(
            "SELECT ensemble.uuid, ensemble.definition, ensemble.size
             FROM ensemble JOIN definition ON definition.account = ensemble.account
                 AND definition.uuid = ensemble.definition
             WHERE ensemble.account = $1 AND ensemble.identity = $2 AND definition.project = $3
             ORDER BY ensemble.added, ensemble.uuid LIMIT 1"
        );
        let values: SqlValues<'_> = &[&record.ensemble, &self.project];
        let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, row.get(1)?, row.size(2)?));
        self.session.first(sql, values, read).await
    }

    /// Deletes the tombstone's object, unless it was revived before.
    async fn add_tombstone(
        self,
        record: &Record,
        it: &TombstoneRecord,
    ) -> DatabaseResult<RecordOutcome> {
        let found = self.whereabouts(it.object).await?;
        let is_elsewhere = found.is_some_and(|(_, project)| project != self.project);
        let is_hidden = self.is_confined && is_elsewhere;
        let found = found.filter(|_| !is_hidden);
        if let Some(reason) = it.misfit(self.project, found) {
            return Ok(RecordOutcome::Refused(reason));
        }
        let outcome = self.add_stored(record).await?;
        if outcome == RecordOutcome::Made && !is_hidden {
            self.bury(it).await?;
        }
        Ok(outcome)
    }

    /// Adds a record that is stored verbatim.
    async fn add_stored(self, record: &Record) -> DatabaseResult<RecordOutcome> {
        let is_deletion = is_deletion(record);
        if is_deletion && !self.has_project().await? && !self.is_gone(self.project).await? {
            return Ok(RecordOutcome::missing(RecordKind::Project, self.project));
        }
        for (kind, parent) in record.parents() {
            let is_there = match kind {
                RecordKind::Project => self.has_project().await? && parent == self.project,
                RecordKind::Benchmark => self.has_benchmark(parent).await?,
                kind => self.is_stored(kind, parent).await?,
            };
            if !is_there {
                return Ok(RecordOutcome::missing(kind, parent));
            }
        }
        if self.store(record).await? {
            return Ok(RecordOutcome::Made);
        }
        let found = self.stored(record.kind(), record.uuid()).await?;
        Ok(RecordOutcome::stored(found.as_ref() == Some(record)))
    }

    async fn exists(self, sql: Sql, uuid: Uuid) -> DatabaseResult<bool> {
        self.session.exists(sql, &[&uuid]).await
    }

    /// Returns the identity, or a new identifier if rows with it are kept or still being removed.
    async fn free_uuid(self, identity: Uuid, deleted: Sql) -> DatabaseResult<Uuid> {
        let is_taken = self.exists(deleted, identity).await?;
        Ok(if is_taken { Uuid::new_v4() } else { identity })
    }

    async fn has_project(self) -> DatabaseResult<bool> {
        let sql = sql!("SELECT 1 FROM project WHERE account = $1 AND uuid = $2");
        self.exists(sql, self.project).await
    }

    /// Returns true if the project has the benchmark.
    async fn has_benchmark(self, identity: Uuid) -> DatabaseResult<bool> {
        let sql = sql!(
            "SELECT 1 FROM benchmark
             JOIN definition ON definition.account = benchmark.account
                 AND definition.uuid = benchmark.definition
             WHERE benchmark.account = $1 AND benchmark.identity = $2 AND definition.project = $3
             LIMIT 1"
        );
        let values: SqlValues<'_> = &[&identity, &self.project];
        self.session.exists(sql, values).await
    }

    async fn is_stored(self, kind: RecordKind, uuid: Uuid) -> DatabaseResult<bool> {
        let sql = sql!(
            "SELECT 1 FROM record
             WHERE account = $1 AND project = $2 AND kind = $3 AND uuid = $4"
        );
        let values: SqlValues<'_> = &[&self.project, &kind.as_str(), &uuid];
        self.session.exists(sql, values).await
    }

    async fn is_gone(self, object: Uuid) -> DatabaseResult<bool> {
        Ok(!self.gone(&[object]).await?.is_empty())
    }

    async fn bury(self, record: &TombstoneRecord) -> DatabaseResult<()> {
        if !self.is_gone(record.object).await? {
            return Ok(());
        }
        let Some(kind) = buried_kind(record) else {
            return Ok(());
        };
        let by = self.deleter.cloned().unwrap_or_default();
        for object in tombstone::objects(self.session, kind, record.object).await? {
            deletion::remove(self.session, (kind, object), &by).await?;
        }
        Ok(())
    }
}

/// Adds an ensemble to the first definition with this identity, if any.
const ADD_ENSEMBLE: Sql = sql!(
    "INSERT INTO ensemble (account, uuid, definition, added, name, size, seed,
         sampler_version, digest, bytes, identity)
     SELECT account, $4, uuid, $5, $6, $7, $8, $9, $10, $11, $12 FROM definition
     WHERE account = $1 AND identity = $2 AND project = $3
     ORDER BY added, uuid LIMIT 1"
);

/// Finds a deleted ensemble with this identifier, or its garbage.
const DELETED_ENSEMBLE: Sql = sql!(
    "SELECT 1 FROM garbage WHERE account = $1 AND kind = 'packed_rows' AND uuid = $2
     UNION ALL SELECT 1 FROM deleted_ensemble WHERE account = $1 AND uuid = $2 LIMIT 1"
);

/// Finds a deleted benchmark with this identifier, or its garbage.
const DELETED_BENCHMARK: Sql = sql!(
    "SELECT 1 FROM garbage
     WHERE account = $1 AND kind IN ('assertion', 'outputs') AND uuid = $2
     UNION ALL SELECT 1 FROM deleted_benchmark WHERE account = $1 AND uuid = $2 LIMIT 1"
);
