//! The local store: benchmarks that have no file, and the history of all.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use tdg_definition::{Definition, Policy};
use tdg_engine::checkout::Git;
use tdg_engine::config::{Settings, process_environment};
use tdg_engine::output::Outputs;
use tdg_engine::report;
use tdg_engine::snapshot::{Benchmark, Pin};
use tdg_engine::store::{
    Claim, Decision, DecisionKind, Expected, Former, PendingUpdate, Run, RunStore, StoreError,
};
use tdg_engine::{Ensemble, TestId, Vectors};

use super::{Backend, RESTORE, unfit_rows};
use crate::runner::claims;
use crate::runner::error::{Result, RunError};
use crate::runner::finished::FinishedRun;
use crate::runner::judgement::{ExpectedOutputs, Write};
use crate::runner::notice::{notice, print_line};
use crate::runner::plan::Plan;

/// The store in the root's `.tdg`.
pub(super) struct Local {
    directory: PathBuf,
}

impl Local {
    pub(super) fn of(settings: &Settings) -> Result<Self> {
        if !settings.snapshots && !cfg!(feature = "sqlite-system") {
            return Err(RunError::new(
                "tdg.toml has snapshots = false, so benchmarks are in the local store, and this tdg \
                 is built without one",
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

    fn benchmark(&self, plan: &Plan, file: Benchmark) -> Result<Benchmark> {
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

    fn benchmark_without_file(&self, plan: &Plan) -> Result<Option<Benchmark>> {
        let found = RunStore::at(&self.directory).benchmark(&plan.test)?;
        Ok(found.map(Benchmark::from))
    }

    /// Without a store, there is none.
    fn former_benchmark(&self, plan: &Plan) -> Option<Benchmark> {
        let found = RunStore::at(&self.directory).benchmark(&plan.test);
        found.ok().flatten().map(Benchmark::from)
    }

    fn other_benchmarks(&self, plan: &Plan) -> Vec<(TestId, Benchmark)> {
        let store = RunStore::at(&self.directory);
        let tests = store.tests().unwrap_or_default().into_iter();
        let others = tests.filter(|it| it.package == plan.test.package && *it != plan.test);
        let benchmark = |test: TestId| {
            let found = store.benchmark(&test).ok()??;
            Some((test, Benchmark::from(found)))
        };
        others.filter_map(benchmark).collect()
    }

    fn recorded_rows(
        &self,
        plan: &Plan,
        benchmark: &Benchmark,
        definition: &Definition,
    ) -> Result<Vectors> {
        rows_in_file(plan, benchmark, definition)
    }

    fn platforms(
        &self,
        plan: &Plan,
        ensemble: &Ensemble,
        benchmark: &Benchmark,
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
        // What is wrong with the store is said when the run is written.
        known.unwrap_or_default()
    }

    fn assert(&self, _: &FinishedRun<'_>) -> Result<()> {
        Ok(())
    }

    fn commit(&self, run: &FinishedRun<'_>) -> Result<Option<Pin>> {
        // A benchmark that can't be read is reported, and not left out of the history.
        let expected = run.expected_outputs()?;
        let store = RunStore::at(&self.directory);
        match write(&store, run, expected.as_ref()) {
            Err(error) if run.plan.file.is_some() && error.is_unavailable() => notice_once(&error),
            committed => {
                let former = committed?;
                // A file has the policy, and the run was judged by it.
                if let (Some(policy), None) = (former.policy, &run.plan.file) {
                    notice_looser_policy(run, &policy)?;
                }
                if let (Some(outputs), Some(file)) = (former.outputs, &run.plan.file) {
                    notice_replaced(run, file, &outputs)?;
                }
            }
        }
        Ok(None)
    }
}

/// The rows that a snapshot file holds.
pub(super) fn rows_in_file(
    plan: &Plan,
    benchmark: &Benchmark,
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
) -> Result<Former, Arc<StoreError>> {
    let FinishedRun {
        plan,
        ensemble,
        recorded,
        vectors,
        outputs,
        judgement,
        ..
    } = *run;
    // Where a snapshot file holds the rows, the store need not.
    let rows = plan.file.is_none().then(|| vectors.to_json());
    let now = Expected {
        ensemble,
        vectors: rows.as_deref(),
        outputs: outputs.as_json(),
    };
    let before = |outputs| Expected {
        ensemble: recorded.unwrap_or(ensemble),
        vectors: None,
        outputs,
    };
    let benchmark = match (judgement.write, judgement.expected) {
        (Write::Benchmark, _) => Some(now),
        (_, ExpectedOutputs::Actual) => Some(before(outputs.as_json())),
        (_, ExpectedOutputs::Recorded) => expected.map(|outputs| before(outputs.as_json())),
        (_, ExpectedOutputs::Unknown) => None,
    };
    let decision = (judgement.write == Write::Benchmark).then(|| {
        let kind = match run.benchmark {
            Some(_) => DecisionKind::Accepted,
            None => DecisionKind::Recorded,
        };
        let package = &plan.place.package;
        Decision::here(kind, None, package, &plan.settings, &process_environment)
    });
    let policy = judgement.policy.as_deref().unwrap_or(&plan.policy);
    let policy = policy.to_json().to_string();
    let takes = plan.takes().to_json();
    let recorded_outputs = match judgement.write {
        Write::Pending => run.recorded_text(),
        _ => None,
    };
    let compared = match judgement.write {
        Write::Benchmark => ensemble,
        _ => recorded.unwrap_or(ensemble),
    };
    store.commit(&Run {
        test: &plan.test,
        claim: Claim {
            function: &claims::claimant(plan),
            run: plan.run_id.as_deref(),
        },
        verdict: judgement.verdict(),
        cases: compared.size,
        changed: judgement.changed,
        tolerance_use: judgement.tolerance_use,
        benchmark,
        policy: Some(&policy),
        pending: match judgement.write {
            Write::Benchmark => PendingUpdate::Clear,
            Write::Pending => PendingUpdate::Set {
                outputs: now,
                takes: takes.as_deref(),
                recorded_outputs: recorded_outputs.as_deref(),
                is_reported: !plan.is_left_to_insta(),
            },
            Write::Nothing if judgement.passes() => PendingUpdate::Clear,
            Write::Nothing => PendingUpdate::Keep,
        },
        decision: decision.as_ref(),
        checkout: Git::around(&plan.place.package).checkout(),
    })
}

/// Says how many cases pass only because the policy has changed since the run before.
fn notice_looser_policy(run: &FinishedRun<'_>, former: &str) -> Result<()> {
    let (Some(benchmark), Ok(former)) = (run.benchmark, Policy::parse(former)) else {
        return Ok(());
    };
    if run.judgement.expected != ExpectedOutputs::Recorded {
        return Ok(());
    }
    let outputs = run.recorded_outputs.unwrap_or(run.outputs);
    let differing = |policy| {
        let differing = benchmark.differing(outputs, policy);
        differing.map_err(|error| run.plan.unreadable(error))
    };
    let (before, now) = (differing(&former)?, differing(&run.plan.policy)?);
    let still_differs = |case: &usize| now.cases.iter().any(|other| other.case == *case);
    let cases = before.cases.iter().map(|it| &it.case);
    match cases.filter(|case| !still_differs(case)).count() {
        0 => {}
        passing => notice(&report::looser_policy(
            &run.plan.test.name,
            passing,
            outputs.len(),
        )),
    }
    Ok(())
}

/// Says that the file has other outputs than the run before, of which nobody here decided.
fn notice_replaced(run: &FinishedRun<'_>, file: &Path, former: &str) -> Result<()> {
    let (Some(benchmark), Ok(former)) = (run.benchmark, Outputs::parse(former)) else {
        return Ok(());
    };
    let plan = run.plan;
    let outputs = benchmark.outputs();
    let outputs = outputs.map_err(|error| plan.unreadable(error))?;
    let size = outputs.len();
    let is_other = |case: &usize| outputs.get(*case) != former.get(*case);
    let changed = (former.len() == size).then(|| (0..size).filter(is_other).count());
    print_line(&report::replaced_line(
        &plan.test.name,
        &plan.display_path(file),
        changed.map(|changed| (changed, size)),
        Git::around(&plan.place.package).has(file),
    ));
    Ok(())
}

/// It is the same for every test of a process, so it is printed once.
fn notice_once(error: &StoreError) {
    static PRINTED: Once = Once::new();
    PRINTED.call_once(|| notice(&format!("no history is kept: {error}")));
}
