//! The memory that requests and their answers hold, shared by account.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

use crate::account::Account;
use crate::lock::locked;
use crate::metrics;
use axum::body::Bytes;
use tdg_service::ServiceError;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

/// The timeout for memory, so that requests that each hold a part don't block each other for long.
pub(crate) const WAIT: Duration = Duration::from_secs(5);

/// A budget in bytes. An account may hold as much as it leaves to the others: a single account half
/// of the budget, two accounts a third each. So there is always room for one more.
#[derive(Clone, Debug)]
pub(crate) struct Memory(Arc<MemoryBudget>);

#[derive(Debug)]
struct MemoryBudget {
    bytes: usize,
    used: Mutex<UsedMemory>,
    released: Notify,
}

#[derive(Debug, Default)]
struct UsedMemory {
    bytes: usize,
    by_account: HashMap<Account, usize>,
}

/// The error if there was no room for more bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutOfMemory;

impl From<OutOfMemory> for ServiceError {
    fn from(_: OutOfMemory) -> Self {
        ServiceError::unavailable("the account's share of the memory is in use")
    }
}

/// Bytes that an account holds until this is dropped. It travels with the bytes.
#[derive(Debug)]
pub(crate) struct Held {
    memory: Memory,
    account: Account,
    bytes: usize,
}

impl Memory {
    pub(crate) fn new(bytes: usize) -> Self {
        Memory(Arc::new(MemoryBudget {
            bytes,
            used: Mutex::default(),
            released: Notify::new(),
        }))
    }

    /// Holds nothing yet.
    pub(crate) fn nothing(&self, account: Account) -> Held {
        Held {
            memory: self.clone(),
            account,
            bytes: 0,
        }
    }

    /// Waits for room for `bytes` bytes.
    ///
    /// # Errors
    ///
    /// If there was none for a few seconds.
    pub(crate) async fn hold(&self, account: Account, bytes: usize) -> Result<Held, OutOfMemory> {
        let mut held = self.nothing(account);
        held.grow_to(self.at_most(bytes), Instant::now() + WAIT)
            .await?;
        Ok(held)
    }

    /// Caps a value at a quarter of the budget, so that any value fits if there are few.
    fn at_most(&self, bytes: usize) -> usize {
        bytes.min(self.0.bytes / 4)
    }

    /// Counts bytes that are in memory already and can't be refused.
    pub(crate) fn count(&self, account: Account, bytes: usize) -> Held {
        let mut held = self.nothing(account);
        held.add(&mut self.used(), bytes);
        held
    }

    /// Returns the number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.used().bytes
    }

    fn used(&self) -> MutexGuard<'_, UsedMemory> {
        locked(&self.0.used)
    }
}

impl Held {
    /// Waits until `deadline` for room for `bytes` bytes in total.
    ///
    /// # Errors
    ///
    /// If there was none. The bytes held before are still held.
    pub(crate) async fn grow_to(
        &mut self,
        bytes: usize,
        deadline: Instant,
    ) -> Result<(), OutOfMemory> {
        if self.try_grow_to(bytes) {
            return Ok(());
        }
        let memory = self.memory.clone();
        let grown = async {
            loop {
                // Registered before trying, so that a release isn't missed.
                let released = memory.0.released.notified();
                if self.try_grow_to(bytes) {
                    return;
                }
                released.await;
            }
        };
        let grown = metrics::MEMORY.wait(timeout_at(deadline, grown)).await;
        grown.map_err(|_| OutOfMemory)
    }

    fn try_grow_to(&mut self, bytes: usize) -> bool {
        let more = bytes.saturating_sub(self.bytes);
        let memory = self.memory.clone();
        let mut used = memory.used();
        let of_account = used.by_account.get(&self.account).copied().unwrap_or(0);
        let left = memory.0.bytes.saturating_sub(used.bytes);
        let fits = more == 0 || of_account + more <= left.saturating_sub(more);
        if fits {
            self.add(&mut used, more);
        }
        fits
    }

    /// Releases the memory in excess of this many bytes.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        let rest = self.bytes.saturating_sub(bytes);
        self.bytes -= rest;
        drop(Held {
            memory: self.memory.clone(),
            account: self.account,
            bytes: rest,
        });
    }

    fn add(&mut self, used: &mut UsedMemory, bytes: usize) {
        if bytes > 0 {
            self.bytes += bytes;
            used.bytes += bytes;
            *used.by_account.entry(self.account).or_default() += bytes;
        }
    }

    /// Attaches the memory to the bytes. It is released when the last of them is dropped.
    pub(crate) fn carry(self, bytes: Bytes) -> Bytes {
        Arc::new(self).carry_part(bytes)
    }

    /// Attaches the memory to a part of the bytes. It is released with the last part.
    pub(crate) fn carry_part(self: &Arc<Self>, bytes: Bytes) -> Bytes {
        Bytes::from_owner(Carried {
            bytes,
            _held: self.clone(),
        })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut used = self.memory.used();
        used.bytes -= self.bytes;
        if let Some(bytes) = used.by_account.get_mut(&self.account) {
            *bytes -= self.bytes;
            if *bytes == 0 {
                used.by_account.remove(&self.account);
            }
        }
        drop(used);
        self.memory.0.released.notify_waiters();
    }
}

struct Carried {
    bytes: Bytes,
    _held: Arc<Held>,
}

impl AsRef<[u8]> for Carried {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The memory of a cached value, counted once for all requests that use it at the same time. The
/// cache itself has a separate bound.
#[derive(Clone, Debug, Default)]
pub(crate) struct InUse(Arc<Mutex<Weak<Held>>>);

impl InUse {
    /// Waits for room for the value, unless it is already in use.
    ///
    /// # Errors
    ///
    /// If there was none for a few seconds.
    pub(crate) async fn hold(
        &self,
        memory: &Memory,
        account: Account,
        bytes: usize,
    ) -> Result<Arc<Held>, OutOfMemory> {
        if let Some(held) = self.try_hold(memory, account, bytes) {
            return Ok(held);
        }
        Ok(self.share(memory.hold(account, bytes).await?))
    }

    /// Like `hold`, but returns `None` instead of waiting.
    pub(crate) fn try_hold(
        &self,
        memory: &Memory,
        account: Account,
        bytes: usize,
    ) -> Option<Arc<Held>> {
        if let Some(held) = self.weak().upgrade() {
            return Some(held);
        }
        let mut held = memory.nothing(account);
        held.try_grow_to(memory.at_most(bytes))
            .then(|| self.share(held))
    }

    fn share(&self, held: Held) -> Arc<Held> {
        let held = Arc::new(held);
        *self.weak() = Arc::downgrade(&held);
        held
    }

    fn weak(&self) -> MutexGuard<'_, Weak<Held>> {
        locked(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{sleep, timeout};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_account_may_hold_as_much_as_it_leaves_to_others() {
        let memory = Memory::new(120);
        let [one, other, third] = [1, 2, 3].map(Account);
        let half = [
            memory.hold(one, 30).await.unwrap(),
            memory.hold(one, 40).await.unwrap(),
        ];
        assert!(memory.hold(one, 1).await.is_err());
        let of_other = memory.hold(other, 30).await.unwrap();
        assert!(memory.hold(other, 1).await.is_err());
        assert!(memory.hold(third, 15).await.is_ok());
        drop(half);
        assert!(memory.hold(other, 15).await.is_ok());
        drop(of_other);
        assert_eq!(memory.used().bytes, 0);
        assert!(memory.used().by_account.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn released_memory_goes_to_waiting_requests() {
        let memory = Memory::new(20);
        let _other = memory.hold(Account(1), 5).await.unwrap();
        let held = memory.hold(Account(1), 5).await.unwrap();
        let release = async {
            sleep(WAIT / 2).await;
            drop(held);
        };
        let (waited, ()) = tokio::join!(memory.hold(Account(1), 5), release);
        assert!(waited.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn no_request_waits_longer_than_the_deadline() {
        let memory = Memory::new(20);
        let mut held = memory.count(Account(1), 10);
        let deadline = Instant::now() + Duration::from_secs(1);
        let grown = timeout(Duration::from_secs(2), held.grow_to(11, deadline)).await;
        assert!(grown.unwrap().is_err());
        assert_eq!(memory.used().bytes, 10);
    }

    #[tokio::test]
    async fn bytes_are_held_until_the_last_of_them_is_dropped() {
        let memory = Memory::new(100);
        let bytes = memory.count(Account(1), 80).carry(vec![0; 80].into());
        let last = bytes.slice(79..);
        drop(bytes);
        assert_eq!(memory.used().bytes, 80);
        drop(last);
        assert_eq!(memory.used().bytes, 0);
    }

    #[tokio::test]
    async fn a_value_in_use_is_counted_once() {
        let (memory, value) = (Memory::new(100), InUse::default());
        let users = [
            value.hold(&memory, Account(1), 20).await.unwrap(),
            value.hold(&memory, Account(1), 20).await.unwrap(),
        ];
        assert_eq!(memory.used().bytes, 20);
        drop(users);
        assert_eq!(memory.used().bytes, 0);
    }
}
