//! `kill -9` at any moment leaves the old benchmark or the new one.

use std::hint;
use std::time::{Duration, Instant};

use tdg::snapshot::Snapshot;
use tdg_tests::{Checkout, Program};

use crate::history::{history, integrity, test_of};

const SNAPSHOT: &str = "tests/snapshots/pricing__many_cases.snap";
const KILLS: u32 = 50;

/// Delays over the time that a whole run takes, in an order without a pattern.
fn delays(whole: Duration) -> impl Iterator<Item = Duration> {
    // 19 and 50 have no divisor in common, so every fiftieth is taken once.
    (0..KILLS).map(move |kill| whole * (kill * 19 % KILLS) / KILLS)
}

/// Starts accepting what the factor gives, and kills it after the delay.
fn kill(shop: &Checkout<'_>, factor: &str, delay: Duration) {
    let started = Instant::now();
    let mut child = accepting(shop, factor).start();
    while started.elapsed() < delay {
        hint::spin_loop();
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn accepting(shop: &Checkout<'_>, factor: &str) -> tdg_tests::Run {
    shop.pricing("many_cases")
        .env("FACTOR", factor)
        .env("TDG_UPDATE", "always")
}

/// The benchmark that a factor gives, and how long it takes to record it.
fn benchmark(factor: &str) -> (String, Duration) {
    let shop = Program::shop().checkout();
    let started = Instant::now();
    accepting(&shop, factor).passes();
    (shop.read(SNAPSHOT), started.elapsed())
}

#[test]
fn a_recording_that_is_killed_leaves_nothing_or_the_benchmark() {
    let (expected, whole) = benchmark("1");
    let shop = Program::shop().checkout();
    for (round, delay) in delays(whole).enumerate() {
        shop.remove(SNAPSHOT);
        // Every other round the store is new as well.
        if round % 2 == 0 {
            shop.remove(".tdg");
        }
        kill(&shop, "1", delay);
        if shop.has(SNAPSHOT) {
            assert_eq!(shop.read(SNAPSHOT), expected);
        }
        assert_sound(&shop);
        shop.pricing("many_cases").passes();
        assert_eq!(shop.read(SNAPSHOT), expected);
    }
}

#[test]
fn an_acceptance_that_is_killed_leaves_the_old_benchmark_or_the_new_one() {
    let (old, _) = benchmark("1");
    let (new, whole) = benchmark("1.03");
    let shop = Program::shop().checkout();
    for delay in delays(whole) {
        shop.write(SNAPSHOT, &old);
        kill(&shop, "1.03", delay);
        let left = shop.read(SNAPSHOT);
        assert!(left == old || left == new, "in between:\n{left}");
        Snapshot::parse(left.clone()).unwrap();
        assert_sound(&shop);
        let factor = if left == old { "1" } else { "1.03" };
        let run = shop.pricing("many_cases").env("FACTOR", factor).passes();
        assert_eq!(run.stderr, "");
        assert_eq!(shop.read(SNAPSHOT), left);
    }
}

/// The store, if it is there already, is whole, and the next run is added to it.
fn assert_sound(shop: &Checkout<'_>) {
    if !shop.has(".tdg/store.db") {
        return;
    }
    assert_eq!(integrity(shop), "ok");
    let _ = history(shop, &test_of("shop", "tests/pricing.rs", "many_cases"));
}
