//! Adding records from other stores.

use rusqlite::{Row, Statement, params};
use uuid::Uuid;

use super::super::archive;
use super::super::rows::{self, execute, exists, first};
use super::super::{
    RunFacts, StoreError, StoreProblem, StoredDecision, decision, history, identifier,
};
use super::{AssertionRow, BenchmarkRow, EnsembleRow, HistoryOfRow, Id, Tables, TombstoneRow};
use crate::ensemble::Ensemble;
use crate::output::Outputs;
use crate::test_id::TestId;

/// The package of definitions without a local test. No real package has this name.
const NO_PACKAGE: &str = "";

impl Tables<'_> {
    /// Adds a definition. It belongs to no package until a test has a benchmark for it.
    pub fn add_definition(&self, added: i64, text: &str) -> Result<Id, StoreError> {
        self.try_to(|it| {
            let project = rows::project(it, NO_PACKAGE)?;
            let uuid = identifier::random();
            rows::insert(
                it,
                "INSERT INTO definition (uuid, project, added, text) VALUES (?1, ?2, ?3, ?4)",
                params![uuid, project, added, text],
            )
        })
    }

    /// Adds an ensemble, with its rows as JSON if they are not drawn.
    pub fn add_ensemble(
        &self,
        ensemble: &EnsembleRow,
        added: i64,
        name: &str,
        vectors: Option<&str>,
    ) -> Result<Id, StoreError> {
        self.try_to(|it| {
            rows::insert(
                it,
                "INSERT INTO ensemble
                 (uuid, definition, name, size, seed, sampler_version, digest, added, vectors, drawn)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                params![
                    identifier::random(),
                    ensemble.definition,
                    name,
                    rows::count(ensemble.size),
                    ensemble.seed.cast_signed(),
                    ensemble.sampler_version,
                    ensemble.digest,
                    added,
                    vectors,
                    ensemble.is_drawn
                ],
            )
        })
    }

    /// Sets the rows of an ensemble.
    pub fn give_rows(&self, ensemble: Id, vectors: &str) -> Result<(), StoreError> {
        let give = "UPDATE ensemble SET vectors = ?2 WHERE id = ?1";
        self.execute(give, params![ensemble, vectors])
    }

    /// Sets whether the definition of an ensemble draws its rows.
    pub fn note_drawn(&self, ensemble: Id, is_drawn: bool) -> Result<(), StoreError> {
        let note = "UPDATE ensemble SET drawn = ?2 WHERE id = ?1";
        self.execute(note, params![ensemble, is_drawn])
    }

    /// Adds a test.
    pub fn add_test(&self, test: &TestId) -> Result<Id, StoreError> {
        self.try_to(|it| rows::new_test(it, test))
    }

    /// Adds a benchmark that belongs to no test.
    pub fn add_benchmark(
        &self,
        ensemble: Id,
        added: i64,
        digest: &str,
        outputs: &str,
    ) -> Result<Id, StoreError> {
        self.try_to(|it| {
            rows::insert(
                it,
                "INSERT INTO benchmark (uuid, ensemble, added, digest, outputs)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                params![identifier::random(), ensemble, added, digest, outputs],
            )
        })
    }

    /// Sets the digest of a benchmark's outputs.
    pub fn note_digest(&self, benchmark: Id, digest: &str) -> Result<(), StoreError> {
        let note = "UPDATE benchmark SET digest = ?2 WHERE id = ?1";
        self.execute(note, params![benchmark, digest])
    }

    /// Replaces damaged outputs with the recorded ones.
    pub fn restore_outputs(&self, benchmark: Id, outputs: &str) -> Result<(), StoreError> {
        let restore = "UPDATE benchmark SET outputs = ?2 WHERE id = ?1";
        self.execute(restore, params![benchmark, outputs])
    }

    /// Returns a test's own row for a benchmark, where a run of the test finds it. Adds the row if
    /// necessary, but doesn't change the test's current benchmark.
    pub fn benchmark_of_test(
        &self,
        benchmark: BenchmarkRow,
        test: Id,
        identity: &TestId,
    ) -> Result<BenchmarkRow, StoreError> {
        self.try_to(|it| {
            let Some(content) = content(it, benchmark.id)? else {
                return Ok(benchmark);
            };
            let BenchmarkContent {
                ensemble,
                ensemble_added,
                vectors,
                outputs,
                added,
                digest,
            } = content;
            // The history uses the digest to find a server's comparisons.
            let computed = || Some(Outputs::parse(&outputs).ok()?.digest());
            let digest = digest.or_else(computed);
            let own = rows::ensemble(it, identity, &ensemble, vectors.as_deref())?;
            let earlier = "UPDATE ensemble SET added = min(added, ?2) WHERE id = ?1";
            execute(it, earlier, params![own, ensemble_added])?;
            let id = match rows::find_benchmark(it, test, own, &outputs)? {
                Some(id) => id,
                None if benchmark.test.is_none() && is_unused(it, benchmark.id)? => {
                    let take = "UPDATE benchmark SET test = ?2, ensemble = ?3 WHERE id = ?1";
                    execute(it, take, params![benchmark.id, test, own])?;
                    benchmark.id
                }
                None => rows::insert(
                    it,
                    "INSERT INTO benchmark (uuid, ensemble, test, added, digest, outputs)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![identifier::random(), own, test, added, digest, outputs],
                )?,
            };
            Ok(BenchmarkRow {
                id,
                ensemble: own,
                test: Some(test),
                has_outputs: true,
            })
        })
    }

    /// Prepares to add assertions, which must be [settled](Self::settle) afterwards.
    pub fn adding_assertions<'a>(
        &'a self,
        origin: Option<&'a str>,
    ) -> Result<AddingAssertions<'a>, StoreError> {
        let sql = "INSERT OR IGNORE INTO assertion VALUES (?1, ?2, ?3, 0, ?4, ?5, ?6)";
        Ok(AddingAssertions {
            statement: self.try_to(|_| Ok(self.transaction.prepare(sql)?))?,
            file: self.file,
            origin,
        })
    }

    /// Removes the oldest assertions of a row past the limit, after some were added.
    pub fn settle(
        &self,
        benchmark: Id,
        before: HistoryOfRow,
        added: i64,
    ) -> Result<(), StoreError> {
        self.try_to(|it| history::settle(it, benchmark, before.had + added))
    }

    /// Adds a decision about a test. Returns true if it is new.
    pub fn add_decision(
        &self,
        test: Id,
        benchmark: Option<Id>,
        record: &StoredDecision,
    ) -> Result<bool, StoreError> {
        let made = (record.time, record.uuid, record.origin.as_deref());
        let from = record.renamed_from.as_ref();
        self.try_to(|it| decision::insert(it, test, &record.decision, benchmark, from, made))
    }

    /// Adds a tombstone, or replaces its placeholder. The deleted object isn't touched.
    pub fn add_tombstone(&self, tombstone: &TombstoneRow) -> Result<(), StoreError> {
        let add = "INSERT OR REPLACE INTO tombstone (uuid, kind, object, deleted, revived)
                   VALUES (?1, ?2, ?3, ?4, ?5)";
        let TombstoneRow {
            uuid,
            kind,
            object,
            deleted,
            is_revived,
        } = tombstone;
        self.execute(
            add,
            params![
                uuid.as_bytes(),
                kind,
                object.as_bytes(),
                deleted,
                is_revived
            ],
        )
    }

    /// Notes that a tombstone no longer applies.
    pub fn revive(&self, tombstone: Uuid) -> Result<(), StoreError> {
        let revive = "UPDATE tombstone SET revived = 1 WHERE uuid = ?1";
        self.execute(revive, params![tombstone.as_bytes()])
    }

    pub(super) fn execute(&self, sql: &str, params: rows::Params<'_>) -> Result<(), StoreError> {
        self.try_to(|it| execute(it, sql, params).map(drop))
    }
}

/// A benchmark with its ensemble.
struct BenchmarkContent {
    ensemble: Ensemble,
    ensemble_added: i64,
    vectors: Option<String>,
    outputs: String,
    added: i64,
    digest: Option<String>,
}

fn content(
    transaction: &rusqlite::Transaction<'_>,
    benchmark: Id,
) -> Result<Option<BenchmarkContent>, StoreProblem> {
    let sql = "SELECT ensemble.name, size, seed, sampler_version, ensemble.digest, text, vectors,
                   drawn IS 0, outputs, benchmark.added, benchmark.digest, ensemble.added
               FROM benchmark JOIN ensemble ON ensemble.id = benchmark.ensemble
               JOIN definition ON definition.id = ensemble.definition
               WHERE benchmark.id = ?1";
    let read = |row: &Row<'_>| {
        let Some(outputs) = archive::outputs(row, 8)? else {
            return Ok(None);
        };
        Ok(Some(BenchmarkContent {
            ensemble: Ensemble {
                name: row.get(0)?,
                size: super::super::benchmark::count(row, 1)?,
                seed: row.get::<_, i64>(2)?.cast_unsigned(),
                sampler_version: row.get(3)?,
                digest: row.get(4)?,
                definition: row.get(5)?,
                // The store doesn't know the name of the file.
                rows: row.get::<_, bool>(7)?.then(String::new),
            },
            ensemble_added: row.get(11)?,
            vectors: row.get(6)?,
            outputs,
            added: row.get(9)?,
            digest: row.get(10)?,
        }))
    };
    Ok(first(transaction, sql, params![benchmark], read)?.flatten())
}

/// Returns true if nothing refers to a benchmark.
fn is_unused(transaction: &rusqlite::Transaction<'_>, benchmark: Id) -> Result<bool, StoreProblem> {
    let used = "SELECT 1 FROM assertion WHERE benchmark = ?1";
    Ok(!exists(transaction, used, params![benchmark])?)
}

/// Adds assertions.
#[derive(Debug)]
pub struct AddingAssertions<'t> {
    statement: Statement<'t>,
    file: &'t std::path::Path,
    origin: Option<&'t str>,
}

impl AddingAssertions<'_> {
    /// Adds an assertion. Returns true if it is new.
    ///
    /// # Errors
    /// If the store can't be written.
    pub fn add(&mut self, benchmark: Id, assertion: &AssertionRow) -> Result<bool, StoreError> {
        let AssertionRow {
            uuid,
            timestamp,
            asserted,
            facts,
        } = assertion;
        let added = self.statement.execute(params![
            benchmark,
            timestamp,
            uuid.as_bytes(),
            asserted,
            facts.as_ref().map(RunFacts::to_text),
            self.origin
        ]);
        added
            .map(|added| added > 0)
            .map_err(|error| StoreError::new(self.file, error))
    }
}
