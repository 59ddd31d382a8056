//! Assertions. Most of a write's time is waiting for the disk, so the assertions that have arrived
//! meanwhile are written together: many of them, one statement, one wait.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use deadpool_postgres::{Client, Transaction};
use tdg_service::{
    AssertionEntry, IdempotentRequest, Kind, List, Page, Result, ServiceError, Timestamp, Uuid,
    rules,
};
use tokio::sync::{mpsc, oneshot};
use tokio_postgres::Row;

use super::error::DbResult;
use super::pool::Pool;
use super::statement::{Param, all, execute, first, require, time};
use super::{Postgres, idempotency};
use crate::database::{Account, Assertions, assertion_uuid};
use crate::metrics;

/// The most assertions that wait in the queue, and that are written together.
const QUEUE: usize = 1024;
const GROUP: usize = 256;

#[async_trait]
impl Assertions for Postgres {
    async fn history(
        &self,
        account: Account,
        benchmark: Uuid,
        page: Page,
    ) -> Result<List<AssertionEntry>> {
        let limit = rules::page_limit(&page)?;
        let before = match &page.cursor {
            None => Uuid::max(),
            Some(cursor) => Uuid::try_parse(cursor).map_err(|_| rules::unknown_cursor())?,
        };
        let args = (account, benchmark, before, limit);
        self.pool
            .read_transaction(args, |transaction, (account, benchmark, before, limit)| {
                Box::pin(async move {
                    let parent = "SELECT 1 FROM benchmark WHERE uuid = $1 AND account = $2";
                    let found = first(transaction, parent, &[benchmark, &account.0]).await?;
                    require(found, Kind::Benchmark, *benchmark)?;
                    let sql = "SELECT uuid, timestamp, asserted FROM assertion
                         WHERE benchmark = $1 AND uuid < $2 ORDER BY uuid DESC LIMIT $3";
                    // One more than the page shows tells whether there is a next page.
                    let query_limit = *limit as i64 + 1;
                    let params: [Param<'_>; 3] = [benchmark, before, &query_limit];
                    let rows = all(transaction, sql, &params).await?;
                    let items = rows.iter().take(*limit).map(read);
                    let items: Vec<AssertionEntry> = items.collect::<DbResult<_>>()?;
                    let last = items.last().map(|last| last.assertion_uuid.to_string());
                    Ok(List {
                        items,
                        next: last.filter(|_| rows.len() > *limit),
                    })
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
            },
            request,
        });
        if self.assertions.write(new.clone()).await? {
            return Ok(new.entry.clone());
        }
        self.pool
            .transaction(new, |transaction, new| {
                Box::pin(add_or_find(transaction, new))
            })
            .await
    }
}

/// Sends assertions to the task that writes them.
pub(super) struct AssertionWriter {
    queue: mpsc::Sender<Job>,
}

struct Job {
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
    /// Starts the task. It ends when the `AssertionWriter` is dropped and the queue is empty.
    pub(super) fn start(pool: &Pool) -> Self {
        let (queue, jobs) = mpsc::channel(QUEUE);
        tokio::spawn(write_groups(pool.clone(), jobs));
        AssertionWriter { queue }
    }

    /// Whether the assertion was written. It isn't if its benchmark is gone, if the same request
    /// came before, or if the database has refused the group.
    async fn write(&self, new: Arc<NewEntry>) -> Result<bool> {
        let ending = || ServiceError::unavailable("the server is shutting down; try again");
        let (answer, answered) = oneshot::channel();
        let waiting = metrics::WRITER.enter();
        let job = Job {
            new,
            answer,
            waiting,
        };
        let sent = self.queue.send(job).await;
        sent.map_err(|_| ending())?;
        answered.await.map_err(|_| ending())?
    }
}

async fn write_groups(pool: Pool, mut queue: mpsc::Receiver<Job>) {
    let mut group = Vec::new();
    while queue.recv_many(&mut group, GROUP).await > 0 {
        // A caller that has given up may ask again.
        group.retain(|job: &Job| !job.answer.is_closed());
        if group.is_empty() {
            continue;
        }
        let jobs = group.drain(..).map(|job| {
            drop(job.waiting);
            (job.new, job.answer)
        });
        let (new, answers): (Vec<_>, Vec<_>) = jobs.unzip();
        let written = pool
            .query(new.clone(), |client, new| Box::pin(insert(client, new)))
            .await;
        for (new, answer) in new.iter().zip(answers) {
            let uuid = new.entry.assertion_uuid;
            let written = written.as_ref().map(|written| written.contains(&uuid));
            // The caller may have gone away.
            drop(answer.send(written.map_err(Clone::clone)));
        }
    }
}

/// Adds each assertion whose benchmark exists and whose request is new. Returns those that it
/// added.
async fn insert(client: &Client, group: &[Arc<NewEntry>]) -> DbResult<HashSet<Uuid>> {
    let sql = "WITH given AS (
             SELECT * FROM unnest(
                 $1::uuid[], $2::bigint[], $3::boolean[], $4::uuid[], $5::bigint[], $6::text[], $7::bytea[]
             ) AS given (uuid, timestamp, asserted, benchmark, account, key, fingerprint)
         ), found AS (
             SELECT given.* FROM given
             JOIN benchmark ON benchmark.uuid = given.benchmark AND benchmark.account = given.account
         ), intended AS (
             INSERT INTO idempotency (account, key, fingerprint, made, added)
             SELECT account, key, fingerprint, uuid, timestamp FROM found WHERE key IS NOT NULL
             ON CONFLICT DO NOTHING RETURNING made
         )
         INSERT INTO assertion (benchmark, uuid, timestamp, asserted)
         SELECT benchmark, uuid, timestamp, asserted FROM found
         WHERE key IS NULL OR uuid IN (SELECT made FROM intended)
         RETURNING uuid";
    let uuids = column(group, |new| new.entry.assertion_uuid);
    let timestamps = column(group, |new| new.entry.timestamp.as_micros());
    let asserted = column(group, |new| new.entry.asserted);
    let benchmarks = column(group, |new| new.benchmark);
    let accounts = column(group, |new| new.account.0);
    let requests = column(group, |new| new.request.as_ref());
    let keys = column(&requests, |request| {
        request.map(|request| request.key.as_str())
    });
    let fingerprints = column(&requests, |request| {
        request.map(|request| &request.fingerprint.as_bytes()[..])
    });
    let params: [Param<'_>; 7] = [
        &uuids,
        &timestamps,
        &asserted,
        &benchmarks,
        &accounts,
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
async fn add_or_find(transaction: &Transaction<'_>, new: &NewEntry) -> DbResult<AssertionEntry> {
    let (benchmark, entry) = (&new.benchmark, &new.entry);
    let sql = "SELECT 1 FROM benchmark WHERE uuid = $1 AND account = $2";
    let parent = first(transaction, sql, &[benchmark, &new.account.0]).await?;
    require(parent, Kind::Benchmark, *benchmark)?;
    let find = async |made| {
        let sql = "SELECT uuid, timestamp, asserted FROM assertion
             WHERE benchmark = $1 AND uuid = $2";
        let row = first(transaction, sql, &[benchmark, &made]).await?;
        let found = row.as_ref().map(read).transpose()?;
        require(found, Kind::Benchmark, *benchmark)
    };
    let (uuid, timestamp) = (entry.assertion_uuid, entry.timestamp.as_micros());
    let make = async {
        let sql =
            "INSERT INTO assertion (benchmark, uuid, timestamp, asserted) VALUES ($1, $2, $3, $4)";
        let params: [Param<'_>; 4] = [benchmark, &uuid, &timestamp, &entry.asserted];
        execute(transaction, sql, &params).await?;
        Ok(entry.clone())
    };
    let request = new.request.as_ref();
    idempotency::find_or_make(transaction, new.account, request, find, (uuid, make)).await
}

fn read(row: &Row) -> DbResult<AssertionEntry> {
    Ok(AssertionEntry {
        assertion_uuid: row.try_get(0)?,
        timestamp: time(row, 1)?,
        asserted: row.try_get(2)?,
    })
}
