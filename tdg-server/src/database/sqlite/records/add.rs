//! Adding records.

use std::collections::HashMap;

use rusqlite::params;
use tdg_service::record::{
    AssertionRecord, BenchmarkRecord, DefinitionRecord, EnsembleRecord, ProjectRecord, Record,
    RecordKind, RowSource, TombstoneRecord,
};
use tdg_service::sync::RecordOutcome;
use tdg_service::{Timestamp, Uuid};

use super::super::error::SqliteResult;
use super::super::statement::{execute, first, size, uuid};
use super::super::{LockedConnection, done, session};
use super::find;
use crate::database::Account;
use crate::database::deletion;
use crate::database::records::{
    GIVEN, buried_kind, drawn_before, had, is_deletion, misfit, missing, objects_of,
};
use crate::database::tombstone::{self, store};
use crate::packed_rows::PackedRows;

/// Records that are added to a project in one transaction.
pub(super) struct SqliteImport<'c> {
    connection: &'c LockedConnection<'c>,
    account: Account,
    project: Uuid,
    /// The benchmarks of assertions, by identity: those with it, and how many were added.
    histories: HashMap<Uuid, (Vec<(Uuid, Timestamp)>, i64)>,
    /// Whether records were found to be gone, and to be there.
    gone: HashMap<Uuid, bool>,
    stored: HashMap<Uuid, bool>,
}

impl<'c> SqliteImport<'c> {
    pub(super) fn new(
        connection: &'c LockedConnection<'c>,
        account: Account,
        project: Uuid,
    ) -> Self {
        SqliteImport {
            connection,
            account,
            project,
            histories: HashMap::new(),
            gone: HashMap::new(),
            stored: HashMap::new(),
        }
    }

    /// Counts the changes of histories.
    pub(super) fn finish(&mut self) -> SqliteResult<()> {
        let sql = "UPDATE benchmark SET changes = changes + ?3 WHERE account = ?1 AND uuid = ?2";
        for (benchmarks, added) in self.histories.drain().map(|(_, history)| history) {
            if let (Some((benchmark, _)), 1..) = (benchmarks.first(), added) {
                let params = params![self.account.0, benchmark.as_bytes(), added];
                execute(self.connection, sql, params)?;
            }
        }
        Ok(())
    }

    pub(super) fn add(&mut self, record: &Record) -> SqliteResult<RecordOutcome> {
        for object in objects_of(record) {
            if self.is_gone(object)? {
                return Ok(RecordOutcome::Gone(object));
            }
        }
        let identity = record.uuid();
        match record {
            Record::Project(record) => self.project(record),
            Record::Definition(record) => self.definition(record, identity),
            Record::Ensemble(record) => self.ensemble(record, identity),
            Record::Benchmark(record) => self.benchmark(record, identity),
            Record::Assertion(record) => self.assertion(record),
            Record::Tombstone(it) => self.tombstone(record, it),
            Record::Revival(_) => {
                let answer = self.stored(record)?;
                self.gone.clear();
                Ok(answer)
            }
            _ => self.stored(record),
        }
    }

    fn is_gone(&mut self, identity: Uuid) -> SqliteResult<bool> {
        if let Some(gone) = self.gone.get(&identity) {
            return Ok(*gone);
        }
        let (session, asked) = (session(self.connection), [identity]);
        let gone = tombstone::gone(session, self.account, self.project, &asked);
        let gone = !done(gone)?.is_empty();
        self.gone.insert(identity, gone);
        Ok(gone)
    }

    fn project(&self, record: &ProjectRecord) -> SqliteResult<RecordOutcome> {
        if record.uuid != self.project {
            return Ok(RecordOutcome::Refused("it is another project".to_owned()));
        }
        let sql = "INSERT OR IGNORE INTO project (account, uuid, added, name)
             VALUES (?1, ?2, ?3, ?4)";
        let params = params![
            self.account.0,
            record.uuid.as_bytes(),
            Timestamp::now().as_micros(),
            record.name
        ];
        Ok(made(execute(self.connection, sql, params)?))
    }

    fn definition(&self, record: &DefinitionRecord, identity: Uuid) -> SqliteResult<RecordOutcome> {
        if record.project != self.project {
            return Ok(missing(RecordKind::Project, record.project));
        }
        let sql = "SELECT 1 FROM definition WHERE account = ?1 AND identity = ?2";
        let params = params![self.account.0, identity.as_bytes()];
        if self.connection.prepare_cached(sql)?.exists(params)? {
            return Ok(RecordOutcome::Had);
        }
        let text = record.definition.to_string();
        let sql = "INSERT INTO definition (account, uuid, project, added, bytes, text, identity)
             SELECT account, ?3, uuid, ?4, ?5, ?6, ?3 FROM project
             WHERE account = ?1 AND uuid = ?2";
        let params = params![
            self.account.0,
            record.project.as_bytes(),
            identity.as_bytes(),
            record.added.as_micros(),
            text.len() as i64,
            text
        ];
        match execute(self.connection, sql, params)? {
            0 => Ok(missing(RecordKind::Project, record.project)),
            _ => Ok(RecordOutcome::Made),
        }
    }

    fn ensemble(&self, record: &EnsembleRecord, identity: Uuid) -> SqliteResult<RecordOutcome> {
        let sql = "SELECT digest FROM ensemble WHERE account = ?1 AND identity = ?2 LIMIT 1";
        let params = params![self.account.0, identity.as_bytes()];
        if let Some(digest) = first(self.connection, sql, params, |row| row.get::<_, String>(0))? {
            return Ok(drawn_before(&digest, record));
        }
        let (seed, sampler_version, packed) = match &record.rows {
            RowSource::Drawn {
                seed,
                sampler_version,
            } => (*seed, *sampler_version, None),
            RowSource::Given(rows) => (0, GIVEN, Some(PackedRows::pack(rows.as_json()))),
        };
        let bytes = packed.as_ref().map_or(0, |packed| packed.gzip().len());
        let uuid = self.free_uuid(identity, "ensemble")?;
        let sql = "INSERT INTO ensemble (account, uuid, definition, added, name, size, seed,
                 sampler_version, digest, bytes, identity)
             SELECT account, ?4, uuid, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 FROM definition
             WHERE account = ?1 AND identity = ?2 AND project = ?3
             ORDER BY added, uuid LIMIT 1";
        let params = params![
            self.account.0,
            record.definition.as_bytes(),
            self.project.as_bytes(),
            uuid.as_bytes(),
            record.added.as_micros(),
            record.name,
            record.size as i64,
            seed.cast_signed(),
            sampler_version,
            record.digest,
            bytes as i64,
            identity.as_bytes()
        ];
        if execute(self.connection, sql, params)? == 0 {
            return Ok(missing(RecordKind::Definition, record.definition));
        }
        if let Some(packed) = packed {
            let sql = "INSERT INTO packed_rows (account, ensemble, gzip) VALUES (?1, ?2, ?3)";
            let params = params![self.account.0, uuid.as_bytes(), &packed.gzip()[..]];
            execute(self.connection, sql, params)?;
        }
        Ok(RecordOutcome::Made)
    }

    fn benchmark(
        &mut self,
        record: &BenchmarkRecord,
        identity: Uuid,
    ) -> SqliteResult<RecordOutcome> {
        let sql = "SELECT 1 FROM benchmark WHERE account = ?1 AND identity = ?2";
        let params = params![self.account.0, identity.as_bytes()];
        if self.connection.prepare_cached(sql)?.exists(params)? {
            return Ok(RecordOutcome::Had);
        }
        let Some((ensemble, definition, rows)) = self.ensemble_of(record)? else {
            return Ok(missing(RecordKind::Ensemble, record.ensemble));
        };
        if let Some(answer) = misfit(record, rows) {
            return Ok(answer);
        }
        let outputs = record.outputs.as_json();
        let uuid = self.free_uuid(identity, "benchmark")?;
        let sql = "INSERT INTO benchmark (account, uuid, ensemble, definition, added, digest,
                 bytes, changes, identity)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8)";
        let params = params![
            self.account.0,
            uuid.as_bytes(),
            ensemble.as_bytes(),
            definition.as_bytes(),
            record.added.as_micros(),
            record.outputs.digest(),
            outputs.len() as i64,
            identity.as_bytes()
        ];
        execute(self.connection, sql, params)?;
        let sql = "INSERT INTO outputs (account, benchmark, text) VALUES (?1, ?2, ?3)";
        let params = params![self.account.0, uuid.as_bytes(), outputs];
        execute(self.connection, sql, params)?;
        self.histories.remove(&identity);
        Ok(RecordOutcome::Made)
    }

    /// The ensemble of a benchmark, its definition, and its size.
    fn ensemble_of(&self, record: &BenchmarkRecord) -> SqliteResult<Option<(Uuid, Uuid, usize)>> {
        let sql = "SELECT ensemble.uuid, ensemble.definition, ensemble.size
             FROM ensemble CROSS JOIN definition ON definition.account = ensemble.account
                 AND definition.uuid = ensemble.definition
             WHERE ensemble.account = ?1 AND ensemble.identity = ?2 AND definition.project = ?3
             ORDER BY ensemble.added, ensemble.uuid LIMIT 1";
        let params = params![
            self.account.0,
            record.ensemble.as_bytes(),
            self.project.as_bytes()
        ];
        first(self.connection, sql, params, |row| {
            Ok((uuid(row, 0)?, uuid(row, 1)?, size(row, 2)?))
        })
    }

    fn assertion(&mut self, record: &AssertionRecord) -> SqliteResult<RecordOutcome> {
        if let Some(run) = &record.run
            && !self.is_stored(RecordKind::Test, run.test)?
        {
            return Ok(missing(RecordKind::Test, run.test));
        }
        let (connection, account) = (self.connection, self.account);
        if !self.histories.contains_key(&record.benchmark) {
            let benchmarks = match self.has_benchmark(record.benchmark)? {
                true => find::benchmarks(connection, account, record.benchmark)?,
                false => Vec::new(),
            };
            self.histories.insert(record.benchmark, (benchmarks, 0));
        }
        let Some((benchmarks, added)) = self.histories.get_mut(&record.benchmark) else {
            return Ok(missing(RecordKind::Benchmark, record.benchmark));
        };
        let Some((benchmark, _)) = benchmarks.first() else {
            return Ok(missing(RecordKind::Benchmark, record.benchmark));
        };
        if benchmarks.iter().any(|(_, kept)| record.time < *kept) {
            return Ok(RecordOutcome::Had);
        }
        let (identity, moments) = (record.benchmark, record.moments());
        let found = find::assertion(connection, account, identity, moments, record.uuid)?;
        if found.is_some() {
            return Ok(had(found.as_ref(), record));
        }
        let sql = "INSERT INTO assertion
                 (account, benchmark, timestamp, uuid, asserted, run)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let params = params![
            account.0,
            benchmark.as_bytes(),
            record.time.as_micros(),
            record.uuid.as_bytes(),
            record.asserted,
            record.run.as_ref().map(|run| run.to_text())
        ];
        execute(connection, sql, params)?;
        *added += 1;
        Ok(RecordOutcome::Made)
    }

    /// Deletes what it is about, unless that was revived before.
    fn tombstone(&mut self, record: &Record, it: &TombstoneRecord) -> SqliteResult<RecordOutcome> {
        let (session, account) = (session(self.connection), self.account);
        let found = tombstone::whereabouts(session, account, self.project, it.object);
        let found = done(found)?;
        if let Some(reason) = it.misfit(self.project, found) {
            return Ok(RecordOutcome::Refused(reason));
        }
        let answer = self.stored(record)?;
        if answer == RecordOutcome::Made {
            self.bury(it)?;
        }
        Ok(answer)
    }

    /// A record that is stored as it is.
    fn stored(&mut self, record: &Record) -> SqliteResult<RecordOutcome> {
        if is_deletion(record) && !self.has_project()? && !self.is_gone(self.project)? {
            return Ok(missing(RecordKind::Project, self.project));
        }
        for (kind, parent) in record.parents() {
            let is_there = match kind {
                RecordKind::Project => self.has_project()? && parent == self.project,
                RecordKind::Benchmark => self.has_benchmark(parent)?,
                kind => self.is_stored(kind, parent)?,
            };
            if !is_there {
                return Ok(missing(kind, parent));
            }
        }
        let session = session(self.connection);
        if done(store(session, self.account, self.project, record))? {
            self.stored.insert(record.uuid(), true);
            return Ok(RecordOutcome::Made);
        }
        let (kind, uuid) = (record.kind(), record.uuid());
        let found = find::stored(self.connection, self.account, self.project, kind, uuid)?;
        Ok(had(found.as_ref(), record))
    }

    /// The identity, unless rows of an object with that identifier are still to be removed.
    fn free_uuid(&self, identity: Uuid, table: &str) -> SqliteResult<Uuid> {
        let sql = match table {
            "ensemble" => {
                "SELECT 1 FROM garbage WHERE account = ?1 AND kind = 'packed_rows' AND uuid = ?2"
            }
            _ => {
                "SELECT 1 FROM garbage
                 WHERE account = ?1 AND kind IN ('assertion', 'outputs') AND uuid = ?2"
            }
        };
        let params = params![self.account.0, identity.as_bytes()];
        let is_taken = self.connection.prepare_cached(sql)?.exists(params)?;
        Ok(if is_taken { Uuid::new_v4() } else { identity })
    }

    fn has_project(&self) -> SqliteResult<bool> {
        let sql = "SELECT 1 FROM project WHERE account = ?1 AND uuid = ?2";
        let params = params![self.account.0, self.project.as_bytes()];
        Ok(self.connection.prepare_cached(sql)?.exists(params)?)
    }

    /// Whether the project has it.
    fn has_benchmark(&self, identity: Uuid) -> SqliteResult<bool> {
        let sql = "SELECT 1 FROM benchmark
             CROSS JOIN definition ON definition.account = benchmark.account
                 AND definition.uuid = benchmark.definition
             WHERE benchmark.account = ?1 AND benchmark.identity = ?2 AND definition.project = ?3";
        let params = params![self.account.0, identity.as_bytes(), self.project.as_bytes()];
        Ok(self.connection.prepare_cached(sql)?.exists(params)?)
    }

    fn is_stored(&mut self, kind: RecordKind, uuid: Uuid) -> SqliteResult<bool> {
        if let Some(stored) = self.stored.get(&uuid) {
            return Ok(*stored);
        }
        let sql = "SELECT 1 FROM record
             WHERE account = ?1 AND project = ?2 AND kind = ?3 AND uuid = ?4";
        let params = params![
            self.account.0,
            self.project.as_bytes(),
            kind.as_str(),
            uuid.as_bytes()
        ];
        let stored = self.connection.prepare_cached(sql)?.exists(params)?;
        self.stored.insert(uuid, stored);
        Ok(stored)
    }

    fn bury(&mut self, record: &TombstoneRecord) -> SqliteResult<()> {
        self.gone.clear();
        self.stored.clear();
        self.finish()?;
        if !self.is_gone(record.object)? {
            return Ok(());
        }
        let Some(kind) = buried_kind(record) else {
            return Ok(());
        };
        let (session, account) = (session(self.connection), self.account);
        for object in done(tombstone::objects(session, account, kind, record.object))? {
            done(deletion::remove(session, account, kind, object))?;
        }
        Ok(())
    }
}

fn made(written: usize) -> RecordOutcome {
    match written {
        0 => RecordOutcome::Had,
        _ => RecordOutcome::Made,
    }
}
