//! Assertions on their way to the disk. Waiting for it takes longer than everything else, so what has come
//! meanwhile goes together: many assertions, one statement, one wait.

use std::collections::HashSet;
use std::sync::Arc;

use crate::database::Account;
use deadpool_postgres::{Client, Transaction};
use tdg_service::{AssertionEntry, Kind, Once, Result, ServiceError, Timestamp, Uuid};
use tokio::sync::{mpsc, oneshot};

use super::create::execute;
use super::failure::Outcome;
use super::find::{all, first, missing};
use super::pool::Pool;
use super::{once, row};

/// How many wait at most, and go together.
const QUEUE: usize = 1024;
const GROUP: usize = 256;

/// The way to the history.
pub(super) struct Assertions {
    pool: Pool,
    queue: mpsc::Sender<Waiting>,
}

/// One that nobody has written yet.
struct New {
    account: Account,
    benchmark: Uuid,
    entry: AssertionEntry,
    once: Option<Once>,
}

struct Waiting {
    new: Arc<New>,
    /// Whether it was written.
    answer: oneshot::Sender<Result<bool>>,
}

impl Assertions {
    /// Writes for as long as somebody may ask for it.
    pub(super) fn start(pool: &Pool) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        tokio::spawn(write(pool.clone(), waiting));
        Assertions {
            pool: pool.clone(),
            queue,
        }
    }

    /// Adds one to the history of a benchmark, or finds the one that the same request has added before.
    pub(super) async fn add(
        &self,
        account: Account,
        benchmark: Uuid,
        asserted: bool,
        once: Option<Once>,
    ) -> Result<AssertionEntry> {
        let timestamp = Timestamp::now();
        let new = Arc::new(New {
            account,
            benchmark,
            entry: AssertionEntry {
                assertion_uuid: place(timestamp),
                timestamp,
                asserted,
            },
            once,
        });
        let (answer, answered) = oneshot::channel();
        let waiting = Waiting {
            new: new.clone(),
            answer,
        };
        let ending = || ServiceError::Unavailable("the server is ending; try again".to_owned());
        self.queue.send(waiting).await.map_err(|_| ending())?;
        if answered.await.map_err(|_| ending())?? {
            return Ok(new.entry.clone());
        }
        self.pool
            .write(new, |unit, new| Box::pin(add_or_find(unit, new)))
            .await
    }
}

/// The identifier of an assertion, which is its place in the history: in the order of time, to the microsecond.
fn place(timestamp: Timestamp) -> Uuid {
    // So many bits hold the microseconds of a millisecond.
    const WITHIN: u8 = 10;
    let micros = timestamp.as_micros().unsigned_abs();
    let (seconds, micros) = (micros / 1_000_000, (micros % 1_000_000) as u32);
    let within = u128::from(micros % 1_000);
    let time = uuid::Timestamp::from_unix_time(seconds, micros * 1_000, within, WITHIN);
    Uuid::new_v7(time)
}

async fn write(pool: Pool, mut queue: mpsc::Receiver<Waiting>) {
    let mut group = Vec::new();
    while queue.recv_many(&mut group, GROUP).await > 0 {
        // Whoever has given up may ask again.
        group.retain(|waiting: &Waiting| !waiting.answer.is_closed());
        if group.is_empty() {
            continue;
        }
        let group = group.drain(..).map(|waiting| (waiting.new, waiting.answer));
        let (group, answers): (Vec<_>, Vec<_>) = group.unzip();
        let written = pool
            .statement(group.clone(), |client, group| {
                Box::pin(insert(client, group))
            })
            .await;
        for (new, answer) in group.iter().zip(answers) {
            let uuid = new.entry.assertion_uuid;
            let written = written.as_ref().map(|written| written.contains(&uuid));
            // Whoever asked may have gone away.
            drop(answer.send(written.map_err(Clone::clone)));
        }
    }
}

/// Adds each whose benchmark is there and whose request never came before, and tells which it has added.
async fn insert(client: &Client, group: &[Arc<New>]) -> Outcome<HashSet<Uuid>> {
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
    let once = column(group, |new| new.once.as_ref());
    let keys = column(&once, |once| once.map(|once| once.key.as_str()));
    let fingerprints = column(&once, |once| {
        once.map(|once| &once.fingerprint.as_bytes()[..])
    });
    let written = all(
        client,
        sql,
        &[
            &uuids,
            &timestamps,
            &asserted,
            &benchmarks,
            &accounts,
            &keys,
            &fingerprints,
        ],
    )
    .await;
    match written {
        Ok(rows) => rows.iter().map(|row| Ok(row.try_get(0)?)).collect(),
        // Each goes its own way, so that what is wrong with one is not the others'.
        Err(failure) if failure.is_refusal() => Ok(HashSet::new()),
        Err(failure) => Err(failure),
    }
}

fn column<'a, A, T>(of: &'a [A], value: impl Fn(&'a A) -> T) -> Vec<T> {
    of.iter().map(value).collect()
}

/// One that was not written, and why isn't known yet.
async fn add_or_find(unit: &Transaction<'_>, new: &New) -> Outcome<AssertionEntry> {
    let New {
        account,
        benchmark,
        entry,
        once,
    } = new;
    let sql = "SELECT 1 FROM benchmark WHERE uuid = $1 AND account = $2";
    let parent = first(unit, sql, &[benchmark, &account.0]).await?;
    missing(parent, Kind::Benchmark, *benchmark)?;
    let find = async |made| {
        let sql = "SELECT uuid, timestamp, asserted FROM assertion
             WHERE benchmark = $1 AND uuid = $2";
        let row = first(unit, sql, &[benchmark, &made]).await?;
        let found = row.as_ref().map(row::entry).transpose()?;
        Ok(missing(found, Kind::Benchmark, *benchmark)?)
    };
    let (new, timestamp) = (entry.assertion_uuid, entry.timestamp.as_micros());
    let make = async {
        let sql =
            "INSERT INTO assertion (benchmark, uuid, timestamp, asserted) VALUES ($1, $2, $3, $4)";
        execute(unit, sql, &[benchmark, &new, &timestamp, &entry.asserted]).await?;
        Ok(entry.clone())
    };
    once::find_or_make(unit, *account, once.as_ref(), find, (new, make)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_has_its_place_by_its_time() {
        const NOW: i64 = 1_615_241_668_473_646;
        let micros = [
            NOW,
            NOW + 1,
            NOW + 353,
            NOW + 354,
            NOW + 355,
            NOW + 10_000_000,
        ];
        let places = micros.map(|micros| place(Timestamp::from_micros(micros)));
        assert!(places.is_sorted(), "{places:?}");
        for (micros, place) in micros.into_iter().zip(places) {
            let (seconds, nanos) = place.get_timestamp().unwrap().to_unix();
            let millis = seconds * 1_000 + u64::from(nanos / 1_000_000);
            assert_eq!(millis, micros.unsigned_abs() / 1_000);
        }
        assert_ne!(place(Timestamp::from_micros(NOW)), places[0]);
    }
}
