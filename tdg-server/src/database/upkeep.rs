//! What keeps the database small: the rest of deleted objects is removed, and histories are pruned.

use std::time::Duration;

use async_trait::async_trait;
use tdg_service::{ObjectKind, Result, Timestamp, Uuid};

use super::Account;

/// Every method is a short part of its work, between which others write.
#[async_trait]
pub(crate) trait Upkeep: Send + Sync {
    /// Removes a part of what was left of deleted objects. Whether there may be more.
    async fn collect_garbage(&self) -> Result<bool>;
    /// The next benchmarks, in the order of account and identifier.
    async fn benchmarks_in(&self, span: ObjectSpan) -> Result<Vec<Owned>>;
    /// The next objects that were added before that time and that no benchmark needs: ensembles, or
    /// definitions whose ensembles are all such.
    async fn unused_in(
        &self,
        kind: Unused,
        span: ObjectSpan,
        before: Timestamp,
    ) -> Result<Vec<Owned>>;
    /// How many assertions of a benchmark need not be kept.
    async fn count_old(&self, benchmark: Owned, keep: Keep) -> Result<u64>;
    /// Removes the oldest of them. How many; fewer than [`PART`] if none are left.
    async fn prune_history(&self, benchmark: Owned, keep: Keep) -> Result<u64>;
    /// Deletes an object if nothing is in it. Whether it was.
    async fn delete_unused(&self, kind: Unused, object: Owned) -> Result<bool>;
    /// Gives the database another epoch, and returns that.
    async fn renew_epoch(&self) -> Result<Uuid>;
}

/// How long what was run elsewhere is waited for. No idempotency key lives longer.
const AWAITED: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How much one part removes: so many assertions, or kilobytes of large values.
pub(crate) const PART: u64 = 5000;

/// About what removing a part writes.
pub(super) const PART_BYTES: usize = PART as usize * 1024;

/// How many objects a query lists.
pub(super) const LISTED: i64 = 1000;

/// An object of an account.
pub(crate) type Owned = (Account, Uuid);

/// What may be unused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unused {
    Ensemble,
    Definition,
}

impl Unused {
    pub(super) fn kind(self) -> ObjectKind {
        match self {
            Unused::Ensemble => ObjectKind::Ensemble,
            Unused::Definition => ObjectKind::Definition,
        }
    }
}

/// The objects of one account or all, from one of them on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectSpan {
    pub(super) after: (i64, Uuid),
    pub(super) last_account: i64,
}

impl ObjectSpan {
    pub(crate) fn of(account: Option<Account>) -> Self {
        let Account(first) = account.unwrap_or(Account(i64::MIN));
        let Account(last) = account.unwrap_or(Account(i64::MAX));
        ObjectSpan {
            after: (first, Uuid::nil()),
            last_account: last,
        }
    }

    /// What follows these, if that may be anything.
    pub(crate) fn after(self, listed: &[Owned]) -> Option<Self> {
        let (account, uuid) = listed.last()?;
        Some(ObjectSpan {
            after: (account.0, *uuid),
            ..self
        })
    }
}

/// Which assertions of a history are kept: both the newest and those since a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keep {
    pub(super) newest: Option<u32>,
    since: Timestamp,
}

impl Keep {
    pub(crate) fn new(newest: Option<u32>, since: Timestamp) -> Self {
        Keep { newest, since }
    }

    /// The place in the history before which nothing need be kept; `newest` is that of the oldest
    /// of the newest.
    ///
    /// What is of the last days is always kept: a request may be repeated, and finds what it
    /// asserted; and what was run meanwhile elsewhere is taken when it is synchronised. Nothing is
    /// dated more than a day later than it came, so the order of time is that of coming, but for
    /// what comes late.
    pub(super) fn place(&self, newest: Option<(i64, Uuid)>) -> (i64, Uuid) {
        let awaited = Timestamp::now().as_micros() - AWAITED.as_micros() as i64;
        let since = (self.since.as_micros().min(awaited), Uuid::nil());
        newest.map_or(since, |newest| newest.min(since))
    }
}
