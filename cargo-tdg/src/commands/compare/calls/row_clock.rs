//! The time that a row takes, without the time in which it got no processor.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// The limits for a row: processor time, if known, and time asleep.
const BUSY: Duration = Duration::from_millis(300);
const PATIENCE: Duration = Duration::from_secs(2);

/// The times of a process so far, as Linux reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProcessTimes {
    /// The time on a processor.
    pub(super) busy: Duration,
    /// The time in which threads waited for one.
    waited: Duration,
    /// True if a thread runs or waits for a processor.
    is_ready: bool,
}

/// Milliseconds per clock tick, on all Linux targets of Rust.
const TICK: u64 = 10;

impl ProcessTimes {
    pub(super) fn read(process: u32) -> Option<Self> {
        let folder = format!("/proc/{process}");
        let (_, ticks) = state(Path::new(&folder))?;
        let mut times = Self {
            busy: Duration::from_millis(ticks * TICK),
            ..Self::default()
        };
        for task in fs::read_dir(format!("{folder}/task")).ok()?.flatten() {
            // A thread may have ended.
            times.is_ready |= state(&task.path()).is_some_and(|(state, _)| state == "R");
            let waited = fs::read_to_string(task.path().join("schedstat"));
            let waited = waited.ok().and_then(|it| waited_in(&it));
            times.waited += waited.unwrap_or_default();
        }
        Some(times)
    }
}

/// Returns the state of a process or thread, and the ticks that it used.
fn state(folder: &Path) -> Option<(String, u64)> {
    let stat = fs::read_to_string(folder.join("stat")).ok()?;
    // The preceding name may contain spaces and parentheses.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?.to_owned();
    let mut fields = fields.skip(10);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some((state, ticks()? + ticks()?))
}

/// Reads the nanoseconds in a run queue from `schedstat`.
fn waited_in(schedstat: &str) -> Option<Duration> {
    let waited = schedstat.split_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(waited))
}

/// The elapsed time of a row.
pub(super) struct RowClock {
    /// The polling interval.
    interval: Duration,
    last: Instant,
    /// The time until the last look. A poller that got no processor itself doesn't count.
    elapsed: Duration,
    /// The times of the process when they were first read.
    first: Option<ProcessTimes>,
}

impl RowClock {
    pub(super) fn new(interval: Duration, now: Instant) -> Self {
        Self {
            interval,
            last: now,
            elapsed: Duration::ZERO,
            first: None,
        }
    }

    /// Returns true if the row takes too long: the time on a processor, or else the time in which
    /// it didn't ask for one.
    pub(super) fn is_late(
        &mut self,
        now: Instant,
        times: Option<ProcessTimes>,
        extended: u32,
    ) -> bool {
        let step = now.saturating_duration_since(self.last);
        self.elapsed += step.min(2 * self.interval);
        self.last = now;
        let Some(times) = times else {
            return self.elapsed >= extended * PATIENCE;
        };
        let first = self.first.get_or_insert(times);
        let busy = times.busy.saturating_sub(first.busy);
        let waited = times.waited.saturating_sub(first.waited);
        let asleep = self.elapsed.saturating_sub(waited);
        busy >= extended * BUSY || !times.is_ready && asleep >= extended * PATIENCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Duration = Duration::from_millis(50);

    /// Returns the look at which a row is late. `times` returns the milliseconds on a processor and
    /// in the queue until a look, and true if it is in the queue then.
    fn late_after(step: Duration, times: impl Fn(u64) -> (u64, u64, bool)) -> Option<u64> {
        let start = Instant::now();
        let mut clock = RowClock::new(LOOK, start);
        (0..1000).find(|look| {
            let (busy, waited, is_ready) = times(*look);
            let [busy, waited] = [busy, waited].map(Duration::from_millis);
            let times = ProcessTimes {
                busy,
                waited,
                is_ready,
            };
            let elapsed = step * u32::try_from(*look).unwrap();
            clock.is_late(start + elapsed, Some(times), 1)
        })
    }

    #[test]
    fn a_row_that_got_no_processor_is_not_late() {
        // It waits in the queue all the time, which the system adds when it leaves the queue.
        assert_eq!(late_after(LOOK, |_| (0, 0, true)), None);
        // It is seen asleep, but waits for most of the time.
        assert_eq!(late_after(LOOK, |look| (0, 49 * look, false)), None);
        // The poller is seldom on a processor.
        let hour = Duration::from_secs(3600);
        assert_eq!(late_after(hour, |_| (0, 0, false)), Some(20));
        // In a busy row, the limit is the time on the processor.
        assert_eq!(late_after(LOOK, |look| (look, 0, true)), Some(300));
        assert_eq!(late_after(LOOK, |_| (0, 0, false)), Some(40));
    }

    #[test]
    fn a_row_is_late_where_the_system_reports_no_times() {
        let start = Instant::now();
        let mut clock = RowClock::new(LOOK, start);
        let is_late = |look: &u32| clock.is_late(start + *look * LOOK, None, 1);
        assert_eq!((0..1000).find(is_late), Some(40));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_times_of_a_process_are_read() {
        let own = ProcessTimes::read(std::process::id()).unwrap();
        assert!(own.is_ready);
        let mut asleep = std::process::Command::new("sleep")
            .arg("9")
            .spawn()
            .unwrap();
        let is_asleep = || ProcessTimes::read(asleep.id()).is_some_and(|it| !it.is_ready);
        let is_seen = (0..200).any(|_| {
            std::thread::sleep(LOOK);
            is_asleep()
        });
        asleep.kill().unwrap();
        asleep.wait().unwrap();
        assert!(is_seen);
        let waited = waited_in("24063 1500000 7\n").unwrap();
        assert_eq!(waited, Duration::from_micros(1500));
    }
}
