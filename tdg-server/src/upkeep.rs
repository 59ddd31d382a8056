//! What the server does by itself while it serves: it removes the rest of what was deleted, forgets
//! old requests, and prunes histories if there is a limit.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tdg_service::{Result, Timestamp};
use tokio::time::{sleep, timeout};

use crate::accounts::{KnownAccounts, Limits, Quota};
use crate::database::{Account, Database, Keep, ObjectSpan, Owned, PART};
use crate::keys::{Lifetime, SignInTimes};

/// How long to wait after everything was removed, and between two times that histories are pruned.
const PAUSE: Duration = Duration::from_secs(60);
const BETWEEN_PRUNING: Duration = Duration::from_secs(60 * 60);

/// How long messages are kept that no webhook took, in microseconds.
const KEEP_FAILED: i64 = 30 * 24 * 60 * 60 * 1_000_000;

/// Works for as long as the server runs.
pub(crate) async fn run(
    database: Arc<Database>,
    accounts: Arc<KnownAccounts>,
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
            tracing::warn!(%error, "what was deleted long ago could not be removed");
        }
        if let Err(error) = until_done(|| database.collect_garbage()).await {
            tracing::warn!(%error, "the rest of deleted objects could not be removed");
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
                tracing::warn!(%error, "sessions that are over could not be deleted");
            }
            let old = Timestamp::now().as_micros() - KEEP_FAILED;
            let old = Timestamp::from_micros(old);
            if let Err(error) = database.forget_deliveries(old).await {
                tracing::warn!(%error, "old messages for webhooks could not be deleted");
            }
            pruned = Some(Instant::now());
        }
        // A deletion may be one too many for a quota.
        let _ = timeout(PAUSE, accounts.deletion()).await;
    }
}

/// Counts new deletions. What an account has deleted may have as many bytes as what it has: beyond
/// that, the oldest is not kept any more.
async fn keep_within_quotas(database: &Database, of_server: &Limits) -> Result<()> {
    loop {
        let accounts = database.count_deletions().await?;
        if accounts.is_empty() {
            return Ok(());
        }
        for account in accounts {
            let settings = database.settings(account).await?.unwrap_or_default();
            if let Some(bytes) = settings.limits.or(of_server).of(Quota::Bytes) {
                database.keep_newest_deletions(account, bytes).await?;
            }
        }
    }
}

/// Prunes the histories of accounts whose limit says so.
async fn prune_accounts(database: &Database, of_server: &Limits) -> Result<(u64, u64)> {
    let (mut assertions, mut benchmarks) = (0, 0);
    for (account, settings) in database.accounts().await? {
        let Some(newest) = settings.limits.or(of_server).of(Quota::History) else {
            continue;
        };
        let newest = u32::try_from(newest).unwrap_or(u32::MAX);
        let keep = Keep::new(Some(newest), Timestamp::now());
        let pruned = prune_histories(database, ObjectSpan::of(Some(account)), keep, true).await?;
        assertions += pruned.0;
        benchmarks += pruned.1;
    }
    Ok((assertions, benchmarks))
}

/// Keeps what was deleted until then no longer; of all accounts if it is `None`.
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

/// Does the next part as long as there is one.
async fn until_done<F: Future<Output = Result<bool>>>(next_part: impl Fn() -> F) -> Result<()> {
    loop {
        let begin = Instant::now();
        if !next_part().await? {
            return Ok(());
        }
        rest(begin).await;
    }
}

/// How many assertions of all histories need not be kept, and of how many benchmarks; or were
/// removed, if they are deleted.
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
