//! A server: the snapshot file pins one of its benchmarks, whose history has the assertions.

mod downloads;

use std::cell::OnceCell;
use std::sync::Once;

use tdg_definition::{Definition, Policy};
use tdg_engine::config::{Environment, Settings, find_key};
use tdg_engine::output::Outputs;
use tdg_engine::snapshot::{BenchmarkFile, Pin};
use tdg_engine::{Ensemble, TestId, Vectors, Verdict};
use tdg_service::{
    ApiKey, NewAssertion, NewBenchmark, Patience, RemoteService, ServiceError, Uuid, address,
};

use super::local::Local;
use super::{Backend, RESTORE, unfit_rows};
use crate::runner::error::{Result, RunError};
use crate::runner::plan::Plan;
use crate::runner::stderr::notice;
use crate::runner::verdict::finished_run::FinishedRun;
use crate::runner::verdict::judgement::{ExpectedOutputs, Judgement, Write};
use downloads::Downloads;

/// A server and a cache of its immutable data.
pub(super) struct Remote {
    service: RemoteService,
    project: String,
    project_uuid: Option<Uuid>,
    /// The test's definition, if it is on the server.
    definition: OnceCell<Uuid>,
    downloads: Downloads,
    /// For files that hold cases instead of a pin.
    local: Local,
}

impl Remote {
    /// Prepares the connection. Nothing is sent yet.
    pub(super) fn open(
        settings: &Settings,
        package: &str,
        environment: Environment<'_>,
    ) -> Result<Self> {
        if !settings.snapshots {
            return Err(RunError::new(
                "store = \"remote\" needs snapshot files, which pin its benchmarks, but snapshots \
                 = false turns them off",
            )
            .hint("remove that line of tdg.toml, or the variable TDG_SNAPSHOTS"));
        }
        let Some(url) = &settings.url else {
            return Err(RunError::new("the server's URL is not configured")
                .hint("set TDG_URL, or add url = \"https://…\" to tdg.toml"));
        };
        RemoteService::check_url(url)?;
        let Some(key) = find_key(url, environment)?.key(url)? else {
            return Err(RunError::new(format!("no API key for {url}")).hint(format!(
                "run `cargo tdg login {url}`, or set TDG_API_KEY=\"{url}=<key>\""
            )));
        };
        let patience = Patience {
            say_waiting: Some(|url| notice(&format!("waiting for the server at {url} …"))),
            ..Patience::default()
        };
        Ok(Self {
            service: RemoteService::with_patience(url, ApiKey::new(&key)?, patience)?,
            project: settings
                .project
                .clone()
                .unwrap_or_else(|| package.to_owned()),
            project_uuid: settings
                .project_uuid
                .as_deref()
                .map(parse_uuid)
                .transpose()?,
            definition: OnceCell::new(),
            downloads: Downloads::open(settings),
            local: Local::open(settings)?,
        })
    }
}

impl Backend for Remote {
    fn definition(&self, uuid: &str) -> Result<Definition> {
        let id = parse_uuid(uuid)?;
        let id = *self.definition.get_or_init(|| id);
        let key = format!("definition {uuid}");
        if let Some(text) = self.downloads.get(&key)
            && let Ok(definition) = Definition::parse_recorded(&text)
        {
            return Ok(definition);
        }
        let found = self.service.definition(id);
        let found = found.map_err(|error| self.refused(error))?;
        let definition = found.to_definition().map_err(|faults| {
            RunError::new(format!(
                "this tdg does not understand the definition {uuid}:\n{faults}"
            ))
            .hint("use the version of tdg that the server has")
        })?;
        self.downloads.keep(&key, &definition.canonical());
        Ok(definition)
    }

    /// Compares with a file that has cases. If they replace a pinned benchmark, they are an
    /// accepted change, and the next run that may write uploads them. Otherwise they stay local.
    fn benchmark(&self, plan: &Plan, file: BenchmarkFile) -> Result<BenchmarkFile> {
        let Some(pin) = file.pin() else {
            if file.replaces().is_none() {
                self.notice_compared_here(plan);
            }
            return Ok(file);
        };
        let kept = self.downloads.get(&pin.outputs_key());
        let outputs = match kept.and_then(|text| pin.outputs(text)) {
            Some(outputs) => outputs,
            None => self.fetch_outputs(plan, pin)?,
        };
        if outputs.len() != file.ensemble().size {
            return Err(RunError::new(format!(
                "{}: its size differs from its benchmark's",
                plan.benchmark_place()
            ))
            .hint(RESTORE));
        }
        let file = file.snapshot().map_err(|error| plan.unreadable(error))?;
        Ok(file.with_outputs(&outputs).into())
    }

    /// Never needed: there is always a file, which pins the benchmark.
    fn benchmark_without_file(&self, _: &Plan) -> Result<Option<BenchmarkFile>> {
        Ok(None)
    }

    /// Returns `None`: the server has benchmarks of all branches and doesn't know their tests.
    fn former_benchmark(&self, _: &Plan, _: &TestId) -> Option<BenchmarkFile> {
        None
    }

    fn other_tests(&self, _: &Plan, _: &str) -> Vec<TestId> {
        Vec::new()
    }

    fn recorded_rows(
        &self,
        plan: &Plan,
        benchmark: &BenchmarkFile,
        definition: &Definition,
    ) -> Result<Vectors> {
        match benchmark.pin() {
            Some(pin) => self.rows(plan, pin, &benchmark.ensemble().digest, definition),
            None => super::local::rows_in_file(plan, benchmark, definition),
        }
    }

    /// Links to the benchmark, since the server records runs by benchmark and doesn't know the
    /// test.
    fn page(&self, benchmark: &BenchmarkFile) -> Option<String> {
        let uuid = Uuid::try_parse(&benchmark.pin()?.benchmark).ok()?;
        let facts = self.service.server().ok()?;
        let address = address::benchmark(uuid);
        facts
            .has_pages()
            .then(|| format!("{}{address}", self.service.url()))
    }

    /// Sends only comparisons with the pinned benchmark, whose history they join.
    fn assert(&self, run: &FinishedRun<'_>) -> Result<()> {
        let FinishedRun {
            plan, judgement, ..
        } = run;
        let same = match judgement.verdict() {
            Verdict::Same => true,
            Verdict::Changed => false,
            _ => return Ok(()),
        };
        let pin = match run.benchmark.map(BenchmarkFile::pin) {
            Some(Some(pin)) => pin,
            Some(None) if same && !plan.settings.may_write() => {
                return self.refuse_unpinned_change(run);
            }
            _ => return Ok(()),
        };
        let Some(outputs) = run.comparable_outputs() else {
            return Ok(());
        };
        let request = NewAssertion {
            output_to_assert: outputs.clone(),
        };
        let benchmark = parse_uuid(&pin.benchmark)?;
        match self.service.assert(benchmark, &request, None) {
            Ok(assertion) if assertion.entry.asserted == same => Ok(()),
            Ok(_) => self.disagree(plan, benchmark, judgement),
            Err(ServiceError::NotFound(..)) => Err(self.no_such_benchmark(plan, pin)),
            Err(error) => Err(self.refused(error)),
        }
    }

    /// Creates a benchmark from recorded or accepted outputs, unless they stay local.
    fn commit(&self, run: &FinishedRun<'_>) -> Result<Option<Pin>> {
        let FinishedRun {
            plan,
            ensemble,
            outputs,
            judgement,
            benchmark,
            ..
        } = *run;
        if benchmark.is_some_and(stays_here) {
            let pin = self.local.commit(run)?;
            self.downloads.keep_time_of_unpinned(&plan.test);
            return Ok(pin);
        }
        if judgement.write == Write::Benchmark {
            return self.create(plan, ensemble, outputs.clone()).map(Some);
        }
        let Some(accepted) = benchmark.filter(|benchmark| benchmark.pin().is_none()) else {
            return Ok(None);
        };
        if judgement.verdict() != Verdict::Same {
            return Ok(None);
        }
        let expected = match judgement.expected {
            ExpectedOutputs::Unknown => return Ok(None),
            ExpectedOutputs::Actual => outputs.clone(),
            ExpectedOutputs::Recorded => {
                accepted.outputs().map_err(|error| plan.unreadable(error))?
            }
        };
        self.create(plan, ensemble, expected).map(Some)
    }
}

impl Remote {
    fn fetch_outputs(&self, plan: &Plan, pin: &Pin) -> Result<Outputs> {
        let text = match self.service.expected_output(parse_uuid(&pin.benchmark)?) {
            Ok(text) => text,
            Err(ServiceError::NotFound(..)) => return Err(self.no_such_benchmark(plan, pin)),
            Err(error) => return Err(self.refused(error)),
        };
        let outputs = Outputs::parse(&text)?;
        if outputs.digest() != pin.digest {
            return Err(RunError::new(format!(
                "{}: the benchmark {} at {} has outputs that differ from the pinned ones",
                plan.benchmark_place(),
                pin.benchmark,
                self.service.url()
            ))
            .hint(RESTORE));
        }
        self.downloads.keep(&pin.outputs_key(), outputs.as_json());
        Ok(outputs)
    }

    /// Returns the rows of the pinned ensemble.
    fn rows(
        &self,
        plan: &Plan,
        pin: &Pin,
        digest: &str,
        definition: &Definition,
    ) -> Result<Vectors> {
        let ensemble = parse_uuid(&pin.ensemble)?;
        let read = |rows: &str| Vectors::from_json(definition, rows);
        let key = format!("rows {digest}");
        if let Some(text) = self.downloads.get(&key)
            && let Ok(rows) = read(&text)
            && rows.digest() == digest
        {
            return Ok(rows);
        }
        let text = self.service.vectors(ensemble);
        let text = text.map_err(|error| self.refused(error))?;
        let rows = read(&text).map_err(|error| unfit_rows(&error))?;
        if rows.digest() != digest {
            return Err(RunError::new(format!(
                "{}: the ensemble {ensemble} at {} has rows that differ from the pinned ones",
                plan.benchmark_place(),
                self.service.url()
            ))
            .hint(RESTORE));
        }
        self.downloads.keep(&key, &text);
        Ok(rows)
    }

    /// Handles a server verdict that disagrees. Under another policy that is fine, but a test must
    /// not pass if the server reports a change under the same policy.
    fn disagree(&self, plan: &Plan, benchmark: Uuid, judgement: &Judgement) -> Result<()> {
        let url = self.service.url();
        let is_same = judgement.verdict() == Verdict::Same;
        let is_equal = judgement.expected == ExpectedOutputs::Actual;
        if is_same && (is_equal || self.policy(benchmark)?.to_json() == plan.policy.to_json()) {
            return Err(RunError::new(format!(
                "the server at {url} reports that the outputs changed, but they are the same as \
                 the ones that {} pins",
                plan.benchmark_place()
            ))
            .hint(
                "restore the file if it was edited, and use the version of tdg that the server has",
            ));
        }
        notice(&format!(
            "{}: the server at {url} compares by the policy that the benchmark was recorded with, and \
             added this run to its history as {}; record the benchmark again to compare by the test's policy",
            plan.test.name,
            if is_same { "changed" } else { "same" },
        ));
        Ok(())
    }

    /// Returns the policy by which the server compares outputs with that benchmark.
    fn policy(&self, benchmark: Uuid) -> Result<Policy> {
        let found = self.service.benchmark(benchmark);
        let found = found.map_err(|error| self.refused(error))?;
        Ok(found.policy.unwrap_or_default())
    }

    fn create(&self, plan: &Plan, ensemble: &Ensemble, outputs: Outputs) -> Result<Pin> {
        let refused = |error| self.refused_to_create(plan, error);
        let made = self.ensemble(plan, ensemble).map_err(refused)?;
        if made.digest != ensemble.digest {
            return Err(RunError::new(format!(
                "the server at {} draws different rows from {} than this tdg",
                self.service.url(),
                plan.definition_name
            ))
            .hint("use the version of tdg that the server has"));
        }
        let request = NewBenchmark {
            expected_output: outputs,
            policy: Some(plan.policy.clone()),
        };
        let (definition, ensemble) = (made.definition_uuid, made.ensemble_uuid);
        let benchmark = self
            .service
            .create_benchmark(definition, ensemble, &request, None)
            .map_err(refused)?;
        let pin = Pin {
            ensemble: ensemble.to_string(),
            benchmark: benchmark.benchmark_uuid.to_string(),
            digest: benchmark.digest,
        };
        let outputs = request.expected_output.as_json();
        self.downloads.keep(&pin.outputs_key(), outputs);
        Ok(pin)
    }

    fn ensemble(
        &self,
        plan: &Plan,
        ensemble: &Ensemble,
    ) -> tdg_service::Result<tdg_service::Ensemble> {
        let service = &self.service;
        let definition = match self.definition.get() {
            Some(&id) => service.first_part_of_definition(id),
            None => {
                let project = service.find_or_create_project(self.project_uuid, &self.project)?;
                let name = &plan.definition_name;
                service.find_or_create_definition(&project, &plan.definition, name)
            }
        };
        let found = service.find_or_create_ensemble(&definition?, ensemble)?;
        Ok(found.object)
    }

    /// Prints the notice once, since it is the same for every such file.
    fn notice_compared_here(&self, plan: &Plan) {
        static PRINTED: Once = Once::new();
        let (file, url) = (plan.benchmark_place(), self.service.url());
        PRINTED.call_once(|| {
            notice(&format!(
                "{file} has cases instead of a pin to the server at {url}, so tests with such a \
                 file are only compared here; run `cargo tdg push --pin` to turn these files into \
                 pins"
            ));
        });
    }

    /// Refuses an accepted change of a pinned benchmark. It belongs to the history of another
    /// benchmark, which this run must not create.
    fn refuse_unpinned_change(&self, run: &FinishedRun<'_>) -> Result<()> {
        let Some(replaced) = run.benchmark.and_then(BenchmarkFile::replaces) else {
            return Ok(());
        };
        let plan = run.plan;
        Err(RunError::new(format!(
            "{} has accepted cases in place of the benchmark {replaced}, the server at {} does not \
             have them yet, and this run must not create a benchmark ({})",
            plan.benchmark_place(),
            self.service.url(),
            plan.settings.update.because
        ))
        .hint(
            "with a key that has the scope write, run `cargo tdg push --pin` or the test where files may \
             be written, and commit the file, which then pins them",
        ))
    }

    fn no_such_benchmark(&self, plan: &Plan, pin: &Pin) -> RunError {
        let url = self.service.url();
        RunError::new(format!(
            "{} pins the benchmark {}, which this account does not have at {url}",
            plan.benchmark_place(),
            pin.benchmark
        ))
        .hint(
            "check that TDG_URL and TDG_API_KEY match the ones it was recorded with, or delete the \
             file to record again",
        )
    }

    /// Reports that a key may not create benchmarks, as on machines that only compare.
    fn refused_to_create(&self, plan: &Plan, error: ServiceError) -> RunError {
        let is_forbidden = matches!(error, ServiceError::Forbidden(_));
        let refused = self.refused(error);
        if !is_forbidden {
            return refused;
        }
        refused.hint(format!(
            "set TDG_API_KEY to a key with the scope write to record {} there; where tests are only \
             compared, set TDG_UPDATE=no",
            plan.test.name
        ))
    }

    fn refused(&self, error: ServiceError) -> RunError {
        let url = self.service.url();
        let message = error.to_string();
        let refusal = RunError::new(if message.contains(url) {
            message
        } else {
            format!("the server at {url} refused: {message}")
        });
        match error {
            ServiceError::Unavailable(_) => refusal.hint(
                "check that the server is running and that TDG_URL (or `url` in tdg.toml) points to it, \
                 then rerun the test; to continue without it, `cargo tdg pull --unpin` writes the \
                 cases that a run has fetched into the snapshot files",
            ),
            ServiceError::Forbidden(_) => refusal.hint(
                "set TDG_API_KEY to a key with the scope; tdg's page on operating a server lists them",
            ),
            ServiceError::TooLarge(_) => refusal.hint("use a smaller size, or return less"),
            // The other messages contain the fix.
            _ => refusal,
        }
    }
}

/// Returns true if the benchmark is a file whose cases were not chosen to be uploaded.
fn stays_here(benchmark: &BenchmarkFile) -> bool {
    benchmark.pin().is_none() && benchmark.replaces().is_none()
}

fn parse_uuid(text: &str) -> Result<Uuid> {
    Uuid::try_parse(text).map_err(|_| {
        RunError::new(format!("{text:?} is not a UUID")).hint(
            "copy the definition's from the server; in a snapshot file, restore it from version control",
        )
    })
}
