//! The operations of `/v1` for one account: a request is read, its parents are looked up, the rules are
//! applied, the result is written. Costly work happens on threads of its own.

mod workers;

use std::sync::Arc;

use crate::database::Account;
use crate::database::Expected;
use crate::database::Judged;
use tdg_definition::policy::PolicyNode;
use tdg_engine::compare::Comparison;
use tdg_engine::output::Outputs;
use tdg_service::{
    Assertion, Benchmark, Definition, Diff, Ensemble, IdempotencyKey, NewAssertion, NewBenchmark,
    NewDefinition, NewEnsemble, NewProject, Once, Operation, Project, Result, ServiceError, Uuid,
    rules,
};
use tokio::sync::{Semaphore, SemaphorePermit};

pub(crate) use self::workers::Workers;
use crate::cache::Cache;
use crate::database::Database;
use crate::packed_rows::PackedRows;

/// How many bytes are kept of what benchmarks expect.
const EXPECTED: usize = 64 << 20;

/// How many may have something large in memory before it is kept, or written.
const AT_ONCE: usize = 16;

/// What every request of one account is done with.
pub(crate) struct Operations {
    pub(crate) database: Arc<dyn Database>,
    pub(crate) workers: Workers,
    /// By account and benchmark. It never changes, but with the benchmark it goes.
    expected: Cache<(Account, Uuid), Arc<Expected>>,
    /// Whoever reads what it doesn't have, and whoever draws rows until they are written, has one of these.
    reading: Semaphore,
    drawing: Semaphore,
}

impl Operations {
    pub(crate) fn new(database: Arc<dyn Database>, workers: Workers) -> Self {
        Operations {
            database,
            workers,
            expected: Cache::new(EXPECTED),
            reading: Semaphore::new(AT_ONCE),
            drawing: Semaphore::new(AT_ONCE),
        }
    }

    pub(crate) async fn create_project(
        &self,
        account: Account,
        body: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Project> {
        let length = body.len();
        let read = move || {
            let request = NewProject::parse(&body)?;
            let json = || request.to_json();
            let once = key.map(|key| Once::new(&key, Operation::CreateProject, &[], &json()));
            Ok((rules::project_name(&request)?, once))
        };
        let (name, once) = self.workers.run_by_length(length, read).await?;
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
        body: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Ensemble> {
        let length = body.len();
        let read = move || {
            let request = NewEnsemble::parse(&body)?;
            let json = || request.to_json();
            let on = [definition];
            let once = key.map(|key| Once::new(&key, Operation::CreateEnsemble, &on, &json()));
            Ok((request, once))
        };
        let (request, once) = self.workers.run_by_length(length, read).await?;
        let _room = acquire(&self.drawing).await?;
        let text = self.database.definition_text(account, definition).await?;
        let draw = move || {
            let (drawn, rows) = rules::draw(&rules::stored_definition(&text)?, &request)?;
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
        let (request, digest, once) = self.workers.run_by_length(length, read).await?;
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
        let expected = self.expected(account, benchmark).await?;
        // Few bytes may have to be compared with many.
        let length = body.len().max(expected.outputs.as_json().len());
        let of = expected.clone();
        let compare = move || Compared::of(&of, &body, benchmark, key);
        let compared = self.workers.run_by_length(length, compare).await;
        // Whether the benchmark is still there, writing says of what passes. Of anything else it has to be known
        // before its ensemble is asked for, or what is wrong is told.
        if !matches!(&compared, Ok(compared) if compared.differing.is_none()) {
            self.database.output_digest(account, benchmark).await?;
        }
        let compared = compared?;
        let diff = match compared.differing {
            None => None,
            Some(differing) => {
                let actual = compared.actual;
                Some(
                    self.diff(account, expected.clone(), actual, differing)
                        .await?,
                )
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
            ensemble_uuid: expected.ensemble_uuid,
            diff,
        })
    }

    /// The rows that differ, and what they have in common.
    async fn diff(
        &self,
        account: Account,
        expected: Arc<Expected>,
        actual: Outputs,
        differing: Vec<(usize, Comparison)>,
    ) -> Result<Diff> {
        let (definition, ensemble) = (expected.definition_uuid, expected.ensemble_uuid);
        let definition = self.database.definition_text(account, definition).await?;
        let packed = self.database.rows(account, ensemble).await?;
        let diff = move || {
            let rows = packed.rows().map_err(damaged)?;
            let vectors = rules::stored_rows(&definition, &rows)?;
            Ok(rules::diff(
                &differing,
                &vectors,
                &expected.outputs,
                &actual,
            ))
        };
        self.workers.run(diff).await
    }

    /// What a benchmark expects, or has expected if it is no longer there.
    pub(crate) async fn expected(
        &self,
        account: Account,
        benchmark: Uuid,
    ) -> Result<Arc<Expected>> {
        if let Some(expected) = self.expected.get(&(account, benchmark)) {
            return Ok(expected);
        }
        let _room = acquire(&self.reading).await?;
        // Whoever came before may have read it meanwhile.
        if let Some(expected) = self.expected.get(&(account, benchmark)) {
            return Ok(expected);
        }
        let expected = Arc::new(self.database.expected(account, benchmark).await?);
        self.expected
            .keep((account, benchmark), expected.clone(), bytes_of(&expected));
        Ok(expected)
    }
}

async fn acquire(places: &Semaphore) -> Result<SemaphorePermit<'_>> {
    let ending = |_| ServiceError::Unavailable("the server is ending; try again".to_owned());
    places.acquire().await.map_err(ending)
}

/// What an assertion came to, before it is written.
struct Compared {
    actual: Outputs,
    /// The rows that differ, if the outputs are not as expected.
    differing: Option<Vec<(usize, Comparison)>>,
    judged: Judged,
    once: Option<Once>,
}

impl Compared {
    fn of(
        expected: &Expected,
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
            actual,
            differing,
            judged,
            once,
        })
    }
}

/// What keeping it takes, about: the text, where each output ends, and a rule for each place that the policy
/// names.
fn bytes_of(expected: &Expected) -> usize {
    const NODE: usize = 160;
    let outputs = &expected.outputs;
    let nodes = expected.policy.as_ref().map(PolicyNode::root);
    let nodes = nodes.map_or(0, PolicyNode::count);
    outputs.as_json().len() + outputs.len() * size_of::<usize>() + nodes * NODE
}

fn damaged(error: impl std::fmt::Display) -> ServiceError {
    ServiceError::Unexpected(format!("the rows of the ensemble are damaged: {error}"))
}
