//! A `kill -9` at any moment leaves either the old benchmark or the new one.

use std::hint;
use std::time::{Duration, Instant};

use tdg_tests::{Checkout, Program};

use crate::history::{history, integrity, test_of};

const SNAPSHOT: &str = "tests/snapshots/pricing__many_cases.snap";
const KILLS: u32 = 50;

/// Chooses moments to kill a run: early and late, but mostly near the end, when it writes.
struct Moments {
    /// The approximate duration of a run, on a machine that may be busy.
    run: Duration,
    kills: u32,
}

impl Moments {
    /// Starts accepting the outputs for a factor, and kills the run at the next moment.
    fn kill(&mut self, shop: &Checkout<'_>, factor: &str) {
        // 19 and 50 are coprime, so every share is used once.
        let share = self.kills * 19 % KILLS + KILLS / 2;
        let delay = self.run * share / KILLS;
        let started = Instant::now();
        let mut child = accepting(shop, factor).start();
        while started.elapsed() < delay {
            hint::spin_loop();
        }
        let was_late = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        self.run = self.run * if was_late { 9 } else { 11 } / 10;
        self.kills += 1;
    }
}

fn accepting(shop: &Checkout<'_>, factor: &str) -> tdg_tests::Run {
    shop.pricing("many_cases")
        .env("FACTOR", factor)
        .env("TDG_UPDATE", "always")
}

/// Returns the benchmark for a factor, and the moments to kill a run that records it.
fn benchmark(factor: &str) -> (String, Moments) {
    let shop = Program::shop().checkout();
    let started = Instant::now();
    accepting(&shop, factor).passes();
    let run = started.elapsed();
    (shop.read(SNAPSHOT), Moments { run, kills: 0 })
}

#[test]
fn a_recording_that_is_killed_leaves_nothing_or_the_benchmark() {
    let (expected, mut moments) = benchmark("1");
    let shop = Program::shop().checkout();
    let mut recorded = 0;
    for round in 0..KILLS {
        shop.remove(SNAPSHOT);
        // In every other round, the store is new as well.
        if round % 2 == 0 {
            shop.remove(".tdg");
        }
        moments.kill(&shop, "1");
        if shop.has(SNAPSHOT) {
            assert_eq!(shop.read(SNAPSHOT), expected);
            recorded += 1;
        }
        assert_sound(&shop);
        shop.pricing("many_cases").passes();
        assert_eq!(shop.read(SNAPSHOT), expected);
    }
    assert!((1..KILLS).contains(&recorded), "always at the same moment");
}

#[test]
fn an_acceptance_that_is_killed_leaves_the_old_benchmark_or_the_new_one() {
    let (old, _) = benchmark("1");
    let (new, mut moments) = benchmark("1.03");
    let shop = Program::shop().checkout();
    // The store has to know the old benchmark, or a run would report it.
    accepting(&shop, "1").passes();
    assert_eq!(shop.read(SNAPSHOT), old);
    let mut accepted = 0;
    for _ in 0..KILLS {
        shop.write(SNAPSHOT, &old);
        moments.kill(&shop, "1.03");
        let left = shop.read(SNAPSHOT);
        assert!(left == old || left == new, "in between:\n{left}");
        accepted += u32::from(left == new);
        assert_sound(&shop);
        let factor = if left == old { "1" } else { "1.03" };
        let run = shop.pricing("many_cases").env("FACTOR", factor).passes();
        assert_eq!(run.stderr, "");
        assert_eq!(shop.read(SNAPSHOT), left);
    }
    assert!((1..KILLS).contains(&accepted), "always at the same moment");
}

/// Asserts that the store, if it exists, is intact and readable.
fn assert_sound(shop: &Checkout<'_>) {
    if shop.has(".tdg/store.db") {
        assert_eq!(integrity(shop), "ok");
        let _ = history(shop, &test_of("shop", "tests/pricing.rs", "many_cases"));
    }
}
