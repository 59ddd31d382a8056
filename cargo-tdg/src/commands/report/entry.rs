//! An ensemble in the report: its run, and what files and store know beside it.

use tdg_definition::Policy;
use tdg_engine::Vectors;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{Assertion, Decision};

use crate::error::{Error, Result};
use crate::record::{Change, Compared, Record, Records, vectors};
use crate::results::TestRun;
use crate::workspace::Workspace;

/// How many runs of the history are shown.
const RUNS: usize = 60;

/// An ensemble in the report.
pub(super) struct Entry {
    /// Its place among all of them.
    pub(super) number: usize,
    pub(super) run: TestRun,
    /// The snapshot file as messages show it.
    pub(super) place: Option<String>,
    /// The rows, where they can be read.
    pub(super) vectors: Option<Vectors>,
    /// How the outputs differ from the benchmark's, where somebody has to decide.
    pub(super) compared: Option<Compared>,
    /// Oldest first.
    pub(super) history: Vec<Assertion>,
    /// Newest first.
    pub(super) decisions: Vec<Decision>,
}

impl Entry {
    pub(super) fn of(
        workspace: &Workspace,
        records: &Records,
        number: usize,
        run: TestRun,
    ) -> Result<Self> {
        let record = records.of_test(&run.test);
        let mut entry = Self {
            number,
            place: run.snapshot.as_ref().map(|path| workspace.shown(path)),
            vectors: None,
            compared: None,
            history: Vec::new(),
            decisions: Vec::new(),
            run,
        };
        // A report tells what it can: what is wrong with a file or the store, the run has said.
        if let Some(record) = record {
            let _ = entry.remember(record);
        }
        let benchmark = || record.and_then(|record| record.benchmark().ok().flatten());
        match &entry.run.actual {
            Some(path) => {
                let gone = || {
                    Error::new(format!(
                        "{} is gone; run `cargo tdg test` again",
                        path.display()
                    ))
                };
                let actual = Snapshot::read(path)?.ok_or_else(gone)?;
                let policy = entry.run.policy.clone().unwrap_or_else(Policy::exact);
                let change = Change::of_run(benchmark(), actual, policy);
                entry.compared = Some(change.compare()?);
            }
            None => entry.vectors = benchmark().and_then(|benchmark| vectors(&benchmark).ok()),
        }
        Ok(entry)
    }

    fn remember(&mut self, record: &Record) -> Result<()> {
        if let Some(store) = record.store()? {
            self.history = store.history(&record.test, RUNS)?;
            self.history.reverse();
            self.decisions = store.decisions(&record.test)?;
        }
        Ok(())
    }

    /// The rows of the run.
    pub(super) fn rows(&self) -> Option<&Vectors> {
        self.compared
            .as_ref()
            .map(|compared| &compared.vectors)
            .or(self.vectors.as_ref())
    }

    /// The cases that changed.
    pub(super) fn changed(&self) -> Vec<usize> {
        let differing = self
            .compared
            .as_ref()
            .map(|compared| compared.differing.as_slice());
        differing
            .unwrap_or_default()
            .iter()
            .map(|(case, _)| *case)
            .collect()
    }
}
