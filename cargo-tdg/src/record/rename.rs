//! Another name for a test: its files and its history follow.

use std::path::PathBuf;
use std::rc::Rc;

use tdg_engine::TestId;
use tdg_engine::config::display_path;
use tdg_engine::output::Outputs;
use tdg_engine::owner::{FoundOwner, Owner, UnrecordedTest};
use tdg_engine::report::FormerTest;
use tdg_engine::snapshot::{self, Header, Snapshot};
use tdg_engine::store::DecisionKind;

use super::decide::{Notice, recorded};
use super::records::Records;
use super::storage::{Record, Storage};
use crate::error::{Error, Result};

impl Records {
    /// The record that the test `new` has once `old` is renamed to it. `new` is a test's name, as
    /// reports print it, or a snapshot file.
    pub(crate) fn renamed(&self, old: &Record, new: &str) -> Result<Record> {
        let package = &old.package.directory;
        if new.ends_with(".snap") {
            let file = std::path::absolute(new)?;
            return match Owner::of(&file, package, None) {
                Some(owner) if file.starts_with(package) => old.of_owner(owner, file),
                _ => Err(Error::new(format!(
                    "{new} is not the snapshot file of a test of {}",
                    old.test.package
                ))),
            };
        }
        let mut found = FoundOwner::named(package, new);
        found.sort_by_key(|found| found.owner.name != new);
        match found.as_slice() {
            [] => {}
            [one] => return old.of_owner(one.owner.clone(), one.file.clone()),
            [one, next, ..] if one.owner.name == new && next.owner.name != new => {
                return old.of_owner(one.owner.clone(), one.file.clone());
            }
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
        // A macro may have made it; then its run has left a pending file.
        let made = self
            .iter()
            .find(|record| record.test.package == old.test.package && record.test.name == new);
        match made {
            Some(record) => Ok(record.clone()),
            None => Err(Error::new(format!(
                "no test `{new}` is in the sources of {}; run it first, or name its snapshot file",
                old.test.package
            ))),
        }
    }
}

impl Record {
    fn of_owner(&self, owner: Owner, benchmark: PathBuf) -> Result<Self> {
        let package = &self.package;
        let storage = match &self.storage {
            Storage::Files { .. } => {
                let pending = package
                    .settings
                    .insta
                    .pending_file(&benchmark, &package.root)?;
                Storage::Files { benchmark, pending }
            }
            Storage::Store => Storage::Store,
        };
        Ok(Self {
            test: TestId {
                package: package.name.clone(),
                source: display_path(&package.directory, &owner.source),
                name: owner.name,
            },
            package: Rc::clone(package),
            storage,
        })
    }

    /// The tests that this one, without a benchmark, may have been before it was renamed; the
    /// outputs are those that are pending.
    pub(super) fn former_tests(&self, outputs: &Outputs) -> Vec<FormerTest> {
        let Storage::Files { benchmark, pending } = &self.storage else {
            return Vec::new();
        };
        let Some(header) = Header::read(pending) else {
            return Vec::new();
        };
        let package = &self.package;
        let test = UnrecordedTest {
            package: &package.directory,
            root: &package.root,
            source: &package.directory.join(&self.test.source),
            file: benchmark,
            definition_name: header.definition_name(),
            ensemble: &header.ensemble,
            outputs,
            policy: &self.run_details().policy,
        };
        test.former_tests()
    }

    /// Whether the test may still be in the sources.
    pub(crate) fn may_exist(&self) -> bool {
        let owner = Owner {
            source: self.package.directory.join(&self.test.source),
            name: self.test.name.clone(),
        };
        !owner.is_gone()
    }

    /// Gives the benchmark, the pending change and the history to another test.
    ///
    /// # Errors
    /// Also if that has a benchmark.
    pub(crate) fn rename(&self, to: &Record, reason: Option<&str>) -> Result<Notice> {
        if self.test == to.test {
            return Err(Error::new(format!("{} has that name already", self.test)));
        }
        let Some(benchmark) = self.benchmark()? else {
            return Err(Error::new(format!("{} has no benchmark", self.test)));
        };
        if to.benchmark()?.is_some() {
            return Err(Error::new(format!(
                "{} has a benchmark of its own, {}; remove it first if it is not needed",
                to.test,
                to.location()
            )));
        }
        // All is read before anything is written: a damaged file must not stop it halfway.
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
        // Not `benchmark`: that has the outputs from a server.
        let file = Snapshot::read(old_file)?;
        let kept = self
            .open()
            .and_then(|store| store.rename(&self.test, &to.test, &decision));
        let notice = recorded(kept, &decision)?;
        let name = &to.test.name;
        if let Some(file) = file {
            snapshot::replace(new_file, &file.renamed(name))?;
        }
        // The run with the new name is the later one.
        match (new_pending, old_pending) {
            (Some(_), _) if is_settled => {
                snapshot::remove(new_pending_file)?;
            }
            (None, Some(pending)) => {
                snapshot::replace(new_pending_file, &pending.snapshot.renamed(name))?;
            }
            _ => {}
        }
        snapshot::remove(old_file)?;
        snapshot::remove(old_pending_file)?;
        Ok(notice)
    }
}

/// Whether there is nothing to decide.
fn is_same(pending: &Snapshot, benchmark: &Snapshot) -> Result<bool> {
    Ok(pending.ensemble().digest == benchmark.ensemble().digest
        && pending.outputs()? == benchmark.outputs()?)
}
