//! Renaming of tests, along with their files and history.

use std::path::PathBuf;
use std::rc::Rc;

use tdg_engine::TestId;
use tdg_engine::config::{display_path, normal_path, source_path};
use tdg_engine::output::Outputs;
use tdg_engine::snapshot::{self, BenchmarkFile, Header, Snapshot, named_snapshot_file};
use tdg_engine::store::DecisionKind;
use tdg_report::owner::{FoundOwner, KnownTests, Owner};
use tdg_report::{FormerOutputs, FormerTest};

use super::decide::{Notice, recorded};
use super::records::RecordedTests;
use super::storage::{RecordedTest, Storage};
use crate::error::{Error, Result};

impl RecordedTests {
    /// Returns the record that `new` has once `old` is renamed to it. `new` is a test's name, as in
    /// reports, or a snapshot file.
    pub(crate) fn renamed(&self, old: &RecordedTest, new: &str) -> Result<RecordedTest> {
        let package = &old.package.directory;
        if new.ends_with(".snap") {
            let file = std::path::absolute(new)?;
            return match Owner::find(&file, package, None) {
                Some(owner) if old.package.may_have(&file) => old.of_owner(owner, file),
                _ => Err(Error::new(format!(
                    "{new} is not the snapshot file of a test of {}",
                    old.test.package
                ))),
            };
        }
        match FoundOwner::named(package, &old.package.outside, new).as_slice() {
            [] => {}
            [one] => return old.of_owner(one.owner.clone(), one.file.clone()),
            several => {
                let files = several
                    .iter()
                    .map(|found| format!("\n  {}", display_path(&old.package.root, &found.file)));
                return Err(Error::new(format!(
                    "several tests are called `{new}`; name the snapshot file instead:{}",
                    files.collect::<String>()
                )));
            }
        }
        // A macro may define the test, or the name may be shortened. Then a run has left a pending
        // file.
        let is_end = |start: &str| start.is_empty() || start.ends_with("::");
        let is_new = |record: &&RecordedTest| {
            let start = record.test.name.strip_suffix(new);
            record.test.package == old.test.package && start.is_some_and(is_end)
        };
        match self.iter().filter(is_new).collect::<Vec<_>>().as_slice() {
            [record] => Ok((*record).clone()),
            _ => Err(Error::new(format!(
                "no test `{new}` is in the sources of {}; run it first, or name its snapshot file",
                old.test.package
            ))),
        }
    }
}

impl RecordedTest {
    fn of_owner(&self, owner: Owner, benchmark: PathBuf) -> Result<Self> {
        let package = &self.package;
        let storage = match &self.storage {
            Storage::Files { .. } => {
                let insta = &package.settings.insta;
                let pending = insta.pending_file(&benchmark, &package.root)?;
                Storage::Files { benchmark, pending }
            }
            Storage::Store => Storage::Store,
        };
        Ok(Self {
            test: TestId {
                package: package.name.clone(),
                source: source_path(&package.directory, &owner.source),
                name: owner.name,
            },
            package: Rc::clone(package),
            storage,
        })
    }

    /// Returns tests that this one, which has no benchmark, may have been renamed from. The outputs
    /// are the pending ones.
    pub(super) fn former_tests(&self, outputs: &Outputs) -> Vec<FormerTest> {
        let Storage::Files { benchmark, pending } = &self.storage else {
            return Vec::new();
        };
        let Some(header) = Header::read(pending) else {
            return Vec::new();
        };
        let (package, digest) = (&self.package, &header.ensemble.digest);
        let known = KnownTests {
            package: &package.directory,
            outside: &package.outside,
            binaries: &[],
        };
        let policy = &self.run_details().policy;
        let mut orphans = known.orphans(&header.ensemble, benchmark, |_| false);
        orphans.retain(|orphan| orphan.has_features);
        let former = orphans.into_iter().map(|orphan| {
            let outputs = match BenchmarkFile::read(&orphan.file, "") {
                Ok(Some(former)) if former.ensemble().digest == *digest => {
                    FormerOutputs::of_same_rows(&former, outputs, policy)
                }
                Ok(Some(_)) => FormerOutputs::OfOtherRows,
                _ => FormerOutputs::Unknown,
            };
            FormerTest::new(&orphan, &package.root, outputs)
        });
        FormerTest::likely(former.collect())
    }

    /// Returns true if the test may still be in the sources.
    pub(crate) fn may_exist(&self) -> bool {
        let (owner, file) = self.owner();
        self.names().any(|is_named| !owner.is_gone(&file, is_named))
    }

    /// Returns true if the test is in the sources and `#[ignore]`d.
    pub(crate) fn is_ignored(&self) -> bool {
        let (owner, file) = self.owner();
        self.names()
            .any(|is_named| owner.is_ignored(&file, is_named))
    }

    /// Returns the possible answers to "was the name set explicitly?". The store doesn't record it,
    /// so then both are possible.
    fn names(&self) -> impl Iterator<Item = bool> {
        let header = match &self.storage {
            Storage::Files { benchmark, pending } => {
                Header::read(benchmark).or_else(|| Header::read(pending))
            }
            Storage::Store => None,
        };
        let names = [true, false].into_iter();
        names.filter(move |is_named| header.as_ref().is_none_or(|it| it.is_named == *is_named))
    }

    /// Returns true if the test's name was set explicitly.
    fn has_own_name(&self) -> bool {
        let (owner, file) = self.owner();
        match self.names().collect::<Vec<_>>().as_slice() {
            [is_named] => *is_named,
            _ => owner.has_own_name(&file),
        }
    }

    fn owner(&self) -> (Owner, PathBuf) {
        let owner = Owner {
            source: normal_path(&self.package.directory.join(&self.test.source)),
            name: self.test.name.clone(),
        };
        let file = match self.file() {
            Some(file) => file.to_owned(),
            None => named_snapshot_file(&owner.source, &owner.name),
        };
        (owner, file)
    }

    /// Moves the benchmark, the pending change and the history to another test.
    ///
    /// # Errors
    /// Also fails if the other test has a benchmark.
    pub(crate) fn rename(&self, to: &RecordedTest, reason: Option<&str>) -> Result<Notice> {
        let benchmark = self.benchmark_for(to)?;
        // Reads everything before writing, so that a damaged file can't stop the rename halfway.
        let (old_pending, new_pending) = (self.pending()?, to.pending()?);
        let is_settled = match &new_pending {
            Some(pending) => is_same(&pending.snapshot, &benchmark)?,
            None => false,
        };
        let decision = self.decision(DecisionKind::Renamed, reason)?;
        let (
            Storage::Files {
                benchmark: old_file,
                pending: old_pending_file,
            },
            Storage::Files {
                benchmark: new_file,
                pending: new_pending_file,
            },
        ) = (&self.storage, &to.storage)
        else {
            let store = self.open()?;
            store.rename(&self.test, &to.test, &decision)?;
            if is_settled {
                store.settle(&to.test)?;
            }
            return Ok(None);
        };
        // Not `benchmark`, which includes the outputs from a server.
        let file = Snapshot::read(old_file)?;
        let kept = self
            .open()
            .and_then(|store| store.rename(&self.test, &to.test, &decision));
        let notice = recorded(kept, &decision)?;
        let (name, is_named) = (&to.test.name, to.has_own_name());
        if let Some(file) = file {
            snapshot::replace(new_file, &file.renamed(name, is_named))?;
        }
        // The run under the new name is the later one.
        match (new_pending, old_pending) {
            (Some(_), _) if is_settled => {
                snapshot::remove(new_pending_file)?;
            }
            (None, Some(pending)) => {
                snapshot::replace(new_pending_file, &pending.snapshot.renamed(name, is_named))?;
            }
            _ => {}
        }
        snapshot::remove(old_file)?;
        snapshot::remove(old_pending_file)?;
        Ok(notice)
    }

    /// Returns the benchmark to move to another test.
    ///
    /// # Errors
    /// Fails if there isn't one, or if the other test has one.
    fn benchmark_for(&self, to: &RecordedTest) -> Result<Snapshot> {
        let problem = match self.benchmark()? {
            _ if self.test == to.test => format!("{} already has that name", self.test),
            None => format!("{} has no benchmark", self.test),
            Some(_) if to.benchmark()?.is_some() => format!(
                "{} already has a benchmark, {}; remove it first if it is not needed",
                to.test,
                to.location()
            ),
            Some(benchmark) => return Ok(benchmark),
        };
        Err(Error::new(problem))
    }
}

/// Returns true if the pending outputs equal the benchmark's.
fn is_same(pending: &Snapshot, benchmark: &Snapshot) -> Result<bool> {
    Ok(pending.ensemble().digest == benchmark.ensemble().digest
        && pending.outputs()? == benchmark.outputs()?)
}
