//! Background tasks of the server: collecting garbage, deleting old requests, and pruning histories
//! with a limit.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tdg_service::{Result, Timestamp};
use tokio::time::{sleep, timeout};

use crate::account::Account;
use crate::accounts::{AccountCache, Limits, Quota};
use crate::database::{Database, Keep, ObjectSpan, Owned, PART};
use crate::keys::{Lifetime, SignInTimes};

/// The pause after all garbage was removed, and between two prunings of histories.
const PAUSE: Duration = Duration::from_secs(60);
const BETWEEN_PRUNING: Duration = Duration::from_secs(60 * 60);

/// The retention of undeliverable messages, in microseconds.
const KEEP_FAILED: i64 = 30 * 24 * 60 * 60 * 1_000_000;

/// Runs until the server ends.
pub(crate) async fn run(
    database: Arc<Database>,
    accounts: Arc<AccountCache>,
    limits: Limits,
    keep_deleted: Lifetime,
) {
    let mut pruned: Option<Instant> = None;
    loop {
        if let Err(error) = keep_within_quotas(&database, &limits).await {
            tracing::warn!(%error, "deletions could not be counted");
        }
        let until = keep_deleted.begin(Timestamp::now());
        if let Err(error) = purge_deleted(&database, None, until).await {
            tracing::warn!(%error, "old deletions could not be removed");
        }
        if let Err(error) = until_done(|| database.collect_garbage()).await {
            tracing::warn!(%error, "the remains of deleted objects could not be removed");
        }
        let is_due = pruned.is_none_or(|pruned| pruned.elapsed() >= BETWEEN_PRUNING);
        if is_due {
            match prune_accounts(&database, &limits).await {
                Ok((0, _)) => {}
                Ok((assertions, benchmarks)) => {
                    tracing::info!(assertions, benchmarks, "pruned histories");
                }
                Err(error) => tracing::warn!(%error, "histories could not be pruned"),
            }
            if let Err(error) = until_done(|| database.forget_requests()).await {
                tracing::warn!(%error, "expired idempotency keys could not be deleted");
            }
            let over = SignInTimes::oldest(Timestamp::now());
            if let Err(error) = database.forget_sessions(over).await {
                tracing::warn!(%error, "ended sessions could not be deleted");
            }
            let old = Timestamp::now().as_micros() - KEEP_FAILED;
            let old = Timestamp::from_micros(old);
            if let Err(error) = database.forget_deliveries(old).await {
                tracing::warn!(%error, "old messages for webhooks could not be deleted");
            }
            pruned = Some(Instant::now());
        }
        // A deletion may exceed a quota.
        let _ = timeout(PAUSE, accounts.deletion()).await;
    }
}

/// Computes the sizes of new deletions. An account may keep as many deleted bytes as its quota of
/// bytes. When it has more, its oldest deletions are no longer kept.
async fn keep_within_quotas(database: &Database, of_server: &Limits) -> Result<()> {
    loop {
        let accounts = database.count_deletions().await?;
        if accounts.is_empty() {
            return Ok(());
        }
        for account in accounts {
            let settings = database.settings(account).await?.unwrap_or_default();
            if let Some(bytes) = settings.limits.or(of_server).limit(Quota::Bytes) {
                database.keep_newest_deletions(account, bytes).await?;
            }
        }
    }
}

/// Prunes the histories of accounts with a limit.
async fn prune_accounts(database: &Database, of_server: &Limits) -> Result<(u64, u64)> {
    let (mut assertions, mut benchmarks) = (0, 0);
    for (account, settings) in database.accounts().await? {
        let Some(newest) = settings.limits.or(of_server).limit(Quota::History) else {
            continue;
        };
        let newest = u32::try_from(newest).unwrap_or(u32::MAX);
        let keep = Keep::new(Some(newest), Timestamp::now());
        let pruned = prune_histories(
            database,
            ObjectSpan::from_account(Some(account)),
            keep,
            true,
        )
        .await?;
        assertions += pruned.0;
        benchmarks += pruned.1;
    }
    Ok((assertions, benchmarks))
}

/// Purges deletions up to this time, of one account or of all.
pub(crate) async fn purge_deleted(
    database: &Database,
    account: Option<Account>,
    until: Timestamp,
) -> Result<()> {
    loop {
        let deletions = database.deleted_until(account, until).await?;
        if deletions.is_empty() {
            return Ok(());
        }
        for deletion in deletions {
            let mut is_left = true;
            while is_left {
                let begin = Instant::now();
                is_left = database.purge(deletion).await?;
                rest(begin).await;
            }
        }
    }
}

/// Runs the next part while there is one.
async fn until_done<F: Future<Output = Result<bool>>>(next_part: impl Fn() -> F) -> Result<()> {
    loop {
        let begin = Instant::now();
        if !next_part().await? {
            return Ok(());
        }
        rest(begin).await;
    }
}

/// Counts the assertions of all histories that can be removed, and their benchmarks, and deletes
/// them if requested.
pub(crate) async fn prune_histories(
    database: &Database,
    span: ObjectSpan,
    keep: Keep,
    delete: bool,
) -> Result<(u64, u64)> {
    let (mut assertions, mut benchmarks) = (0, 0);
    let mut next = Some(span);
    while let Some(span) = next {
        let listed = database.benchmarks_in(span).await?;
        next = span.after(&listed);
        for benchmark in listed {
            let old = match delete {
                true => prune_history(database, benchmark, keep).await?,
                false => database.count_old(benchmark, keep).await?,
            };
            assertions += old;
            benchmarks += u64::from(old > 0);
        }
    }
    Ok((assertions, benchmarks))
}

async fn prune_history(database: &Database, benchmark: Owned, keep: Keep) -> Result<u64> {
    let mut all = 0;
    loop {
        let begin = Instant::now();
        let removed = database.prune_history(benchmark, keep).await?;
        all += removed;
        rest(begin).await;
        if removed < PART {
            return Ok(all);
        }
    }
}

/// Leaves the database to others for as long as the last part took.
pub(crate) async fn rest(begin: Instant) {
    sleep(begin.elapsed()).await;
}
