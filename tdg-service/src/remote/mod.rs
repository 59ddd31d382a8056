//! The service of a server, over HTTP.
//!
//! The key is sent over https, or to this machine, and nowhere else: redirects are not followed. What is
//! safe to repeat is repeated when the server can't be reached; whatever makes something carries an
//! idempotency key, so a repetition makes no second one.

mod api_key;
mod base_url;
mod paging;
mod problem;
#[cfg(test)]
mod tests;
mod transport;

use std::fmt;

use tdg_definition::json::Value;
use uuid::Uuid;

pub use self::api_key::ApiKey;
use self::paging::{query, read_list};
pub use self::transport::Patience;
use self::transport::{Answer, Method, Transport};
use super::{
    Assertion, AssertionEntry, Benchmark, Definition, Ensemble, IdempotencyKey, Kind, List,
    Malformed, NewAssertion, NewBenchmark, NewDefinition, NewEnsemble, NewProject, Object, Page,
    Project, Result, Service, ServiceError,
};

/// The [`Service`] of a server.
///
/// ```no_run
/// use tdg_service::{ApiKey, Page, RemoteService, Service};
///
/// let key = ApiKey::new(&std::env::var("TDG_API_KEY")?)?;
/// let service = RemoteService::new("https://tdg.example.org", key)?;
/// for project in service.projects(&Page::default())?.items {
///     println!("{}", project.project_name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RemoteService {
    transport: Transport,
}

impl RemoteService {
    /// The service of the server at a URL; nothing is sent yet.
    ///
    /// # Errors
    ///
    /// If the URL is none, or the key would go over a network unencrypted.
    pub fn new(url: &str, key: ApiKey) -> std::result::Result<Self, SetupError> {
        Self::with_patience(url, key, Patience::default())
    }

    /// The same with other time limits.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_patience(
        url: &str,
        key: ApiKey,
        patience: Patience,
    ) -> std::result::Result<Self, SetupError> {
        Ok(Self {
            transport: Transport::new(url, key, patience)?,
        })
    }

    /// Where the server is.
    pub fn url(&self) -> &str {
        self.transport.url()
    }

    fn get<T: Object>(&self, path: &str, about: (Kind, Uuid)) -> Result<T> {
        let answer = self.transport.ask(Method::Get, path, Some(about))?;
        self.read(&answer.body)
    }

    fn list<T: Object>(
        &self,
        path: &str,
        page: &Page,
        about: Option<(Kind, Uuid)>,
    ) -> Result<List<T>> {
        let path = format!("{path}{}", query(page));
        let Answer { body, headers } = self.transport.ask(Method::Get, &path, about)?;
        Ok(read_list(self.read(&body)?, &headers))
    }

    fn post<T: Object>(
        &self,
        path: &str,
        body: &str,
        key: Option<&IdempotencyKey>,
        about: Option<(Kind, Uuid)>,
    ) -> Result<T> {
        let random;
        let key = match key {
            Some(key) => key,
            None => {
                random = IdempotencyKey::random();
                &random
            }
        };
        let answer = self.transport.ask(Method::Post(body, key), path, about)?;
        self.read(&answer.body)
    }

    fn delete(&self, path: &str, about: (Kind, Uuid)) -> Result<()> {
        self.transport
            .ask(Method::Delete, path, Some(about))
            .map(drop)
    }

    /// The text of the only member of an answer.
    fn data(&self, path: &str, name: &str, about: (Kind, Uuid)) -> Result<String> {
        let answer = self.transport.ask(Method::Get, path, Some(about))?;
        match answer.body.get(name) {
            Some(rows @ Value::Array(_)) => Ok(rows.to_string()),
            _ => Err(self.malformed(&Malformed::new(format_args!("a list as `{name}`")))),
        }
    }

    fn read<T: Object>(&self, body: &Value) -> Result<T> {
        T::from_json(body).map_err(|error| self.malformed(&error))
    }

    fn malformed(&self, error: &Malformed) -> ServiceError {
        ServiceError::Unexpected(format!(
            "the server at {} answered in another form than this tdg knows ({error}): use a tdg that fits \
             the server",
            self.url()
        ))
    }
}

impl Service for RemoteService {
    fn projects(&self, page: &Page) -> Result<List<Project>> {
        self.list("/v1/projects", page, None)
    }

    fn create_project(
        &self,
        request: &NewProject,
        key: Option<&IdempotencyKey>,
    ) -> Result<Project> {
        self.post("/v1/project/new", &request.to_json(), key, None)
    }

    fn project(&self, project: Uuid) -> Result<Project> {
        self.get(&format!("/v1/project/{project}"), (Kind::Project, project))
    }

    fn delete_project(&self, project: Uuid) -> Result<()> {
        let path = format!("/v1/project/{project}/delete");
        self.delete(&path, (Kind::Project, project))
    }

    fn definitions(&self, page: &Page) -> Result<List<Definition>> {
        self.list("/v1/definitions", page, None)
    }

    fn create_definition(
        &self,
        request: &NewDefinition,
        key: Option<&IdempotencyKey>,
    ) -> Result<Definition> {
        let about = (Kind::Project, request.project_uuid);
        self.post("/v1/definition/new", &request.to_json(), key, Some(about))
    }

    fn definition(&self, definition: Uuid) -> Result<Definition> {
        let about = (Kind::Definition, definition);
        self.get(&format!("/v1/definition/{definition}"), about)
    }

    fn delete_definition(&self, definition: Uuid) -> Result<()> {
        let path = format!("/v1/definition/{definition}/delete");
        self.delete(&path, (Kind::Definition, definition))
    }

    fn ensembles(&self, definition: Uuid, page: &Page) -> Result<List<Ensemble>> {
        let path = format!("/v1/definition/{definition}/ensembles");
        self.list(&path, page, Some((Kind::Definition, definition)))
    }

    fn create_ensemble(
        &self,
        definition: Uuid,
        request: &NewEnsemble,
        key: Option<&IdempotencyKey>,
    ) -> Result<Ensemble> {
        let path = format!("/v1/definition/{definition}/ensembles/add");
        let about = (Kind::Definition, definition);
        self.post(&path, &request.to_json(), key, Some(about))
    }

    fn ensemble(&self, ensemble: Uuid) -> Result<Ensemble> {
        self.get(
            &format!("/v1/ensemble/{ensemble}"),
            (Kind::Ensemble, ensemble),
        )
    }

    fn vectors(&self, ensemble: Uuid) -> Result<String> {
        let path = format!("/v1/ensemble/{ensemble}/data");
        self.data(&path, "vectors", (Kind::Ensemble, ensemble))
    }

    fn delete_ensemble(&self, ensemble: Uuid) -> Result<()> {
        let path = format!("/v1/ensemble/{ensemble}/delete");
        self.delete(&path, (Kind::Ensemble, ensemble))
    }

    fn benchmarks(&self, definition: Uuid, ensemble: Uuid, page: &Page) -> Result<List<Benchmark>> {
        let path = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks");
        self.list(&path, page, Some((Kind::Ensemble, ensemble)))
    }

    fn create_benchmark(
        &self,
        definition: Uuid,
        ensemble: Uuid,
        request: &NewBenchmark,
        key: Option<&IdempotencyKey>,
    ) -> Result<Benchmark> {
        let path = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks/add");
        let about = (Kind::Ensemble, ensemble);
        self.post(&path, &request.to_json(), key, Some(about))
    }

    fn benchmark(&self, benchmark: Uuid) -> Result<Benchmark> {
        let about = (Kind::Benchmark, benchmark);
        self.get(&format!("/v1/benchmark/{benchmark}"), about)
    }

    fn history(&self, benchmark: Uuid, page: &Page) -> Result<List<AssertionEntry>> {
        let path = format!("/v1/benchmark/{benchmark}/history");
        self.list(&path, page, Some((Kind::Benchmark, benchmark)))
    }

    fn expected_output(&self, benchmark: Uuid) -> Result<String> {
        let path = format!("/v1/benchmark/{benchmark}/data");
        self.data(&path, "expected_output", (Kind::Benchmark, benchmark))
    }

    fn assert(
        &self,
        benchmark: Uuid,
        request: &NewAssertion,
        key: Option<&IdempotencyKey>,
    ) -> Result<Assertion> {
        let path = format!("/v1/benchmark/{benchmark}/assert");
        let about = (Kind::Benchmark, benchmark);
        self.post(&path, &request.to_json(), key, Some(about))
    }

    fn delete_benchmark(&self, benchmark: Uuid) -> Result<()> {
        let path = format!("/v1/benchmark/{benchmark}/delete");
        self.delete(&path, (Kind::Benchmark, benchmark))
    }
}

/// What a server was to be reached with can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(String);

impl SetupError {
    fn new(message: String) -> Self {
        Self(message)
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SetupError {}
