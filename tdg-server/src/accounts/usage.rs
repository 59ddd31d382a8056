//! The usage of accounts, and the room that they have left.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use tdg_service::Result;

use super::{Limits, Quota};
use crate::account::Usage;
use crate::lock::locked;

/// An account is warned when the used share of a quota reaches this value.
pub(crate) const NEARLY: f64 = 0.8;

/// The age after which usage is counted again. In between, a server only knows about the objects
/// that it has created itself.
const RECOUNT: Duration = Duration::from_secs(60);

/// The maximum age of a count that a refusal is based on.
const EXACT: Duration = Duration::from_secs(1);

/// Counting many assertions is slow: a count stays fresh for this many times as long as it took.
const REST: u32 = 20;

/// The pause between two such warnings in the log.
const REMINDER: Duration = Duration::from_secs(3600);

/// The last count of an account's usage, and the objects created since.
#[derive(Default)]
pub(crate) struct AccountUsage {
    state: Mutex<UsageState>,
    /// Locked while counting.
    counting: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct UsageState {
    counted: Option<Counted>,
    /// A lower bound of the objects created since the count.
    created: Amount,
    /// The objects that are being created.
    held: Amount,
    /// Set if something was deleted since the count.
    deleted: bool,
    reminded: Option<Instant>,
}

#[derive(Clone, Copy)]
struct Counted {
    amount: Amount,
    /// The bytes of deleted data that is still stored.
    deleted: u64,
    at: Instant,
    took: Duration,
}

impl Counted {
    fn is_within(&self, age: Duration) -> bool {
        self.at.elapsed() <= age.max(self.took * REST)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) objects: u64,
    pub(super) bytes: u64,
}

impl AccountUsage {
    pub(super) fn is_counted(&self) -> bool {
        locked(&self.state).counted.is_some()
    }

    /// Returns true if other servers may have created a lot since the count.
    pub(super) fn is_old(&self) -> bool {
        let counted = locked(&self.state).counted;
        counted.is_some_and(|counted| !counted.is_within(RECOUNT))
    }

    /// Returns true if the count is recent enough to refuse something.
    pub(super) fn is_exact(&self) -> bool {
        let state = locked(&self.state);
        let is_new = |counted: Counted| counted.is_within(EXACT);
        state.counted.is_some_and(is_new) && !state.deleted
    }

    pub(super) fn deleted(&self) {
        locked(&self.state).deleted = true;
    }

    /// Counts, unless another caller has done so in the meantime.
    pub(super) async fn count(&self, usage: impl Future<Output = Result<Usage>>) -> Result<()> {
        let _counting = self.counting.lock().await;
        if !self.is_exact() {
            let (before, begun) = (self.begin_count(), Instant::now());
            let usage = usage.await?;
            self.end_count(before, usage, begun.elapsed());
        }
        Ok(())
    }

    /// Returns the amount created so far, which the new count will include.
    fn begin_count(&self) -> Amount {
        let mut state = locked(&self.state);
        state.deleted = false;
        state.created
    }

    fn end_count(&self, before: Amount, usage: Usage, took: Duration) {
        let mut state = locked(&self.state);
        state.counted = Some(Counted {
            amount: Amount {
                objects: usage.objects(),
                bytes: usage.bytes,
            },
            deleted: usage.deleted,
            at: Instant::now(),
            took,
        });
        state.created.subtract(before);
    }

    /// Reserves room, or returns a message about the quota that is used up.
    pub(super) fn take(&self, limits: &Limits, more: Amount) -> std::result::Result<(), String> {
        let mut state = locked(&self.state);
        for (quota, used, more) in state.amounts(limits, more) {
            if let Some(limit) = limits.limit(quota)
                && more > 0
                && used + more > limit
            {
                return Err(full(quota, used, limit, state.excess(limits)));
            }
        }
        state.held.add(more);
        Ok(())
    }

    /// Returns the reserved room, or counts it as used if the objects were created.
    pub(super) fn release(&self, taken: Amount, is_created: bool) {
        let mut state = locked(&self.state);
        state.held.subtract(taken);
        if is_created {
            state.created.add(taken);
        }
    }

    /// Returns the used share of each quota.
    pub(super) fn shares(&self, limits: &Limits) -> Vec<(Quota, f64)> {
        let state = locked(&self.state);
        if state.counted.is_none() {
            return Vec::new();
        }
        let share = |(quota, used, _): (Quota, u64, u64)| {
            let limit = limits.limit(quota)?;
            Some((quota, used as f64 / limit.max(1) as f64))
        };
        let amounts = state.amounts(limits, Amount::default());
        amounts.into_iter().filter_map(share).collect()
    }

    /// Returns true if a warning about a quota is due in the log.
    pub(super) fn is_reminder_due(&self) -> bool {
        let mut state = locked(&self.state);
        let is_due = state.reminded.is_none_or(|at| at.elapsed() > REMINDER);
        if is_due {
            state.reminded = Some(Instant::now());
        }
        is_due
    }
}

impl Amount {
    pub(super) fn add(&mut self, other: Amount) {
        self.objects += other.objects;
        self.bytes += other.bytes;
    }

    fn subtract(&mut self, other: Amount) {
        self.objects = self.objects.saturating_sub(other.objects);
        self.bytes = self.bytes.saturating_sub(other.bytes);
    }
}

impl UsageState {
    /// The bytes of deleted data above their separate quota. The server is about to remove them.
    fn excess(&self, limits: &Limits) -> u64 {
        let deleted = self.counted.map_or(0, |counted| counted.deleted);
        let limit = limits.limit(Quota::Bytes).unwrap_or(u64::MAX);
        deleted.saturating_sub(limit)
    }

    /// Returns the used and the requested amount of each quota.
    fn amounts(&self, limits: &Limits, more: Amount) -> [(Quota, u64, u64); 2] {
        let counted = self
            .counted
            .map(|counted| counted.amount)
            .unwrap_or_default();
        let objects = counted.objects + self.created.objects + self.held.objects;
        let bytes = counted.bytes + self.created.bytes + self.held.bytes + self.excess(limits);
        [
            (Quota::Objects, objects, more.objects),
            (Quota::Bytes, bytes, more.bytes),
        ]
    }
}

fn full(quota: Quota, used: u64, limit: u64, excess: u64) -> String {
    let name = quota.name();
    let fix = match (quota, excess) {
        (Quota::Bytes, 1..) => format!(
            "{excess} of these were deleted and are being removed, so try again in a few minutes"
        ),
        _ => "delete what is not needed, or ask the operator for more".to_owned(),
    };
    format!("the quota `{name}` of the account is used up: it has {used} of {limit}; {fix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(json: &str) -> Limits {
        Limits::from_text(Some(json)).unwrap()
    }

    fn counted(objects: u64, bytes: u64) -> AccountUsage {
        let used = AccountUsage::default();
        let usage = Usage {
            projects: objects,
            bytes,
            ..Usage::default()
        };
        used.end_count(Amount::default(), usage, Duration::ZERO);
        used
    }

    const OBJECT: Amount = Amount {
        objects: 1,
        bytes: 0,
    };

    fn bytes(bytes: u64) -> Amount {
        Amount { objects: 0, bytes }
    }

    #[test]
    fn room_is_taken_until_there_is_none() {
        let used = counted(1, 50);
        let limits = limits(r#"{"objects":3,"bytes":100}"#);
        used.take(&limits, OBJECT).unwrap();
        used.take(&limits, OBJECT).unwrap();
        let refusal = used.take(&limits, OBJECT).unwrap_err();
        insta::assert_snapshot!(refusal, @"the quota `objects` of the account is used up: it has 3 of 3; delete what is not needed, or ask the operator for more");
        used.take(&limits, bytes(50)).unwrap();
        assert!(used.take(&limits, bytes(1)).is_err());
        used.release(bytes(30), false);
        let shares = [(Quota::Objects, 1.0), (Quota::Bytes, 0.7)];
        assert_eq!(used.shares(&limits), shares);
    }

    #[tokio::test]
    async fn what_was_created_before_a_count_is_in_it_and_what_is_being_created_is_not() {
        let used = AccountUsage::default();
        let limits = limits(r#"{"objects":10}"#);
        for is_created in [true, false] {
            used.take(&limits, OBJECT).unwrap();
            used.release(OBJECT, is_created);
        }
        used.take(&limits, OBJECT).unwrap();
        let usage = Usage {
            projects: 1,
            ..Usage::default()
        };
        let count = async {
            // Another one is created during the count.
            used.take(&limits, OBJECT).unwrap();
            used.release(OBJECT, true);
            Ok(usage)
        };
        used.count(count).await.unwrap();
        assert_eq!(used.shares(&limits), [(Quota::Objects, 0.3)]);
        // A caller that has waited for the count doesn't need another.
        used.count(async { panic!("counted twice") }).await.unwrap();
    }

    #[test]
    fn what_was_deleted_has_as_much_room_as_what_is_there() {
        let limits = limits(r#"{"bytes":100}"#);
        for (deleted, room) in [(0, 50), (100, 50), (130, 20), (1000, 0)] {
            let used = AccountUsage::default();
            let usage = Usage {
                bytes: 50,
                deleted,
                ..Usage::default()
            };
            used.end_count(Amount::default(), usage, Duration::ZERO);
            used.take(&limits, bytes(room)).unwrap();
            let refusal = used.take(&limits, bytes(1)).unwrap_err();
            if deleted == 130 {
                insta::assert_snapshot!(refusal, @"the quota `bytes` of the account is used up: it has 100 of 100; 30 of these were deleted and are being removed, so try again in a few minutes");
            }
        }
    }

    #[test]
    fn an_account_beyond_a_limit_that_was_lowered_gets_no_more() {
        let used = counted(5, 500);
        assert!(used.take(&limits(r#"{"objects":2}"#), OBJECT).is_err());
        let limits = limits(r#"{"bytes":100}"#);
        used.take(&limits, OBJECT).unwrap();
        assert!(used.take(&limits, bytes(0)).is_ok());
        assert!(used.take(&limits, bytes(1)).is_err());
    }
}
