//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

#[tdg::ensemble_test(size = 500)]
fn days(#[define(uniform(0..=1_000_000))] seconds: usize) -> String {
    compound_duration::format_dhms(seconds)
}

#[tdg::ensemble_test(size = 500)]
fn weeks(#[define(uniform(0..=5_000_000))] seconds: usize) -> String {
    compound_duration::format_wdhms(seconds)
}

#[tdg::ensemble_test(size = 500)]
fn nanoseconds(
    #[define(uniform(0..=2_000))] seconds: usize,
    #[define(categorical(0, 5, 999, 1_000, 45_600, 1_000_000, 7_000_001, 999_999_999))] nanoseconds: usize,
) -> String {
    compound_duration::format_ns(1_000_000_000 * seconds + nanoseconds)
}
