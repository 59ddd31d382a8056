//! Large immutable values: cached, counted while in use, loaded a few at a time.

use std::hash::Hash;
use std::sync::Arc;

use tdg_service::{Result, ServiceError};

use crate::account::Account;
use crate::cache::{Cache, Uses};
use crate::fair_queue::FairQueue;
use crate::memory::{Held, InUse, Memory, OutOfMemory};
use crate::metrics;

/// The maximum number of values that are loaded or wait for memory, in total and per account.
const AT_ONCE: usize = 16;
const BY_ACCOUNT: usize = 4;

/// A value that requests share.
pub(super) trait Large: Clone {
    /// Returns the approximate number of bytes that it takes.
    fn bytes(&self) -> usize;
    fn in_use(&self) -> &InUse;
}

/// The values of one kind, by account and key, because accounts that synchronize the same project
/// have the same objects.
pub(super) struct LargeValues<K, V> {
    cache: Cache<(Account, K), V>,
    loading: FairQueue,
}

impl<K: Copy + Hash + Eq, V: Large> LargeValues<K, V> {
    /// Creates a cache of up to this many bytes of the most recently used values.
    pub(super) fn new(bytes: usize) -> Self {
        LargeValues {
            cache: Cache::new(bytes),
            loading: FairQueue::new(AT_ONCE, BY_ACCOUNT),
        }
    }

    pub(super) fn uses(&self) -> Uses {
        self.cache.uses()
    }

    /// Returns the value if it is cached and there is room for it.
    pub(super) fn cached(
        &self,
        account: Account,
        key: K,
        memory: &Memory,
    ) -> Option<(V, Arc<Held>)> {
        let value = self.cache.get(&(account, key))?;
        let held = value.in_use().try_hold(memory, account, value.bytes())?;
        Some((value, held))
    }

    /// Returns the value and its memory. It may be cached after its object was deleted. A caller
    /// that waits for memory keeps its place, so that waiting callers don't have a loaded value
    /// each.
    pub(super) async fn get<E>(
        &self,
        account: Account,
        key: K,
        memory: &Memory,
        load: impl Future<Output = Result<V>>,
    ) -> std::result::Result<(V, Arc<Held>), E>
    where
        E: From<ServiceError> + From<OutOfMemory>,
    {
        if let Some(found) = self.cached(account, key, memory) {
            return Ok(found);
        }
        let key = (account, key);
        let _place = metrics::LOADING.wait(self.loading.take(account)).await?;
        // Another request may have loaded it in the meantime.
        let (value, is_new) = match self.cache.get(&key) {
            Some(value) => (value, false),
            None => (load.await?, true),
        };
        let bytes = value.bytes();
        let held = value.in_use().hold(memory, account, bytes).await?;
        if is_new {
            self.cache.insert(key, value.clone(), bytes);
        }
        Ok((value, held))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use futures_util::future::join_all;
    use tdg_service::Uuid;
    use tokio::task;

    use super::*;

    /// A value that copies share.
    #[derive(Clone)]
    struct Value(Arc<Loaded>);

    struct Loaded {
        in_use: InUse,
        /// Counts the copies in memory.
        _there: Arc<()>,
    }

    impl Large for Value {
        fn bytes(&self) -> usize {
            100
        }

        fn in_use(&self) -> &InUse {
            &self.0.in_use
        }
    }

    /// Returns the maximum number of values in memory at once during 300 requests.
    async fn most_loaded(objects: impl Fn(u128) -> u128) -> usize {
        let (values, memory) = (LargeValues::new(1 << 20), Memory::new(4000));
        let (there, most) = (Arc::new(()), Cell::new(0));
        let (values, memory, there, most) = (&values, &memory, &there, &most);
        let ask = |number| async move {
            let load = async {
                let in_use = InUse::default();
                let _there = there.clone();
                most.set(most.get().max(Arc::strong_count(there) - 1));
                task::yield_now().await;
                Ok(Value(Arc::new(Loaded { in_use, _there })))
            };
            let object = Uuid::from_u128(number);
            let found = values.get(Account(1), object, memory, load).await;
            // The answers aren't read.
            found.map_err(|error: ServiceError| error.to_string())
        };
        let answers = join_all((0..300).map(objects).map(ask)).await;
        assert!(answers.iter().any(std::result::Result::is_ok));
        most.get()
    }

    #[tokio::test(start_paused = true)]
    async fn one_value_is_loaded_a_few_times_however_many_ask_for_it() {
        assert!(most_loaded(|_| 1).await <= BY_ACCOUNT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_few_are_loaded_beyond_what_the_account_may_hold() {
        // Half of the memory holds 20 of them.
        assert!(most_loaded(|number| number).await <= 20 + BY_ACCOUNT);
    }
}
