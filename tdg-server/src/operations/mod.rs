//! The operations of `/v1` that do more than look up or delete an object, for one account: a
//! request is parsed, the objects that it names are looked up, the rules are applied, and the
//! result is written. Costly work is done on threads of its own.

mod workers;

use std::sync::Arc;

use tdg_definition::policy::PolicyNode;
use tdg_engine::output::Outputs;
use tdg_service::{
    Assertion, Benchmark, Definition, Diff, Ensemble, IdempotencyKey, IdempotentRequest,
    NewAssertion, NewBenchmark, NewDefinition, NewEnsemble, NewProject, Operation, Project, Result,
    ServiceError, Uuid, rules,
};
use tokio::sync::{Semaphore, SemaphorePermit};

pub(crate) use self::workers::Workers;
use crate::cache::Cache;
use crate::database::{Account, Database, Expected};
use crate::packed_rows::PackedRows;

/// The size of the cache of expected outputs, in bytes.
const EXPECTED_CACHE: usize = 64 << 20;

/// Maximum number of requests holding large data that is not yet cached or stored.
const LARGE_AT_ONCE: usize = 16;

/// Everything that the operations share.
pub(crate) struct Operations {
    pub(crate) database: Arc<dyn Database>,
    pub(crate) workers: Workers,
    /// By account and benchmark. An entry never changes; its benchmark may have been deleted.
    expected: Cache<(Account, Uuid), Arc<Expected>>,
    /// The maximum bytes of the canonical text of a definition that is created.
    max_definition: usize,
    /// Permits for loading a cache miss.
    loading: Semaphore,
    /// Permits for drawing an ensemble until it is stored.
    drawing: Semaphore,
}

impl Operations {
    pub(crate) fn new(
        database: Arc<dyn Database>,
        workers: Workers,
        max_definition: usize,
    ) -> Self {
        Operations {
            database,
            workers,
            expected: Cache::new(EXPECTED_CACHE),
            max_definition,
            loading: Semaphore::new(LARGE_AT_ONCE),
            drawing: Semaphore::new(LARGE_AT_ONCE),
        }
    }

    pub(crate) async fn create_project(
        &self,
        account: Account,
        body: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Project> {
        let length = body.len();
        let parse = move || {
            let new = NewProject::parse(&body)?;
            let json = || new.to_json();
            let request = idempotent(key, Operation::CreateProject, &[], json);
            Ok((rules::project_name(&new)?, request))
        };
        let (name, request) = self.workers.run_sized(length, parse).await?;
        self.database.create_project(account, name, request).await
    }

    pub(crate) async fn create_definition(
        &self,
        account: Account,
        body: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Definition> {
        let most = self.max_definition;
        let parse = move || {
            let new = NewDefinition::parse(&body)?;
            check_length(&new.definition, most)?;
            let json = || new.to_json();
            let request = idempotent(key, Operation::CreateDefinition, &[], json);
            Ok((new, request))
        };
        // Validating even a short definition may need large tables.
        let (new, request) = self.workers.run(parse).await?;
        self.database.create_definition(account, new, request).await
    }

    pub(crate) async fn create_ensemble(
        &self,
        account: Account,
        definition: Uuid,
        body: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Ensemble> {
        let length = body.len();
        let parse = move || {
            let new = NewEnsemble::parse(&body)?;
            let json = || new.to_json();
            let request = idempotent(key, Operation::CreateEnsemble, &[definition], json);
            Ok((new, request))
        };
        let (new, request) = self.workers.run_sized(length, parse).await?;
        let _permit = acquire(&self.drawing).await?;
        let text = self.database.definition_text(account, definition).await?;
        let draw = move || {
            let (drawn, rows) = rules::draw(&rules::stored_definition(&text)?, &new)?;
            Ok((drawn, PackedRows::pack(&rows)))
        };
        let drawn = self.workers.run(draw).await?;
        self.database
            .create_ensemble(account, definition, drawn, request)
            .await
    }

    pub(crate) async fn create_benchmark(
        &self,
        account: Account,
        parents: (Uuid, Uuid),
        body: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Benchmark> {
        let size = self.database.ensemble_size(account, parents).await?;
        let length = body.len();
        let parse = move || {
            let new = NewBenchmark::parse(&body)?;
            rules::check_benchmark(&new, size)?;
            let digest = rules::output_digest(&new.expected_output);
            let json = || new.to_json();
            let path = [parents.0, parents.1];
            let request = idempotent(key, Operation::CreateBenchmark, &path, json);
            Ok(((new, digest), request))
        };
        let (new, request) = self.workers.run_sized(length, parse).await?;
        self.database
            .create_benchmark(account, parents, new, request)
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
        // A short body may have to be compared with long outputs.
        let length = body.len().max(expected.outputs.as_json().len());
        let expected_outputs = expected.clone();
        let parse_and_compare = move || {
            let new = NewAssertion::parse(&body)?;
            let json = || new.to_json();
            let request = idempotent(key, Operation::Assert, &[benchmark], json);
            Ok((compare(&expected_outputs, new)?, request))
        };
        let compared = self.workers.run_sized(length, parse_and_compare).await;
        // Writing finds out whether the benchmark still exists. If the outputs are not the expected
        // ones, that has to be known before its ensemble is read or the error is returned.
        if !matches!(&compared, Ok((outputs, _)) if outputs.differing.is_none()) {
            self.database.output_digest(account, benchmark).await?;
        }
        let (outputs, request) = compared?;
        let diff = match outputs.differing {
            None => None,
            Some(differing) => {
                let (expected, actual) = (expected.clone(), outputs.actual);
                Some(self.diff(account, expected, actual, differing).await?)
            }
        };
        let asserted = diff.is_none();
        let entry = self
            .database
            .create_assertion(account, benchmark, asserted, request)
            .await?;
        Ok(Assertion {
            entry,
            benchmark_uuid: benchmark,
            ensemble_uuid: expected.ensemble_uuid,
            diff,
        })
    }

    async fn diff(
        &self,
        account: Account,
        expected: Arc<Expected>,
        actual: Outputs,
        differing: rules::Differing,
    ) -> Result<Diff> {
        let (definition, ensemble) = (expected.definition_uuid, expected.ensemble_uuid);
        let definition = self.database.definition_text(account, definition).await?;
        let packed = self.database.rows(account, ensemble).await?;
        let diff = move || {
            let rows = packed.rows().map_err(|error| {
                let message = format!("the rows of the ensemble are damaged: {error}");
                ServiceError::unexpected(message).caused_by(error)
            })?;
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

    /// The outputs that a benchmark expects. They may be cached, so the benchmark may have been
    /// deleted.
    pub(crate) async fn expected(
        &self,
        account: Account,
        benchmark: Uuid,
    ) -> Result<Arc<Expected>> {
        if let Some(expected) = self.expected.get(&(account, benchmark)) {
            return Ok(expected);
        }
        let _permit = acquire(&self.loading).await?;
        // Another request may have loaded it meanwhile.
        if let Some(expected) = self.expected.get(&(account, benchmark)) {
            return Ok(expected);
        }
        let expected = Arc::new(self.database.expected(account, benchmark).await?);
        let bytes = memory_of(&expected);
        let key = (account, benchmark);
        self.expected.insert(key, expected.clone(), bytes);
        Ok(expected)
    }
}

/// A request with its idempotency key, if it has one.
fn idempotent(
    key: Option<IdempotencyKey>,
    operation: Operation,
    path: &[Uuid],
    json: impl FnOnce() -> String,
) -> Option<IdempotentRequest> {
    key.map(|key| IdempotentRequest::new(&key, operation, path, &json()))
}

/// A definition is part of every list that it is in.
fn check_length(definition: &tdg_definition::Definition, most: usize) -> Result<()> {
    let bytes = definition.to_value().to_string().len();
    if bytes <= most {
        return Ok(());
    }
    let message = format!(
        "the definition has {bytes} bytes in canonical form, and this server takes at most {most} \
         (`--max-definition`)"
    );
    Err(ServiceError::TooLarge(message.into()))
}

async fn acquire(semaphore: &Semaphore) -> Result<SemaphorePermit<'_>> {
    let ending = |_| ServiceError::unavailable("the server is shutting down; try again");
    semaphore.acquire().await.map_err(ending)
}

/// Outputs that were compared with the expected ones.
struct ComparedOutputs {
    actual: Outputs,
    /// What differs; `None` if the outputs are the expected ones.
    differing: Option<rules::Differing>,
}

fn compare(expected: &Expected, new: NewAssertion) -> Result<ComparedOutputs> {
    let actual = new.output_to_assert;
    rules::check_outputs("output_to_assert", &actual, expected.size)?;
    let differing = rules::differing(&expected.outputs, &actual, expected.policy.as_ref())?;
    Ok(ComparedOutputs { actual, differing })
}

/// About the bytes that a value in the cache takes: the text, the end of each output in it, and a
/// rule for each pointer of the policy.
fn memory_of(expected: &Expected) -> usize {
    const NODE: usize = 176;
    let outputs = &expected.outputs;
    let nodes = expected.policy.as_ref().map(PolicyNode::root);
    let nodes = nodes.map_or(0, PolicyNode::count);
    outputs.as_json().len() + outputs.len() * size_of::<usize>() + nodes * NODE
}
