//! The operations of the interface, with one request each.

use uuid::Uuid;

use super::RemoteService;
use crate::{
    Assertion, AssertionEntry, Benchmark, Definition, Ensemble, IdempotencyKey, List, NewAssertion,
    NewBenchmark, NewDefinition, NewEnsemble, NewProject, ObjectKind, Page, Project, Result,
};

impl RemoteService {
    /// Lists the account's projects.
    pub fn projects(&self, page: &Page) -> Result<List<Project>> {
        self.list_of_parts("/v1/projects", page, None)
    }

    /// Creates a project. A missing or blank name becomes `New project`.
    pub fn create_project(
        &self,
        request: &NewProject,
        key: Option<&IdempotencyKey>,
    ) -> Result<Project> {
        self.post("/v1/project/new", &request.to_json(), key, None)
    }

    /// Returns a project with its definitions.
    pub fn project(&self, project: Uuid) -> Result<Project> {
        self.get_parts(project)
    }

    /// Deletes a project and everything that belongs to it.
    pub fn delete_project(&self, project: Uuid) -> Result<()> {
        let path = format!("/v1/project/{project}/delete");
        self.delete(&path, (ObjectKind::Project, project))
    }

    /// Lists the definitions of all the account's projects.
    pub fn definitions(&self, page: &Page) -> Result<List<Definition>> {
        self.list_of_parts("/v1/definitions", page, None)
    }

    /// Adds a definition to a project.
    pub fn create_definition(
        &self,
        request: &NewDefinition,
        key: Option<&IdempotencyKey>,
    ) -> Result<Definition> {
        let object = (ObjectKind::Project, request.project_uuid);
        self.post("/v1/definition/new", &request.to_json(), key, Some(object))
    }

    /// Returns a definition with its features and ensembles.
    pub fn definition(&self, definition: Uuid) -> Result<Definition> {
        self.get_parts(definition)
    }

    /// Deletes a definition and everything that belongs to it.
    pub fn delete_definition(&self, definition: Uuid) -> Result<()> {
        let path = format!("/v1/definition/{definition}/delete");
        self.delete(&path, (ObjectKind::Definition, definition))
    }

    /// Lists the ensembles of a definition.
    pub fn ensembles(&self, definition: Uuid, page: &Page) -> Result<List<Ensemble>> {
        let path = format!("/v1/definition/{definition}/ensembles");
        self.list_of_parts(&path, page, Some((ObjectKind::Definition, definition)))
    }

    /// Draws an ensemble from a definition.
    pub fn create_ensemble(
        &self,
        definition: Uuid,
        request: &NewEnsemble,
        key: Option<&IdempotencyKey>,
    ) -> Result<Ensemble> {
        let path = format!("/v1/definition/{definition}/ensembles/add");
        let object = (ObjectKind::Definition, definition);
        self.post(&path, &request.to_json(), key, Some(object))
    }

    /// Returns an ensemble with its benchmarks, but without its rows.
    pub fn ensemble(&self, ensemble: Uuid) -> Result<Ensemble> {
        self.get_parts(ensemble)
    }

    /// Returns the rows of an ensemble as JSON text: `[[12.44,3,"HALF"],…]`.
    pub fn vectors(&self, ensemble: Uuid) -> Result<String> {
        let path = format!("/v1/ensemble/{ensemble}/data");
        self.data(&path, "vectors", (ObjectKind::Ensemble, ensemble))
    }

    /// Deletes an ensemble and everything that belongs to it.
    pub fn delete_ensemble(&self, ensemble: Uuid) -> Result<()> {
        let path = format!("/v1/ensemble/{ensemble}/delete");
        self.delete(&path, (ObjectKind::Ensemble, ensemble))
    }

    /// Lists the benchmarks of an ensemble, which must belong to the definition.
    pub fn benchmarks(
        &self,
        definition: Uuid,
        ensemble: Uuid,
        page: &Page,
    ) -> Result<List<Benchmark>> {
        let path = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks");
        self.list(&path, page, Some((ObjectKind::Ensemble, ensemble)))
    }

    /// Creates a benchmark for an ensemble, which must belong to the definition.
    pub fn create_benchmark(
        &self,
        definition: Uuid,
        ensemble: Uuid,
        request: &NewBenchmark,
        key: Option<&IdempotencyKey>,
    ) -> Result<Benchmark> {
        let path = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks/add");
        let object = (ObjectKind::Ensemble, ensemble);
        self.post(&path, &request.to_json(), key, Some(object))
    }

    /// Returns a benchmark with its newest [`HISTORY`](Benchmark::HISTORY) assertions.
    pub fn benchmark(&self, benchmark: Uuid) -> Result<Benchmark> {
        let object = (ObjectKind::Benchmark, benchmark);
        self.get(&format!("/v1/benchmark/{benchmark}"), object)
    }

    /// Lists the assertions of a benchmark, newest first.
    pub fn history(&self, benchmark: Uuid, page: &Page) -> Result<List<AssertionEntry>> {
        let path = format!("/v1/benchmark/{benchmark}/history");
        self.list(&path, page, Some((ObjectKind::Benchmark, benchmark)))
    }

    /// Returns the outputs that a benchmark expects, as JSON text: `[18.66,…]`.
    pub fn expected_output(&self, benchmark: Uuid) -> Result<String> {
        let path = format!("/v1/benchmark/{benchmark}/data");
        self.data(&path, "expected_output", (ObjectKind::Benchmark, benchmark))
    }

    /// Compares outputs with a benchmark and adds the result to its history.
    pub fn assert(
        &self,
        benchmark: Uuid,
        request: &NewAssertion,
        key: Option<&IdempotencyKey>,
    ) -> Result<Assertion> {
        let path = format!("/v1/benchmark/{benchmark}/assert");
        let object = (ObjectKind::Benchmark, benchmark);
        self.post(&path, &request.to_json(), key, Some(object))
    }

    /// Deletes a benchmark and its history.
    pub fn delete_benchmark(&self, benchmark: Uuid) -> Result<()> {
        let path = format!("/v1/benchmark/{benchmark}/delete");
        self.delete(&path, (ObjectKind::Benchmark, benchmark))
    }
}
