//! An ensemble in the HTML report: its run, with data from its files and the store.

use std::fs;

use tdg_definition::Policy;
use tdg_engine::Vectors;
use tdg_engine::output::RecordedOutputs;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{HistoryEntry, StoredDecision};

use super::source_link::SourceLink;
use crate::error::{Error, Result};
use crate::record::{
    ComparedChange, KeptCause, PendingChange, RecordedTest, RecordedTests, RunDetails, vectors,
};
use crate::results::TestRun;
use crate::workspace::Workspace;

/// The maximum number of runs shown in the history.
const RUNS: usize = 60;

/// An ensemble in the HTML report.
pub(super) struct ReportEntry {
    /// Its position among all ensembles.
    pub(super) number: usize,
    pub(super) run: TestRun,
    /// The path of the source file.
    pub(super) source: String,
    /// The URL of the test's line.
    pub(super) source_url: Option<String>,
    /// The path of the snapshot file.
    pub(super) snapshot: Option<String>,
    /// The rows, if readable.
    pub(super) vectors: Option<Vectors>,
    /// The differences from the benchmark, if a decision is needed.
    pub(super) compared: Option<ComparedChange>,
    /// The cause of the change, if `cargo tdg why` found it.
    pub(super) cause: Option<KeptCause>,
    /// Oldest first.
    pub(super) history: Vec<HistoryEntry>,
    /// Newest first.
    pub(super) decisions: Vec<StoredDecision>,
}

impl ReportEntry {
    pub(super) fn new(
        workspace: &Workspace,
        records: &RecordedTests,
        link: Option<&SourceLink>,
        number: usize,
        run: TestRun,
    ) -> Result<Self> {
        let record = records.of_test(&run.test);
        let package = workspace.package(&run.test.package).ok();
        let source = package.map_or_else(
            || run.test.source.clone(),
            |package| workspace.display_path(&package.directory.join(&run.test.source)),
        );
        let mut entry = Self {
            number,
            source_url: link.map(|link| link.url(&source, run.line)),
            source,
            snapshot: run
                .snapshot
                .as_ref()
                .map(|path| workspace.display_path(path)),
            vectors: None,
            compared: None,
            cause: None,
            history: Vec::new(),
            decisions: Vec::new(),
            run,
        };
        // The run has already reported errors of files and of the store.
        if let Some(record) = record {
            let _ = entry.read_history(record);
        }
        entry.cause = record.and_then(|it| kept_cause(workspace, it, &entry.run));
        entry.read_rows(record)?;
        Ok(entry)
    }

    /// Reads the outputs if a decision is needed, or else the rows.
    fn read_rows(&mut self, record: Option<&RecordedTest>) -> Result<()> {
        let benchmark = record.and_then(|record| record.benchmark().ok().flatten());
        let Some(path) = &self.run.actual else {
            let rows = benchmark.and_then(|benchmark| vectors(&benchmark).ok());
            self.vectors = rows.map(|rows| rows.taken(&self.run.takes));
            return Ok(());
        };
        let missing = || {
            let path = path.display();
            Error::new(format!(
                "{path} no longer exists; run `cargo tdg test` again"
            ))
        };
        let actual = Snapshot::read(path)?.ok_or_else(missing)?;
        let change = PendingChange::of_run(benchmark, actual, details(&self.run));
        self.compared = Some(change.compare()?);
        Ok(())
    }

    fn read_history(&mut self, record: &RecordedTest) -> Result<()> {
        if let Some(store) = record.store()? {
            self.history = record.history(&store, RUNS)?;
            self.history.reverse();
            self.decisions = store.decisions(&record.test)?;
        }
        Ok(())
    }

    /// Returns the rows of the run.
    pub(super) fn rows(&self) -> Option<&Vectors> {
        self.compared
            .as_ref()
            .map(|compared| &compared.rows.vectors)
            .or(self.vectors.as_ref())
    }

    /// Returns the cases that changed or panicked, and a word for it.
    pub(super) fn failing(&self) -> (Vec<usize>, &'static str) {
        match &self.compared {
            Some(compared) => (compared.rows.cases(), "changed"),
            None => (self.run.panicked.clone(), "panicked"),
        }
    }
}

/// Returns the cause of a run's change, if `cargo tdg why` found it.
pub(super) fn kept_cause(
    workspace: &Workspace,
    record: &RecordedTest,
    run: &TestRun,
) -> Option<KeptCause> {
    let benchmark = record.benchmark().ok()??;
    let actual = Snapshot::read(run.actual.as_ref()?).ok()??;
    KeptCause::read(
        &workspace.target_directory,
        &run.test,
        (&benchmark, &actual),
    )
}

/// Returns how a run compared outputs.
fn details(run: &TestRun) -> RunDetails {
    let file = run.recorded_outputs.as_ref();
    let recorded_outputs = file.and_then(|file| fs::read_to_string(file).ok());
    RunDetails {
        policy: run.policy.clone().unwrap_or_else(Policy::exact),
        takes: run.takes.clone(),
        recorded_outputs: recorded_outputs.and_then(|text| RecordedOutputs::from_text(&text)),
        ..RunDetails::default()
    }
}
