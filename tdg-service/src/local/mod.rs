//! Makes the local store a place to synchronise (feature `local`).

mod add;
mod deletions;
mod error;
mod find;
mod index;
mod row_cache;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use tdg_definition::{Definition, json};
use tdg_engine::output::Outputs;
use tdg_engine::store::Store;
use tdg_engine::store::records::{RemoteProject, Tables};
use tdg_engine::{Ensemble, TestId, Vectors};
use uuid::Uuid;

use self::add::LocalImport;
use self::index::Index;
use self::row_cache::RowCache;
use crate::Result;
use crate::record::{ProjectRecord, Record, RecordKind, SetDigests, TombstoneRecord, identity};
use crate::sync::wire::MissingResponse;
use crate::sync::{self, BenchmarkHistory, HistoryQuestion, RecordOutcome, Replica, Wanted};

/// The number of rows to complete per transaction. It is small because test runs wait for it.
const COMPLETED_AT_ONCE: usize = 64;

/// A local store seen as one project with all packages of the workspace.
///
/// The store doesn't keep identities. They are derived from its content by the rules of
/// [`identity`](mod@crate::record::identity), and expensive results are cached in memory. A test's
/// file determines its current benchmark; a replica never changes that.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let root = tempfile::tempdir()?;
/// use tdg_engine::store::Store;
/// use tdg_service::record::{ProjectRecord, RecordKind};
/// use tdg_service::sync::Replica;
/// use tdg_service::{LocalReplica, Uuid};
///
/// let store = Store::open(&root.path().join(".tdg"))?;
/// let project = ProjectRecord {
///     uuid: Uuid::new_v4(),
///     name: "shop".to_owned(),
/// };
/// let here = LocalReplica::new(&store, project.clone());
/// let everywhere: Vec<u8> = (0..=255).collect();
/// assert_eq!(here.identities(RecordKind::Project, &everywhere)?, [project.uuid]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct LocalReplica<'s> {
    store: &'s Store,
    project: ProjectRecord,
    origin: Option<String>,
    known: RefCell<KnownStore>,
}

/// The cached knowledge of the store.
#[derive(Debug, Default)]
struct KnownStore {
    memo: RowCache,
    index: Option<Index>,
}

impl KnownStore {
    /// Returns the index, rebuilt if the store has changed.
    fn refresh(&mut self, tables: &Tables<'_>, project: &ProjectRecord) -> Result<&mut Index> {
        let version = tables.version()?;
        let index = match self.index.take() {
            Some(index) if index.version == version => index,
            _ => Index::build(tables, project, &mut self.memo)?,
        };
        Ok(self.index.insert(index))
    }
}

/// The outcome of repairing a damaged benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Its outputs were restored from the other place.
    Restored,
    /// It was removed, with its runs and decisions.
    Removed,
}

/// Returns the outputs of a benchmark if a place has them undamaged.
fn intact_outputs(place: &dyn Replica, benchmark: Uuid) -> Result<Option<Outputs>> {
    let wanted = Wanted::Other(RecordKind::Benchmark, benchmark);
    let found = place.records(&[wanted])?.into_iter().next().flatten();
    Ok(match found.filter(|record| record.uuid() == benchmark) {
        Some(Record::Benchmark(record)) => Some(record.outputs),
        _ => None,
    })
}

impl<'s> LocalReplica<'s> {
    /// Creates a replica of a store for a project.
    pub fn new(store: &'s Store, project: ProjectRecord) -> Self {
        LocalReplica {
            store,
            project,
            origin: None,
            known: RefCell::default(),
        }
    }

    /// Marks all records added from now on as coming from the server at `url`.
    #[must_use]
    pub fn pulling_from(self, url: &str) -> Self {
        LocalReplica {
            origin: Some(url.to_owned()),
            ..self
        }
    }

    /// Makes the replica read all outputs, to find those damaged since they were recorded.
    #[must_use]
    pub fn reading_all(self) -> Self {
        self.known.borrow_mut().memo.reads_all = true;
        self
    }

    /// Returns the project.
    pub fn project(&self) -> &ProjectRecord {
        &self.project
    }

    /// Returns the tests with a benchmark that can't become a record, because its rows come from a
    /// file and aren't stored.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn incomplete(&self) -> Result<BTreeSet<TestId>> {
        self.read(|_, index| Ok(index.incomplete.clone()))
    }

    /// Returns the tests with a benchmark that can't be read.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn damaged(&self) -> Result<BTreeSet<TestId>> {
        self.read(|_, index| {
            let tests = index.damaged.iter().filter_map(|(row, _)| row.test);
            Ok(tests
                .filter_map(|test| Some(index.test(test)?.1.clone()))
                .collect())
        })
    }

    /// Restores damaged benchmarks, of these tests or of all, from another place. A benchmark that
    /// the other place doesn't have undamaged is removed with its runs and decisions, unless it is
    /// the test's current one. Returns each repaired test with the outcome.
    ///
    /// # Errors
    ///
    /// If a place can't be read, or the store can't be written.
    pub fn repair_damaged(
        &self,
        of: Option<&BTreeSet<TestId>>,
        there: &dyn Replica,
    ) -> Result<Vec<(TestId, Repair)>> {
        let damaged = self.read(|_, index| {
            let damaged = index.damaged.iter().filter_map(|(row, identity)| {
                let test = row.test.and_then(|test| Some(&index.test(test)?.1));
                let is_chosen = of.is_none_or(|of| test.is_some_and(|test| of.contains(test)));
                is_chosen.then(|| (row.id, *identity, test.cloned()))
            });
            Ok(damaged.collect::<Vec<_>>())
        })?;
        let mut done = Vec::new();
        for (row, identity, test) in damaged {
            let outputs = match identity {
                Some(identity) => intact_outputs(there, identity)?,
                None => None,
            };
            let repair = self.write(|tables, index| {
                index.is_stale = true;
                if let Some(outputs) = &outputs {
                    tables.restore_outputs(row, outputs.as_json())?;
                    return Ok(Some(Repair::Restored));
                }
                if tables.current_benchmarks()?.contains(&row) {
                    return Ok(None);
                }
                tables.remove_benchmark(row)?;
                Ok(Some(Repair::Removed))
            })?;
            done.extend(test.zip(repair));
        }
        // The cached digests are of the outputs before the repair.
        self.known.borrow_mut().memo.forget_digests();
        Ok(done)
    }

    /// Stores rows of a file that the store lacks, so that they can be sent. Rows with a different
    /// digest are ignored.
    ///
    /// # Errors
    ///
    /// If the store can't be read or written.
    pub fn keep_rows(&self, ensemble: &Ensemble, rows: &[&str]) -> Result<()> {
        let Some((identity, rows)) = self.rows_of_file(ensemble, rows) else {
            return Ok(());
        };
        self.write(|tables, index| {
            for row in index.without_rows.get(&identity).into_iter().flatten() {
                tables.give_rows(*row, &rows)?;
                index.is_stale = true;
            }
            Ok(())
        })
    }

    /// Treats rows of a file as stored without storing them, for a dry run.
    pub fn foresee_rows(&self, ensemble: &Ensemble, rows: &[&str]) {
        let known = &mut *self.known.borrow_mut();
        known
            .memo
            .foreseen
            .extend(self.rows_of_file(ensemble, rows));
        known.index = None;
    }

    /// Returns the identity of an ensemble with the file's rows as JSON, if their digest matches.
    fn rows_of_file(&self, ensemble: &Ensemble, rows: &[&str]) -> Option<(Uuid, String)> {
        let (text, digest) = (&ensemble.definition, &ensemble.digest);
        let definition = Definition::parse_recorded(text).ok()?;
        let rows = Vectors::from_rows(&definition, rows.iter().copied()).ok()?;
        let canonical = json::parse(text).ok()?.to_string();
        let definition = identity::definition(self.project.uuid, &canonical);
        (rows.digest() == *digest).then(|| (identity::rows(definition, digest), rows.to_json()))
    }

    /// Returns the tests that have, or had, a benchmark.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn tests_of(&self, benchmark: Uuid) -> Result<Vec<TestId>> {
        self.read(|_, index| {
            let rows = index
                .benchmarks
                .get(&benchmark)
                .map(|it| it.rows.as_slice());
            let tests = rows.unwrap_or_default().iter().filter_map(|row| row.test);
            Ok(tests
                .filter_map(|test| Some(index.test(test)?.1.clone()))
                .collect())
        })
    }

    /// Returns the state of the project on a server, if it was ever synchronised with it.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn remote(&self, url: &str) -> Result<Option<RemoteProject>> {
        let project = self.project.uuid;
        self.store
            .read_tables(|tables| Ok(tables.remote(url, project)?))
    }

    /// Notes that the project was synchronised with a server, and stores the values computed for
    /// it.
    ///
    /// # Errors
    ///
    /// If the store can't be written.
    pub fn note_synchronised(&self, remote: &RemoteProject) -> Result<()> {
        while self.write(|tables, index| index.complete(tables, COMPLETED_AT_ONCE))? {}
        self.store
            .write_tables(|tables| Ok(tables.note_remote(remote)?))
    }

    fn read<T>(&self, read: impl FnOnce(&Tables<'_>, &Index) -> Result<T>) -> Result<T> {
        let known = &mut *self.known.borrow_mut();
        self.store.read_tables(|tables| {
            let index = known.refresh(tables, &self.project)?;
            read(tables, index)
        })
    }

    /// Runs `write` in a transaction. It must update the index or mark it as stale.
    fn write<T>(&self, write: impl FnOnce(&Tables<'_>, &mut Index) -> Result<T>) -> Result<T> {
        let known = &mut *self.known.borrow_mut();
        let written = self.store.write_tables(|tables| {
            let index = known.refresh(tables, &self.project)?;
            let written = write(tables, index)?;
            index.settle();
            index.version = tables.version()?;
            Ok(written)
        });
        let is_valid = known.index.as_ref().is_some_and(|index| !index.is_stale);
        if written.is_err() || !is_valid {
            known.index = None;
        }
        written
    }
}

impl Replica for LocalReplica<'_> {
    fn digests(&self) -> Result<BTreeMap<RecordKind, SetDigests>> {
        self.read(|_, index| {
            let kinds = RecordKind::ALL.into_iter();
            let kinds = kinds.map(|kind| (kind, index.identities(kind)));
            let kinds = kinds.filter(|(_, identities)| !identities.is_empty());
            Ok(kinds
                .map(|(kind, identities)| (kind, identities.into_iter().collect()))
                .collect())
        })
    }

    fn identities(&self, kind: RecordKind, parts: &[u8]) -> Result<Vec<Uuid>> {
        let parts: BTreeSet<u8> = parts.iter().copied().collect();
        self.read(|_, index| {
            let mut identities = index.identities(kind);
            identities.retain(|uuid| parts.contains(&SetDigests::part(*uuid)));
            Ok(identities)
        })
    }

    fn missing(&self, kind: RecordKind, identities: &[Uuid]) -> Result<MissingResponse> {
        self.read(|_, index| {
            let there: BTreeSet<Uuid> = index.identities(kind).into_iter().collect();
            let absent = identities.iter().copied();
            let absent = absent.filter(|uuid| !there.contains(uuid));
            let (gone, missing) = absent.partition(|uuid| index.gone(kind, *uuid).is_some());
            Ok(MissingResponse { missing, gone })
        })
    }

    fn histories(&self, questions: &[HistoryQuestion]) -> Result<Vec<BenchmarkHistory>> {
        self.read(|tables, index| find::histories(tables, index, questions))
    }

    fn records(&self, wanted: &[Wanted]) -> Result<Vec<Option<Record>>> {
        self.read(|tables, index| find::records(tables, index, &self.project, wanted))
    }

    /// Adds all of them in one transaction.
    fn add(&self, records: &[Record]) -> Result<Vec<RecordOutcome>> {
        self.write(|tables, index| {
            let mut adding = LocalImport::new(tables, index, self.origin.as_deref())?;
            let answers = records.iter().map(|record| adding.add(record)).collect();
            adding.finish()?;
            answers
        })
    }
}

impl sync::StoreReplica for LocalReplica<'_> {
    fn benchmarks(&self, tests: &BTreeSet<Uuid>) -> Result<Vec<Uuid>> {
        self.read(|_, index| {
            let live = index.benchmarks.iter().filter(|(_, it)| it.gone.is_none());
            let of_tests = live.filter(|(_, entry)| deletions::is_of(index, entry, tests));
            Ok(of_tests.map(|(uuid, _)| *uuid).collect())
        })
    }

    fn deleted(&self, tests: Option<&BTreeSet<Uuid>>) -> Result<Vec<TombstoneRecord>> {
        self.read(|_, index| {
            let uuids = deletions::tombstones(index, tests).into_iter();
            uuids
                .map(|uuid| find::tombstone(index, uuid))
                .filter_map(Result::transpose)
                .collect()
        })
    }

    fn prunable(&self, tombstones: &[TombstoneRecord]) -> Result<u64> {
        self.read(|tables, index| {
            let current = tables.current_benchmarks()?;
            let objects = tombstones.iter().map(|it| it.object);
            let prunable = objects.filter(|it| deletions::is_prunable(index, &current, *it));
            Ok(prunable.count() as u64)
        })
    }

    /// Keeps the tests' current benchmarks, which their files determine.
    fn prune(&self, tombstones: &[TombstoneRecord]) -> Result<()> {
        // The index may lack rows that test runs have added.
        self.known.borrow_mut().index = None;
        let objects = tombstones.iter().map(|it| it.object).collect();
        self.write(|tables, index| deletions::prune(tables, index, objects))
    }
}
