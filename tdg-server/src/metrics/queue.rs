//! Queues: the number of waiting requests, and their waiting times.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use super::{Count, TimeHistogram};

/// Something that requests wait for.
pub(crate) struct Queue {
    pub(crate) name: &'static str,
    pub(crate) waiting: Count,
    pub(crate) waits: TimeHistogram,
}

/// A place in a queue, until it is dropped.
pub(crate) struct Waiting {
    queue: &'static Queue,
    since: Instant,
}

impl Queue {
    pub(super) const fn new(name: &'static str) -> Self {
        Queue {
            name,
            waiting: Count::new(),
            waits: TimeHistogram::new(),
        }
    }

    /// Joins the queue.
    pub(crate) fn enter(&'static self) -> Waiting {
        self.waiting.add(1);
        Waiting {
            queue: self,
            since: Instant::now(),
        }
    }

    /// Waits for `turn` in the queue. If it is ready at once, this doesn't read the clock.
    pub(crate) async fn wait<T>(&'static self, turn: impl Future<Output = T>) -> T {
        let mut turn = pin!(turn);
        let mut waiting = None;
        poll_fn(|context| {
            let polled = turn.as_mut().poll(context);
            match (&polled, &waiting) {
                (Poll::Pending, None) => waiting = Some(self.enter()),
                (Poll::Ready(_), None) => self.waits.observe(Duration::ZERO),
                _ => {}
            }
            polled
        })
        .await
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.queue.waiting.subtract(1);
        self.queue.waits.observe(self.since.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::metrics::MetricsText;

    #[tokio::test]
    async fn a_request_that_gives_up_leaves_the_queue() {
        static QUEUE: Queue = Queue::new("test");
        assert_eq!(QUEUE.wait(async { 1 }).await, 1);
        let mut endless = Box::pin(QUEUE.wait(std::future::pending::<()>()));
        assert!((&mut endless).now_or_never().is_none());
        assert_eq!(QUEUE.waiting.get(), 1);
        drop(endless);
        assert_eq!(QUEUE.waiting.get(), 0);
        let mut text = MetricsText::default();
        QUEUE.waits.write(&mut text, "t", ("queue", QUEUE.name));
        assert!(text.to_string().contains("t_count{queue=\"test\"} 2"));
    }

    #[test]
    fn waits_are_counted_as_far_as_any_time_limit() {
        let histogram = TimeHistogram::default();
        let mut text = MetricsText::default();
        histogram.write(&mut text, "empty", ("queue", "q"));
        for seconds in [0, 11, 120, 121] {
            histogram.observe(Duration::from_secs(seconds));
        }
        histogram.write(&mut text, "t", ("queue", "q"));
        insta::assert_snapshot!(text.to_string());
    }
}
