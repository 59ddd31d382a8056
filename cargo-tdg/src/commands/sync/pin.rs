//! `cargo tdg push --pin` and `cargo tdg pull --unpin`: move the cases of snapshot files to
//! benchmarks on a server, which the files then pin, and back.

use std::collections::BTreeMap;
use std::rc::Rc;

use tdg_definition::{Definition, Policy};
use tdg_engine::output::Outputs;
use tdg_engine::snapshot::{
    self, Header, Pin, Snapshot, named, of_package, render, render_outputs, render_pin, with_kept,
    with_policy,
};
use tdg_engine::store::unpinned_key;
use tdg_engine::{Ensemble, Vectors};
use tdg_report::quoted;
use tdg_service::{Found, NewBenchmark, RemoteService, ServiceError, Uuid};

use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::record::RecordedTest;
use crate::server::KnownServer;
use crate::terminal::style::{GOOD, STRONG};
use crate::terminal::{confirm, counted, print, print_error};

/// Creates or finds benchmarks with the cases of snapshot files, and pins them. Local benchmarks
/// keep their files unless their tests are named.
pub(super) fn pin(records: &[&RecordedTest], is_named: bool) -> Result<Exit> {
    let nothing = match is_named {
        true => "No snapshot file has cases: nothing to pin.\n",
        false => {
            "Nothing to pin: no test that last ran with the server has cases in its snapshot file. \
             Name a test to pin its file, or '*'.\n"
        }
    };
    each(records, "pinned", nothing, |file, servers| {
        match file.snapshot.pin() {
            Some(_) => Ok(None),
            None if is_named || file.is_of_server()? => file.pinned(servers).map(Some),
            None => Ok(None),
        }
    })
}

/// Writes the cases of pinned benchmarks into their snapshot files. The benchmarks stay.
pub(super) fn unpin(records: &[&RecordedTest]) -> Result<Exit> {
    let nothing = "No snapshot file pins a benchmark: nothing to unpin.\n";
    each(records, "unpinned", nothing, |file, servers| {
        match file.snapshot.pin() {
            Some(pin) => {
                file.check_decided()?;
                file.unpinned(pin, servers).map(Some)
            }
            None => Ok(None),
        }
    })
}

/// Returns a version of a snapshot file with the cases of its pinned benchmark.
pub(crate) fn with_cases(record: &RecordedTest, snapshot: Snapshot) -> Result<Snapshot> {
    let file = PinnedFile::holding(record, snapshot.clone());
    let Some((file, pin)) = file.as_ref().zip(snapshot.pin()) else {
        return Ok(snapshot);
    };
    let text = file.unpinned(pin, &mut Servers::default());
    Ok(Snapshot::parse(text.map_err(Refused::error)?)?)
}

/// Replaces the texts of snapshot files. If a file is refused, the others still get their turn.
fn each(
    records: &[&RecordedTest],
    done: &str,
    nothing: &str,
    text_of: impl Fn(&PinnedFile<'_>, &mut Servers) -> Result<Option<String>, Refused>,
) -> Result<Exit> {
    let mut servers = Servers::default();
    let mut exit = Exit::Fine;
    let mut is_idle = true;
    for record in records {
        let replaced = PinnedFile::read(record).and_then(|file| match file {
            Some(file) => file.replaced(&mut servers, &text_of),
            None => Ok(None),
        });
        match replaced {
            Ok(None) => continue,
            Ok(Some(size)) => {
                let (name, location) = (&record.test, record.location());
                let cases = counted(size, "case");
                confirm(&format!(
                    "{GOOD}{done}{GOOD:#} {STRONG}{name}{STRONG:#}, {cases}, {location}\n"
                ))?;
            }
            Err(Refused::All(error)) => return Err(error),
            Err(Refused::This(error)) => {
                print_error(error.context(&record.test))?;
                exit = Exit::Found;
            }
        }
        is_idle = false;
    }
    if is_idle {
        print(nothing)?;
    }
    Ok(exit)
}

/// The reason why a file stays unchanged.
enum Refused {
    /// The other files can continue.
    This(Error),
    /// The other files would fail too.
    All(Error),
}

impl Refused {
    fn error(self) -> Error {
        match self {
            Self::This(error) | Self::All(error) => error,
        }
    }
}

impl<E: Into<Error>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self::This(error.into())
    }
}

/// Classifies a server's error: it concerns only this file, or all files.
fn refused(error: ServiceError) -> Refused {
    match error {
        ServiceError::Invalid(_) | ServiceError::NotFound(..) | ServiceError::TooLarge(_) => {
            Refused::This(error.into())
        }
        error => Refused::All(error.into()),
    }
}

struct PinnedFile<'r> {
    record: &'r RecordedTest,
    header: Header,
    snapshot: Snapshot,
}

impl<'r> PinnedFile<'r> {
    /// Returns `None` if outputs are pending and none have been accepted yet.
    fn read(record: &'r RecordedTest) -> Result<Option<Self>, Refused> {
        let Some(path) = record.file() else {
            return Err(Refused::This(Error::new(
                "its benchmark is only in the local store, and only a snapshot file can pin one; \
                 remove snapshots = false from tdg.toml and run the test",
            )));
        };
        let snapshot = Snapshot::read(path)?;
        Ok(snapshot.and_then(|snapshot| Self::holding(record, snapshot)))
    }

    /// Returns the file with this snapshot; `None` if its header is incomplete.
    fn holding(record: &'r RecordedTest, snapshot: Snapshot) -> Option<Self> {
        Some(Self {
            record,
            header: Header::parse(snapshot.text().as_bytes())?,
            snapshot,
        })
    }

    /// Replaces its text if necessary; returns the number of its cases.
    fn replaced(
        &self,
        servers: &mut Servers,
        text_of: impl Fn(&Self, &mut Servers) -> Result<Option<String>, Refused>,
    ) -> Result<Option<usize>, Refused> {
        let text = text_of(self, servers)?;
        let Some((path, text)) = self.record.file().zip(text) else {
            return Ok(None);
        };
        snapshot::replace(path, &text)?;
        Ok(Some(self.snapshot.ensemble().size))
    }

    /// Returns true if the cases replace a server's benchmark, or the last run had to use one.
    fn is_of_server(&self) -> Result<bool> {
        if self.snapshot.replaces().is_some() {
            return Ok(true);
        }
        let Some(store) = self.record.store()? else {
            return Ok(false);
        };
        let time = store.downloaded(&unpinned_key(&self.record.test))?;
        let time = time.and_then(|time| time.parse::<i64>().ok());
        let last = self.record.history(&store, 1)?;
        let last = last.first().map(|run| run.timestamp);
        Ok(time.is_some_and(|time| last.is_none_or(|last| last <= time)))
    }

    /// Fails if a change is pending, since it refers to the benchmark that it replaces.
    fn check_decided(&self) -> Result<()> {
        if !self.record.is_pending()? {
            return Ok(());
        }
        let name = quoted(&self.record.test.to_string());
        Err(Error::new(format!(
            "it has a pending change; run `cargo tdg accept {name}` or `cargo tdg reject {name}` first"
        )))
    }

    /// Returns the text with a pin instead of the cases.
    fn pinned(&self, servers: &mut Servers) -> Result<String, Refused> {
        self.check_decided()?;
        let (record, ensemble) = (self.record, self.snapshot.ensemble());
        if let Some(rows) = &ensemble.rows {
            return Err(Refused::This(Error::new(format!(
                "its rows come from {rows}, and a server draws the rows of its benchmarks; keep it \
                 local, with store = \"local\" in the test"
            ))));
        }
        let server = servers.server_for(record)?;
        if !server.may("write") {
            return Err(Refused::All(server.lacks("write", "create benchmarks")));
        }
        let service = &server.service;
        let made = self.ensemble(service)?;
        if made.object.digest != ensemble.digest {
            return Err(Refused::This(Error::new(format!(
                "the server at {} draws different rows from its definition and seed than the file \
                 has; use the version of tdg that the server has",
                service.url()
            ))));
        }
        let request = NewBenchmark {
            // In the server's format.
            expected_output: Outputs::parse(self.snapshot.outputs()?.as_json())?,
            policy: Some(self.snapshot.policy().clone()),
        };
        let benchmark = service.find_or_create_benchmark(&made, &request);
        let benchmark = benchmark.map_err(refused)?;
        let pin = Pin {
            ensemble: made.object.ensemble_uuid.to_string(),
            benchmark: benchmark.benchmark_uuid.to_string(),
            digest: benchmark.digest,
        };
        if let Some(store) = record.store()? {
            // If this fails, the next run fetches them.
            let _ = store.keep_download(&pin.outputs_key(), request.expected_output.as_json());
        }
        let (name, description) = (&record.test.name, &self.header.description);
        Ok(self.finished(&render_pin(name, description, ensemble, &pin)))
    }

    /// Finds or creates its ensemble on the server.
    fn ensemble(&self, service: &RemoteService) -> Result<Found<tdg_service::Ensemble>, Refused> {
        let package = &self.record.package;
        let settings = &package.settings;
        let ensemble = self.snapshot.ensemble();
        let definition = Definition::parse_recorded(&ensemble.definition)?;
        let uuid = settings.project_uuid.as_deref().map(Uuid::try_parse);
        let name = settings.project.as_ref().unwrap_or(&package.name);
        let project = service.find_or_create_project(uuid.transpose()?, name);
        let project = project.map_err(refused)?;
        let name = self.header.definition_name();
        let definition = service.find_or_create_definition(&project, &definition, name);
        let made = service.find_or_create_ensemble(&definition.map_err(refused)?, ensemble);
        made.map_err(refused)
    }

    /// Returns the text with the cases instead of the pin.
    fn unpinned(&self, pin: &Pin, servers: &mut Servers) -> Result<String, Refused> {
        let (record, ensemble) = (self.record, self.snapshot.ensemble());
        let outputs = outputs(record, &self.snapshot, pin, servers)?;
        let definition = Definition::parse_recorded(&ensemble.definition)?;
        let drawn = Vectors::of_ensemble(&definition, ensemble)?;
        let is_drawn = drawn.digest() == ensemble.digest;
        let rows = match is_drawn {
            true => drawn,
            false => fetched_rows(pin, ensemble, &definition, &*servers.server_for(record)?)?,
        };
        let (name, description) = (&record.test.name, &self.header.description);
        let write_output = |case: usize, text: &mut String| text.push_str(outputs.get(case));
        if is_drawn && !record.package.settings.inputs {
            let text = render_outputs(name, description, ensemble, write_output);
            return Ok(self.finished(&text));
        }
        let write_row = |case: usize, text: &mut String| rows.write_row(case, text);
        let text = render(name, description, ensemble, write_row, write_output);
        Ok(self.finished(&text))
    }

    /// Completes a new text of the file with its mark, its policy and its kept rows.
    fn finished(&self, text: &str) -> String {
        let text = with_kept(text, self.snapshot.kept());
        let text = match self.header.is_named {
            true => named(&text),
            false => text,
        };
        let text = match &self.header.package {
            Some(package) => of_package(&text, package),
            None => text,
        };
        with_policy(&text, &Policy::exact(), self.snapshot.policy()).unwrap_or(text)
    }
}

/// Returns the outputs that a snapshot pins, from the store or the server.
pub(crate) fn pinned_outputs(
    record: &RecordedTest,
    snapshot: &Snapshot,
    pin: &Pin,
    servers: &mut Servers,
) -> Result<Outputs> {
    outputs(record, snapshot, pin, servers).map_err(Refused::error)
}

fn outputs(
    record: &RecordedTest,
    snapshot: &Snapshot,
    pin: &Pin,
    servers: &mut Servers,
) -> Result<Outputs, Refused> {
    let kept = match record.store()? {
        Some(store) => store.pinned(snapshot)?,
        None => None,
    };
    match kept {
        Some(kept) => Ok(kept.outputs()?),
        None => fetched_outputs(pin, snapshot.ensemble(), &*servers.server_for(record)?),
    }
}

fn fetched_outputs(
    pin: &Pin,
    ensemble: &Ensemble,
    server: &KnownServer,
) -> Result<Outputs, Refused> {
    let (service, uuid) = (&server.service, &pin.benchmark);
    let text = match service.expected_output(Uuid::try_parse(uuid)?) {
        Err(ServiceError::NotFound(..)) => {
            return Err(Refused::This(Error::new(format!(
                "it pins the benchmark {uuid}, which the account {} does not have at {}; use the server and \
                 key that it was pinned with, or restore the file with its cases from version control",
                server.facts.account,
                service.url()
            ))));
        }
        text => text.map_err(refused)?,
    };
    let outputs = Outputs::parse(&text)?;
    if outputs.digest() != pin.digest || outputs.len() != ensemble.size {
        return Err(other_than_pinned("outputs", service.url()).into());
    }
    Ok(outputs)
}

fn fetched_rows(
    pin: &Pin,
    ensemble: &Ensemble,
    definition: &Definition,
    server: &KnownServer,
) -> Result<Vectors, Refused> {
    let service = &server.service;
    let text = service.vectors(Uuid::try_parse(&pin.ensemble)?);
    let text = text.map_err(refused)?;
    let rows = Vectors::from_json(definition, &text).context("the rows on the server")?;
    match rows.digest() == ensemble.digest {
        true => Ok(rows),
        false => Err(other_than_pinned("rows", service.url()).into()),
    }
}

fn other_than_pinned(what: &str, url: &str) -> Error {
    Error::new(format!(
        "the server at {url} has other {what} than the file pins; restore the file from version control"
    ))
}

/// Servers that have identified themselves, by URL.
#[derive(Default)]
pub(crate) struct Servers(BTreeMap<String, Rc<KnownServer>>);

impl Servers {
    fn server_for(&mut self, record: &RecordedTest) -> Result<Rc<KnownServer>, Refused> {
        let Some(url) = &record.package.settings.url else {
            return Err(Refused::All(Error::new(
                "no server is configured; set TDG_URL, or add url = \"https://…\" to tdg.toml",
            )));
        };
        if let Some(server) = self.0.get(url) {
            return Ok(server.clone());
        }
        let server = Rc::new(KnownServer::at(url).map_err(Refused::All)?);
        self.0.insert(url.clone(), server.clone());
        Ok(server)
    }
}
