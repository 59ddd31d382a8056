//! The store as a service.

use rusqlite::Connection;
use uuid::Uuid;

use super::{
    Account, Outcome,
    create::{self, Judged},
    find, list, remove,
};
use crate::{
    service::{
        Assertion, AssertionEntry, Benchmark, Definition, Ensemble, IdempotencyKey, List,
        NewAssertion, NewBenchmark, NewDefinition, NewEnsemble, NewProject, Once, Operation, Page,
        Project, Result, Service, rules,
    },
    store::Store,
};

impl Store {
    /// The store as a [`Service`]: what its tests have recorded is in it too.
    pub fn service(&self) -> StoreService<'_> {
        self.service_of(Account::LOCAL)
    }

    /// The service for another account.
    #[doc(hidden)]
    pub fn service_of(&self, account: Account) -> StoreService<'_> {
        StoreService {
            store: self,
            account,
        }
    }
}

/// A [`Service`] that is a [`Store`].
#[derive(Clone, Copy, Debug)]
pub struct StoreService<'a> {
    store: &'a Store,
    account: Account,
}

impl StoreService<'_> {
    fn read<T>(&self, read: impl FnOnce(&Connection) -> Outcome<T>) -> Result<T> {
        read(&self.store.connection()).map_err(|failure| failure.of(&self.store.file))
    }

    fn write<T>(&self, write: impl FnOnce(&Connection) -> Outcome<T>) -> Result<T> {
        let written = self.store.transact(|transaction| write(transaction));
        written.map_err(|failure| failure.of(&self.store.file))
    }

    fn definition_text(&self, definition: Uuid) -> Result<String> {
        self.read(|connection| find::definition_text(connection, self.account, definition))
    }
}

impl Service for StoreService<'_> {
    fn projects(&self, page: &Page) -> Result<List<Project>> {
        self.read(|connection| list::projects(connection, self.account, page))
    }

    fn create_project(
        &self,
        request: &NewProject,
        key: Option<&IdempotencyKey>,
    ) -> Result<Project> {
        let name = rules::project_name(request)?;
        let body = || request.to_json();
        let once = once(key, Operation::CreateProject, &[], body);
        self.write(|connection| create::project(connection, self.account, &name, once.as_ref()))
    }

    fn project(&self, project: Uuid) -> Result<Project> {
        self.read(|connection| find::project(connection, self.account, project))
    }

    fn delete_project(&self, project: Uuid) -> Result<()> {
        self.write(|connection| remove::project(connection, self.account, project))
    }

    fn definitions(&self, page: &Page) -> Result<List<Definition>> {
        self.read(|connection| list::definitions(connection, self.account, page))
    }

    fn create_definition(
        &self,
        request: &NewDefinition,
        key: Option<&IdempotencyKey>,
    ) -> Result<Definition> {
        let body = || request.to_json();
        let once = once(key, Operation::CreateDefinition, &[], body);
        self.write(|connection| {
            create::definition(connection, self.account, request, once.as_ref())
        })
    }

    fn definition(&self, definition: Uuid) -> Result<Definition> {
        self.read(|connection| find::definition(connection, self.account, definition))
    }

    fn delete_definition(&self, definition: Uuid) -> Result<()> {
        self.write(|connection| remove::definition(connection, self.account, definition))
    }

    fn ensembles(&self, definition: Uuid, page: &Page) -> Result<List<Ensemble>> {
        self.read(|connection| list::ensembles(connection, self.account, definition, page))
    }

    fn create_ensemble(
        &self,
        definition: Uuid,
        request: &NewEnsemble,
        key: Option<&IdempotencyKey>,
    ) -> Result<Ensemble> {
        let text = self.definition_text(definition)?;
        let (drawn, rows_json) = rules::draw(&rules::stored_definition(&text)?, request)?;
        let body = || request.to_json();
        let once = once(key, Operation::CreateEnsemble, &[definition], body);
        self.write(|connection| {
            let drawn = (&drawn, Some(&*rows_json));
            create::ensemble(connection, self.account, definition, drawn, once.as_ref())
        })
    }

    fn ensemble(&self, ensemble: Uuid) -> Result<Ensemble> {
        self.read(|connection| find::ensemble(connection, self.account, ensemble))
    }

    fn vectors(&self, ensemble: Uuid) -> Result<String> {
        self.read(|connection| find::vectors(connection, self.account, ensemble))
    }

    fn delete_ensemble(&self, ensemble: Uuid) -> Result<()> {
        self.write(|connection| remove::ensemble(connection, self.account, ensemble))
    }

    fn benchmarks(&self, definition: Uuid, ensemble: Uuid, page: &Page) -> Result<List<Benchmark>> {
        self.read(|connection| {
            list::benchmarks(connection, self.account, definition, ensemble, page)
        })
    }

    fn create_benchmark(
        &self,
        definition: Uuid,
        ensemble: Uuid,
        request: &NewBenchmark,
        key: Option<&IdempotencyKey>,
    ) -> Result<Benchmark> {
        let size = self.read(|connection| {
            find::ensemble_size(connection, self.account, definition, ensemble)
        })?;
        rules::check_benchmark(request, size)?;
        let digest = rules::output_digest(&request.expected_output);
        let on = [definition, ensemble];
        let once = once(key, Operation::CreateBenchmark, &on, || request.to_json());
        self.write(|connection| {
            let of = (definition, ensemble);
            create::benchmark(
                connection,
                self.account,
                of,
                request,
                &digest,
                once.as_ref(),
            )
        })
    }

    fn benchmark(&self, benchmark: Uuid) -> Result<Benchmark> {
        self.read(|connection| find::benchmark(connection, self.account, benchmark))
    }

    fn history(&self, benchmark: Uuid, page: &Page) -> Result<List<AssertionEntry>> {
        self.read(|connection| list::history(connection, self.account, benchmark, page))
    }

    fn expected_output(&self, benchmark: Uuid) -> Result<String> {
        let expected =
            self.read(|connection| find::expected(connection, self.account, benchmark))?;
        Ok(expected.outputs.into_json())
    }

    fn assert(
        &self,
        benchmark: Uuid,
        request: &NewAssertion,
        key: Option<&IdempotencyKey>,
    ) -> Result<Assertion> {
        let actual = &request.output_to_assert;
        let expected =
            self.read(|connection| find::expected(connection, self.account, benchmark))?;
        rules::check_outputs("output_to_assert", actual, expected.size)?;
        let differing = rules::differing(&expected.outputs, actual, expected.policy.as_ref())?;
        let judged = Judged {
            size: expected.size,
            changed: differing.as_ref().map(Vec::len),
        };
        let diff = match differing {
            None => None,
            Some(differing) => {
                let definition = self.definition_text(expected.definition_uuid)?;
                let rows = self.vectors(expected.ensemble_uuid)?;
                let vectors = rules::stored_rows(&definition, &rows)?;
                Some(rules::diff(&differing, &vectors, &expected.outputs, actual))
            }
        };
        let once = once(key, Operation::Assert, &[benchmark], || request.to_json());
        let entry = self.write(|connection| {
            create::assertion(connection, self.account, benchmark, judged, once.as_ref())
        })?;
        Ok(Assertion {
            entry,
            benchmark_uuid: benchmark,
            ensemble_uuid: expected.ensemble_uuid,
            diff,
        })
    }

    fn delete_benchmark(&self, benchmark: Uuid) -> Result<()> {
        self.write(|connection| remove::benchmark(connection, self.account, benchmark))
    }
}

fn once(
    key: Option<&IdempotencyKey>,
    operation: Operation,
    on: &[Uuid],
    body: impl FnOnce() -> String,
) -> Option<Once> {
    key.map(|key| Once::new(key, operation, on, &body()))
}
