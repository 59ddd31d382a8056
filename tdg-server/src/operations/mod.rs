//! The operations of `/v1` that do more than look up or delete an object. A request is parsed, its
//! objects are looked up, the rules are applied, and the result is written. Expensive work runs on
//! separate threads.

mod large_values;
mod page_content;
pub(crate) mod sync;
mod workers;

use std::ops::Deref;
use std::sync::Arc;

use tdg_definition::Feature;
use tdg_definition::policy::PolicyNode;
use tdg_definition::random::SAMPLER_VERSION;
use tdg_engine::Vectors;
use tdg_engine::output::Outputs;
use tdg_service::{
    Assertion, AssertionEntry, Benchmark, Definition, Diff, Ensemble, IdempotencyKey,
    IdempotentRequest, NewAssertion, NewBenchmark, NewDefinition, NewEnsemble, NewProject,
    Operation, Project, Result, ServiceError, Uuid, rules,
};

use self::large_values::{Large, LargeValues};
use self::workers::LARGE;
pub(crate) use self::workers::Workers;
use crate::account::{Account, Usage};
use crate::accounts::{AccountCache, Limits};
use crate::cache::Uses;
use crate::database::records::Undrawn;
use crate::database::{Database, ExpectedBenchmark};
use crate::fair_queue::FairQueue;
use crate::keys::ProjectLimit;
use crate::memory::{Held, InUse, Memory, OutOfMemory};
use crate::metrics;
use crate::packed_rows::{PackedRows, RowsBody};

/// The sizes of the caches of expected outputs and of rows, in bytes.
const EXPECTED_CACHE: usize = 64 << 20;
const ROWS_CACHE: usize = 32 << 20;

/// The maximum size of rows that are cached unpacked: several fit into the cache.
const UNPACKED: usize = ROWS_CACHE / 8;

/// The maximum number of ensembles that are being drawn and stored, in total and per account.
const DRAWN_AT_ONCE: usize = 16;
const DRAWN_BY_ACCOUNT: usize = 4;

/// The number of an account's outputs that are compared at once.
const COMPARED_BY_ACCOUNT: usize = 2;

/// The maximum length of a definition, and the maximum estimated work, for drawing an ensemble on
/// the current thread: it takes less time than waking another.
const SMALL_TEXT: usize = 4 << 10;
const SMALL_WORK: u64 = 300_000;

/// The state that all operations share.
pub(crate) struct Operations {
    pub(crate) database: Arc<Database>,
    pub(crate) workers: Workers,
    pub(crate) accounts: Arc<AccountCache>,
    /// Expected outputs, by benchmark.
    expected: LargeValues<Uuid, Arc<LoadedExpected>>,
    /// Rows, by ensemble and form. Each form is cached when it is requested.
    rows: LargeValues<(Uuid, RowsForm), RowsBody>,
    /// The maximum length of the canonical text of a new definition, in bytes.
    max_definition: usize,
    /// Permits for comparing outputs until their diff is made, which needs all values that differ,
    /// and separate ones for large outputs.
    comparing: FairQueue,
    comparing_large: FairQueue,
    /// Permits for drawing an ensemble until it is stored.
    drawing: FairQueue,
}

impl Operations {
    pub(crate) fn new(
        database: Arc<Database>,
        workers: Workers,
        limits: Limits,
        max_definition: usize,
    ) -> Self {
        Operations {
            accounts: AccountCache::new(database.clone(), limits),
            database,
            workers,
            expected: LargeValues::new(EXPECTED_CACHE),
            rows: LargeValues::new(ROWS_CACHE),
            max_definition,
            comparing: FairQueue::new(usize::MAX, COMPARED_BY_ACCOUNT),
            comparing_large: FairQueue::new(usize::MAX, 1),
            drawing: FairQueue::new(DRAWN_AT_ONCE, DRAWN_BY_ACCOUNT),
        }
    }

    /// Returns the maximum length of the canonical text of a definition, in bytes.
    pub(crate) fn max_definition(&self) -> usize {
        self.max_definition
    }

    /// Returns the statistics of the caches, by name.
    pub(crate) fn cache_uses(&self) -> [(&'static str, Uses); 2] {
        [
            ("outputs", self.expected.uses()),
            ("rows", self.rows.uses()),
        ]
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
        let room = self.accounts.room(account).await?;
        let (name, request) = self.workers.run_sized(account, length, parse).await?;
        let bytes = key_bytes(request.as_ref());
        let created = self.database.create_project(account, name, request);
        room.create(bytes, created).await
    }

    /// Creates a definition in a project that the key opens.
    pub(crate) async fn create_definition(
        &self,
        account: Account,
        limit: ProjectLimit,
        body: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Definition> {
        let room = self.accounts.room(account).await?;
        let is_limited = room.is_limited();
        let (length, most) = (body.len(), self.max_definition);
        let parse = move || {
            let new = NewDefinition::parse(&body)?;
            check_length(&new.definition, most)?;
            limit.require(new.project_uuid)?;
            let json = || new.to_json();
            let bytes = if is_limited { json().len() } else { 0 };
            let request = idempotent(key, Operation::CreateDefinition, &[], json);
            Ok((new, bytes, request))
        };
        // Validating even a short definition may need large tables.
        let (new, bytes, request) = self.workers.run(account, length, parse).await?;
        let bytes = bytes + key_bytes(request.as_ref());
        let created = self.database.create_definition(account, new, request);
        room.create(bytes, created).await
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
        let room = self.accounts.room(account).await?;
        let (new, request) = self.workers.run_sized(account, length, parse).await?;
        let _permit = metrics::DRAWING.wait(self.drawing.take(account)).await?;
        let text = self.database.definition_text(account, definition).await?;
        let is_small =
            text.len() <= SMALL_TEXT && is_small(&rules::stored_definition(&text)?, new.size);
        let draw = move || {
            let (drawn, rows) = rules::draw(&rules::stored_definition(&text)?, &new)?;
            Ok((drawn, PackedRows::pack(&rows)))
        };
        let drawn = match is_small {
            true => draw()?,
            false => self.workers.run(account, 0, draw).await?,
        };
        let bytes = drawn.1.gzip().len() + key_bytes(request.as_ref());
        let created = self
            .database
            .create_ensemble(account, definition, drawn, request);
        room.create(bytes, created).await
    }

    pub(crate) async fn create_benchmark(
        &self,
        account: Account,
        parents: (Uuid, Uuid),
        body: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Benchmark> {
        let room = self.accounts.room(account).await?;
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
        let (new, request) = self.workers.run_sized(account, length, parse).await?;
        let bytes = new.0.expected_output.as_json().len() + key_bytes(request.as_ref());
        let created = self
            .database
            .create_benchmark(account, parents, new, request);
        room.create(bytes, created).await
    }

    pub(crate) async fn assert(
        &self,
        account: Account,
        benchmark: Uuid,
        body: String,
        key: Option<IdempotencyKey>,
        memory: &Memory,
    ) -> Result<Assertion> {
        let (expected, _held) = self
            .expected::<ServiceError>(account, benchmark, memory)
            .await?;
        // A short body may have to be compared with long outputs.
        let length = body.len().max(expected.outputs.as_json().len());
        let comparing = match length > LARGE {
            true => &self.comparing_large,
            false => &self.comparing,
        };
        let permit = metrics::WORKERS.wait(comparing.take(account)).await?;
        let expected_outputs = expected.clone();
        let parse_and_compare = move || {
            let new = NewAssertion::parse(&body)?;
            let json = || new.to_json();
            let request = idempotent(key, Operation::Assert, &[benchmark], json);
            Ok((compare(&expected_outputs, new)?, request))
        };
        let compared = self
            .workers
            .run_sized(account, length, parse_and_compare)
            .await;
        // A write would find out if the benchmark still exists. Outputs that differ aren't written
        // yet, so this checks before the ensemble is read or the error is returned.
        if !matches!(&compared, Ok((outputs, _)) if outputs.differing.is_none()) {
            self.database.output_digest(account, benchmark).await?;
        }
        let (outputs, request) = compared?;
        let diff = match outputs.differing {
            None => None,
            Some(differing) => {
                let (expected, actual) = (expected.clone(), outputs.actual);
                let diff = self.diff(account, expected, actual, differing, memory);
                Some(diff.await?)
            }
        };
        drop(permit);
        let added = self.add_assertion(account, benchmark, diff.is_none(), request);
        Ok(Assertion {
            entry: added.await?,
            benchmark_uuid: benchmark,
            ensemble_uuid: expected.ensemble_uuid,
            diff,
        })
    }

    async fn add_assertion(
        &self,
        account: Account,
        benchmark: Uuid,
        asserted: bool,
        request: Option<IdempotentRequest>,
    ) -> Result<AssertionEntry> {
        let room = self.accounts.room_for(account, 0).await?;
        let bytes = Usage::ASSERTION + key_bytes(request.as_ref());
        let added = self
            .database
            .create_assertion(account, benchmark, asserted, request);
        room.create(bytes, added).await
    }

    async fn diff(
        &self,
        account: Account,
        expected: Arc<LoadedExpected>,
        actual: Outputs,
        differing: rules::JudgedDifferences,
        memory: &Memory,
    ) -> Result<Diff> {
        let (definition, ensemble) = (expected.definition_uuid, expected.ensemble_uuid);
        let definition = self.database.definition_text(account, definition).await?;
        let (packed, _in_use) = self.rows::<ServiceError>(account, ensemble, memory).await?;
        // The rows as text, and the diff in the answer.
        let bytes = packed.length() + packed.length().min(rules::DIFF_BYTES);
        let held = memory.hold(account, bytes).await?;
        let read = packed.length() + actual.as_json().len();
        let diff = move || {
            let _held = held;
            let vectors = unpacked(&definition, &packed)?;
            drop(definition);
            Ok(rules::diff(
                &differing,
                &vectors,
                &expected.outputs,
                &actual,
            ))
        };
        self.workers.run(account, read, diff).await
    }

    /// Returns the rows of an ensemble, and their memory. They may be cached after the ensemble was
    /// deleted.
    pub(crate) async fn rows<E>(
        &self,
        account: Account,
        ensemble: Uuid,
        memory: &Memory,
    ) -> std::result::Result<(PackedRows, Arc<Held>), E>
    where
        E: From<ServiceError> + From<OutOfMemory>,
    {
        let load = async {
            let rows = self.stored_rows(account, ensemble).await?;
            Ok(rows.0)
        };
        let key = (ensemble, RowsForm::Packed);
        let (rows, held) = self.rows.get::<E>(account, key, memory, load).await?;
        Ok((PackedRows(rows), held))
    }

    /// Returns the rows for a client that wants them unpacked.
    pub(crate) async fn unpacked_rows<E>(
        &self,
        account: Account,
        ensemble: Uuid,
        memory: &Memory,
    ) -> std::result::Result<(RowsToUnpack, Arc<Held>), E>
    where
        E: From<ServiceError> + From<OutOfMemory>,
    {
        let key = (ensemble, RowsForm::Unpacked);
        if let Some((body, held)) = self.rows.cached(account, key, memory) {
            return Ok((RowsToUnpack::Unpacked(body), held));
        }
        // Loaded before taking a place, since otherwise one request would hold two places.
        let (packed, held) = self.rows::<E>(account, ensemble, memory).await?;
        let length = packed.length();
        if length > UNPACKED {
            return Ok((RowsToUnpack::TooLong(packed), held));
        }
        let unpack = move || {
            packed
                .unpack()
                .map_err(|error| ServiceError::unexpected(error.to_string()))
        };
        let load = self.workers.run_sized(account, length, unpack);
        let (body, held) = self.rows.get::<E>(account, key, memory, load).await?;
        Ok((RowsToUnpack::Unpacked(body), held))
    }

    /// Returns the stored rows. The rows of a synchronized ensemble are drawn at the first request.
    async fn stored_rows(&self, account: Account, ensemble: Uuid) -> Result<PackedRows> {
        match self.database.rows(account, ensemble).await {
            Err(ServiceError::NotFound(..)) => {}
            found => return found,
        }
        let _permit = metrics::DRAWING.wait(self.drawing.take(account)).await?;
        let Undrawn {
            definition,
            size,
            seed,
            sampler_version,
            digest,
        } = self.database.undrawn(account, ensemble).await?;
        if sampler_version != SAMPLER_VERSION {
            let message = format!(
                "the rows of the ensemble {ensemble} are drawn by sampler version \
                 {sampler_version}, but this server has version {SAMPLER_VERSION}: use a \
                 tdg-server that has it"
            );
            return Err(ServiceError::Conflict(message.into()));
        }
        let draw = move || {
            let request = NewEnsemble {
                ensemble_name: None,
                size,
                seed: Some(seed),
            };
            let (drawn, rows) = rules::draw(&rules::stored_definition(&definition)?, &request)?;
            if drawn.digest != digest {
                let message = format!(
                    "the rows of the ensemble {ensemble} have the digest {}, but it was recorded \
                     with {digest}: delete it, and run `cargo tdg push --revive` where it was recorded",
                    drawn.digest
                );
                return Err(ServiceError::Conflict(message.into()));
            }
            Ok(PackedRows::pack(&rows))
        };
        let rows = self.workers.run(account, 0, draw).await?;
        let kept = self.database.keep_rows(account, ensemble, rows.clone());
        kept.await?;
        Ok(rows)
    }

    /// Returns the outputs that a benchmark expects, and their memory. They may be cached after the
    /// benchmark was deleted.
    pub(crate) async fn expected<E>(
        &self,
        account: Account,
        benchmark: Uuid,
        memory: &Memory,
    ) -> std::result::Result<(Arc<LoadedExpected>, Arc<Held>), E>
    where
        E: From<ServiceError> + From<OutOfMemory>,
    {
        let load = async {
            let expected = self.database.expected(account, benchmark).await?;
            let in_use = InUse::default();
            Ok(Arc::new(LoadedExpected { expected, in_use }))
        };
        self.expected.get(account, benchmark, memory, load).await
    }
}

/// Expected outputs that requests share.
pub(crate) struct LoadedExpected {
    expected: ExpectedBenchmark,
    in_use: InUse,
}

impl Deref for LoadedExpected {
    type Target = ExpectedBenchmark;

    fn deref(&self) -> &ExpectedBenchmark {
        &self.expected
    }
}

impl Large for Arc<LoadedExpected> {
    /// Counts the text, the end of each output in it, and a rule for each pointer of the policy.
    fn bytes(&self) -> usize {
        const NODE: usize = 176;
        let outputs = &self.outputs;
        let nodes = self.policy.as_ref().map(PolicyNode::root);
        let nodes = nodes.map_or(0, PolicyNode::count);
        outputs.as_json().len() + outputs.len() * size_of::<usize>() + nodes * NODE
    }

    fn in_use(&self) -> &InUse {
        &self.in_use
    }
}

/// The forms in which rows are sent.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum RowsForm {
    Packed,
    Unpacked,
}

/// Rows for a client that wants them unpacked.
pub(crate) enum RowsToUnpack {
    /// The rows are unpacked.
    Unpacked(RowsBody),
    /// The rows are unpacked part by part, as the client reads them.
    TooLong(PackedRows),
}

impl Large for RowsBody {
    fn bytes(&self) -> usize {
        RowsBody::bytes(self).len()
    }

    fn in_use(&self) -> &InUse {
        self.in_use()
    }
}

/// Returns the bytes that the idempotency key of a request counts as.
fn key_bytes(request: Option<&IdempotentRequest>) -> usize {
    request.map_or(0, |it| {
        Usage::keys(1, it.key.as_str().len() as u64) as usize
    })
}

fn idempotent(
    key: Option<IdempotencyKey>,
    operation: Operation,
    path: &[Uuid],
    json: impl FnOnce() -> String,
) -> Option<IdempotentRequest> {
    key.map(|key| IdempotentRequest::new(&key, operation, path, &json()))
}

/// Returns true if an ensemble is drawn quickly. A list may be much longer than estimated.
fn is_small(definition: &tdg_definition::Definition, size: usize) -> bool {
    let is_single = |feature: &Feature| feature.parts().features().is_empty();
    definition.work(size) <= SMALL_WORK && definition.features().iter().all(is_single)
}

/// Refuses long definitions, because every list with a definition includes its text.
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

/// Parses the rows of an ensemble of the definition.
fn unpacked(definition: &str, packed: &PackedRows) -> Result<Vectors> {
    let rows = packed.rows().map_err(|error| {
        let message = format!("the rows of the ensemble are damaged: {error}");
        ServiceError::unexpected(message).caused_by(error)
    })?;
    rules::stored_rows(definition, &rows)
}

/// Outputs that were compared with the expected ones.
struct ComparedOutputs {
    actual: Outputs,
    /// The differences, or `None` if the outputs are as expected.
    differing: Option<rules::JudgedDifferences>,
}

fn compare(expected: &ExpectedBenchmark, new: NewAssertion) -> Result<ComparedOutputs> {
    let actual = new.output_to_assert;
    rules::check_outputs("output_to_assert", &actual, expected.size)?;
    let differing = rules::differing(&expected.outputs, &actual, expected.policy.as_ref())?;
    Ok(ComparedOutputs { actual, differing })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::time::Duration;

    use futures_util::FutureExt;
    use tokio::sync::oneshot;
    use tokio::{task, time};

    /// Creates a benchmark of one row that expects 1.
    async fn benchmark(operations: &Operations, account: Account) -> Uuid {
        let project = operations.create_project(account, "{}".to_owned(), None);
        let project = project.await.unwrap().project_uuid;
        let feature = r#"{"type":"INTEGER","distribution":{"type":"constant","value":1}}"#;
        let body =
            format!(r#"{{"project_uuid":"{project}","definition":{{"features":[{feature}]}}}}"#);
        let definition = operations.create_definition(account, ProjectLimit::NONE, body, None);
        let definition = definition.await.unwrap().definition_uuid;
        let body = r#"{"size":1}"#.to_owned();
        let ensemble = operations.create_ensemble(account, definition, body, None);
        let parents = (definition, ensemble.await.unwrap().ensemble_uuid);
        let body = r#"{"expected_output":[1]}"#.to_owned();
        let benchmark = operations.create_benchmark(account, parents, body, None);
        benchmark.await.unwrap().benchmark_uuid
    }

    #[tokio::test]
    async fn an_account_holds_the_values_of_few_comparisons_until_their_diffs_are_made() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("tdg.db").display());
        let opened = crate::database::open(&url.parse().unwrap(), None, 2).await;
        let database = opened.unwrap().database;
        let (one, other) = (
            database.account("one").await.unwrap(),
            database.account("other").await.unwrap(),
        );
        let limits = Limits::default();
        let operations = Operations::new(database, Workers::new(1), limits, 1000);
        let operations = Arc::new(operations);
        let (mine, theirs) = (
            benchmark(&operations, one).await,
            benchmark(&operations, other).await,
        );
        let assert = |account, benchmark, output: i32| {
            let operations = operations.clone();
            task::spawn(async move {
                let body = format!(r#"{{"output_to_assert":[{output}]}}"#);
                let memory = Memory::new(1 << 20);
                let asserted = operations.assert(account, benchmark, body, None, &memory);
                asserted.await.unwrap().diff.is_some()
            })
        };

        // The only worker, which makes diffs, is kept busy.
        let (begin, begun) = oneshot::channel();
        let (end, ended) = oneshot::channel::<()>();
        let working = operations.clone();
        let work = task::spawn(async move {
            let work = move || {
                begin.send(()).unwrap();
                drop(ended.blocking_recv());
                Ok(())
            };
            working.workers.run(other, 0, work).await
        });
        begun.await.unwrap();
        let changed = [(); COMPARED_BY_ACCOUNT].map(|()| assert(one, mine, 2));
        let compared = async {
            while operations.workers.waiting() < COMPARED_BY_ACCOUNT {
                task::yield_now().await;
            }
        };
        time::timeout(Duration::from_secs(60), compared)
            .await
            .expect("they are compared");
        let mut next = pin!(operations.comparing.take(one));
        assert!(next.as_mut().now_or_never().is_none());
        assert!(!assert(other, theirs, 1).await.unwrap());

        drop(end);
        work.await.unwrap().unwrap();
        for asserted in changed {
            assert!(asserted.await.unwrap());
        }
        next.await.unwrap();
    }
}
