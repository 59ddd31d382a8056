//! The operations of `/v1` for one account: a request is read, its parents are looked up, the rules are
//! applied, the result is written. Costly work happens on threads of its own.

mod workers;

use std::sync::Arc;

use tdg::{
    compare::Comparison,
    output::Outputs,
    service::{
        Assertion, Benchmark, Definition, Ensemble, IdempotencyKey, NewAssertion, NewBenchmark,
        NewDefinition, NewEnsemble, NewProject, Once, Operation, Project, Result, ServiceError,
        Uuid, rules,
    },
    store::service::{Account, create::Judged, find::Expected},
};

pub(crate) use self::workers::Workers;
use crate::{database::Database, packed_rows::PackedRows};

/// What every request of one account is done with.
#[derive(Clone)]
pub(crate) struct Operations {
    pub(crate) database: Arc<dyn Database>,
    pub(crate) workers: Workers,
}

impl Operations {
    pub(crate) async fn create_project(
        &self,
        account: Account,
        body: &str,
        key: Option<IdempotencyKey>,
    ) -> Result<Project> {
        let request = NewProject::parse(body)?;
        let name = rules::project_name(&request)?;
        let once =
            key.map(|key| Once::new(&key, Operation::CreateProject, &[], &request.to_json()));
        self.database.create_project(account, name, once).await
    }

    pub(crate) async fn create_definition(
        &self,
        account: Account,
        body: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Definition> {
        let read = move || {
            let request = NewDefinition::parse(&body)?;
            let json = || request.to_json();
            let once = key.map(|key| Once::new(&key, Operation::CreateDefinition, &[], &json()));
            Ok((request, once))
        };
        // A small definition may ask for large tables.
        let (request, once) = self.workers.run(read).await?;
        self.database
            .create_definition(account, request, once)
            .await
    }

    pub(crate) async fn create_ensemble(
        &self,
        account: Account,
        definition: Uuid,
        body: &str,
        key: Option<IdempotencyKey>,
    ) -> Result<Ensemble> {
        let request = NewEnsemble::parse(body)?;
        let language = self.database.language(account, definition).await?;
        let json = request.to_json();
        let on = [definition];
        let once = key.map(|key| Once::new(&key, Operation::CreateEnsemble, &on, &json));
        let draw = move || {
            let (drawn, rows) = rules::draw(&language, &request)?;
            Ok((drawn, PackedRows::pack(&rows)))
        };
        let (drawn, rows) = self.workers.run(draw).await?;
        self.database
            .create_ensemble(account, definition, drawn, rows, once)
            .await
    }

    pub(crate) async fn create_benchmark(
        &self,
        account: Account,
        of: (Uuid, Uuid),
        body: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Benchmark> {
        let size = self.database.ensemble_size(account, of).await?;
        let length = body.len();
        let read = move || {
            let request = NewBenchmark::parse(&body)?;
            rules::check_benchmark(&request, size)?;
            let digest = rules::output_digest(&request.expected_output);
            let json = || request.to_json();
            let on = [of.0, of.1];
            let once = key.map(|key| Once::new(&key, Operation::CreateBenchmark, &on, &json()));
            Ok((request, digest, once))
        };
        let (request, digest, once) = self.workers.run_if_long(length, read).await?;
        self.database
            .create_benchmark(account, of, request, digest, once)
            .await
    }

    pub(crate) async fn assert(
        &self,
        account: Account,
        benchmark: Uuid,
        body: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Assertion> {
        let expected = self.database.expected(account, benchmark).await?;
        // Few bytes may have to be compared with many.
        let length = body.len().max(expected.outputs.as_json().len());
        let ensemble = expected.ensemble_uuid;
        let compare = move || Compared::of(expected, &body, benchmark, key);
        let compared = self.workers.run_if_long(length, compare).await?;
        let diff = match compared.differing {
            None => None,
            Some(differing) => {
                let packed = self.database.rows(account, ensemble).await?;
                let (expected, actual) = (compared.expected, compared.actual);
                let diff = move || {
                    let rows = packed.rows().map_err(damaged)?;
                    let vectors = rules::stored_rows(&compared.definition, &rows)?;
                    Ok(rules::diff(&differing, &vectors, &expected, &actual))
                };
                Some(self.workers.run(diff).await?)
            }
        };
        let (judged, once) = (compared.judged, compared.once);
        let entry = self
            .database
            .create_assertion(account, benchmark, judged, once)
            .await?;
        Ok(Assertion {
            entry,
            benchmark_uuid: benchmark,
            ensemble_uuid: ensemble,
            diff,
        })
    }
}

/// What an assertion came to, before it is written.
struct Compared {
    definition: String,
    expected: Outputs,
    actual: Outputs,
    /// The rows that differ, if the outputs are not as expected.
    differing: Option<Vec<(usize, Comparison)>>,
    judged: Judged,
    once: Option<Once>,
}

impl Compared {
    fn of(
        expected: Expected,
        body: &str,
        benchmark: Uuid,
        key: Option<IdempotencyKey>,
    ) -> Result<Self> {
        let request = NewAssertion::parse(body)?;
        rules::check_outputs("output_to_assert", &request.output_to_assert, expected.size)?;
        let json = || request.to_json();
        let once = key.map(|key| Once::new(&key, Operation::Assert, &[benchmark], &json()));
        let actual = request.output_to_assert;
        let differing = rules::differing(&expected.outputs, &actual, expected.policy.as_ref())?;
        let judged = Judged {
            size: expected.size,
            changed: differing.as_ref().map(Vec::len),
        };
        Ok(Compared {
            definition: expected.definition,
            expected: expected.outputs,
            actual,
            differing,
            judged,
            once,
        })
    }
}

fn damaged(error: impl std::fmt::Display) -> ServiceError {
    ServiceError::Unexpected(format!("the rows of the ensemble are damaged: {error}"))
}
