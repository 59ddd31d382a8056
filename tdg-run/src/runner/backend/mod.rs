//! Where benchmarks and their history are kept: the local store, or a server.

mod local;
#[cfg(feature = "remote")]
mod remote;

use tdg_definition::Definition;
use tdg_engine::config::{Environment, Settings, StoreKind};
use tdg_engine::snapshot::{BenchmarkFile, Pin};
use tdg_engine::{Ensemble, RowError, TestId, Vectors};

use super::error::{Result, RunError};
use super::finished::FinishedRun;
use super::plan::Plan;

/// Where benchmarks and their history are kept.
pub(super) trait Backend {
    /// The definition with that UUID.
    fn definition(&self, uuid: &str) -> Result<Definition>;

    /// The benchmark that a snapshot file holds or pins.
    fn benchmark(&self, plan: &Plan, file: BenchmarkFile) -> Result<BenchmarkFile>;

    /// The benchmark of a test without a snapshot file.
    fn benchmark_without_file(&self, plan: &Plan) -> Result<Option<BenchmarkFile>>;

    /// The benchmark that the local store has of a test of the package, where it has no file.
    fn former_benchmark(&self, plan: &Plan, test: &TestId) -> Option<BenchmarkFile>;

    /// The other tests of the package with benchmarks of these rows in the store alone.
    fn other_tests(&self, plan: &Plan, digest: &str) -> Vec<TestId>;

    /// The rows of a benchmark, where the definition that it was recorded with no longer draws
    /// them.
    fn recorded_rows(
        &self,
        plan: &Plan,
        benchmark: &BenchmarkFile,
        definition: &Definition,
    ) -> Result<Vectors>;

    /// The platforms on which the benchmark's outputs are known to have come out.
    fn platforms(&self, _: &Plan, _: &Ensemble, _: &BenchmarkFile) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The address of a page about the benchmark, where a server shows one.
    fn page(&self, _: &BenchmarkFile) -> Option<String> {
        None
    }

    /// Adds a run to the history where that is shared, whether or not anything may be written here.
    fn assert(&self, run: &FinishedRun<'_>) -> Result<()>;

    /// Writes a run. Returns the pin to write, if the snapshot file is to pin another benchmark.
    fn commit(&self, run: &FinishedRun<'_>) -> Result<Option<Pin>>;
}

/// The backend of a test. Nothing is opened or sent yet.
pub(super) fn of(
    kind: StoreKind,
    settings: &Settings,
    package: &str,
    environment: Environment<'_>,
) -> Result<Box<dyn Backend>> {
    match kind {
        StoreKind::Remote => remote(settings, package, environment),
        _ => Ok(Box::new(local::Local::of(settings)?)),
    }
}

#[cfg(feature = "remote")]
fn remote(
    settings: &Settings,
    package: &str,
    environment: Environment<'_>,
) -> Result<Box<dyn Backend>> {
    Ok(Box::new(remote::Remote::of(
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

/// What to do about a snapshot file that is not as a run wrote it.
pub(super) const RESTORE: &str =
    "restore the file from version control, or delete it to record again";

fn unfit_rows(error: &RowError) -> RunError {
    RunError::new(format!(
        "the rows in the benchmark do not fit its definition: {error}"
    ))
}
