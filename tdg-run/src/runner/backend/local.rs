//! The local store: benchmarks without a file, and the history of all benchmarks.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use tdg_definition::Definition;
use tdg_engine::checkout::Git;
use tdg_engine::config::{Settings, process_environment, source_path};
use tdg_engine::output::{Outputs, unbound_reason};
use tdg_engine::snapshot::{BenchmarkFile, Header, Pin, named_snapshot_file};
use tdg_engine::store::{
    Claim, Decision, DecisionKind, Expected, PendingUpdate, ReplacedBenchmark, Run, RunFacts,
    RunStore, StoreError,
};
use tdg_engine::{Ensemble, TestId, Vectors, Verdict};
use tdg_report as report;
use tdg_report::owner::{Owner, snapshot_files};

use super::{Backend, RESTORE, unfit_rows};
use crate::runner::backend::changed_outputs::changed_outputs;
use crate::runner::error::{Result, RunError};
use crate::runner::plan::{Plan, benchmark_claims};
use crate::runner::stderr::{notice, print_line};
use crate::runner::verdict::finished_run::FinishedRun;
use crate::runner::verdict::judgement::{ExpectedOutputs, Write};

/// The store in the root's `.tdg`.
pub(super) struct Local {
    directory: PathBuf,
}

impl Local {
    pub(super) fn open(settings: &Settings) -> Result<Self> {
        if !settings.snapshots && !cfg!(feature = "sqlite-system") {
            return Err(RunError::new(
                "benchmarks are only in the local store (snapshots = false), but this tdg is built \
                 without one",
            )
            .hint("enable the feature `sqlite` of tdg (it is on by default)"));
        }
        Ok(Self {
            directory: settings.directory.clone(),
        })
    }
}

impl Backend for Local {
    fn definition(&self, uuid: &str) -> Result<Definition> {
        Err(
            RunError::new(format!("the definition {uuid} is on a server"))
                .hint("add store = \"remote\" to the test, or set TDG_STORE=remote"),
        )
    }

    fn benchmark(&self, plan: &Plan, file: BenchmarkFile) -> Result<BenchmarkFile> {
        if file.pin().is_none() {
            return Ok(file);
        }
        Err(RunError::new(format!(
            "{} pins a benchmark on a server",
            plan.benchmark_place()
        ))
        .hint(
            "add store = \"remote\" to the test or set TDG_STORE=remote; or run `cargo tdg pull --unpin` to \
             have its cases in the file",
        ))
    }

    fn benchmark_without_file(&self, plan: &Plan) -> Result<Option<BenchmarkFile>> {
        let found = RunStore::at(&self.directory).benchmark(&plan.test, &plan.policy)?;
        Ok(found.map(BenchmarkFile::from))
    }

    /// A store that can't be read counts as empty.
    fn former_benchmark(&self, plan: &Plan, test: &TestId) -> Option<BenchmarkFile> {
        let found = RunStore::at(&self.directory).benchmark(test, &plan.policy);
        found.ok().flatten().map(BenchmarkFile::from)
    }

    fn other_tests(&self, plan: &Plan, digest: &str) -> Vec<TestId> {
        let tests = RunStore::at(&self.directory).tests_of_rows(digest);
        let mut tests = tests.unwrap_or_default();
        tests.retain(|it| it.package == plan.test.package && *it != plan.test);
        tests
    }

    fn recorded_rows(
        &self,
        plan: &Plan,
        benchmark: &BenchmarkFile,
        definition: &Definition,
    ) -> Result<Vectors> {
        rows_in_file(plan, benchmark, definition)
    }

    fn platforms(
        &self,
        plan: &Plan,
        ensemble: &Ensemble,
        benchmark: &BenchmarkFile,
    ) -> Vec<(String, String)> {
        let Ok(outputs) = benchmark.outputs() else {
            return Vec::new();
        };
        let expected = Expected {
            ensemble,
            vectors: None,
            outputs: outputs.as_json(),
        };
        let known = RunStore::at(&self.directory).platforms(&plan.test, &expected);
        // Errors of the store are reported when the run is written.
        known.unwrap_or_default()
    }

    fn assert(&self, _: &FinishedRun<'_>) -> Result<()> {
        Ok(())
    }

    fn commit(&self, run: &FinishedRun<'_>) -> Result<Option<Pin>> {
        // An unreadable benchmark is an error; it is not left out of the history.
        let expected = run.expected_outputs()?;
        let store = RunStore::at(&self.directory);
        match write(&store, run, expected.as_ref()) {
            Err(error) if run.plan.file.is_some() && error.is_unavailable() => notice_once(&error),
            committed => {
                if let (Some(former), Some(file)) = (committed?, &run.plan.file) {
                    notice_replaced(run, file, &former)?;
                }
            }
        }
        Ok(None)
    }
}

/// Returns the rows in a snapshot file.
pub(super) fn rows_in_file(
    plan: &Plan,
    benchmark: &BenchmarkFile,
    definition: &Definition,
) -> Result<Vectors> {
    let benchmark = benchmark.snapshot();
    let benchmark = benchmark.map_err(|error| plan.unreadable(error))?;
    if !benchmark.has_inputs() {
        return Err(RunError::new(format!(
            "{}: its definition and seed no longer draw the rows that it was recorded with, and it has \
             no inputs",
            plan.benchmark_place()
        ))
        .hint(RESTORE));
    }
    let rows = benchmark.rows().map_err(|error| plan.unreadable(error))?;
    Vectors::from_rows(definition, rows).map_err(|error| unfit_rows(&error).hint(RESTORE))
}

fn write(
    store: &RunStore,
    run: &FinishedRun<'_>,
    expected: Option<&Outputs>,
) -> Result<Option<ReplacedBenchmark>, Arc<StoreError>> {
    let (plan, judgement) = (run.plan, run.judgement);
    // A snapshot file has the rows already, so the store doesn't need them.
    let rows = plan.file.is_none().then(|| run.vectors.to_json());
    let now = Expected {
        ensemble: run.ensemble,
        vectors: rows.as_deref(),
        outputs: run.outputs.as_json(),
    };
    let package = &plan.place.package;
    let kind = match run.benchmark {
        Some(_) => DecisionKind::Accepted,
        None => DecisionKind::Recorded,
    };
    let made = || Decision::here(kind, None, package, &plan.settings, &process_environment);
    let decision = (judgement.write == Write::Benchmark).then(made);
    let renamed = |former: &TestId| plan.file.is_some() && !has_file(package, former);
    let policy = plan.policy.to_json().to_string();
    let takes = plan.takes().to_json();
    let is_pending = judgement.write == Write::Pending;
    let recorded_outputs = is_pending.then(|| run.recorded_text()).flatten();
    let written = Run {
        test: &plan.test,
        claim: Claim {
            function: &benchmark_claims::claimant(plan),
            run: plan.run_id.as_deref(),
        },
        facts: facts(run, expected),
        benchmark: benchmark(run, now, expected),
        policy: Some(&policy),
        pending: match judgement.write {
            Write::Pending => PendingUpdate::Set {
                outputs: now,
                takes: takes.as_deref(),
                recorded_outputs: recorded_outputs.as_deref(),
                is_reported: !plan.is_left_to_insta(),
            },
            _ if judgement.passes() => PendingUpdate::Clear,
            _ => PendingUpdate::Keep,
        },
        decision: decision.as_ref(),
    };
    store.commit(&written, &renamed)
}

/// Returns the benchmark after a run: the one that it makes, or the one that it was compared with.
fn benchmark<'a>(
    run: &FinishedRun<'a>,
    now: Expected<'a>,
    expected: Option<&'a Outputs>,
) -> Option<Expected<'a>> {
    let outputs = match (run.judgement.write, run.judgement.expected) {
        (Write::Benchmark, _) => return Some(now),
        (_, ExpectedOutputs::Actual) => run.outputs,
        (_, ExpectedOutputs::Recorded) => expected?,
        (_, ExpectedOutputs::Unknown) => return None,
    };
    Some(Expected {
        ensemble: run.recorded.unwrap_or(run.ensemble),
        vectors: None,
        outputs: outputs.as_json(),
    })
}

fn facts(run: &FinishedRun<'_>, expected: Option<&Outputs>) -> RunFacts {
    let FinishedRun {
        plan, judgement, ..
    } = *run;
    let (compared, outputs) = match judgement.write {
        Write::Benchmark => (run.ensemble, None),
        _ => (run.recorded.unwrap_or(run.ensemble), run.recorded_outputs),
    };
    let uncompared = outputs.map_or(0, |outputs| {
        let is_uncompared = |row: &usize| unbound_reason(outputs.get(*row)).is_some();
        (0..outputs.len()).filter(is_uncompared).count()
    });
    let policy = judgement.policy.as_deref().unwrap_or(&plan.policy);
    let git = Git::around(&plan.place.package);
    let is_same = judgement.verdict() == Verdict::Same;
    let expected =
        expected.filter(|_| judgement.verdict() == Verdict::Changed && run.recorded.is_none());
    RunFacts {
        changed: judgement.changed as u64,
        uncompared: uncompared as u64,
        changed_outputs: expected.map_or_else(Vec::new, |expected| {
            changed_outputs(policy, expected, run.outputs)
        }),
        tolerance_use: judgement.tolerance_use,
        policy: Some(policy.clone()),
        checkout: git.checkout().clone(),
        dirty: (!is_same).then(|| git.is_dirty()).flatten(),
        platform: Some((env::consts::OS.to_owned(), env::consts::ARCH.to_owned())),
        ..RunFacts::new(judgement.verdict(), compared.size as u64)
    }
}

/// Returns true if a test of a package has a snapshot file. All of them are next to its source.
fn has_file(package: &Path, test: &TestId) -> bool {
    let file = named_snapshot_file(&package.join(&test.source), &test.name);
    let beside = snapshot_files(file.parent().unwrap_or(package));
    beside.iter().any(|file| {
        let recorded = Header::read(file).map(|header| header.ensemble.name);
        Owner::find(file, package, recorded.as_deref()).is_some_and(|owner| {
            owner.name == test.name && source_path(package, &owner.source) == test.source
        })
    })
}

/// Prints that the file's outputs differ from the previous run's without a decision made here.
fn notice_replaced(run: &FinishedRun<'_>, file: &Path, former: &ReplacedBenchmark) -> Result<()> {
    let ReplacedBenchmark { outputs, commit } = former;
    let (Some(benchmark), Ok(former)) = (run.benchmark, Outputs::parse(outputs)) else {
        return Ok(());
    };
    let plan = run.plan;
    let outputs = benchmark.outputs();
    let outputs = outputs.map_err(|error| plan.unreadable(error))?;
    let size = outputs.len();
    let is_other = |case: &usize| outputs.get(*case) != former.get(*case);
    let changed = (former.len() == size).then(|| (0..size).filter(is_other).count());
    let git = Git::around(&plan.place.package);
    let commit = commit.as_ref().filter(|_| *commit != git.checkout().commit);
    print_line(&report::replaced_line(
        &plan.test.name,
        &plan.display_path(file),
        changed.map(|changed| (changed, size)),
        git.has(file),
        commit.map(|commit| commit.get(..10).unwrap_or(commit)),
    ));
    Ok(())
}

/// Prints the notice once per process, since it is the same for all tests.
fn notice_once(error: &StoreError) {
    static PRINTED: Once = Once::new();
    PRINTED.call_once(|| notice(&format!("no history is kept: {error}")));
}
