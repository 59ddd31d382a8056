//! Writes assertions. Most of a write's time is spent waiting for the disk. Assertions of an
//! account that arrive in the meantime are therefore grouped: one statement, one wait.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use tdg_service::{AssertionEntry, IdempotentRequest, Result, Uuid};
use tokio::sync::oneshot;

use super::pool::Pool;
use crate::account::Account;
use crate::background::ending;
use crate::database::error::DatabaseResult;
use crate::database::session::DatabaseSession;
use crate::database::sql::{column, sql};
use crate::lock::locked;
use crate::metrics;

/// The maximum number of assertions in a group.
const GROUP: usize = 256;

/// Writes assertions in groups, one group per account at a time.
pub(in crate::database) struct AssertionWriter {
    pool: Pool,
    waiting: Arc<WaitingAssertions>,
}

/// The assertions that wait for their account's previous group.
#[derive(Default)]
struct WaitingAssertions(Mutex<HashMap<Account, Vec<AssertionJob>>>);

struct AssertionJob {
    new: Arc<NewEntry>,
    /// Receives true if it was written.
    answer: oneshot::Sender<Result<bool>>,
    /// Dropped when its turn comes.
    waiting: metrics::Waiting,
}

/// An assertion that isn't written yet.
pub(in crate::database) struct NewEntry {
    pub(in crate::database) account: Account,
    pub(in crate::database) benchmark: Uuid,
    pub(in crate::database) entry: AssertionEntry,
    pub(in crate::database) request: Option<IdempotentRequest>,
}

impl AssertionWriter {
    pub(super) fn new(pool: &Pool) -> Self {
        AssertionWriter {
            pool: pool.clone(),
            waiting: Arc::default(),
        }
    }

    /// Writes an assertion. Returns false if its benchmark no longer exists, if the same request
    /// came before, or if the database has refused the group.
    pub(in crate::database) async fn write(&self, new: Arc<NewEntry>) -> Result<bool> {
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
        answered.await.map_err(|_| ending())?
    }
}

impl WaitingAssertions {
    /// Adds an assertion. Returns true if the account has no writer yet.
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

    /// Takes the next group of an account, or `None` once all are written.
    fn group(&self, account: Account) -> Option<Vec<AssertionJob>> {
        let mut jobs = self.jobs();
        let waiting = jobs.get_mut(&account)?;
        // The caller has given up, and may retry.
        waiting.retain(|job| !job.answer.is_closed());
        if waiting.is_empty() {
            jobs.remove(&account);
            return None;
        }
        Some(waiting.drain(..waiting.len().min(GROUP)).collect())
    }

    fn jobs(&self) -> MutexGuard<'_, HashMap<Account, Vec<AssertionJob>>> {
        locked(&self.0)
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
            // The caller may be gone.
            drop(answer.send(written.map_err(Clone::clone)));
        }
    }
}

async fn write_group(
    pool: &Pool,
    account: Account,
    new: &[Arc<NewEntry>],
) -> Result<HashSet<Uuid>> {
    let pool = pool.for_account(account).await?;
    pool.find(account, new.to_vec(), |session, new| {
        Box::pin(insert(session, new))
    })
    .await
}

/// Adds each assertion whose benchmark exists and whose request is new. Returns the added ones.
async fn insert(
    session: DatabaseSession<'_>,
    group: &[Arc<NewEntry>],
) -> DatabaseResult<HashSet<Uuid>> {
    let sql = sql!(
        postgres: "WITH given AS (
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
         RETURNING uuid"
    );
    let columns = [
        &column(group, |new| new.entry.assertion_uuid) as _,
        &column(group, |new| new.entry.timestamp.as_micros()) as _,
        &column(group, |new| new.entry.asserted) as _,
        &column(group, |new| new.benchmark) as _,
        &column(group, |new| Some(new.request.as_ref()?.key.as_str())) as _,
        &column(group, |new| {
            Some(&new.request.as_ref()?.fingerprint.as_bytes()[..])
        }) as _,
    ];
    match session.each(sql, &[], &columns, |row| row.get(0)).await {
        Ok(made) => Ok(made.into_iter().collect()),
        // Each is retried alone, so that the fault of one doesn't fail the others.
        Err(error) if error.is_refusal() => Ok(HashSet::new()),
        Err(error) => Err(error),
    }
}
