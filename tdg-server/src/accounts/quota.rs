//! Room for the objects that an account creates.

use std::sync::Arc;

use tdg_service::{Result, ServiceError};

use super::account_cache::CachedAccount;
use super::usage::Amount;
use super::{AccountCache, Quota};
use crate::account::Account;

/// A reservation for new objects. It is returned when dropped, unless the objects were created.
pub(crate) struct Reservation {
    /// `None` if the account has no quota.
    of: Option<RoomOwner>,
    taken: Amount,
    is_created: bool,
}

struct RoomOwner {
    accounts: Arc<AccountCache>,
    account: Account,
    known: Arc<CachedAccount>,
}

impl AccountCache {
    /// Reserves room for one more object of the account.
    ///
    /// # Errors
    ///
    /// If a quota is used up.
    pub(crate) async fn room(self: &Arc<Self>, account: Account) -> Result<Reservation> {
        self.room_for(account, 1).await
    }

    /// Reserves room for more objects of the account.
    pub(crate) async fn room_for(
        self: &Arc<Self>,
        account: Account,
        objects: usize,
    ) -> Result<Reservation> {
        let known = self.get(account).await?;
        if known.used.is_old() {
            self.recount(account, &known);
        }
        Reservation::take(self.clone(), account, known, objects).await
    }
}

impl Reservation {
    /// Reserves room for objects whose size isn't known yet.
    pub(super) async fn take(
        accounts: Arc<AccountCache>,
        account: Account,
        known: Arc<CachedAccount>,
        objects: usize,
    ) -> Result<Self> {
        let limits = [Quota::Objects, Quota::Bytes].map(|quota| known.limits.limit(quota));
        let is_limited = limits.iter().any(Option::is_some);
        if is_limited && !known.used.is_counted() {
            accounts.count(account, &known.used).await?;
        }
        let of = is_limited.then_some(RoomOwner {
            accounts,
            account,
            known,
        });
        let mut room = Reservation {
            of,
            taken: Amount::default(),
            is_created: false,
        };
        room.grow(objects as u64, 0).await?;
        Ok(room)
    }

    /// Returns true if bytes are limited.
    pub(crate) fn is_limited(&self) -> bool {
        self.of.is_some()
    }

    /// Reserves the bytes of the objects, and keeps the reservation once they are created.
    ///
    /// # Errors
    ///
    /// If the account has no room left, or creating the objects fails.
    pub(crate) async fn create<T>(
        mut self,
        bytes: usize,
        objects: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        self.grow(0, bytes as u64).await?;
        let created = objects.await?;
        self.is_created = true;
        Ok(created)
    }

    async fn grow(&mut self, objects: u64, bytes: u64) -> Result<()> {
        let Some(of) = &self.of else { return Ok(()) };
        let (used, more) = (&of.known.used, Amount { objects, bytes });
        let mut taken = used.take(&of.known.limits, more);
        if taken.is_err() && !used.is_exact() {
            of.accounts.count(of.account, used).await?;
            taken = used.take(&of.known.limits, more);
        }
        taken.map_err(|refusal| ServiceError::Forbidden(refusal.into()))?;
        self.taken.add(more);
        Ok(())
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Some(of) = &self.of {
            of.known.used.release(self.taken, self.is_created);
        }
    }
}
