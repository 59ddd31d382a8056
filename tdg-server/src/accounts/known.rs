//! The accounts that were used lately.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lru::LruCache;
use tdg_service::Result;

use super::Limits;
use crate::database::{Account, Database};

/// How soon a server sees another name or limit.
const FRESH: Duration = Duration::from_secs(10);

/// The number of accounts beyond which those that were used longest ago are forgotten.
const MOST: NonZero<usize> = NonZero::<usize>::MIN.saturating_add(9_999);

/// What is known about the accounts, so that no request waits for it but the first of an account.
pub(crate) struct Accounts {
    database: Arc<dyn Database>,
    /// The limits of accounts that have none of their own.
    limits: Limits,
    known: Mutex<LruCache<Account, Arc<KnownAccount>>>,
}

/// An account as it was stored a few seconds ago.
pub(crate) struct KnownAccount {
    pub(crate) name: Arc<str>,
    pub(crate) limits: Limits,
    read: Instant,
    /// Whether it is being read again.
    refreshing: AtomicBool,
}

impl Accounts {
    pub(crate) fn new(database: Arc<dyn Database>, limits: Limits) -> Arc<Self> {
        Arc::new(Accounts {
            database,
            limits,
            known: Mutex::new(LruCache::new(MOST)),
        })
    }

    /// The account. If what is known is old, it is read again in the background.
    pub(crate) async fn get(self: &Arc<Self>, account: Account) -> Result<Arc<KnownAccount>> {
        let known = self.lock().get(&account).cloned();
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

    async fn read(&self, account: Account) -> Result<Arc<KnownAccount>> {
        let read = Instant::now();
        let stored = self.database.settings(account).await?;
        // An account whose keys are being deleted.
        let stored = stored.unwrap_or_default();
        let known = Arc::new(KnownAccount {
            name: stored.name.into(),
            limits: stored.limits.or(&self.limits),
            read,
            refreshing: AtomicBool::new(false),
        });
        self.lock().put(account, known.clone());
        Ok(known)
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<Account, Arc<KnownAccount>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
