//! Assertions. Most of a write's time is waiting for the disk, so the assertions of an account that
//! have arrived meanwhile are written together: many of them, one statement, one wait.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use deadpool_postgres::{Client, Transaction};
use tdg_service::record::RunRecord;
use tdg_service::{
    AssertionEntry, IdempotentRequest, List, ObjectKind, Page, Result, ServiceError, Timestamp,
    Uuid,
};
use tokio::sync::oneshot;
use tokio_postgres::Row;

use super::Postgres;
use super::error::{PostgresError, PostgresResult};
use super::pool::Pool;
use super::statement::{Param, all, execute, first, require, time};
use crate::database::idempotency::find_or_make;
use crate::database::page::{PageRange, Reading, ResponseBudget, bytes};
use crate::database::{Account, Assertions, Made, assertion_uuid};
use crate::metrics;

/// The most assertions that are written together.
const GROUP: usize = 256;

#[async_trait]
impl Assertions for Postgres {
    async fn history(
        &self,
        account: Account,
        benchmark: Uuid,
        page: Page,
    ) -> Result<List<AssertionEntry>> {
        let args = (account, benchmark, PageRange::of(&page)?);
        self.pool
            .of(account)
            .await?
            .read_transaction(args, |transaction, (account, benchmark, range)| {
                Box::pin(async move {
                    let parent = "SELECT 1 FROM benchmark WHERE account = $1 AND uuid = $2";
                    let found = first(transaction, parent, &[&account.0, benchmark]).await?;
                    require(found, ObjectKind::Benchmark, *benchmark)?;
                    // Of those that do not fit, only one is read.
                    let sql = "SELECT uuid, timestamp, asserted, run FROM (
                             SELECT page.*, sum(length) OVER (
                                 ORDER BY timestamp DESC, uuid DESC) - length AS before
                             FROM (
                                 SELECT uuid, timestamp, asserted, run,
                                     coalesce(octet_length(run), 0) AS length
                                 FROM assertion
                                 WHERE account = $1 AND benchmark = $2
                                     AND (timestamp, uuid) < ($3, $4)
                                 ORDER BY timestamp DESC, uuid DESC LIMIT $5
                             ) AS page
                         ) AS page WHERE before <= $6
                         ORDER BY timestamp DESC, uuid DESC";
                    let ((timestamp, uuid), limit) = (range.before(), range.query_limit());
                    let (mut reading, mut budget) = (Reading::new(range), ResponseBudget::new());
                    let most = i64::try_from(budget.left()).unwrap_or(i64::MAX);
                    let params: [Param<'_>; 6] =
                        [&account.0, benchmark, &timestamp, &uuid, &limit, &most];
                    for row in &all(transaction, sql, &params).await? {
                        let (entry, run): (_, Option<&str>) = (read(row)?, row.try_get(3)?);
                        let place = (entry.timestamp.as_micros(), entry.assertion_uuid);
                        let length = run.map_or(0, str::len);
                        if !reading.admits(place, bytes::assertion(length), &mut budget) {
                            break;
                        }
                        let run = run.map(RunRecord::from_text).transpose();
                        let run =
                            run.map_err(|error| PostgresError::corrupt("assertion", error))?;
                        reading.push(AssertionEntry { run, ..entry }, Vec::new());
                    }
                    Ok(reading.list())
                })
            })
            .await
    }

    async fn create_assertion(
        &self,
        account: Account,
        benchmark: Uuid,
        asserted: bool,
        request: Option<IdempotentRequest>,
    ) -> Result<AssertionEntry> {
        let timestamp = Timestamp::now();
        let new = Arc::new(NewEntry {
            account,
            benchmark,
            entry: AssertionEntry {
                assertion_uuid: assertion_uuid(timestamp),
                timestamp,
                asserted,
                run: None,
            },
            request,
        });
        if self.assertions.write(new.clone()).await? {
            return Ok(new.entry.clone());
        }
        self.pool
            .of(account)
            .await?
            .transaction(new, |transaction, new| {
                Box::pin(add_or_find(transaction, new))
            })
            .await
    }
}

/// Writes assertions in groups, one of an account at a time.
pub(super) struct AssertionWriter {
    pool: Pool,
    waiting: Arc<WaitingAssertions>,
}

/// The assertions that wait for the group of their account before them.
#[derive(Default)]
struct WaitingAssertions(Mutex<HashMap<Account, Vec<AssertionJob>>>);

struct AssertionJob {
    new: Arc<NewEntry>,
    /// Whether it was written.
    answer: oneshot::Sender<Result<bool>>,
    /// Dropped when it is its turn.
    waiting: metrics::Waiting,
}

/// An assertion before it is written.
struct NewEntry {
    account: Account,
    benchmark: Uuid,
    entry: AssertionEntry,
    request: Option<IdempotentRequest>,
}

impl AssertionWriter {
    pub(super) fn new(pool: &Pool) -> Self {
        AssertionWriter {
            pool: pool.clone(),
            waiting: Arc::default(),
        }
    }

    /// Whether the assertion was written. It isn't if its benchmark is gone, if the same request
    /// came before, or if the database has refused the group.
    async fn write(&self, new: Arc<NewEntry>) -> Result<bool> {
        let account = new.account;
        let (answer, answered) = oneshot::channel();
        let waiting = metrics::WRITER.enter();
        let job = AssertionJob {
            new,
            answer,
            waiting,
        };
        if self.waiting.add(account, job) {
            tokio::spawn(write_groups(
                self.pool.clone(),
                self.waiting.clone(),
                account,
            ));
        }
        let ending = |_| ServiceError::unavailable("the server is shutting down; try again");
        answered.await.map_err(ending)?
    }
}

impl WaitingAssertions {
    /// Whether nobody is writing for the account yet.
    fn add(&self, account: Account, job: AssertionJob) -> bool {
        match self.jobs().entry(account) {
            Entry::Occupied(mut jobs) => {
                jobs.get_mut().push(job);
                false
            }
            Entry::Vacant(jobs) => {
                jobs.insert(vec![job]);
                true
            }
        }
    }

    /// The next group of an account. There is none once all are written.
    fn group(&self, account: Account) -> Option<Vec<AssertionJob>> {
        let mut jobs = self.jobs();
        let waiting = jobs.get_mut(&account)?;
        // A caller that has given up may ask again.
        waiting.retain(|job| !job.answer.is_closed());
        if waiting.is_empty() {
            jobs.remove(&account);
            return None;
        }
        Some(waiting.drain(..waiting.len().min(GROUP)).collect())
    }

    fn jobs(&self) -> MutexGuard<'_, HashMap<Account, Vec<AssertionJob>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn write_groups(pool: Pool, waiting: Arc<WaitingAssertions>, account: Account) {
    while let Some(group) = waiting.group(account) {
        let jobs = group.into_iter().map(|job| {
            drop(job.waiting);
            (job.new, job.answer)
        });
        let (new, answers): (Vec<_>, Vec<_>) = jobs.unzip();
        let written = write_group(&pool, account, &new).await;
        for (new, answer) in new.iter().zip(answers) {
            let uuid = new.entry.assertion_uuid;
            let written = written.as_ref().map(|written| written.contains(&uuid));
            // The caller may have gone away.
            drop(answer.send(written.map_err(Clone::clone)));
        }
    }
}

async fn write_group(
    pool: &Pool,
    account: Account,
    new: &[Arc<NewEntry>],
) -> Result<HashSet<Uuid>> {
    let pool = pool.of(account).await?;
    pool.query((account, new.to_vec()), |client, (account, new)| {
        Box::pin(insert(client, *account, new))
    })
    .await
}

/// Adds each assertion whose benchmark exists and whose request is new. Returns those that it
/// added.
async fn insert(
    client: &Client,
    account: Account,
    group: &[Arc<NewEntry>],
) -> PostgresResult<HashSet<Uuid>> {
    let sql = "WITH given AS (
             SELECT * FROM unnest(
                 $2::uuid[], $3::bigint[], $4::boolean[], $5::uuid[], $6::text[], $7::bytea[]
             ) AS given (uuid, timestamp, asserted, benchmark, key, fingerprint)
         ), found AS (
             SELECT given.* FROM given
             JOIN benchmark ON benchmark.account = $1 AND benchmark.uuid = given.benchmark
         ), intended AS (
             INSERT INTO idempotency (account, key, fingerprint, made, made_at, added)
             SELECT $1, key, fingerprint, uuid, timestamp, timestamp FROM found
             WHERE key IS NOT NULL
             ON CONFLICT DO NOTHING RETURNING made
         )
         INSERT INTO assertion (account, benchmark, timestamp, uuid, asserted)
         SELECT $1, benchmark, timestamp, uuid, asserted FROM found
         WHERE key IS NULL OR uuid IN (SELECT made FROM intended)
         RETURNING uuid";
    let uuids = column(group, |new| new.entry.assertion_uuid);
    let timestamps = column(group, |new| new.entry.timestamp.as_micros());
    let asserted = column(group, |new| new.entry.asserted);
    let benchmarks = column(group, |new| new.benchmark);
    let requests = column(group, |new| new.request.as_ref());
    let keys = column(&requests, |request| {
        request.map(|request| request.key.as_str())
    });
    let fingerprints = column(&requests, |request| {
        request.map(|request| &request.fingerprint.as_bytes()[..])
    });
    let params: [Param<'_>; 7] = [
        &account.0,
        &uuids,
        &timestamps,
        &asserted,
        &benchmarks,
        &keys,
        &fingerprints,
    ];
    match all(client, sql, &params).await {
        Ok(rows) => rows.iter().map(|row| Ok(row.try_get(0)?)).collect(),
        // Each is tried alone, so that the fault of one does not fail the others.
        Err(error) if error.is_refusal() => Ok(HashSet::new()),
        Err(error) => Err(error),
    }
}

fn column<'a, A, T>(of: &'a [A], value: impl Fn(&'a A) -> T) -> Vec<T> {
    of.iter().map(value).collect()
}

/// Adds an assertion that its group did not write, or finds out why that is impossible.
async fn add_or_find(
    transaction: &Transaction<'_>,
    new: &NewEntry,
) -> PostgresResult<AssertionEntry> {
    let (account, benchmark, entry) = (&new.account.0, &new.benchmark, &new.entry);
    let sql = "SELECT 1 FROM benchmark WHERE account = $1 AND uuid = $2";
    let parent = first(transaction, sql, &[account, benchmark]).await?;
    require(parent, ObjectKind::Benchmark, *benchmark)?;
    let find = async |made: Made| {
        let sql = "SELECT uuid, timestamp, asserted FROM assertion
             WHERE account = $1 AND benchmark = $2 AND timestamp = $3 AND uuid = $4";
        let at = made.at.map(Timestamp::as_micros);
        let params: [Param<'_>; 4] = [account, benchmark, &at, &made.uuid];
        let row = first(transaction, sql, &params).await?;
        let found = row.as_ref().map(read).transpose()?;
        require(found, ObjectKind::Benchmark, *benchmark)
    };
    let (uuid, timestamp) = (entry.assertion_uuid, entry.timestamp);
    let make = async {
        let sql = "INSERT INTO assertion (account, benchmark, timestamp, uuid, asserted)
             VALUES ($1, $2, $3, $4, $5)";
        let timestamp = timestamp.as_micros();
        let params: [Param<'_>; 5] = [account, benchmark, &timestamp, &uuid, &entry.asserted];
        execute(transaction, sql, &params).await?;
        Ok(entry.clone())
    };
    let request = new.request.as_ref();
    let at = Some(timestamp);
    find_or_make(
        transaction.into(),
        new.account,
        request,
        find,
        (Made { uuid, at }, make),
    )
    .await
}

fn read(row: &Row) -> PostgresResult<AssertionEntry> {
    Ok(AssertionEntry {
        assertion_uuid: row.try_get(0)?,
        timestamp: time(row, 1)?,
        asserted: row.try_get(2)?,
        run: None,
    })
}
