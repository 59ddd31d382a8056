//! Benchmarks that differ between a revision and the working tree, read from git's objects.

mod difference;

use std::collections::BTreeSet;
use std::path::Path;

use tdg_engine::checkout::{Checkout, Git};
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{DecisionKind, StoredDecision};

use super::sync::{Servers, pinned_outputs};
use crate::error::{Context as _, Error, Result};
use crate::git::{Base, ChangedFile, blobs, commit_time, git};
use crate::record::{RecordedTest, RecordedTests};
use crate::workspace::Workspace;
use difference::FormerFile;

pub(crate) use difference::{BenchmarkDifference, ContentDifference};

/// A revision with the snapshot files that differ from it.
pub(crate) struct BenchmarkDifferences<'w> {
    pub(crate) base: Base,
    workspace: &'w Workspace,
    records: &'w RecordedTests,
    files: Vec<ChangedFile>,
    /// The base commit and all commits since.
    commits: BTreeSet<String>,
    /// Microseconds since 1970 UTC.
    time: i64,
    servers: Servers,
}

impl<'w> BenchmarkDifferences<'w> {
    pub(crate) fn since(
        revision: &str,
        workspace: &'w Workspace,
        records: &'w RecordedTests,
    ) -> Result<Self> {
        let directory = &workspace.directory;
        let base = Base::resolve(directory, revision)?;
        let range = format!("{}..HEAD", base.commit);
        let commits = git(directory, &["rev-list", &range])?;
        let commits = commits.lines().chain([base.commit.as_str()]);
        Ok(Self {
            commits: commits.map(str::to_owned).collect(),
            time: commit_time(directory, &base.commit)? * 1_000_000,
            files: base.changed_files(".snap")?,
            base,
            workspace,
            records,
            servers: Servers::default(),
        })
    }

    /// Returns the first sentence of a report, which explains its column names.
    pub(crate) fn legend(&self) -> String {
        format!(
            "Expected: {}. Actual: the files as they are now.",
            self.base.label
        )
    }

    /// Returns all benchmarks that differ, changed ones first.
    pub(crate) fn all(&mut self) -> Result<Vec<BenchmarkDifference<'w>>> {
        let files = self.files.clone();
        let mut differences = self.of_files(&files)?;
        differences.sort_by_key(|it| (it.rank(), it.test.clone()));
        Ok(differences)
    }

    /// Returns the difference of one benchmark, if any.
    pub(crate) fn difference(
        &mut self,
        record: &RecordedTest,
    ) -> Result<Option<BenchmarkDifference<'w>>> {
        let Some(file) = record.file() else {
            return Err(Error::new(format!(
                "the benchmark of {} is only in the local store, and git has no revisions of it; \
                 `cargo tdg history` lists the decisions about it",
                record.test
            )));
        };
        let mut files = self.files.clone();
        files.retain(|it| it.after.as_deref() == Some(file));
        Ok(self.of_files(&files)?.pop())
    }

    /// Returns the difference of a benchmark that was removed, or that had this name before.
    pub(crate) fn of_former(&mut self, name: &str) -> Result<Option<BenchmarkDifference<'w>>> {
        let mut files = self.files.clone();
        files.retain(|it| it.before.as_ref().map(|(path, _)| path) != it.after.as_ref());
        let mut differences = self.of_files(&files)?;
        differences.retain(|it| it.had_name(name));
        Ok(differences.pop())
    }

    fn of_files(&mut self, files: &[ChangedFile]) -> Result<Vec<BenchmarkDifference<'w>>> {
        let records = self.records;
        let of_file = |path: &Path| records.iter().find(|it| it.file() == Some(path));
        let known = files.iter().filter_map(|file| match &file.after {
            Some(path) => Some((file.before.as_ref(), Some(of_file(path)?))),
            None => Some((file.before.as_ref(), None)),
        });
        let known: Vec<_> = known.collect();
        let objects = known
            .iter()
            .filter_map(|(before, _)| Some(before.as_ref()?.1.as_str()));
        let mut contents = blobs(&self.workspace.directory, objects)?.into_iter();
        let mut differences = Vec::new();
        for (before, record) in known {
            let content = before.and_then(|_| contents.next());
            let former = before.zip(content);
            let former = former.and_then(|((path, _), content)| FormerFile::parse(path, content));
            let difference = match (record, former) {
                (Some(record), former) => self.of_record(record, former),
                (None, Some(former)) if self.is_here(&former.path) => self.gone(former),
                (None, _) => continue,
            };
            differences.push(difference);
        }
        Ok(differences)
    }

    /// Returns true if a file is in this workspace, even if its package was removed.
    fn is_here(&self, path: &Path) -> bool {
        let mut packages = self.workspace.packages.iter();
        path.starts_with(&self.workspace.directory) || packages.any(|it| it.may_have(path))
    }

    fn of_record(
        &mut self,
        record: &'w RecordedTest,
        former: Option<FormerFile>,
    ) -> BenchmarkDifference<'w> {
        let test = record.test.to_string();
        let from = former
            .as_ref()
            .filter(|it| Some(it.path.as_path()) != record.file());
        let from = from.map(|it| match &it.test {
            former if *former == record.test.name => self.workspace.display_path(&it.path),
            former => former.clone(),
        });
        let mut decisions = self.decisions(record);
        // An existing benchmark was recorded before.
        let is_decision = |kind| former.is_none() || kind != DecisionKind::Recorded;
        decisions.retain(|it| is_decision(it.decision.kind));
        let content = self.compared(record, former);
        BenchmarkDifference {
            record: Some(record),
            file: record.location(),
            content: content.unwrap_or_else(ContentDifference::Unknown),
            decisions,
            test,
            from,
        }
    }

    fn gone(&self, former: FormerFile) -> BenchmarkDifference<'w> {
        BenchmarkDifference {
            record: None,
            file: self.workspace.display_path(&former.path),
            content: match former.snapshot() {
                Ok(snapshot) => ContentDifference::Gone(snapshot.ensemble().size),
                Err(error) => ContentDifference::Unknown(error),
            },
            decisions: Vec::new(),
            test: former.test,
            from: None,
        }
    }

    fn compared(
        &mut self,
        record: &RecordedTest,
        former: Option<FormerFile>,
    ) -> Result<ContentDifference> {
        let now = record.benchmark()?;
        let Some(former) = former else {
            return Ok(ContentDifference::New(
                now.map_or(0, |it| it.ensemble().size),
            ));
        };
        let context = format!("in {}", self.base.label);
        let former = former.snapshot().context(&context)?;
        let now = now.ok_or_else(|| Error::new("nothing has been accepted yet"))?;
        if former.text() == now.text() || ContentDifference::is_same_pin(&former, &now) {
            return Ok(ContentDifference::Same);
        }
        let former = self.with_outputs(record, former).context(&context)?;
        let now = self.with_outputs(record, now)?;
        ContentDifference::between(former, now)
    }

    /// Returns a snapshot with its outputs, which it may only pin.
    fn with_outputs(&mut self, record: &RecordedTest, snapshot: Snapshot) -> Result<Snapshot> {
        match snapshot.pin().filter(|_| snapshot.is_empty()) {
            None => Ok(snapshot),
            Some(pin) => {
                let outputs = pinned_outputs(record, &snapshot, pin, &mut self.servers)?;
                Ok(snapshot.with_outputs(&outputs))
            }
        }
    }

    /// Returns the decisions since the base that led to the current state, newest first. Other
    /// branches' decisions count if their commits were merged. An unreadable store counts as empty.
    fn decisions(&self, record: &RecordedTest) -> Vec<StoredDecision> {
        let store = record.store().ok().flatten();
        let decisions = store.and_then(|store| store.decisions(&record.test).ok());
        let git = Git::around(&record.package.directory);
        let is_here = |it: &StoredDecision| {
            let Checkout { commit, .. } = &it.decision.checkout;
            let has_commit = commit.as_ref().is_none_or(|it| self.commits.contains(it));
            has_commit || it.decision.checkout.shares_branch(git.checkout())
        };
        let mut decisions = decisions.unwrap_or_default();
        decisions.retain(|it| {
            it.decision.kind != DecisionKind::Rejected && it.time >= self.time && is_here(it)
        });
        decisions
    }
}
