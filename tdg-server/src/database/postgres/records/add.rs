//! Adding records.

use std::collections::{HashMap, HashSet};

use deadpool_postgres::Transaction;
use tdg_service::record::{
    AssertionRecord, BenchmarkRecord, DefinitionRecord, EnsembleRecord, ProjectRecord, Record,
    RecordKind, RowSource, RunRecord, TombstoneRecord,
};
use tdg_service::sync::RecordOutcome;
use tdg_service::{Timestamp, Uuid};

use super::super::error::PostgresResult;
use super::super::statement::{Param, all, execute, first, size};
use super::find;
use super::find::SoughtAssertion;
use crate::database::Account;
use crate::database::deletion;
use crate::database::records::{
    GIVEN, buried_kind, drawn_before, had, is_deletion, misfit, missing, objects_of,
};
use crate::database::tombstone::{self, store};
use crate::packed_rows::PackedRows;

/// An assertion that is to be written, with its place in the request and the benchmark that it is
/// written to.
struct New<'r> {
    place: usize,
    assertion: &'r AssertionRecord,
    benchmark: Uuid,
}

impl New<'_> {
    fn key(&self) -> (Uuid, Uuid) {
        (self.assertion.benchmark, self.assertion.uuid)
    }
}

/// Records that are added to a project in one transaction.
pub(super) struct PostgresImport<'t> {
    transaction: &'t Transaction<'t>,
    account: Account,
    project: Uuid,
    /// Whether records that are stored as they are were found.
    stored: HashMap<Uuid, bool>,
}

impl<'t> PostgresImport<'t> {
    pub(super) fn new(transaction: &'t Transaction<'t>, account: Account, project: Uuid) -> Self {
        PostgresImport {
            transaction,
            account,
            project,
            stored: HashMap::new(),
        }
    }

    /// Assertions that follow each other are written together.
    pub(super) async fn add_all(
        &mut self,
        records: &[Record],
    ) -> PostgresResult<Vec<RecordOutcome>> {
        let is_assertion = |record: &Record| record.kind() == RecordKind::Assertion;
        let mut answers = Vec::with_capacity(records.len());
        for records in records.chunk_by(|one, other| is_assertion(one) == is_assertion(other)) {
            let gone = self.gone(records).await?;
            if is_assertion(&records[0]) {
                answers.extend(self.assertions(records, &gone).await?);
                continue;
            }
            let changes = records.iter().any(is_deletion);
            for record in records {
                let gone = match changes {
                    true => &self.gone(std::slice::from_ref(record)).await?,
                    false => &gone,
                };
                answers.push(match gone_of(record, gone) {
                    Some(gone) => RecordOutcome::Gone(gone),
                    None => self.add(record).await?,
                });
            }
        }
        Ok(answers)
    }

    /// Those of the records, and of what they refer to, that are gone.
    async fn gone(&self, records: &[Record]) -> PostgresResult<HashSet<Uuid>> {
        let objects: HashSet<Uuid> = records.iter().flat_map(objects_of).collect();
        let objects: Vec<Uuid> = objects.into_iter().collect();
        let gone = tombstone::gone(
            self.transaction.into(),
            self.account,
            self.project,
            &objects,
        )
        .await?;
        Ok(gone.into_iter().collect())
    }

    async fn add(&mut self, record: &Record) -> PostgresResult<RecordOutcome> {
        let identity = record.uuid();
        match record {
            Record::Project(record) => self.project(record).await,
            Record::Definition(record) => self.definition(record, identity).await,
            Record::Ensemble(record) => self.ensemble(record, identity).await,
            Record::Benchmark(record) => self.benchmark(record, identity).await,
            Record::Tombstone(it) => self.tombstone(record, it).await,
            _ => self.stored(record).await,
        }
    }

    async fn project(&self, record: &ProjectRecord) -> PostgresResult<RecordOutcome> {
        if record.uuid != self.project {
            return Ok(RecordOutcome::Refused("it is another project".to_owned()));
        }
        let sql = "INSERT INTO project (account, uuid, added, name) VALUES ($1, $2, $3, $4)
             ON CONFLICT DO NOTHING";
        let added = Timestamp::now().as_micros();
        let params: [Param<'_>; 4] = [&self.account.0, &record.uuid, &added, &record.name];
        Ok(match execute(self.transaction, sql, &params).await? {
            0 => RecordOutcome::Had,
            _ => RecordOutcome::Made,
        })
    }

    async fn definition(
        &self,
        record: &DefinitionRecord,
        identity: Uuid,
    ) -> PostgresResult<RecordOutcome> {
        let had = "SELECT 1 FROM definition WHERE account = $1 AND identity = $2 LIMIT 1";
        if record.project != self.project {
            return Ok(missing(RecordKind::Project, record.project));
        }
        if self.exists(had, identity).await? {
            return Ok(RecordOutcome::Had);
        }
        let text = record.definition.to_string();
        let sql = "INSERT INTO definition (account, uuid, project, added, bytes, text, identity)
             SELECT account, $3, uuid, $4, $5, $6, $3 FROM project
             WHERE account = $1 AND uuid = $2";
        let params: [Param<'_>; 6] = [
            &self.account.0,
            &record.project,
            &identity,
            &record.added.as_micros(),
            &(text.len() as i64),
            &text,
        ];
        Ok(match execute(self.transaction, sql, &params).await? {
            0 => missing(RecordKind::Project, record.project),
            _ => RecordOutcome::Made,
        })
    }

    async fn ensemble(
        &self,
        record: &EnsembleRecord,
        identity: Uuid,
    ) -> PostgresResult<RecordOutcome> {
        let sql = "SELECT digest FROM ensemble WHERE account = $1 AND identity = $2 LIMIT 1";
        if let Some(row) = first(self.transaction, sql, &[&self.account.0, &identity]).await? {
            return Ok(drawn_before(row.try_get(0)?, record));
        }
        let (seed, sampler_version, packed) = match &record.rows {
            RowSource::Drawn {
                seed,
                sampler_version,
            } => (*seed, *sampler_version, None),
            RowSource::Given(rows) => (0, GIVEN, Some(PackedRows::pack(rows.as_json()))),
        };
        let bytes = packed.as_ref().map_or(0, |packed| packed.gzip().len());
        let uuid = self.free_uuid(identity, "ensemble").await?;
        let sql = "INSERT INTO ensemble (account, uuid, definition, added, name, size, seed,
                 sampler_version, digest, bytes, identity)
             SELECT account, $4, uuid, $5, $6, $7, $8, $9, $10, $11, $12 FROM definition
             WHERE account = $1 AND identity = $2 AND project = $3
             ORDER BY added, uuid LIMIT 1";
        let params: [Param<'_>; 12] = [
            &self.account.0,
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
        if execute(self.transaction, sql, &params).await? == 0 {
            return Ok(missing(RecordKind::Definition, record.definition));
        }
        if let Some(packed) = packed {
            let gzip: &[u8] = packed.gzip();
            let sql = "INSERT INTO packed_rows (account, ensemble, gzip) VALUES ($1, $2, $3)";
            execute(self.transaction, sql, &[&self.account.0, &uuid, &gzip]).await?;
        }
        Ok(RecordOutcome::Made)
    }

    async fn benchmark(
        &mut self,
        record: &BenchmarkRecord,
        identity: Uuid,
    ) -> PostgresResult<RecordOutcome> {
        let had = "SELECT 1 FROM benchmark WHERE account = $1 AND identity = $2 LIMIT 1";
        if self.exists(had, identity).await? {
            return Ok(RecordOutcome::Had);
        }
        let sql = "SELECT ensemble.uuid, ensemble.definition, ensemble.size
             FROM ensemble JOIN definition ON definition.account = ensemble.account
                 AND definition.uuid = ensemble.definition
             WHERE ensemble.account = $1 AND ensemble.identity = $2 AND definition.project = $3
             ORDER BY ensemble.added, ensemble.uuid LIMIT 1";
        let params: [Param<'_>; 3] = [&self.account.0, &record.ensemble, &self.project];
        let Some(row) = first(self.transaction, sql, &params).await? else {
            return Ok(missing(RecordKind::Ensemble, record.ensemble));
        };
        if let Some(answer) = misfit(record, size(&row, 2)?) {
            return Ok(answer);
        }
        let outputs = record.outputs.as_json();
        let uuid = self.free_uuid(identity, "benchmark").await?;
        let sql = "INSERT INTO benchmark (account, uuid, ensemble, definition, added, digest,
                 bytes, changes, identity)
             VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8)";
        let (ensemble, definition): (Uuid, Uuid) = (row.try_get(0)?, row.try_get(1)?);
        let params: [Param<'_>; 8] = [
            &self.account.0,
            &uuid,
            &ensemble,
            &definition,
            &record.added.as_micros(),
            &record.outputs.digest(),
            &(outputs.len() as i64),
            &identity,
        ];
        execute(self.transaction, sql, &params).await?;
        let sql = "INSERT INTO outputs (account, benchmark, text) VALUES ($1, $2, $3)";
        execute(self.transaction, sql, &[&self.account.0, &uuid, &outputs]).await?;
        Ok(RecordOutcome::Made)
    }

    /// All records are assertions. They are looked up together and written together.
    async fn assertions(
        &mut self,
        records: &[Record],
        gone: &HashSet<Uuid>,
    ) -> PostgresResult<Vec<RecordOutcome>> {
        let assertions = records.iter().filter_map(|record| match record {
            Record::Assertion(assertion) => Some(assertion),
            _ => None,
        });
        let assertions: Vec<&AssertionRecord> = assertions.collect();
        let histories = self.histories(&assertions).await?;
        let tests = self.tests(&assertions).await?;
        let mut answers: Vec<Option<RecordOutcome>> = vec![None; assertions.len()];
        let mut new: Vec<New<'_>> = Vec::new();
        for (place, (record, assertion)) in records.iter().zip(assertions).enumerate() {
            let history = histories.get(&assertion.benchmark).map(Vec::as_slice);
            let history = history.unwrap_or_default();
            let gone = gone_of(record, gone);
            answers[place] = answer_without_history(assertion, gone, &tests, history);
            if let (None, [(benchmark, _), ..]) = (&answers[place], history) {
                new.push(New {
                    place,
                    assertion,
                    benchmark: *benchmark,
                });
            }
        }
        // Of several benchmarks, any may have it, and at another time.
        let found = self.found(&new).await?;
        new.retain(|it| {
            let found = found.get(&it.key());
            answers[it.place] = found.map(|found| had(Some(found), it.assertion));
            found.is_none()
        });
        // One that comes twice in a request is made once.
        let mut seen = HashSet::new();
        let (new, mut others): (Vec<_>, Vec<_>) =
            new.into_iter().partition(|it| seen.insert(it.key()));
        let made = self.insert(&new).await?;
        for it in new {
            match made.contains(&(it.benchmark, it.assertion.uuid)) {
                true => answers[it.place] = Some(RecordOutcome::Made),
                false => others.push(it),
            }
        }
        let found = self.found(&others).await?;
        for it in others {
            answers[it.place] = Some(had(found.get(&it.key()), it.assertion));
        }
        Ok(answers.into_iter().flatten().collect())
    }

    /// The benchmarks and identifiers of those that were not there.
    async fn insert(&self, new: &[New<'_>]) -> PostgresResult<HashSet<(Uuid, Uuid)>> {
        if new.is_empty() {
            return Ok(HashSet::new());
        }
        let sql = "INSERT INTO assertion (account, benchmark, timestamp, uuid, asserted, run)
             SELECT $1, given.benchmark, given.timestamp, given.uuid, given.asserted, given.run
             FROM unnest($2::uuid[], $3::bigint[], $4::uuid[], $5::boolean[], $6::text[])
                 AS given (benchmark, timestamp, uuid, asserted, run)
             ON CONFLICT DO NOTHING RETURNING benchmark, uuid";
        let benchmarks: Vec<Uuid> = new.iter().map(|it| it.benchmark).collect();
        let assertions = || new.iter().map(|it| it.assertion);
        let times: Vec<i64> = assertions().map(|it| it.time.as_micros()).collect();
        let uuids: Vec<Uuid> = assertions().map(|it| it.uuid).collect();
        let asserted: Vec<bool> = assertions().map(|it| it.asserted).collect();
        let run = |it: &AssertionRecord| it.run.as_ref().map(RunRecord::to_text);
        let runs: Vec<Option<String>> = assertions().map(run).collect();
        let params: [Param<'_>; 6] = [
            &self.account.0,
            &benchmarks,
            &times,
            &uuids,
            &asserted,
            &runs,
        ];
        let rows = all(self.transaction, sql, &params).await?;
        let made = rows
            .iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
        made.collect()
    }

    /// The project's benchmarks of assertions, by identity, the earliest first, and since when each
    /// keeps its assertions.
    async fn histories(
        &self,
        assertions: &[&AssertionRecord],
    ) -> PostgresResult<HashMap<Uuid, Vec<(Uuid, Timestamp)>>> {
        let identities: HashSet<Uuid> = assertions.iter().map(|it| it.benchmark).collect();
        let identities: Vec<Uuid> = identities.into_iter().collect();
        let sql = "SELECT benchmark.identity, benchmark.uuid, benchmark.kept_since
             FROM benchmark JOIN definition ON definition.account = benchmark.account
                 AND definition.uuid = benchmark.definition
             WHERE benchmark.account = $1 AND benchmark.identity = ANY($2)
                 AND definition.project = $3
             ORDER BY benchmark.added, benchmark.uuid";
        let params: [Param<'_>; 3] = [&self.account.0, &identities, &self.project];
        let mut histories: HashMap<_, Vec<_>> = HashMap::new();
        for row in &all(self.transaction, sql, &params).await? {
            let history = histories.entry(row.try_get(0)?).or_default();
            history.push((row.try_get(1)?, find::kept_since(row, 2)?));
        }
        Ok(histories)
    }

    /// Those of the tests of assertions that the project has.
    async fn tests(&self, assertions: &[&AssertionRecord]) -> PostgresResult<HashSet<Uuid>> {
        let runs = assertions.iter().filter_map(|it| it.run.as_ref());
        let tests: HashSet<Uuid> = runs.map(|run| run.test).collect();
        let tests: Vec<Uuid> = tests.into_iter().collect();
        let sql = "SELECT uuid FROM record
             WHERE account = $1 AND project = $2 AND kind = 'test' AND uuid = ANY($3)";
        let params: [Param<'_>; 3] = [&self.account.0, &self.project, &tests];
        let rows = all(self.transaction, sql, &params).await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Those of the assertions that are there, by the identities of benchmark and assertion.
    async fn found(
        &self,
        new: &[New<'_>],
    ) -> PostgresResult<HashMap<(Uuid, Uuid), AssertionRecord>> {
        let sought = new.iter().map(|New { assertion, .. }| SoughtAssertion {
            benchmark: assertion.benchmark,
            times: assertion.moments(),
            uuid: assertion.uuid,
        });
        let sought: Vec<SoughtAssertion> = sought.collect();
        let mut by_key = HashMap::new();
        for sought in sought.chunks(find::TOGETHER) {
            let found = find::assertions_among(self.transaction, self.account, sought).await?;
            by_key.extend(found.into_iter().map(|it| ((it.benchmark, it.uuid), it)));
        }
        Ok(by_key)
    }

    /// Deletes what it is about, unless that was revived before.
    async fn tombstone(
        &mut self,
        record: &Record,
        it: &TombstoneRecord,
    ) -> PostgresResult<RecordOutcome> {
        let (transaction, account, project) = (self.transaction, self.account, self.project);
        let found = tombstone::whereabouts(transaction.into(), account, project, it.object).await?;
        if let Some(reason) = it.misfit(project, found) {
            return Ok(RecordOutcome::Refused(reason));
        }
        let answer = self.stored(record).await?;
        if answer == RecordOutcome::Made {
            self.bury(it).await?;
        }
        Ok(answer)
    }

    /// A record that is stored as it is.
    async fn stored(&mut self, record: &Record) -> PostgresResult<RecordOutcome> {
        let is_deletion = is_deletion(record);
        if is_deletion && !self.has_project().await? && !self.is_gone(self.project).await? {
            return Ok(missing(RecordKind::Project, self.project));
        }
        for (kind, parent) in record.parents() {
            let is_there = match kind {
                RecordKind::Project => self.has_project().await? && parent == self.project,
                RecordKind::Benchmark => self.has_benchmark(parent).await?,
                kind => self.is_stored(kind, parent).await?,
            };
            if !is_there {
                return Ok(missing(kind, parent));
            }
        }
        let (transaction, account, project) = (self.transaction, self.account, self.project);
        if store(transaction.into(), account, project, record).await? {
            self.stored.insert(record.uuid(), true);
            return Ok(RecordOutcome::Made);
        }
        let (kind, uuid) = (record.kind(), record.uuid());
        let found = find::stored(transaction, account, project, kind, uuid).await?;
        Ok(had(found.as_ref(), record))
    }

    async fn exists(&self, sql: &str, uuid: Uuid) -> PostgresResult<bool> {
        let found = first(self.transaction, sql, &[&self.account.0, &uuid]).await?;
        Ok(found.is_some())
    }

    /// The identity, unless rows of an object with that identifier are still to be removed.
    async fn free_uuid(&self, identity: Uuid, table: &str) -> PostgresResult<Uuid> {
        let sql = match table {
            "ensemble" => {
                "SELECT 1 FROM garbage WHERE account = $1 AND kind = 'packed_rows' AND uuid = $2"
            }
            _ => {
                "SELECT 1 FROM garbage
                 WHERE account = $1 AND kind IN ('assertion', 'outputs') AND uuid = $2 LIMIT 1"
            }
        };
        let is_taken = self.exists(sql, identity).await?;
        Ok(if is_taken { Uuid::new_v4() } else { identity })
    }

    async fn has_project(&self) -> PostgresResult<bool> {
        let sql = "SELECT 1 FROM project WHERE account = $1 AND uuid = $2";
        self.exists(sql, self.project).await
    }

    /// Whether the project has it.
    async fn has_benchmark(&self, identity: Uuid) -> PostgresResult<bool> {
        let sql = "SELECT 1 FROM benchmark
             JOIN definition ON definition.account = benchmark.account
                 AND definition.uuid = benchmark.definition
             WHERE benchmark.account = $1 AND benchmark.identity = $2 AND definition.project = $3
             LIMIT 1";
        let params: [Param<'_>; 3] = [&self.account.0, &identity, &self.project];
        Ok(first(self.transaction, sql, &params).await?.is_some())
    }

    async fn is_stored(&mut self, kind: RecordKind, uuid: Uuid) -> PostgresResult<bool> {
        if let Some(stored) = self.stored.get(&uuid) {
            return Ok(*stored);
        }
        let sql = "SELECT 1 FROM record
             WHERE account = $1 AND project = $2 AND kind = $3 AND uuid = $4";
        let params: [Param<'_>; 4] = [&self.account.0, &self.project, &kind.as_str(), &uuid];
        let stored = first(self.transaction, sql, &params).await?.is_some();
        self.stored.insert(uuid, stored);
        Ok(stored)
    }

    async fn is_gone(&self, object: Uuid) -> PostgresResult<bool> {
        let (transaction, account) = (self.transaction, self.account);
        let gone = tombstone::gone(transaction.into(), account, self.project, &[object]).await?;
        Ok(!gone.is_empty())
    }

    async fn bury(&mut self, record: &TombstoneRecord) -> PostgresResult<()> {
        self.stored.clear();
        if !self.is_gone(record.object).await? {
            return Ok(());
        }
        let Some(kind) = buried_kind(record) else {
            return Ok(());
        };
        let (transaction, account) = (self.transaction, self.account);
        for object in tombstone::objects(transaction.into(), account, kind, record.object).await? {
            deletion::remove(transaction.into(), account, kind, object).await?;
        }
        Ok(())
    }
}

fn gone_of(record: &Record, gone: &HashSet<Uuid>) -> Option<Uuid> {
    let mut objects = objects_of(record).into_iter();
    objects.find(|uuid| gone.contains(uuid))
}

/// The answer to an assertion, if it needs no look at those that are stored.
fn answer_without_history(
    assertion: &AssertionRecord,
    gone: Option<Uuid>,
    tests: &HashSet<Uuid>,
    benchmarks: &[(Uuid, Timestamp)],
) -> Option<RecordOutcome> {
    let test = assertion.run.as_ref().map(|run| run.test);
    let unknown = test.filter(|test| !tests.contains(test));
    let is_old = |(_, kept): &(Uuid, Timestamp)| assertion.time < *kept;
    match (gone, unknown, benchmarks) {
        (Some(gone), ..) => Some(RecordOutcome::Gone(gone)),
        (_, Some(test), _) => Some(missing(RecordKind::Test, test)),
        (.., []) => Some(missing(RecordKind::Benchmark, assertion.benchmark)),
        (.., benchmarks) if benchmarks.iter().any(is_old) => Some(RecordOutcome::Had),
        _ => None,
    }
}
