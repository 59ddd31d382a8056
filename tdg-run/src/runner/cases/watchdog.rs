//! Reports slow rows while they run, since a row that never returns has no report.
//!
//! One thread checks the runs of the process periodically. The runs only store the row that they
//! call, so they read no clock.

use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use super::in_flight_calls::{FunctionCall, InFlightCalls};
use crate::runner::stderr::print_line;

static WATCHED: Mutex<Vec<WatchedRun>> = Mutex::new(Vec::new());

/// Reports calls of a run that take longer than `slow_row`.
pub(super) fn watch(calls: &Arc<InFlightCalls>, slow_row: Duration) {
    static STARTED: Once = Once::new();
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    watched.push(WatchedRun::new(calls, slow_row));
    drop(watched);
    STARTED.call_once(|| {
        // Miri counts a thread that is never joined as a leak. Without threads, as on WASI, the
        // watchdog doesn't run.
        if !cfg!(miri) {
            let watchdog = thread::Builder::new().name("tdg watchdog".to_owned());
            let _ = watchdog.stack_size(256 << 10).spawn(watch_forever);
        }
    });
}

fn watch_forever() {
    loop {
        let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lines = Vec::new();
        watched.retain_mut(|run| {
            let Some(calls) = run.calls.upgrade() else {
                return false;
            };
            lines.extend(run.look(&calls, Instant::now()));
            true
        });
        let pause = watched.iter().map(|run| run.slow_row / 8).min();
        drop(watched);
        for line in lines {
            print_line(&line);
        }
        const LONGEST: Duration = Duration::from_secs(1);
        let pause = pause.map_or(LONGEST, |pause| pause.min(LONGEST));
        thread::sleep(pause.max(Duration::from_millis(1)));
    }
}

/// A run, and the times when its calls were first seen.
struct WatchedRun {
    calls: Weak<InFlightCalls>,
    slow_row: Duration,
    seen: Vec<Option<Seen>>,
}

struct Seen {
    call: FunctionCall,
    since: Instant,
    /// The duration at which the call is reported next.
    named_at: Duration,
}

impl WatchedRun {
    fn new(calls: &Arc<InFlightCalls>, slow_row: Duration) -> Self {
        Self {
            calls: Arc::downgrade(calls),
            slow_row,
            seen: calls.in_progress().map(|_| None).collect(),
        }
    }

    /// Returns a line about all slow calls when one is due: when it becomes slow, and each time its
    /// duration has doubled since the last line.
    fn look(&mut self, calls: &InFlightCalls, now: Instant) -> Option<String> {
        for (seen, call) in self.seen.iter_mut().zip(calls.in_progress()) {
            if seen.as_ref().map(|seen| seen.call) != call {
                *seen = call.map(|call| Seen {
                    call,
                    since: now,
                    named_at: self.slow_row,
                });
            }
        }
        let time = |seen: &Seen| now.duration_since(seen.since);
        let seen = self.seen.iter_mut().flatten();
        let mut slow: Vec<&mut Seen> = seen.filter(|it| time(it) >= self.slow_row).collect();
        if !slow.iter().any(|seen| time(seen) >= seen.named_at) {
            return None;
        }
        for seen in &mut slow {
            seen.named_at = 2 * time(seen);
        }
        let shortest = slow.iter().map(|seen| time(seen)).min()?;
        let running = calls.describe(slow.iter().map(|seen| seen.call));
        Some(running.slow_line(shortest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::cases::in_flight_calls::Caller;
    use crate::runner::cases::test_target::TestedTarget;
    use tdg_definition::Definition;
    use tdg_engine::{Site, Takes};

    fn calls(threads: usize) -> Arc<InFlightCalls> {
        let definition = r#"{"features": [
            {"feature_name": "a", "type": "INTEGER", "distribution": {"type": "constant", "value": 1}},
            {"feature_name": "b", "type": "INTEGER", "distribution": {"type": "constant", "value": 2}}
        ]}"#;
        let subject = TestedTarget {
            name: "total".to_owned(),
            site: Site {
                package: "",
                manifest_dir: "",
                file: "src/lib.rs",
                line: 1,
                module_path: "shop",
                function: "total",
            },
            thread: thread::current(),
            takes: Takes::Named(vec!["b".to_owned()]),
        };
        let definition = Definition::parse(definition).unwrap();
        let vectors = crate::row::Vectors::generate(&definition, 0, 100);
        Arc::new(InFlightCalls::new(
            subject,
            false,
            &Arc::new(vectors),
            threads,
        ))
    }

    /// Returns the lines with the seconds at which they appear.
    fn lines(calls: &Arc<InFlightCalls>, callers: impl Fn(u64)) -> String {
        let start = Instant::now();
        let mut watched = WatchedRun::new(calls, Duration::from_secs(10));
        let mut lines = Vec::new();
        for second in 0..=100 {
            callers(second);
            let now = start + Duration::from_secs(second);
            lines.extend(
                watched
                    .look(calls, now)
                    .map(|line| format!("{second}: {line}")),
            );
        }
        lines.join("\n")
    }

    #[test]
    fn a_row_is_named_when_it_takes_long_and_then_ever_more_seldom() {
        let calls = calls(1);
        let caller = Caller::new(&calls, 0, None);
        // Nine seconds are not slow.
        let lines = lines(&calls, |second| {
            if second <= 9 || second == 18 {
                caller.begin(FunctionCall::Row(second as usize));
            }
        });
        insta::assert_snapshot!(lines, @"
        28: tdg: total has been in row 18 for 10 s: b = 2 (run it alone: TDG_CASES=18 cargo test total)
        38: tdg: total has been in row 18 for 20 s: b = 2 (run it alone: TDG_CASES=18 cargo test total)
        58: tdg: total has been in row 18 for 40 s: b = 2 (run it alone: TDG_CASES=18 cargo test total)
        98: tdg: total has been in row 18 for 80 s: b = 2 (run it alone: TDG_CASES=18 cargo test total)
        ");
    }

    #[test]
    fn rows_in_several_threads_are_named_together() {
        let calls = calls(4);
        let callers: Vec<_> = (0..4).map(|it| Caller::new(&calls, it, None)).collect();
        let lines = lines(&calls, |second| match second {
            0 => callers[1].begin(FunctionCall::Row(25)),
            1 => callers[3].begin(FunctionCall::Row(75)),
            12..90 => callers[0].begin(FunctionCall::Row(second as usize)),
            90 => callers[0].begin(FunctionCall::Row(3)),
            _ => {}
        });
        insta::assert_snapshot!(lines, @"
        10: tdg: total has been in row 25 for 10 s: b = 2 (run it alone: TDG_CASES=25 cargo test total)
        11: tdg: total has been in rows 25 and 75 for 10 s (run them alone: TDG_CASES=25,75 cargo test total)
        21: tdg: total has been in rows 25 and 75 for 20 s (run them alone: TDG_CASES=25,75 cargo test total)
        41: tdg: total has been in rows 25 and 75 for 40 s (run them alone: TDG_CASES=25,75 cargo test total)
        81: tdg: total has been in rows 25 and 75 for 80 s (run them alone: TDG_CASES=25,75 cargo test total)
        100: tdg: total has been in rows 3, 25 and 75 for 10 s (run them alone: TDG_CASES=3,25,75 cargo test total)
        ");
    }

    #[test]
    fn a_batch_is_named_as_a_whole_and_no_more_when_it_has_returned() {
        let calls = calls(1);
        let mut caller = Some(Caller::new(&calls, 0, None));
        caller.as_ref().unwrap().begin(FunctionCall::Batch);
        let batch = lines(&calls, |_| {});
        insta::assert_snapshot!(batch.lines().next().unwrap(), @"10: tdg: total has been in its batch of 100 rows for 10 s");
        caller.take();
        assert_eq!(lines(&calls, |_| {}), "");
    }
}
