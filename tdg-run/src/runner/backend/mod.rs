//! The places of benchmarks and their history: the local store, or a server.

mod changed_outputs;
mod local;
#[cfg(feature = "remote")]
mod remote;

use tdg_definition::Definition;
use tdg_engine::config::{Environment, Settings, StoreKind};
use tdg_engine::snapshot::{BenchmarkFile, Pin};
use tdg_engine::{Ensemble, RowError, TestId, Vectors};

use super::error::{Result, RunError};
use super::plan::Plan;
use super::verdict::finished_run::FinishedRun;

/// Keeps benchmarks and their history.
pub(super) trait Backend {
    /// Returns the definition with that UUID.
    fn definition(&self, uuid: &str) -> Result<Definition>;

    /// Returns the benchmark that a snapshot file holds or pins.
    fn benchmark(&self, plan: &Plan, file: BenchmarkFile) -> Result<BenchmarkFile>;

    /// Returns the benchmark of a test without a snapshot file.
    fn benchmark_without_file(&self, plan: &Plan) -> Result<Option<BenchmarkFile>>;

    /// Returns a benchmark of the package from the local store, for a test without a file.
    fn former_benchmark(&self, plan: &Plan, test: &TestId) -> Option<BenchmarkFile>;

    /// Returns the package's other tests that have benchmarks of these rows only in the store.
    fn other_tests(&self, plan: &Plan, digest: &str) -> Vec<TestId>;

    /// Returns the rows of a benchmark whose recorded definition no longer draws them.
    fn recorded_rows(
        &self,
        plan: &Plan,
        benchmark: &BenchmarkFile,
        definition: &Definition,
    ) -> Result<Vectors>;

    /// Returns the platforms that are known to have produced the benchmark's outputs.
    fn platforms(&self, _: &Plan, _: &Ensemble, _: &BenchmarkFile) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Returns the address of the server's page for the benchmark, if it has pages.
    fn page(&self, _: &BenchmarkFile) -> Option<String> {
        None
    }

    /// Adds a run to a shared history, even if the run may not write anything locally.
    fn assert(&self, run: &FinishedRun<'_>) -> Result<()>;

    /// Writes a run. Returns the pin to write, if the snapshot file is to pin another benchmark.
    fn commit(&self, run: &FinishedRun<'_>) -> Result<Option<Pin>>;
}

/// Creates the backend of a test. Nothing is opened or sent yet.
pub(super) fn open(
    kind: StoreKind,
    settings: &Settings,
    package: &str,
    environment: Environment<'_>,
) -> Result<Box<dyn Backend>> {
    match kind {
        StoreKind::Remote => remote(settings, package, environment),
        _ => Ok(Box::new(local::Local::open(settings)?)),
    }
}

#[cfg(feature = "remote")]
fn remote(
    settings: &Settings,
    package: &str,
    environment: Environment<'_>,
) -> Result<Box<dyn Backend>> {
    Ok(Box::new(remote::Remote::open(
        settings,
        package,
        environment,
    )?))
}

#[cfg(not(feature = "remote"))]
fn remote(_: &Settings, _: &str, _: Environment<'_>) -> Result<Box<dyn Backend>> {
    Err(
        RunError::new("the test sets store = \"remote\", but this tdg is built without it")
            .hint("enable the feature `remote` of tdg, or use store = \"local\""),
    )
}

/// The hint for a snapshot file that was changed since a run wrote it.
pub(super) const RESTORE: &str =
    "restore the file from version control, or delete it to record again";

fn unfit_rows(error: &RowError) -> RunError {
    RunError::new(format!(
        "the rows in the benchmark do not fit its definition: {error}"
    ))
}
