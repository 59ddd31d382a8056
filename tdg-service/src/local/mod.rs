//! The local store as a place to synchronise (feature `local`).

mod add;
mod deleted;
mod error;
mod find;
mod index;
mod memo;

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
use self::memo::Memo;
use crate::Result;
use crate::record::{ProjectRecord, Record, RecordKind, SetDigests, TombstoneRecord, identity};
use crate::sync::wire::MissingResponse;
use crate::sync::{self, BenchmarkHistory, HistoryQuestion, RecordOutcome, Replica, Wanted};

/// How many rows are completed in one transaction: runs of tests wait for it.
const COMPLETED_AT_ONCE: usize = 64;

/// A local store as one project, to which all packages of the workspace belong.
///
/// The store has no identities: they are made from its content, by the rules of
/// [`identity`](mod@crate::record::identity), and what takes long is kept in memory. Which
/// benchmark a test has is up to its file: nothing here changes that.
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

/// What is known of the store without reading all of it again.
#[derive(Debug, Default)]
struct KnownStore {
    memo: Memo,
    index: Option<Index>,
}

impl KnownStore {
    /// The index of the store as it is now.
    fn refresh(&mut self, tables: &Tables<'_>, project: &ProjectRecord) -> Result<&mut Index> {
        let version = tables.version()?;
        let index = match self.index.take() {
            Some(index) if index.version == version => index,
            _ => Index::of(tables, project, &mut self.memo)?,
        };
        Ok(self.index.insert(index))
    }
}

/// What became of a damaged benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// It has the outputs that another place has of it.
    Restored,
    /// It is gone, with its runs and decisions.
    Removed,
}

/// The outputs of a benchmark, if a place has them undamaged.
fn intact_outputs(place: &dyn Replica, benchmark: Uuid) -> Result<Option<Outputs>> {
    let wanted = Wanted::Other(RecordKind::Benchmark, benchmark);
    let found = place.records(&[wanted])?.into_iter().next().flatten();
    Ok(match found.filter(|record| record.uuid() == benchmark) {
        Some(Record::Benchmark(record)) => Some(record.outputs),
        _ => None,
    })
}

impl<'s> LocalReplica<'s> {
    /// A store as that project.
    pub fn new(store: &'s Store, project: ProjectRecord) -> Self {
        LocalReplica {
            store,
            project,
            origin: None,
            known: RefCell::default(),
        }
    }

    /// The same store, where whatever is added comes from the server at that address.
    #[must_use]
    pub fn pulling_from(self, url: &str) -> Self {
        LocalReplica {
            origin: Some(url.to_owned()),
            ..self
        }
    }

    /// The same store, of which all outputs are read, to find those that were damaged since they
    /// were recorded.
    #[must_use]
    pub fn reading_all(self) -> Self {
        self.known.borrow_mut().memo.reads_all = true;
        self
    }

    /// The project.
    pub fn project(&self) -> &ProjectRecord {
        &self.project
    }

    /// The tests that have a benchmark which is no record, because its rows are from a file and not
    /// in the store.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn incomplete(&self) -> Result<BTreeSet<TestId>> {
        self.read(|_, index| Ok(index.incomplete.clone()))
    }

    /// The tests that have a benchmark which is no record, because it can't be read.
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

    /// Gives damaged benchmarks, of these tests or of all, the outputs that another place has of
    /// them. Those that it hasn't either are removed with their runs and decisions, unless tests
    /// have them at present. Returns a test for each, and what was done.
    ///
    /// # Errors
    ///
    /// If a place can't be read, or the store not written.
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
        // What was read before is not what is there now.
        self.known.borrow_mut().memo.forget_digests();
        Ok(done)
    }

    /// Keeps rows of a file that the store lacks, after which they can be sent. Rows of another
    /// digest are not kept.
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

    /// Counts rows of a file as those of the store, which stays as it is: for a dry run.
    pub fn foresee_rows(&self, ensemble: &Ensemble, rows: &[&str]) {
        let known = &mut *self.known.borrow_mut();
        known
            .memo
            .foreseen
            .extend(self.rows_of_file(ensemble, rows));
        known.index = None;
    }

    /// The identity of an ensemble of a file, and its rows as JSON, if they have its digest.
    fn rows_of_file(&self, ensemble: &Ensemble, rows: &[&str]) -> Option<(Uuid, String)> {
        let (text, digest) = (&ensemble.definition, &ensemble.digest);
        let definition = Definition::parse_recorded(text).ok()?;
        let rows = Vectors::from_rows(&definition, rows.iter().copied()).ok()?;
        let canonical = json::parse(text).ok()?.to_string();
        let definition = identity::definition(self.project.uuid, &canonical);
        (rows.digest() == *digest).then(|| (identity::rows(definition, digest), rows.to_json()))
    }

    /// The tests that have or had a benchmark.
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

    /// What is known of the project on a server, if it was synchronised with it.
    ///
    /// # Errors
    ///
    /// If the store can't be read.
    pub fn remote(&self, url: &str) -> Result<Option<RemoteProject>> {
        let project = self.project.uuid;
        self.store
            .read_tables(|tables| Ok(tables.remote(url, project)?))
    }

    /// Notes that the project was synchronised with a server, and keeps what was computed for that.
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

    /// `write` brings the index up to date, or asks for another one.
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

    /// All in one transaction.
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
            let of_tests = live.filter(|(_, entry)| deleted::is_of(index, entry, tests));
            Ok(of_tests.map(|(uuid, _)| *uuid).collect())
        })
    }

    fn deleted(&self, tests: Option<&BTreeSet<Uuid>>) -> Result<Vec<TombstoneRecord>> {
        self.read(|_, index| {
            let uuids = deleted::tombstones(index, tests).into_iter();
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
            let prunable = objects.filter(|it| deleted::is_prunable(index, &current, *it));
            Ok(prunable.count() as u64)
        })
    }

    /// But for the benchmarks that tests have at present: which ones, their files say.
    fn prune(&self, tombstones: &[TombstoneRecord]) -> Result<()> {
        // The index may lack rows that were made for tests.
        self.known.borrow_mut().index = None;
        let objects = tombstones.iter().map(|it| it.object).collect();
        self.write(|tables, index| deleted::prune(tables, index, objects))
    }
}
