//! The recently used accounts.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lru::LruCache;
use tdg_service::Result;
use tokio::sync::Notify;

use super::usage::{AccountUsage, NEARLY};
use super::{Limits, Quota};
use crate::account::Account;
use crate::database::Database;
use crate::lock::locked;

/// The maximum delay until a server notices a changed name or limit.
const FRESH: Duration = Duration::from_secs(10);

/// The maximum number of cached accounts. The least recently used are evicted.
const MOST: NonZero<usize> = NonZero::<usize>::MIN.saturating_add(9_999);

/// A cache of accounts. Only the first request of an account waits for the database.
pub(crate) struct AccountCache {
    database: Arc<Database>,
    /// The limits of accounts without their own.
    limits: Limits,
    known: Mutex<LruCache<Account, Arc<CachedAccount>>>,
    deletions: Notify,
}

/// An account as it was stored a few seconds ago.
pub(crate) struct CachedAccount {
    pub(crate) name: Arc<str>,
    pub(crate) limits: Limits,
    pub(super) used: Arc<AccountUsage>,
    read: Instant,
    /// Set while it is being reloaded.
    refreshing: AtomicBool,
    recounting: Arc<AtomicBool>,
}

impl CachedAccount {
    /// Returns the quotas that are nearly used up, in percent: `objects=85, bytes=91`. `requests`
    /// is the used share of the rate limit. Also logs them from time to time.
    pub(crate) fn nearly_used(&self, requests: Option<f64>) -> Option<String> {
        let mut shares = self.used.shares(&self.limits);
        shares.extend(requests.map(|share| (Quota::Requests, share)));
        shares.retain(|(_, share)| *share >= NEARLY);
        if shares.is_empty() {
            return None;
        }
        let percent =
            |(quota, share): &(Quota, f64)| format!("{}={}", quota.name(), (share * 100.0).floor());
        let text = shares.iter().map(percent).collect::<Vec<_>>().join(", ");
        if self.used.is_reminder_due() {
            tracing::warn!(
                account = &*self.name,
                used = text,
                "a quota is nearly used up"
            );
        }
        Some(text)
    }
}

impl AccountCache {
    pub(crate) fn new(database: Arc<Database>, limits: Limits) -> Arc<Self> {
        Arc::new(AccountCache {
            database,
            limits,
            known: Mutex::new(LruCache::new(MOST)),
            deletions: Notify::new(),
        })
    }

    /// Returns the account. A stale entry is reloaded in the background.
    pub(crate) async fn get(self: &Arc<Self>, account: Account) -> Result<Arc<CachedAccount>> {
        let known = locked(&self.known).get(&account).cloned();
        let Some(known) = known else {
            return self.read(account).await;
        };
        if known.read.elapsed() > FRESH && !known.refreshing.swap(true, Ordering::Relaxed) {
            let (accounts, old) = (self.clone(), known.clone());
            tokio::spawn(async move {
                if let Err(error) = accounts.read(account).await {
                    tracing::debug!(%error, "an account can't be read again");
                    old.refreshing.store(false, Ordering::Relaxed);
                }
            });
        }
        Ok(known)
    }

    async fn read(&self, account: Account) -> Result<Arc<CachedAccount>> {
        let read = Instant::now();
        let stored = self.database.settings(account).await?;
        // The account's keys are being deleted.
        let stored = stored.unwrap_or_default();
        let mut accounts = locked(&self.known);
        let before = accounts.peek(&account).cloned();
        let known = Arc::new(CachedAccount {
            name: stored.name.into(),
            limits: stored.limits.or(&self.limits),
            used: before
                .as_ref()
                .map(|before| before.used.clone())
                .unwrap_or_default(),
            read,
            refreshing: AtomicBool::new(false),
            recounting: before
                .map(|before| before.recounting.clone())
                .unwrap_or_default(),
        });
        accounts.put(account, known.clone());
        Ok(known)
    }

    pub(super) async fn count(&self, account: Account, used: &AccountUsage) -> Result<()> {
        used.count(self.database.usage(account)).await
    }

    /// Counts the account's usage in the background.
    pub(super) fn recount(self: &Arc<Self>, account: Account, known: &CachedAccount) {
        if known.recounting.swap(true, Ordering::Relaxed) {
            return;
        }
        let (accounts, used) = (self.clone(), known.used.clone());
        let recounting = known.recounting.clone();
        tokio::spawn(async move {
            if let Err(error) = accounts.count(account, &used).await {
                tracing::debug!(%error, "the usage of an account can't be counted");
            }
            recounting.store(false, Ordering::Relaxed);
        });
    }

    /// Notes that data of the account was deleted.
    pub(crate) fn deleted(&self, account: Account) {
        if let Some(known) = locked(&self.known).peek(&account) {
            known.used.deleted();
        }
        self.deletions.notify_one();
    }

    /// Waits for the next deletion.
    pub(crate) async fn deletion(&self) {
        self.deletions.notified().await;
    }
}
