//! Large writes, which keep the disk busy for long. They take turns with a pause after each, since
//! other writes wait for the disk too.

use std::time::Instant;

use crate::account::Account;
use crate::fair_queue::{FairQueue, Turn};
use tdg_service::Result;
use tokio::runtime::Handle;
use tokio::time::sleep;

/// The size above which a write counts as large.
const LARGE: usize = 256 << 10;

/// The pause after a large write, as a multiple of the time that it took.
const REST: u32 = 3;

#[derive(Clone)]
pub(super) struct LargeWrites(FairQueue);

/// A large write in progress. It ends when this is dropped.
pub(super) struct LargeWrite {
    turn: Option<Turn>,
    begin: Instant,
}

impl LargeWrites {
    pub(super) fn new() -> Self {
        LargeWrites(FairQueue::new(1, 1))
    }

    /// Waits for the account's turn if `bytes` make a large write.
    pub(super) async fn begin(&self, account: Account, bytes: usize) -> Result<Option<LargeWrite>> {
        if bytes <= LARGE {
            return Ok(None);
        }
        let turn = Some(self.0.take(account).await?);
        let begin = Instant::now();
        Ok(Some(LargeWrite { turn, begin }))
    }
}

impl Drop for LargeWrite {
    fn drop(&mut self) {
        let (turn, rest) = (self.turn.take(), self.begin.elapsed() * REST);
        // Without a runtime, there are no waiting writes.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                sleep(rest).await;
                drop(turn);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt;
    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn after_a_large_write_the_next_has_to_wait() {
        let writes = LargeWrites::new();
        let [one, other] = [1, 2].map(Account);
        drop(writes.begin(one, LARGE + 1).await.unwrap().unwrap());
        let mut next = Box::pin(writes.begin(other, LARGE + 1));
        assert!((&mut next).now_or_never().is_none());
        assert!(writes.begin(other, LARGE).await.unwrap().is_none());
        let begun = timeout(Duration::from_secs(10), next).await;
        assert!(begun.unwrap().unwrap().is_some());
    }
}
