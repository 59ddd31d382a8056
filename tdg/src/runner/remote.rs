//! The server's side of a run: the snapshot file pins one of its benchmarks, and its history has the
//! assertions.

mod find_or_make;

use tdg_definition::Definition;
use tdg_service::Uuid;

use super::downloads::Downloads;
use super::judge::{ExpectedOutputs, Judgement, Write};
use super::plan::Plan;
use super::rows::{Rows, unfit_rows};
use super::{RESTORE, invalid, say};
use tdg_definition::Policy;
use tdg_engine::Ensemble;
use tdg_engine::Vectors;
use tdg_engine::Verdict;
use tdg_engine::config::{Environment, Settings, api_key};
use tdg_engine::output::Outputs;
use tdg_engine::report::Invalid;
use tdg_engine::snapshot::{Pin, Snapshot};
use tdg_service::{ApiKey, NewAssertion, NewBenchmark, RemoteService, Service, ServiceError};

/// What names a definition on a server.
pub(super) type DefinitionId = Uuid;

/// A server, and what of it need not be fetched again.
pub(super) struct Remote {
    service: RemoteService,
    project: String,
    downloads: Downloads,
}

impl Remote {
    /// Nothing is sent yet.
    pub(super) fn of(
        settings: &Settings,
        package: &str,
        environment: Environment<'_>,
    ) -> Result<Self, Invalid> {
        if !settings.snapshots {
            return Err(invalid(
                "store = \"remote\" needs snapshot files, which pin its benchmarks, and tdg.toml says \
                 snapshots = false",
                "remove that line",
            ));
        }
        let Some(url) = &settings.url else {
            return Err(invalid(
                "it is not known where the server is",
                "set TDG_URL, or write url = \"https://…\" into tdg.toml",
            ));
        };
        let key = api_key(url, environment).map_err(|error| invalid(error, ""))?;
        let Some(key) = key else {
            return Err(invalid(
                format!("there is no API key for {url}"),
                "set TDG_API_KEY, or add a line `<url> <key>` to the file tdg/credentials in your \
                 configuration directory",
            ));
        };
        let set_up = ApiKey::new(&key).and_then(|key| RemoteService::new(url, key));
        Ok(Self {
            service: set_up.map_err(|error| invalid(error, ""))?,
            project: settings
                .project
                .clone()
                .unwrap_or_else(|| package.to_owned()),
            downloads: Downloads::of(settings),
        })
    }

    /// The definition with that identifier, and the identifier.
    pub(super) fn definition(&self, uuid: &str) -> Result<(Definition, DefinitionId), Invalid> {
        let id = parse_uuid(uuid)?;
        let key = format!("definition {uuid}");
        if let Some(text) = self.downloads.kept(&key)
            && let Ok(definition) = Definition::parse(&text)
        {
            return Ok((definition, id));
        }
        let found = self.service.definition(id);
        let found = found.map_err(|error| self.refused(error))?;
        let definition = found.to_definition().map_err(|faults| {
            let reason = format!("this tdg does not understand the definition {uuid}:\n{faults}");
            invalid(reason, "use a tdg that fits the server")
        })?;
        self.downloads.keep(&key, &definition.canonical());
        Ok((definition, id))
    }

    /// The benchmark that the file pins. A file that pins none is a benchmark that somebody has accepted:
    /// the server gets it when a run that may write is over.
    pub(super) fn follow(&self, plan: &Plan, found: Snapshot) -> Result<Snapshot, Invalid> {
        let Some(pin) = found.pin() else {
            return Ok(found);
        };
        let kept = self.downloads.kept(&pin.outputs_key());
        let outputs = match kept.and_then(|text| pin.outputs(text)) {
            Some(outputs) => outputs,
            None => self.fetch_outputs(plan, pin)?,
        };
        if outputs.len() != found.ensemble().size {
            return Err(invalid(
                format!(
                    "{}: its size is not that of its benchmark",
                    plan.benchmark_place()
                ),
                RESTORE,
            ));
        }
        Ok(found.with_outputs(&outputs))
    }

    fn fetch_outputs(&self, plan: &Plan, pin: &Pin) -> Result<Outputs, Invalid> {
        let text = match self.service.expected_output(parse_uuid(&pin.benchmark)?) {
            Ok(text) => text,
            Err(ServiceError::NotFound(..)) => return Err(self.no_such_benchmark(plan, pin)),
            Err(error) => return Err(self.refused(error)),
        };
        let outputs = Outputs::parse(&text).map_err(|error| invalid(error, ""))?;
        if outputs.digest() != pin.digest {
            return Err(invalid(
                format!(
                    "{}: the benchmark {} at {} has other outputs than those that were pinned",
                    plan.benchmark_place(),
                    pin.benchmark,
                    self.service.url()
                ),
                RESTORE,
            ));
        }
        self.downloads.keep(&pin.outputs_key(), outputs.as_json());
        Ok(outputs)
    }

    /// The rows of the pinned ensemble.
    pub(super) fn rows(&self, plan: &Plan, pin: &Pin, digest: &str) -> Result<Vectors, Invalid> {
        let ensemble = parse_uuid(&pin.ensemble)?;
        let read = |rows: &str| {
            Vectors::from_json(&plan.definition, rows).map_err(|error| unfit_rows(&error, ""))
        };
        let key = format!("rows {digest}");
        if let Some(text) = self.downloads.kept(&key)
            && let Ok(rows) = read(&text)
            && rows.digest() == digest
        {
            return Ok(rows);
        }
        let text = self.service.vectors(ensemble);
        let text = text.map_err(|error| self.refused(error))?;
        let rows = read(&text)?;
        if rows.digest() != digest {
            return Err(invalid(
                format!(
                    "{}: the ensemble {ensemble} at {} has other rows than those that were pinned",
                    plan.benchmark_place(),
                    self.service.url()
                ),
                RESTORE,
            ));
        }
        self.downloads.keep(&key, &text);
        Ok(rows)
    }

    /// Adds the run to the history of the pinned benchmark, if its outputs were compared with it.
    pub(super) fn assert(
        &self,
        plan: &Plan,
        outputs: &Outputs,
        judgement: &Judgement,
        benchmark: Option<&Snapshot>,
    ) -> Result<(), Invalid> {
        let same = match judgement.verdict {
            Verdict::Same => true,
            Verdict::Changed => false,
            _ => return Ok(()),
        };
        let pin = match benchmark.map(Snapshot::pin) {
            Some(Some(pin)) => pin,
            Some(None) if same && !plan.settings.may_write() => {
                return Err(self.pins_nothing(plan));
            }
            _ => return Ok(()),
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

    /// The server has judged otherwise. It may, by another policy; but nothing passes here that it calls changed
    /// by the same one.
    fn disagree(&self, plan: &Plan, benchmark: Uuid, judgement: &Judgement) -> Result<(), Invalid> {
        let url = self.service.url();
        let is_same = judgement.verdict == Verdict::Same;
        let is_equal = matches!(judgement.expected, ExpectedOutputs::Actual);
        if is_same && (is_equal || self.policy(benchmark)?.to_json() == plan.policy.to_json()) {
            return Err(invalid(
                format!(
                    "the server at {url} says that the outputs changed, and they are the same as what {} pins",
                    plan.benchmark_place()
                ),
                "restore the file if it was edited, and use the version of tdg that the server has",
            ));
        }
        say(&format!(
            "tdg: {}: the server at {url} compares by the policy that the benchmark was recorded with, \
             and its history says {}; record it anew to compare by the test's",
            plan.test.name,
            if is_same { "changed" } else { "same" },
        ));
        Ok(())
    }

    /// How the server compares outputs with that benchmark.
    fn policy(&self, benchmark: Uuid) -> Result<Policy, Invalid> {
        let found = self.service.benchmark(benchmark);
        let found = found.map_err(|error| self.refused(error))?;
        Ok(found.policy.unwrap_or_default())
    }

    /// Makes a benchmark of what was recorded or accepted, and answers what to pin.
    pub(super) fn record(
        &self,
        plan: &Plan,
        rows: &Rows,
        outputs: &Outputs,
        judgement: &Judgement,
        benchmark: Option<&Snapshot>,
    ) -> Result<Option<Pin>, Invalid> {
        if judgement.write == Write::Benchmark {
            return self.make(plan, &rows.ensemble, outputs.clone()).map(Some);
        }
        let is_accepted = benchmark.is_some_and(|benchmark| benchmark.pin().is_none());
        if !is_accepted || judgement.verdict != Verdict::Same {
            return Ok(None);
        }
        let expected = match &judgement.expected {
            ExpectedOutputs::Unknown => return Ok(None),
            ExpectedOutputs::Actual => outputs.clone(),
            ExpectedOutputs::Other(expected) => {
                Outputs::parse(expected).map_err(|error| invalid(error, ""))?
            }
        };
        self.make(plan, &rows.ensemble, expected).map(Some)
    }

    fn make(&self, plan: &Plan, ensemble: &Ensemble, outputs: Outputs) -> Result<Pin, Invalid> {
        let refused = |error| self.refused(error);
        let made = self.ensemble(plan, ensemble).map_err(refused)?;
        if made.digest != ensemble.digest {
            return Err(invalid(
                format!(
                    "the server at {} draws other rows from {} than this tdg",
                    self.service.url(),
                    plan.definition_name
                ),
                "use the version of tdg that the server has",
            ));
        }
        let request = NewBenchmark {
            expected_output: outputs,
            policy: Some(plan.policy.clone()),
        };
        let (definition, ensemble) = (made.definition_uuid, made.ensemble_uuid);
        let benchmark = self
            .service
            .create_benchmark(definition, ensemble, &request, None);
        let benchmark = benchmark.map_err(refused)?;
        let pin = Pin {
            ensemble: ensemble.to_string(),
            benchmark: benchmark.benchmark_uuid.to_string(),
            digest: benchmark.digest,
        };
        let outputs = request.expected_output.as_json();
        self.downloads.keep(&pin.outputs_key(), outputs);
        Ok(pin)
    }

    /// What passes is in a benchmark's history, or becomes the benchmark. This run could do neither.
    fn pins_nothing(&self, plan: &Plan) -> Invalid {
        invalid(
            format!(
                "{} pins no benchmark of the server at {} yet, and this run must not make one ({})",
                plan.benchmark_place(),
                self.service.url(),
                plan.settings.update.because
            ),
            "run the test where files may be written, and commit the file, which then pins one",
        )
    }

    fn no_such_benchmark(&self, plan: &Plan, pin: &Pin) -> Invalid {
        let url = self.service.url();
        invalid(
            format!(
                "{} pins the benchmark {}, which this account does not have at {url}",
                plan.benchmark_place(),
                pin.benchmark
            ),
            "see to it that URL and key are those that it was recorded with, or delete the file to record anew",
        )
    }

    fn refused(&self, error: ServiceError) -> Invalid {
        let url = self.service.url();
        let said = match error.to_string() {
            said if said.contains(url) => said,
            said => format!("the server at {url} refused: {said}"),
        };
        let fix = match error {
            ServiceError::Unavailable(_) => {
                "see to it that the server runs and that TDG_URL, or url in tdg.toml, is where, then run the test again"
            }
            ServiceError::Forbidden(_) => {
                "set TDG_API_KEY to a key that may: docs/operating.md has the scopes"
            }
            ServiceError::TooLarge(_) => "use a smaller size, or return less",
            // What is left says it itself.
            _ => "",
        };
        invalid(said, fix)
    }
}

fn parse_uuid(text: &str) -> Result<Uuid, Invalid> {
    Uuid::try_parse(text).map_err(|_| {
        invalid(
            format!("{text:?} is no UUID"),
            "write the definition's as the server shows it; in a snapshot file, restore it from version control",
        )
    })
}
