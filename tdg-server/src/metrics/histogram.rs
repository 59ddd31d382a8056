//! Durations.

use std::time::Duration;

use super::{Count, MetricsText};

/// The upper bounds of the buckets, in milliseconds. No request may take longer than the last.
const BOUNDS: [u64; 11] = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 120_000];

/// A histogram of durations.
#[derive(Default)]
pub(crate) struct TimeHistogram {
    buckets: [Count; BOUNDS.len()],
    count: Count,
    micros: Count,
}

impl TimeHistogram {
    pub(crate) const fn new() -> Self {
        TimeHistogram {
            buckets: [const { Count::new() }; BOUNDS.len()],
            count: Count::new(),
            micros: Count::new(),
        }
    }

    pub(crate) fn observe(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        if let Some(bucket) = BOUNDS.iter().position(|ms| micros <= ms * 1000) {
            self.buckets[bucket].add(1);
        }
        self.micros.add(micros);
        self.count.add(1);
    }

    /// Writes its samples, if any.
    pub(crate) fn write(&self, text: &mut MetricsText, name: &str, label: (&str, &str)) {
        // Read before the buckets, which may grow in the meantime.
        let count = self.count.get();
        if count == 0 {
            return;
        }
        let bucket = format!("{name}_bucket");
        let mut below = 0;
        for (ms, bucket_count) in BOUNDS.iter().zip(&self.buckets) {
            below = (below + bucket_count.get()).min(count);
            let bound = (*ms as f64 / 1e3).to_string();
            text.sample(&bucket, &[label, ("le", &bound)], below);
        }
        text.sample(&bucket, &[label, ("le", "+Inf")], count);
        let seconds = self.micros.get() as f64 / 1e6;
        text.sample(&format!("{name}_sum"), &[label], seconds);
        text.sample(&format!("{name}_count"), &[label], count);
    }
}
